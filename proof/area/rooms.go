package area

import (
	"errors"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// A block of the prover, the wall, may cut the board into rooms. docs/go-search.md proves
// that the prover keeps the wall and some of its rooms if it keeps each of these alone,
// moving second, with stones of the wall on all points outside of it, and the wall has two
// eyes in them. In a room the other side may pass, is bound by no ban, and must not take the
// wall; the prover may neither pass nor fill an eye.

var errRoomMove = errors.New("in a room the prover may neither pass nor play where all neighbours are its own")

// room is a room with stones of the wall outside of it, and the eyes that the wall needs.
type room struct {
	weiqi.Position
	kind kind
	part uint64 // its points, as settling finds them
}

func (r room) eyes() int { return int(r.kind) }

// settling finds rooms that settle a position with the other side to move: they and their
// wall have enough points. It returns none if there are none, and after a pass: the other
// side may end the game. Images of a position have the same rooms, up to symmetry.
func (c *Certificate) settling(p weiqi.Position, keeps func(room) bool) (wall uint64, list []room) {
	prover := c.claim.Prover
	if p.Passes > 0 {
		return 0, nil
	}
	p.Ko = board.NoPoint
	_, sym := c.coder.canonical(p, prover, whole)
	p = p.Map(sym)
	g := weiqi.NewGrid(p.Size)
	for _, wall := range components(g, p.Stones[prover][0]) {
		parts := slices.DeleteFunc(components(g, g.Mask&^wall), func(part uint64) bool { return 2*bits.OnesCount64(part) > p.Size.Points() })
		for double := -1; double < len(parts); double++ {
			if list := c.holding(p, wall, parts, double, keeps); list != nil {
				return wall, list
			}
		}
	}
	return 0, nil
}

// holding are the rooms that are kept, if they and their wall have enough points and give
// the wall two eyes: one each of two rooms, or two the room with the number double, if it is
// not negative.
func (c *Certificate) holding(p weiqi.Position, wall uint64, parts []uint64, double int, keeps func(room) bool) (list []room) {
	prover := c.claim.Prover
	g := weiqi.NewGrid(p.Size)
	held := wall // or not yet looked at
	for _, part := range parts {
		held |= part
	}
	eyes := 0
	for i, part := range parts {
		if !c.claim.enough(held) {
			return nil
		}
		r := room{within(p, prover, part, g.Mask&^part), oneEye, part}
		if i == double {
			r.kind = twoEyes
		}
		if r.Validate() == nil && keeps(r) {
			eyes += r.eyes()
			list = append(list, r)
			continue
		}
		outside := withEyes(g, g.Mask&^part)
		r.Position = within(p, prover, part, outside)
		switch {
		case i == double:
			return nil
		case 2*bits.OnesCount64(outside) < p.Size.Points() || r.Validate() != nil || !keeps(r):
			held &^= part
		default:
			list = append(list, r)
		}
	}
	if eyes < 2 || !c.claim.enough(held) {
		return nil
	}
	return list
}

// within is a part of a board with stones of the prover outside of it.
func within(p weiqi.Position, prover board.Colour, part, outside uint64) weiqi.Position {
	r := weiqi.Position{Size: p.Size, ToPlay: prover.Opponent(), Ko: board.NoPoint}
	r.Stones[prover][0] = p.Stones[prover][0]&part | outside
	r.Stones[prover.Opponent()][0] = p.Stones[prover.Opponent()][0] & part
	return r
}

// withEyes takes two points out of a set, which are next to points of the set alone and
// not next to each other, so that the rest is connected: the first such pair. It returns 0
// if there is none.
func withEyes(g weiqi.Grid, set uint64) uint64 {
	inner := set &^ g.Around(g.Mask&^set)
	for first := inner; first != 0; first &= first - 1 {
		for second := first & (first - 1); second != 0; second &= second - 1 {
			a, b := first&-first, second&-second
			if rest := set &^ (a | b); g.Around(a)&b == 0 && g.Flood(rest&-rest, rest) == rest {
				return rest
			}
		}
	}
	return 0
}

// wallOf is the block of a side that covers at least half of the board, or nothing. On a
// legal board there is at most one.
func wallOf(p weiqi.Position, side board.Colour) uint64 {
	for _, block := range components(weiqi.NewGrid(p.Size), p.Stones[side][0]) {
		if 2*bits.OnesCount64(block) >= p.Size.Points() {
			return block
		}
	}
	return 0
}

// kept reports whether all points of a room are safe.
func (r room) kept(prover board.Colour) bool {
	wall := uint64(0)
	if r.kind == oneEye {
		wall = wallOf(r.Position, prover)
	}
	return safe(r.Position, prover, wall) == weiqi.NewGrid(r.Size).Mask
}

// roomReply is a reply in a room: the prover is to move, and the wall stands or not.
type roomReply struct {
	weiqi.Position
	move  board.Point
	taken bool // the wall was
}

func (r room) replies(prover board.Colour) (list []roomReply) {
	wall := wallOf(r.Position, prover)
	passed := r.Position
	passed.ToPlay = prover
	list = append(list, roomReply{passed, weiqi.Pass, false})
	var rules weiqi.Rules
	for q := range rules.Legal(r.Position).Points() {
		if next, err := rules.Play(r.Position, q); err == nil {
			list = append(list, roomReply{next, q, next.Stones[prover][0]&wall != wall})
		}
	}
	return list
}

// roomMove plays in a room. The other side is bound by no ban.
func roomMove(p weiqi.Position, move board.Point) (weiqi.Position, error) {
	own := func(q board.Point) bool { return p.Stones.At(q) == p.ToPlay }
	if move == weiqi.Pass || !slices.ContainsFunc(p.Size.Neighbours(move), func(q board.Point) bool { return !own(q) }) {
		return p, errRoomMove
	}
	next, err := weiqi.Rules{}.Play(p, move)
	next.Ko = board.NoPoint
	return next, err
}

// byRooms reports whether the listed rooms settle a position with the other side to move.
func (c *Certificate) byRooms(p weiqi.Position) bool {
	_, list := c.settlingListed(p)
	return list != nil
}

// settlingListed are the listed rooms that settle a position, and their wall.
func (c *Certificate) settlingListed(p weiqi.Position) (wall uint64, list []room) {
	return c.settling(p, func(r room) bool { return c.checkRoom(r, MaxRank+1, Failure{}) == nil })
}

// checkRoom looks at a room with the other side to move: it is kept, or every reply leads
// to a listed room of lower rank.
func (c *Certificate) checkRoom(r room, rank int, f Failure) *Failure {
	if r.kept(c.claim.Prover) {
		return nil
	}
	for _, reply := range r.replies(c.claim.Prover) {
		f.Reply = moveName(r.Size, reply.move)
		if reply.taken {
			f.Reason = "the wall of the room is taken"
			return &f
		}
		step, ok := c.lookup(reply.Position, r.kind)
		switch {
		case !ok:
			f.Reason = "no listed room follows"
			return &f
		case step.Rank >= rank:
			return notBelow(f, step.Rank, rank)
		}
	}
	return nil
}
