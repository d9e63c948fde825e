package sums

import (
	"tengen/internal/solver"
)

// Recorder receives examples for the trainer of package movenet from a search. It is for
// one thread.
type Recorder interface {
	// Noise is added to the score of a move. With noise other moves are tried too.
	Noise() int32
	// Wants is called for every position searched, with its number of open points.
	// It says whether the moves that are settled there, and the list of all its moves,
	// are wanted.
	Wants(points int) (settled, listed bool)
	// Settled receives the position after a move that was searched.
	Settled(Example)
	// Listed receives a position, and the positions after its moves.
	Listed(position Example, moves []Example)
}

// Example is a position as the networks see it.
type Example struct {
	Points int
	Codes  []byte        // see movenet; after a move, seen by the side that made it
	Counts [Counts]int16 // after a move: see Look
	Move   int           // the number of the point, in the order of Codes
	Wins   bool          // the move wins
	Nodes  uint64        // that settled it
}

// record gives a move that was settled to the recorder.
func (w *worker) record(ply int, m *solver.Move, wins bool, nodes uint64) {
	if settled, _ := w.recorder.Wants(w.frames[ply].sum.Points); settled && m.Point != 0 && nodes > 0 {
		e := w.example(ply, m)
		e.Wins, e.Nodes = wins, nodes
		w.recorder.Settled(e)
	}
}

// recordList gives a position with all its moves to the recorder, and adds its noise.
func (w *worker) recordList(ply int) {
	f := &w.frames[ply]
	for i := range f.listed {
		if m := &f.moves[i]; m.Point != 0 {
			m.Score += w.recorder.Noise()
		}
	}
	if _, listed := w.recorder.Wants(f.sum.Points); !listed || f.listed < 2 {
		return
	}
	w.code(ply)
	position := Example{Points: f.sum.Points, Codes: append([]byte(nil), w.policy.codes[:w.points]...)}
	var moves []Example
	for i := range f.listed {
		if m := &f.moves[i]; m.Point != 0 {
			moves = append(moves, w.example(ply, m))
		}
	}
	w.recorder.Listed(position, moves)
}

// example is the position after a move at a ply.
func (w *worker) example(ply int, m *solver.Move) Example {
	f := &w.frames[ply]
	child := &f.children[m.At]
	next := &w.frames[ply+1]
	// The child is described by the side that moved. The frame is filled again before
	// it is searched.
	before, colour, last := next.sum, next.colour, next.last
	next.sum, next.colour, next.last = child, f.colour, m.Point
	w.code(ply + 1)
	next.sum, next.colour, next.last = before, colour, last
	w.seen.look(w.Grid, child, f.colour)
	return Example{
		Points: child.Points, Codes: append([]byte(nil), w.policy.codes[:w.points]...), Counts: w.seen.Counts,
		Move: w.policy.pointOf(m.Point),
	}
}
