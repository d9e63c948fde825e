package solve

import (
	"context"
	"errors"
	"fmt"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/method"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
	"tengen/nogo"
	"tengen/proof"
)

// Why asks why a move loses.
type Why struct {
	Move   board.Point
	Rounds int // moves of the loser to follow after the refutation, each with its answer
}

// Refutation shows why a move loses, or says that it wins.
type Refutation struct {
	Move   board.Point
	Winner board.Winner // after the move
	// Shortest says that in Line the winner ends the game as soon as it can and the loser as
	// late. Length is then the number of moves after the move, and no refutation is shorter.
	// It is false if too many points are left.
	Shortest bool
	Length   int
	Line     []board.Point // from the move on
	Tree     *proof.Node   // from the position after the move, if it loses
}

// shortestPoints is the number of playable points up to which the shortest refutation is
// searched. That takes seconds.
const shortestPoints = 16

// checkWhy checks the question.
func (request Request) checkWhy(q solver.Query) error {
	why := request.Why
	if why == nil {
		return nil
	}
	if request.Within != nil {
		return errors.New("why a move loses is asked of the plain game: it cannot be combined with a limit on the number of moves")
	}
	if _, err := q.Position.Play(q.ToPlay, why.Move); err != nil {
		return err
	}
	return nil
}

// explain finds out why a move loses, if that is asked.
func (r *run) explain(ctx context.Context) error {
	why := r.request.Why
	if why == nil {
		return nil
	}
	r.setPhase(job.PhaseWhy)
	q := r.query.After(why.Move)
	answer, err := r.solver.Solve(ctx, q)
	if err != nil {
		return err
	}
	found := &Refutation{Move: why.Move, Winner: answer.Winner.Wins()}
	if answer.Winner == r.query.ToPlay {
		found.Line = append([]board.Point{why.Move}, player.PlayOut(ctx, r.solver, q, r.request.Stubborn)...)
		r.result.Why = found
		return nil
	}
	g := &refuter{solver: r.solver, winner: answer.Winner, left: map[board.Stones]int{}}
	if open := method.Playable(q.Position); open <= shortestPoints {
		if g.limited, err = r.limitedSolver(); err != nil {
			return err
		}
		if g.limited != nil && g.limited != r.solver {
			defer g.limited.Close()
		}
	}
	if g.limited != nil {
		found.Shortest = true
		found.Line, err = g.shortest(ctx, q)
		found.Length = len(found.Line)
	} else {
		found.Line = player.PlayOut(ctx, r.solver, q, r.request.Stubborn)
	}
	if err != nil {
		return err
	}
	found.Line = append([]board.Point{why.Move}, found.Line...)
	root, err := proof.Walk{Guide: g, Winner: answer.Winner, Rounds: why.Rounds}.From(ctx, q.Position, q.ToPlay)
	if err != nil {
		return err
	}
	found.Tree = root
	g.count(found.Tree)
	r.result.Why = found
	return nil
}

// limitedSolver is one that knows games with a limit on their length, nil if there is
// none for the board.
func (r *run) limitedSolver() (solver.Solver, error) {
	size := r.query.Position.Size
	if r.plan.Method == method.Endgame {
		return nil, nil
	}
	if _, row := r.solver.(*method.Row); !row {
		return r.solver, nil
	}
	if !sums.Takes(size) {
		return nil, nil
	}
	return sums.New(size, sums.Options{Memory: r.plan.Memory, Threads: r.plan.Threads})
}

// refuter finds the winner's replies by search. With a solver for games with a limit they end
// the game soonest; otherwise they win.
type refuter struct {
	solver, limited solver.Solver
	winner          board.Colour
	left            map[board.Stones]int // moves to the end from positions of the winner
}

func (g *refuter) Reply(ctx context.Context, p nogo.Position) (board.Point, proof.Basis, error) {
	q := solver.Query{Position: p, ToPlay: g.winner}
	if g.limited != nil {
		move, left, err := g.soonest(ctx, q, 1)
		g.left[p.Stones] = left
		return move, proof.BySearch, err
	}
	answer, err := g.solver.Solve(ctx, q)
	return answer.Move, proof.BySearch, err
}

// within asks whether the winner can end the game within a number of moves.
func (g *refuter) within(ctx context.Context, q solver.Query, moves int) (solver.Answer, bool, error) {
	q.Limited, q.Attacker, q.Plies = true, g.winner, moves
	answer, err := g.limited.Solve(ctx, q)
	return answer, answer.Winner == g.winner, err
}

// soonest is the move by which the winner, to play, ends the game soonest, and the number of
// moves that takes. The search begins with a number of moves that is not too large. The winner
// makes the last move.
func (g *refuter) soonest(ctx context.Context, q solver.Query, from int) (board.Point, int, error) {
	for moves := from; moves <= q.Position.Size.Points(); moves += 2 {
		answer, ok, err := g.within(ctx, q, moves)
		if err != nil || ok {
			return answer.Move, moves, err
		}
	}
	return board.NoPoint, 0, fmt.Errorf("no win for %s found in %s, which was solved as won: please report this", g.winner, q.Position)
}

// shortest is the line in which the winner, to play, ends the game as soon as it can and
// the loser as late as it can.
func (g *refuter) shortest(ctx context.Context, q solver.Query) (line []board.Point, err error) {
	move, left, err := g.soonest(ctx, q, 1)
	for err == nil {
		line = append(line, move)
		q = q.After(move)
		if left--; left == 0 {
			return line, nil
		}
		if move, err = g.latest(ctx, q, left); err != nil {
			break
		}
		line = append(line, move)
		q = q.After(move)
		left--
		var answer solver.Answer
		answer, _, err = g.within(ctx, q, left)
		move = answer.Move
	}
	return line, err
}

// latest is a move of the loser after which the game cannot end in fewer moves than are
// left.
func (g *refuter) latest(ctx context.Context, q solver.Query, left int) (board.Point, error) {
	for move := range q.Position.Legal(q.ToPlay).Points() {
		if left < 4 { // one move and its answer are left, whatever the move
			return move, nil
		}
		if _, sooner, err := g.within(ctx, q.After(move), left-3); err != nil || !sooner {
			return move, err
		}
	}
	return board.NoPoint, fmt.Errorf("no defence of %d moves found in %s: please report this", left, q.Position)
}

// count sets the number of moves left in the nodes of a tree.
func (g *refuter) count(n *proof.Node) {
	if left, known := g.left[n.Position.Stones]; known {
		n.Left = left
	}
	for _, child := range n.Children {
		g.count(child)
	}
}
