package proof

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/nogo"
)

// Basis is what a reply of the winner rests on.
type Basis string

// What the replies of a certificate rest on.
const (
	ByEntry   Basis = "entry"   // of the certificate
	ByEndgame Basis = "endgame" // the search that the certificate leaves the rest to
)

// Guide knows the winner's reply in every position of a proof.
type Guide interface {
	Reply(ctx context.Context, p nogo.Position) (board.Point, Basis, error)
}

// ErrElsewhere says that a proof does not speak of a position: neither an entry nor the
// endgame search shows the winner to win it.
var ErrElsewhere = errors.New("the proof does not speak of this position")

// Guide leads through a certificate. It is for one goroutine at a time.
func (c *Certificate) Guide() Guide { return &certificateGuide{c: c} }

type certificateGuide struct {
	c             *Certificate
	search, large *endgame // made when they are needed
}

// Reply is the move of an entry, or what the endgame search finds. A position inside an
// endgame may need more nodes than the search that led there, which knew other lines by
// then, so a second search gets as many as there are.
func (g *certificateGuide) Reply(_ context.Context, p nogo.Position) (board.Point, Basis, error) {
	k, winner := g.c.coder, g.c.winner
	if p.Size != k.size {
		return board.NoPoint, "", ErrElsewhere
	}
	if move, found := g.c.Lookup(p, winner); found {
		return move, ByEntry, nil
	}
	if g.search == nil {
		g.search = newEndgame(k.grid, g.c.endgameNodes)
	}
	key, sym := k.canonical(p.Small())
	point := g.search.winningMove(k.decode(key), winner)
	if point == 0 {
		if g.large == nil {
			g.large = newEndgame(k.grid, MaxEndgameNodes)
		}
		point = g.large.winningMove(k.decode(key), winner)
	}
	if point == 0 {
		return board.NoPoint, "", ErrElsewhere
	}
	return k.size.Map(k.size.Inverse(sym), board.Point(bits.TrailingZeros64(point))), ByEndgame, nil
}

// Node is a position of a proof that is walked through as a game.
type Node struct {
	Move     board.Point // that led here, board.NoPoint where the walk begins
	By       Basis       // what a move of the winner rests on; "" for one of the loser
	Position nogo.Position
	ToPlay   board.Colour
	// Like is an earlier move of the loser that a symmetry of the position exchanges with
	// this one, which is not followed further; board.NoPoint if there is none.
	Like board.Point
	// Children are the winner's reply, or every move of the loser. There are none where
	// the loser has lost, and where the walk ends.
	Children []*Node
}

// Walk is a walk through the proof that a side wins.
type Walk struct {
	Guide  Guide
	Winner board.Colour
	Rounds int // moves of the loser to follow, each with the answer
	Most   int // nodes at most; 0 for any number
}

// TooLarge is the error of a walk with more nodes than it may have.
type TooLarge struct{ Most int }

func (e *TooLarge) Error() string {
	return fmt.Sprintf("this part of the proof has more than %d positions", e.Most)
}

// From walks from a position of the proof on: at positions of the winner one reply, at
// those of the loser every move.
func (w Walk) From(ctx context.Context, p nogo.Position, toPlay board.Colour) (*Node, error) {
	root := &Node{Move: board.NoPoint, Like: board.NoPoint, Position: p, ToPlay: toPlay}
	nodes := 1
	return root, w.follow(ctx, root, w.Rounds, &nodes)
}

func (w Walk) follow(ctx context.Context, n *Node, rounds int, nodes *int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if n.ToPlay == w.Winner {
		move, by, err := w.Guide.Reply(ctx, n.Position)
		if err != nil {
			return err
		}
		child, err := w.play(n, move, nodes)
		if err != nil {
			return err
		}
		child.By = by
		return w.follow(ctx, child, rounds, nodes)
	}
	if rounds <= 0 {
		return nil
	}
	symmetries := slices.DeleteFunc(n.Position.Size.Symmetries(), func(sym board.Symmetry) bool {
		return n.Position.Map(sym) != n.Position
	})
	for move := range n.Position.Legal(n.ToPlay).Points() {
		like := n.like(symmetries, move)
		child, err := w.play(n, move, nodes)
		if err != nil {
			return err
		}
		left := rounds - 1
		if like != board.NoPoint {
			child.Like, left = like, 0
		}
		if err := w.follow(ctx, child, left, nodes); err != nil {
			return err
		}
	}
	return nil
}

func (w Walk) play(n *Node, move board.Point, nodes *int) (*Node, error) {
	next, err := n.Position.Play(move, n.ToPlay)
	if err != nil {
		return nil, err
	}
	if *nodes++; w.Most > 0 && *nodes > w.Most {
		return nil, &TooLarge{w.Most}
	}
	child := &Node{Move: move, Like: board.NoPoint, Position: next, ToPlay: n.ToPlay.Opponent()}
	n.Children = append(n.Children, child)
	return child, nil
}

// like is the first move so far that one of the symmetries maps to this one.
func (n *Node) like(symmetries []board.Symmetry, move board.Point) board.Point {
	for _, earlier := range n.Children {
		for _, sym := range symmetries {
			if n.Position.Size.Map(sym, earlier.Move) == move {
				return earlier.Move
			}
		}
	}
	return board.NoPoint
}
