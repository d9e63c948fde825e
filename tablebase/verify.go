package tablebase

import (
	"cmp"
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
	// Sample is the share of the boards to check, up to 1; 0 means all of them.
	Sample float64
	Seed   uint64
	// From and To bound the frames whose boards are checked, To excluded. A To of 0 means Frames,
	// the end. The counts of slices that cover all frames add up to the counts of the whole check.
	// Complete checks that sum.
	From, To int
	Threads  int // 0 means one
	// Memory is the number of bytes that values may take, 0 for DefaultVerifyMemory. VerifyMemory
	// is the largest number that is useful.
	Memory int64
	// Started, if it is set, is called after the checksums were found right and before memory is
	// taken.
	Started func()
	// Progress, if it is set, is called from time to time with the work done and all of the work,
	// by one thread at a time.
	Progress func(done, all int)
}

// DefaultVerifyMemory is enough for every table of up to 20 points.
const DefaultVerifyMemory = 4 << 30

// Verified counts what a verification has checked.
type Verified struct {
	Boards, Bans uint64 // checked
	Positions    uint64 // legal boards they stand for
	Complete     bool   // every legal board of the size was among them
}

// And adds the counts of another slice.
func (v Verified) And(other Verified) Verified {
	return Verified{Boards: v.Boards + other.Boards, Bans: v.Bans + other.Bans, Positions: v.Positions + other.Positions}
}

// Wrong is the error about an intact table with a wrong content: a value that does not follow from
// the rules, or a position too many or too few. Its text shows the position.
type Wrong struct{ text string }

func (w *Wrong) Error() string { return w.text }

func wrong(format string, args ...any) error { return &Wrong{fmt.Sprintf(format, args...)} }

// VerifyMemory is the memory in bytes that holds all values for a verification. With less memory a
// verification decodes the same frames again and again and is much slower.
func (t *Table) VerifyMemory() int64 { return t.residentBytes() }

// Frames is the number of pieces that a verification can be cut into. Many of the last
// are empty.
func (t *Table) Frames() int { return t.header.frames() }

// Verify derives every value again from the values after the moves, by the rules alone, and
// compares. It also checks that every board is sound and kept under the smallest code of all its
// images, and that the bans of a board are those the rules allow. When all boards are checked, it
// also checks that none is missing.
//
// Agreement with the successors leaves one gap: values may depend on one another in a circle.
// Distances close the gap, since each must be one more than that of a successor with the same
// value. So with distances all values are proved. Without distances they are only consistent.
//
// An error of type *Wrong names a position that does not agree. Any other says that
// the file could not be read, or that the context has ended.
func (t *Table) Verify(ctx context.Context, how Verification) (Verified, error) {
	v, err := t.Verifier(ctx, how)
	if err != nil {
		return Verified{}, err
	}
	defer v.Close()
	how = v.how
	sum, err := v.Slice(ctx, how.From, how.To)
	if err != nil || how.Sample > 0 || how.From > 0 || how.To < t.Frames() {
		return sum, err
	}
	return t.Complete(sum)
}

// Verifier checks a table slice by slice. The slow preparation is done only once.
type Verifier struct {
	table    *Table
	how      Verification
	from     source
	progress *progress
}

// Verifier checks the checksum of the file and loads the values that a verification needs. The
// caller must close the result.
func (t *Table) Verifier(ctx context.Context, how Verification) (*Verifier, error) {
	if !(how.Sample >= 0 && how.Sample <= 1) {
		return nil, fmt.Errorf("a sample of %g is no share of the boards: it is between 0 and 1", how.Sample)
	}
	if how.To == 0 {
		how.To = t.Frames()
	}
	if err := t.isSlice(how.From, how.To); err != nil {
		return nil, err
	}
	if _, err := t.Checksum(ctx); err != nil {
		return nil, err
	}
	how.Threads = max(how.Threads, 1)
	if how.Memory == 0 {
		how.Memory = DefaultVerifyMemory
	}
	if how.Started != nil {
		how.Started()
	}
	p := &progress{report: how.Progress}
	from, err := t.source(ctx, how, p)
	if err != nil {
		return nil, err
	}
	return &Verifier{t, how, from, p}, nil
}

