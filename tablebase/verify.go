package tablebase

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"tengen/weiqi"
)

// Verification says how much of a table to check, and how.
type Verification struct {
	// Sample is the share of the boards to check; 0 means all of them.
	Sample  float64
	Seed    uint64
	Threads int
	// Memory is how many bytes of values to keep at hand, 0 for DefaultVerifyMemory.
	// VerifyMemory says how many there is a use for.
	Memory int64
	// Started is called when the sums have proved right and memory is about to be
	// taken, if it is set.
	Started func()
	// Progress is called now and then, by one thread at a time, with the work done
	// and all of it, if it is set.
	Progress func(done, all int)
}

// DefaultVerifyMemory is enough for every table of up to 20 points.
const DefaultVerifyMemory = 4 << 30

// Verified says what a verification has looked at.
type Verified struct {
	Boards, Bans uint64 // checked
	Positions    uint64 // legal boards they stand for
	Complete     bool   // every legal board of the size was among them
}

// Wrong is what a verification finds in an intact table: a value that does not
// follow from the rules, or a position too many or too few. Its text has the position.
type Wrong struct{ text string }

func (w *Wrong) Error() string { return w.text }

func wrong(format string, args ...any) error { return &Wrong{fmt.Sprintf(format, args...)} }

// VerifyMemory is what a verification takes if all values are to be at hand. With
// less it decodes the same frames again and again, and is slower by far.
func (t *Table) VerifyMemory() int64 { return t.residentBytes() }

// Verify re-derives values from those of the positions that moves lead to, by the
// rules alone, and compares. It also checks that every board is sound and kept
// under its smallest code, whichever image one asks for, that the bans of a board are
// those the rules allow, and, when all boards are checked, that none is missing.
//
// Agreement with the successors leaves one thing open: values that rest on one
// another in a circle. Distances close it, since each must be one more than that of
// a successor with the same value: with them the scores with loops drawn are proved,
// without them they are consistent.
//
// An error of type *Wrong names a position that does not agree. Any other says that
// the file could not be read, or that the context has ended.
func (t *Table) Verify(ctx context.Context, how Verification) (Verified, error) {
	if err := t.CheckSum(ctx); err != nil {
		return Verified{}, err
	}
	how.Threads = max(how.Threads, 1)
	if how.Memory == 0 {
		how.Memory = DefaultVerifyMemory
	}
	if how.Started != nil {
		how.Started()
	}
	p := &progress{tell: how.Progress}
	from, err := t.source(ctx, how, p)
	if err != nil {
		return Verified{}, err
	}
	defer from.free()
	checkers := make([]*checker, how.Threads)
	for i := range checkers {
		checkers[i] = newChecker(t, from, how.Sample)
	}
	err = t.eachFrame(ctx, how.Threads, func(thread, n int, f *frame) error {
		c := checkers[thread]
		c.random = rand.New(rand.NewPCG(how.Seed, uint64(n)))
		defer p.add(checkWork * len(f.values[0]))
		return c.frame(n, f)
	})
	var sum Verified
	for _, c := range checkers {
		sum.Boards += c.seen.Boards
		sum.Bans += c.seen.Bans
		sum.Positions += c.seen.Positions
	}
	if err != nil || how.Sample > 0 {
		return sum, err
	}
	return t.complete(sum)
}

// source chooses how successors are looked up. Reading the whole table first pays
// unless few boards are to be checked or the memory is too small for it.
func (t *Table) source(ctx context.Context, how Verification, p *progress) (source, error) {
	h := t.header
	p.all = checkWork * int(h.Boards)
	plausible := h.Boards <= power3(h.Size.Points()) && h.Bans <= h.Boards*uint64(h.Size.Points())
	if few := how.Sample > 0 && how.Sample < fewBoards; few || !plausible || t.residentBytes() > how.Memory {
		// Frames live on the heap, which grows to twice what is held before the rest is collected.
		return frames{t, newCache(h.frames(), how.Memory/2)}, nil
	}
	p.all += int(h.Boards)
	r, err := newResident(ctx, t, how.Threads, p.add)
	if err != nil {
		return nil, err // not r, which would make a source of a nil pointer
	}
	return r, nil
}

const (
	// fewBoards is the share below which frames are decoded as needed: checking a
	// board may decode some twenty of them, which costs as much as reading a few
	// thousand boards in order.
	fewBoards = 1.0 / 4000

	// checkWork is about how much longer checking a board takes than reading it.
	checkWork = 15
)

// complete compares what was found with the header and with the number of legal boards.
func (t *Table) complete(v Verified) (Verified, error) {
	if v.Boards != t.header.Boards || v.Bans != t.header.Bans {
		return v, wrong("%s holds %d boards and %d bans, its header says %d and %d", t.path, v.Boards, v.Bans, t.header.Boards, t.header.Bans)
	}
	want := weiqi.LegalPositions(t.header.Size)
	if new(big.Int).SetUint64(v.Positions).Cmp(want) != 0 {
		return v, wrong("%s stands for %d boards, %s has %s legal ones", t.path, v.Positions, t.header.Size, want)
	}
	v.Complete = true
	return v, nil
}

// eachFrame decodes every frame that holds boards, on several threads, until use
// fails or the context ends.
func (t *Table) eachFrame(ctx context.Context, threads int, use func(thread, n int, f *frame) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wait sync.WaitGroup
	for thread := range threads {
		wait.Go(func() {
			for ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= t.header.frames() {
					return
				}
				f, err := t.load(n)
				if err == nil && f != nil {
					err = use(thread, n, f)
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// progress adds up the work of all threads.
type progress struct {
	tell  func(done, all int)
	all   int
	done  atomic.Int64
	mutex sync.Mutex // of tell
}

// add reports whenever another thousandth of the work is done.
func (p *progress) add(work int) {
	done := int(p.done.Add(int64(work)))
	step := p.all/1000 + 1
	if p.tell != nil && (done/step != (done-work)/step || done == p.all) {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.tell(done, p.all)
	}
}
