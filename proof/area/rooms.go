package area

import (
	"errors"
	"math/bits"

	"tengen/board"
	"tengen/weiqi"
)

// A block of the prover, the wall, may cut the board into rooms. docs/go-search.md proves
// that the prover keeps the whole board if it keeps every room alone, moving second, with
// stones of the wall on all points outside of it. In a room the other side may pass, is
// bound by no ban, and must not take the wall; the prover may not pass.

var errRoomPass = errors.New("the prover may not pass in a room")

// rooms are the rooms behind every block of the prover that has at least two, each with a
// liberty of that block and not larger than half of the board.
func rooms(p weiqi.Position, prover board.Colour) (walls [][]weiqi.Position) {
	g := weiqi.NewGrid(p.Size)
	for _, wall := range components(g, p.Stones[prover][0]) {
		var list []weiqi.Position
		good := true
		for _, points := range components(g, g.Mask&^wall) {
			room := weiqi.Position{Size: p.Size, ToPlay: prover.Opponent(), Ko: board.NoPoint}
			room.Stones[prover][0] = p.Stones[prover][0] | g.Mask&^points
			room.Stones[prover.Opponent()][0] = p.Stones[prover.Opponent()][0] & points
			list = append(list, room)
			good = good && 2*bits.OnesCount64(points) <= p.Size.Points() && room.Validate() == nil
		}
		if good && len(list) > 1 {
			walls = append(walls, list)
		}
	}
	return walls
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
func kept(p weiqi.Position, prover board.Colour) bool {
	return safe(p, prover, wallOf(p, prover)) == weiqi.NewGrid(p.Size).Mask
}

// roomReply is a reply in a room: the prover is to move, and the wall stands or not.
type roomReply struct {
	weiqi.Position
	move  board.Point
	taken bool // the wall was
}

func roomReplies(p weiqi.Position, prover board.Colour) (list []roomReply) {
	wall := wallOf(p, prover)
	passed := p
	passed.ToPlay = prover
	list = append(list, roomReply{passed, weiqi.Pass, false})
	var rules weiqi.Rules
	for q := range rules.Legal(p).Points() {
		if next, err := rules.Play(p, q); err == nil {
			list = append(list, roomReply{next, q, next.Stones[prover][0]&wall != wall})
		}
	}
	return list
}

// roomMove plays in a room. The other side is bound by no ban.
func roomMove(p weiqi.Position, move board.Point) (weiqi.Position, error) {
	if move == weiqi.Pass {
		return p, errRoomPass
	}
	next, err := weiqi.Rules{}.Play(p, move)
	next.Ko = board.NoPoint
	return next, err
}

// byRooms reports whether the listed rooms settle a position with the other side to move.
// They do nothing after a pass: the other side may end the game.
func (c *Certificate) byRooms(p weiqi.Position) bool {
	if c.claim.Goal != p.Size.Points() || p.Passes > 0 {
		return false
	}
	for _, list := range rooms(p, c.claim.Prover) {
		good := true
		for _, room := range list {
			good = good && c.checkRoom(room, MaxRank+1, Failure{}) == nil
		}
		if good {
			return true
		}
	}
	return false
}

// checkRoom looks at a room with the other side to move: it is kept, or every reply leads
// to a listed room of lower rank.
func (c *Certificate) checkRoom(p weiqi.Position, rank int, f Failure) *Failure {
	if kept(p, c.claim.Prover) {
		return nil
	}
	for _, reply := range roomReplies(p, c.claim.Prover) {
		f.Reply = moveName(p.Size, reply.move)
		if reply.taken {
			f.Reason = "the wall of the room is taken"
			return &f
		}
		step, ok := c.lookup(reply.Position, true)
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
