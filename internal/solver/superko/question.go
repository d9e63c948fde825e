package superko

import (
	"fmt"

	"tengen/board"
	"tengen/weiqi"
)

// Question is a position with its history: the start of the game, and the
// moves since.
type Question struct {
	Start weiqi.Position // one pass may have led to it
	Moves []board.Point  // points or weiqi.Pass, from Start's side to play on
}

// Check refuses a start that no game can have under superko. It does not check
// the moves.
func (q Question) Check() error {
	if q.Start.Ko != board.NoPoint {
		return fmt.Errorf("a ban at %s says too little of the history for superko: give the moves that led to it", q.Start.Size.Name(q.Start.Ko))
	}
	return q.Start.Validate()
}

// After is the question one move later.
func (q Question) After(move board.Point) Question {
	q.Moves = append(q.Moves[:len(q.Moves):len(q.Moves)], move)
	return q
}

// root is a question in the form of the search.
type root struct {
	key    key
	over   bool
	seen   []uint32 // ids of the history
	before stones
	game   *weiqi.History
}

// root replays the moves by the rules.
func (s *Solver) root(q Question) (root, error) {
	if q.Start.Size != s.size {
		return root{}, fmt.Errorf("a solver for %s was asked about a %s board", s.size, q.Start.Size)
	}
	if err := q.Check(); err != nil {
		return root{}, err
	}
	r := root{game: weiqi.NewHistory(s.graph.rules, q.Start)}
	r.note(s, true)
	if q.Start.Passes > 0 { // the board was there before the pass
		r.seen = append(r.seen, s.graph.id(r.key.state()^1))
	}
	for i, move := range q.Moves {
		if err := r.game.Push(move); err != nil {
			return root{}, fmt.Errorf("move %d: %w", i+1, err)
		}
		r.note(s, move == weiqi.Pass)
	}
	return r, nil
}

// note makes the present position of the game the root. A pass does not change
// the board, so it adds no stones to those of earlier boards.
func (r *root) note(s *Solver, pass bool) {
	if !pass {
		b := s.graph.boards[r.key.state()>>1]
		r.before[0] |= b[0]
		r.before[1] |= b[1]
	}
	p := r.game.Position()
	at := state(s.graph.number(s.inside(p.Stones)))<<1 | state(p.ToPlay)
	r.key, r.over = newKey(at, p.Passes > 0), p.Over()
	r.seen = append(r.seen, s.graph.id(at))
}

// inside maps stones to the board of the graph, on which a column is a row.
func (s *Solver) inside(outside board.Stones) stones {
	var in stones
	for i, p := range s.size.All() {
		if c := outside.At(p); c != board.Empty {
			in[c] |= 1 << s.graph.size.All()[i]
		}
	}
	return in
}

// load sets a worker to a root.
func (w *worker) load(r root) {
	clear(w.history.seen)
	for _, id := range r.seen {
		w.history.seen[id] = 1
	}
	w.history.before = r.before
}