func (t *Table) isSlice(from, to int) error {
	if from < 0 || to < from || to > t.Frames() {
		return fmt.Errorf("frames %d to %d are not a slice of a table with %d", from, to, t.Frames())
	}
	return nil
}

// Close frees the memory. The table stays open.
func (v *Verifier) Close() { v.from.free() }

// Slice checks the boards of frames, the last of them excluded, as Verify does. Slices
// are checked one after the other.
func (v *Verifier) Slice(ctx context.Context, from, to int) (Verified, error) {
	t, how := v.table, v.how
	if err := t.isSlice(from, to); err != nil {
		return Verified{}, err
	}
	checkers := make([]*checker, how.Threads)
	for i := range checkers {
		checkers[i] = newChecker(t, v.from, how.Sample)
	}
	err := t.eachFrame(ctx, from, to, how.Threads, func(thread, n int, f *frame) error {
		c := checkers[thread]
		c.random = rand.New(rand.NewPCG(how.Seed, uint64(n)))
		defer v.progress.add(checkWork * t.bytes(n, n+1))
		return c.frame(n, f)
	})
	var sum Verified
	for _, c := range checkers {
		sum = sum.And(c.seen)
	}
	return sum, err
}

// Count counts the boards of frames, the last of them excluded, as a verification does, and
// checks nothing.
func (t *Table) Count(ctx context.Context, from, to, threads int) (Verified, error) {
	if err := t.isSlice(from, to); err != nil {
		return Verified{}, err
	}
	sums := make([]Verified, max(threads, 1))
	err := t.eachFrame(ctx, from, to, len(sums), func(thread, n int, f *frame) error {
		sum := &sums[thread]
		for _, code := range t.codes(n, f) {
			ones, twos := t.coder.stones(code)
			mine, theirs := t.coder.image(ones), t.coder.image(twos)
			sum.Boards++
			sum.Positions += standsFor(t.coder.images(&mine, &theirs))
		}
		sum.Bans += uint64(len(f.bans))
		return nil
	})
	var sum Verified
	for _, s := range sums {
		sum = sum.And(s)
	}
	return sum, err
}

// standsFor is the number of legal boards that a board is kept for: its images, and those of
// its inverse unless the two are twins.
func standsFor(images int, twin bool) uint64 {
	if twin {
		return uint64(images)
	}
	return 2 * uint64(images)
}

// bytes is the size of a range of frames in the file.
func (t *Table) bytes(from, to int) int { return int(t.offsets[to] - t.offsets[from]) }

// source chooses how successors are looked up. Reading the whole table first is faster unless few
// boards are checked or the memory is too small.
func (t *Table) source(ctx context.Context, how Verification, p *progress) (source, error) {
	h := t.header
	slice, whole := t.bytes(how.From, how.To), t.bytes(0, t.Frames())
	p.all = checkWork * slice
	share := cmp.Or(how.Sample, 1) * float64(slice) / float64(max(whole, 1))
	plausible := h.Boards <= power3(h.Size.Points()) && h.Bans <= h.Boards*uint64(h.Size.Points())
	if share < fewBoards || !plausible || t.residentBytes() > how.Memory {
		// Frames live on the Go heap, which may grow to twice the size of its live data.
		return frames{t, newCache(h.frames(), how.Memory/2)}, nil
	}
	p.all += whole
	r, err := newResident(ctx, t, how.Threads, p.add)
	if err != nil {
		return nil, err // not r: a nil pointer in a source is not a nil source
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

// Complete compares the counts of all frames with the header and with the number of legal boards.
func (t *Table) Complete(v Verified) (Verified, error) {
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

// eachFrame decodes every frame of a range that holds boards, on several threads, until
// use fails or the context ends.
func (t *Table) eachFrame(ctx context.Context, from, to, threads int, use func(thread, n int, f *frame) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	next.Store(int64(from))
	var wait sync.WaitGroup
	for thread := range threads {
		wait.Go(func() {
			for ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= to {
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
	report func(done, all int)
	all    int
	done   atomic.Int64
	mutex  sync.Mutex // guards the calls of report
}

// add reports whenever another thousandth of the work is done.
func (p *progress) add(work int) {
	done := int(p.done.Add(int64(work)))
	step := p.all/1000 + 1
	if p.report != nil && (done/step != (done-work)/step || done == p.all) {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.report(int(p.done.Load()), p.all) // another thread may have reported more meanwhile
	}
}
