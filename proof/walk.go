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

// Basis is the justification of a reply of the winner.
type Basis string

// The bases of replies. A certificate has the first two; a Guide that searches has the last.
const (
	ByEntry   Basis = "entry"   // of the certificate
	ByEndgame Basis = "endgame" // the search that the certificate leaves the rest to
	BySearch  Basis = "search"  // of a solver
)

// Guide finds the winner's reply in every position of a proof.
type Guide interface {
	Reply(ctx context.Context, p nogo.Position) (board.Point, Basis, error)
}

// ErrElsewhere reports that a position is not in the proof: neither an entry nor the
// endgame search shows that the winner wins it.
var ErrElsewhere = errors.New("the proof does not speak of this position")

// Guide gives the replies of a certificate. It is for one goroutine at a time.
func (c *Certificate) Guide() Guide { return &certificateGuide{c: c} }

type certificateGuide struct {
	c             *Certificate
	search, large *endgame // made when they are needed
}

// Reply is the move of an entry, or the move that the endgame search finds. A position
// inside an endgame may need more nodes than the search that led there, because that
// search had results of other lines. So a second search gets the highest limit.
func (g *certificateGuide) Reply(_ context.Context, p nogo.Position) (board.Point, Basis, error) {
	k, winner := g.c.coder, g.c.winner
	if p.Size != k.size || p.Validate() != nil {
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

// Node is a position of a proof that is shown as a game tree.
type Node struct {
	Move     board.Point // that led here, board.NoPoint where the walk begins
	By       Basis       // justification of a move of the winner; "" for one of the loser
	Position nogo.Position
	ToPlay   board.Colour
	// Like is an earlier move of the loser that a symmetry of the position exchanges
	// with this one; board.NoPoint if there is none. If it is set, this move is not
	// followed further.
	Like board.Point
	// Children are the winner's reply, or every move of the loser. There are none where
	// the loser has lost, and where the walk ends.
	Children []*Node
	// Left is the number of moves to the end of the game, where the winner is to play. The
	// winner ends it as early as possible, the loser as late as possible. It is 0 in the
	// walk of a certificate, which has no lengths.
	Left int
}

// Name spells the move that led here; it is "" where the walk begins.
func (n *Node) Name() string { return name(n.Position.Size, n.Move) }

// LikeName spells Like; it is "" if there is no such move.
func (n *Node) LikeName() string { return name(n.Position.Size, n.Like) }

func name(size board.Size, p board.Point) string {
	if p == board.NoPoint {
		return ""
	}
	return size.Name(p)
}

// Over reports that the side to play, the loser, has no move.
func (n *Node) Over() bool {
	return len(n.Children) == 0 && n.Position.Legal(n.ToPlay).IsEmpty()
}

// mostNodes bounds a walk. A tree that anybody reads is far smaller.
const mostNodes = 200_000

// Walk plays moves from the root, in turn, and follows the proof from there: at positions
// of the winner one reply, at those of the loser every move, for a number of moves of the
// loser. Walk does not check the certificate: verify it first.
func (c *Certificate) Walk(ctx context.Context, moves []board.Point, rounds int) (*Node, error) {
	position, toPlay, err := c.Root().PlayAll(c.ToPlay(), moves)
	if err != nil {
		return nil, err
	}
	guide := c.Guide()
	root, err := Walk{Guide: guide, Winner: c.Winner(), Rounds: rounds}.From(ctx, position, toPlay)
	if errors.Is(err, ErrElsewhere) {
		return nil, c.strayed(ctx, guide, moves)
	}
	return root, err
}

// strayed finds the first of the moves that leaves the proof.
func (c *Certificate) strayed(ctx context.Context, guide Guide, moves []board.Point) error {
	position, toPlay := c.Root(), c.ToPlay()
	for i, move := range moves {
		if toPlay == c.Winner() {
			reply, _, err := guide.Reply(ctx, position)
			if err != nil {
				break
			}
			if reply != move {
				return fmt.Errorf("move %d, %s, leaves the proof: there %s plays %s", i+1, position.Size.Name(move), toPlay, position.Size.Name(reply))
			}
		}
		next, err := position.Play(toPlay, move)
		if err != nil {
			return err
		}
		position, toPlay = next, toPlay.Opponent()
	}
	return ErrUnproven
}

// ErrUnproven reports that a certificate has no answer to a line of its own proof. Verify
// finds the position.
var ErrUnproven = errors.New("the certificate does not prove its claim")

// Walk is a walk through the proof that a side wins.
type Walk struct {
	Guide  Guide
	Winner board.Colour
	Rounds int // moves of the loser to follow, each with the answer
	Most   int // nodes at most; 0 for 200,000
}

// TooLarge is the error of a walk with more nodes than it may have.
type TooLarge struct{ Most int }

func (e *TooLarge) Error() string {
	most := fmt.Sprint(e.Most)
	if e.Most >= 1000 {
		most = fmt.Sprintf("%d,%03d", e.Most/1000, e.Most%1000)
	}
	return fmt.Sprintf("this part of the proof has more than %s positions: follow fewer moves, or play some first", most)
}

// From walks through the proof from a position: one reply at positions of the winner,
// every move at those of the loser.
func (w Walk) From(ctx context.Context, p nogo.Position, toPlay board.Colour) (*Node, error) {
	if w.Most == 0 {
		w.Most = mostNodes
	}
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
	next, err := n.Position.Play(n.ToPlay, move)
	if err != nil {
		return nil, err
	}
	if *nodes++; *nodes > w.Most {
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
