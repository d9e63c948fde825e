package area

import (
	"context"
	"fmt"

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
// every room behind a wall, which entries of rooms show in the same way.
//
// An error means that the check could not be completed. A certificate that proves
// nothing gives a Report with a Failure. Verify calls progress, unless nil, with the
// number of entries checked.
func Verify(ctx context.Context, c *Certificate, progress func(done, total int)) (Report, error) {
	var r Report
	r.Failure = c.checkRoot()
	for i, e := range c.entries {
		if r.Failure != nil {
			break
		}
		if i%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return r, err
			}
			if progress != nil {
				progress(i, len(c.entries))
			}
		}
		r.Failure = c.checkEntry(e, &r)
		r.Positions++
	}
	r.Valid = r.Failure == nil
	return r, nil
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
	f := Failure{Position: fmt.Sprintf("%s (ban %s, passes %d)", p, p.Size.Name(p.Ko), p.Passes)}
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
		return c.checkRoom(room{next, k}, int(e.rank), f)
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
