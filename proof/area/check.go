package area

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"tengen/board"
	"tengen/weiqi"
)

// Report is the result of a check.
type Report struct {
	Valid     bool     `json:"valid"`
	Positions int      `json:"positions"` // entries checked
	Settled   int      `json:"settled"`   // of them, those after whose move enough points are safe
	Rooms     int      `json:"rooms"`     // of them, those that are rooms
	Failure   *Failure `json:"failure,omitempty"`
}

// Failure is the first fault of a certificate.
type Failure struct {
	Position string `json:"position"`
	Move     string `json:"move,omitempty"`
	Reply    string `json:"reply,omitempty"`
	Reason   string `json:"reason"`
}

func (f *Failure) Error() string {
	text := "in " + f.Position
	if f.Move != "" {
		text += " after " + f.Move
	}
	if f.Reply != "" {
		text += " and the reply " + f.Reply
	}
	return text + ": " + f.Reason
}

// Verify checks a certificate by the rules and unconditional life alone. That suffices
// by induction on ranks: the prover reaches the goal from every entry of rank 0 or more,
// because after its move the game is over and won, or enough points are safe, or every
// reply ends the game and loses it or leads to an entry of lower rank, or the prover keeps
// some rooms behind a wall, which entries of rooms show in the same way.
//
// An error means that the check could not be completed. A certificate that proves
// nothing gives a Report with a Failure. All processors check. Verify calls progress,
// unless nil, with the number of entries checked, one call at a time.
func Verify(ctx context.Context, c *Certificate, progress func(done, total int)) (Report, error) {
	c = c.indexed()
	if fail := c.checkRoot(); fail != nil {
		return Report{Failure: fail}, nil
	}
	v := verification{c: c, progress: progress, failed: math.MaxInt}
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for v.take(ctx) {
			}
		})
	}
	group.Wait()
	switch {
	case v.sum.Failure != nil:
		v.sum.Positions = v.failed
	case v.sum.Positions < len(c.entries):
		return v.sum, ctx.Err()
	default:
		v.sum.Valid = true
	}
	return v.sum, nil
}

// verification is a check under way.
type verification struct {
	c        *Certificate
	mu       sync.Mutex
	next     int // entry that nobody has taken
	sum      Report
	failed   int // entries up to the failure
	progress func(done, total int)
}

// taken is the number of entries that a goroutine takes at once.
const taken = 1024

// take checks the next entries. It returns false if none is left.
func (v *verification) take(ctx context.Context) bool {
	v.mu.Lock()
	from, to := v.next, min(v.next+taken, len(v.c.entries))
	if v.sum.Failure != nil || ctx.Err() != nil {
		to = from
	}
	v.next = to
	v.mu.Unlock()
	if from == to {
		return false
	}
	var r Report
	at := from
	for ; at < to && r.Failure == nil; at++ {
		r.Failure = v.c.checkEntry(v.c.entries[at], &r)
		r.Positions++
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sum.Positions += r.Positions
	v.sum.Settled += r.Settled
	v.sum.Rooms += r.Rooms
	if r.Failure != nil && at < v.failed {
		v.sum.Failure, v.failed = r.Failure, at
	}
	if v.progress != nil {
		v.progress(v.sum.Positions, len(v.c.entries))
	}
	return true
}

func (c *Certificate) checkRoot() *Failure {
	root := c.claim.Root
	if root.ToPlay != c.claim.Prover {
		return c.checkReplies(root, MaxRank+1, Failure{Position: root.String()}, nil)
	}
	if _, ok := c.Lookup(root); !ok {
		return &Failure{Position: root.String(), Reason: "the root is not listed"}
	}
	return nil
}

func (c *Certificate) checkEntry(e entry, r *Report) *Failure {
	p := c.position(e.code)
	fail := c.checkPosition(p, e, r)
	if fail != nil {
		fail.Position = fmt.Sprintf("%s (ban %s, passes %d)", p, p.Size.Name(p.Ko), p.Passes)
	}
	return fail
}

// checkPosition checks an entry. The failure does not name the position.
func (c *Certificate) checkPosition(p weiqi.Position, e entry, r *Report) *Failure {
	var f Failure
	k := kindOf(e.code)
	if code, _ := c.coder.canonical(p, c.claim.Prover, k); code != e.code {
		f.Reason = "it is not the smallest of its images"
		return &f
	}
	if err := p.Validate(); err != nil {
		f.Reason = err.Error()
		return &f
	}
	move := c.coder.move(e.move)
	f.Move = moveName(p.Size, move)
	play := weiqi.Rules{}.Play
	if k != whole {
		if r.Rooms++; wallOf(p, c.claim.Prover) == 0 || p.Passes > 0 {
			f.Reason = "it is no room"
			return &f
		}
		play = roomMove
	}
	next, err := play(p, move)
	switch {
	case err != nil:
		f.Reason = err.Error()
		return &f
	case k != whole:
		return c.checkRoom(room{Position: next, kind: k}, int(e.rank), f)
	}
	return c.checkReplies(next, int(e.rank), f, r)
}

// checkReplies looks at a position with the other side to move, or at the end.
func (c *Certificate) checkReplies(p weiqi.Position, rank int, f Failure, r *Report) *Failure {
	if p.Over() {
		return c.checkEnd(p, f)
	}
	if settled(p, c.claim) {
		if r != nil {
			r.Settled++
		}
		return nil
	}
	if fail := c.checkListed(p, rank, f); fail != nil && !c.byRooms(p) {
		return fail
	}
	return nil
}

// checkListed looks for every reply among the entries of lower rank.
func (c *Certificate) checkListed(p weiqi.Position, rank int, f Failure) *Failure {
	var rules weiqi.Rules
	legal := rules.Legal(p)
	for i := -1; i < len(c.coder.points); i++ {
		move := weiqi.Pass
		if i >= 0 {
			if move = c.coder.points[i]; !legal.Has(move) {
				continue
			}
		}
		next, err := rules.Play(p, move)
		f.Reply = moveName(p.Size, move)
		if err != nil {
			f.Reason = err.Error()
			return &f
		}
		if next.Over() {
			if fail := c.checkEnd(next, f); fail != nil {
				return fail
			}
			continue
		}
		step, ok := c.Lookup(next)
		switch {
		case !ok:
			f.Reason = "no listed position follows"
			return &f
		case step.Rank >= rank:
			return notBelow(f, step.Rank, rank)
		}
	}
	return nil
}

func notBelow(f Failure, next, rank int) *Failure {
	f.Reason = fmt.Sprintf("the position that follows has rank %d, which is not below %d", next, rank)
	return &f
}

func (c *Certificate) checkEnd(p weiqi.Position, f Failure) *Failure {
	if score := scoreOf(p, c.claim.Prover); score < c.claim.Goal {
		f.Reason = fmt.Sprintf("the game ends with %d, short of %d", score, c.claim.Goal)
		return &f
	}
	return nil
}

func moveName(size board.Size, move board.Point) string {
	if move == weiqi.Pass {
		return "pass"
	}
	return size.Name(move)
}
