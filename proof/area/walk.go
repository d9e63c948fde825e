package area

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// Node is a position of a proof that is shown as a game tree.
type Node struct {
	Move     board.Point // that led here, or weiqi.Pass
	Begins   bool        // the walk begins here: no move led here
	Rank     int         // of the entry that a move of the prover stands in
	Position weiqi.Position
	// Settled says that the other side is to move and enough points are safe, at once or
	// by rooms.
	Settled bool
	ByRooms bool // it is Settled by rooms
	// Like is an earlier move of the other side that a symmetry of the position exchanges
	// with this one; board.NoPoint if there is none. If it is set, this move is not
	// followed further.
	Like board.Point
	// Children are the prover's move, or every move of the other side. There are none
	// where the game is over or settled, and where the walk ends.
	Children []*Node
}

// Name spells the move that led here; it is "" where the walk begins.
func (n *Node) Name() string {
	if n.Begins {
		return ""
	}
	return moveName(n.Position.Size, n.Move)
}

// LikeName spells Like; it is "" if there is no such move.
func (n *Node) LikeName() string {
	if n.Like == board.NoPoint {
		return ""
	}
	return n.Position.Size.Name(n.Like)
}

// ErrUnproven reports that a certificate has no answer to a line of its own proof. Verify
// finds the position.
var ErrUnproven = errors.New("the certificate does not prove its claim")

// mostNodes bounds a walk.
const mostNodes = 200_000

// Walk plays moves from the root, in turn, and follows the proof from there: at positions
// of the prover one move, at those of the other side every move, for a number of moves of
// the other side. Walk does not check the certificate: verify it first.
func (c *Certificate) Walk(ctx context.Context, moves []board.Point, rounds int) (*Node, error) {
	p := c.claim.Root
	for i, move := range moves {
		if step, ok := c.Lookup(p); ok && step.Move != move {
			return nil, fmt.Errorf("move %d, %s, leaves the proof: there %s plays %s", i+1, moveName(p.Size, move), p.ToPlay, moveName(p.Size, step.Move))
		}
		if p.ToPlay != c.claim.Prover && c.settled(p) {
			return nil, fmt.Errorf("move %d, %s, leaves the proof: enough points are safe before it", i+1, moveName(p.Size, move))
		}
		next, err := weiqi.Rules{}.Play(p, move)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		p = next
	}
	return c.WalkFrom(ctx, p, rounds)
}

// WalkFrom is Walk from any position. The error is ErrUnproven if the certificate does not
// prove its claim for this position.
func (c *Certificate) WalkFrom(ctx context.Context, p weiqi.Position, rounds int) (*Node, error) {
	if p.Size != c.claim.Root.Size {
		return nil, ErrUnproven
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	w := walk{c: c}
	root := &Node{Begins: true, Like: board.NoPoint, Position: p}
	return root, w.follow(ctx, root, rounds)
}

type walk struct {
	c     *Certificate
	nodes int
}

func (w *walk) follow(ctx context.Context, n *Node, rounds int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := n.Position
	if p.Over() {
		if scoreOf(p, w.c.claim.Prover) < w.c.claim.Goal {
			return ErrUnproven
		}
		return nil
	}
	if p.ToPlay == w.c.claim.Prover {
		step, ok := w.c.Lookup(p)
		if !ok {
			return ErrUnproven
		}
		child, err := w.play(n, step.Move)
		if err != nil {
			return err
		}
		child.Rank = step.Rank
		return w.follow(ctx, child, rounds)
	}
	atOnce := settled(p, w.c.claim)
	n.ByRooms = !atOnce && w.c.byRooms(p)
	if n.Settled = atOnce || n.ByRooms; n.Settled || rounds <= 0 {
		return nil
	}
	symmetries := slices.DeleteFunc(p.Size.Symmetries(), func(sym board.Symmetry) bool { return p.Map(sym) != p })
	for _, move := range append(slices.Collect(weiqi.Rules{}.Legal(p).Points()), weiqi.Pass) {
		like := n.like(symmetries, move)
		child, err := w.play(n, move)
		if err != nil {
			return err
		}
		left := rounds - 1
		if like != board.NoPoint {
			child.Like, left = like, 0
		}
		if err := w.follow(ctx, child, left); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) play(n *Node, move board.Point) (*Node, error) {
	next, err := weiqi.Rules{}.Play(n.Position, move)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnproven, err)
	}
	if w.nodes++; w.nodes > mostNodes {
		return nil, fmt.Errorf("this part of the proof has more than %d positions: follow fewer moves, or play some first", mostNodes)
	}
	child := &Node{Move: move, Like: board.NoPoint, Position: next}
	n.Children = append(n.Children, child)
	return child, nil
}

// like is the first move so far that one of the symmetries maps to this one.
func (n *Node) like(symmetries []board.Symmetry, move board.Point) board.Point {
	if move == weiqi.Pass {
		return board.NoPoint
	}
	for _, earlier := range n.Children {
		for _, sym := range symmetries {
			if n.Position.Size.Map(sym, earlier.Move) == move {
				return earlier.Move
			}
		}
	}
	return board.NoPoint
}

// ByDepth counts the entries by the least number of plies from the root to them. Those
// that no play by the certificate reaches, and rooms, are not counted.
func (c *Certificate) ByDepth(ctx context.Context) ([]int, error) {
	seen := make([]bool, len(c.entries))
	var counts []int
	layer := []weiqi.Position{c.claim.Root}
	for depth := 0; len(layer) > 0; depth++ {
		var next []weiqi.Position
		count := 0
		for _, p := range layer {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if p.ToPlay != c.claim.Prover {
				if !c.settled(p) {
					next = append(next, replies(p)...)
				}
				continue
			}
			code, _ := c.coder.canonical(p, c.claim.Prover, whole)
			i, ok := c.find(code)
			if !ok || seen[i] || p.Over() {
				continue
			}
			seen[i] = true
			count++
			if after, err := (weiqi.Rules{}).Play(c.position(code), c.coder.move(c.entries[i].move)); err == nil && !after.Over() {
				next = append(next, after)
			}
		}
		counts = append(counts, count)
		layer = next
	}
	return counts, nil
}
