package sums

import (
	"tengen/internal/region"
	"tengen/internal/solver"
)

// Observer receives examples from a search. It is for one thread.
type Observer interface {
	// Wants is called for every position searched, with its number of open
	// points.
	Wants(points int) bool
	// Take receives all moves of a position that Wants accepted, each settled
	// by a search.
	Take(moves []Observed)
}

// Observed is a move and its result.
type Observed struct {
	Look
	Experience int // before the move was settled
	Wins       bool
	Effort     int // the logarithm of the nodes it took to settle the move
}

// observe settles all moves of a position that has been searched.
func (w *worker) observe(ply int) {
	f := &w.frames[ply]
	if w.observing || !w.observer.Wants(f.sum.Points) {
		return
	}
	w.observing = true
	defer func() { w.observing = false }()
	// The observation must not change the experience of the search.
	history, counter := w.history, w.counter
	defer func() { w.history, w.counter = history, counter }()
	w.list(f)
	var moves []Observed
	var experience [region.MaxPoints + 1]int
	for i, m := range f.moves[:f.listed] {
		if m.Point != 0 {
			experience[i] = w.experience(f, m.Point)
		}
	}
	for i := range f.listed {
		if m := f.moves[i]; m.Point != 0 {
			o, ok := w.settle(ply, m, experience[i])
			if !ok {
				return
			}
			moves = append(moves, o)
		}
	}
	w.observer.Take(moves)
}

// settle finds out whether a move wins.
func (w *worker) settle(ply int, m solver.Move, experience int) (Observed, bool) {
	f := &w.frames[ply]
	o := Observed{Experience: experience}
	o.look(w.Grid, &f.children[m.At], f.colour)
	q := w.ask(&f.children[m.At], f.colour.Opponent())
	m.Key, m.N = q.Key, int8(q.N)
	outcome := w.descend(ply, &m, true)
	w.flush()
	if b, ok := w.Table.Get(q.Key); ok {
		o.Effort = b.Effort
	}
	o.Wins = outcome == won
	return o, outcome != unknown
}
