package superko

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/weiqi"
)

// line is a game from a question on, in which both sides play moves that keep
// the score.
type line struct {
	solver *Solver
	ctx    context.Context
	score  int
	best   map[string][]board.Point // moves made → moves that keep the score
}

// Best lists the moves that keep the score, the pass first.
func (s *Solver) Best(ctx context.Context, q Question) ([]board.Point, error) {
	l, err := s.line(ctx, q)
	if err != nil {
		return nil, err
	}
	s.solving.Lock()
	defer s.solving.Unlock()
	return l.moves(q)
}

// line solves a question.
func (s *Solver) line(ctx context.Context, q Question) (*line, error) {
	a, err := s.Solve(ctx, q)
	return &line{s, ctx, a.Low, make(map[string][]board.Point)}, err
}

// moves lists the moves that keep the score: after them the opponent does not get
// more. The window is one point wide, since the score is known.
func (l *line) moves(q Question) ([]board.Point, error) {
	name := fmt.Sprint(q.Moves)
	if list, ok := l.best[name]; ok {
		return list, nil
	}
	r, err := l.solver.root(q)
	if err != nil || r.over {
		return nil, err
	}
	more := l.score - 1 // for the opponent of Black
	if r.key.own() == board.White {
		more = l.score + 1
	}
	var list []board.Point
	for _, p := range r.moves() {
		next, err := l.solver.root(q.After(p))
		if err != nil {
			return nil, err
		}
		better, err := l.solver.keeps(l.ctx, next, more)
		if err != nil {
			return nil, err
		}
		if !better {
			list = append(list, p)
		}
	}
	l.best[name] = list
	return list, nil
}

// Variation is a line of best play to the end of the game. Of several best moves
// it takes the first: a pass rather than a stone.
func (s *Solver) Variation(ctx context.Context, q Question) ([]board.Point, error) {
	l, err := s.line(ctx, q)
	if err != nil {
		return nil, err
	}
	s.solving.Lock()
	defer s.solving.Unlock()
	var list []board.Point
	for {
		best, err := l.moves(q)
		if err != nil || len(best) == 0 {
			return list, err
		}
		list = append(list, best[0])
		q = q.After(best[0])
	}
}

// Short is a shortest line of best play to the end of the game: neither side
// prolongs it. If it is stopped, it has no line.
func (s *Solver) Short(ctx context.Context, q Question) ([]board.Point, error) {
	l, err := s.line(ctx, q)
	if err != nil {
		return nil, err
	}
	s.solving.Lock()
	defer s.solving.Unlock()
	for length := 0; ; length++ {
		list, ok, err := l.within(q, length)
		if err != nil || ok {
			return list, err
		}
	}
}

// within looks for a line of best play that ends after a number of moves. Two
// passes end a game, so where only a few moves are left they must be passes.
func (l *line) within(q Question, length int) ([]board.Point, bool, error) {
	best, err := l.moves(q)
	if err != nil {
		return nil, false, err
	}
	if len(best) == 0 {
		return nil, length == 0, nil
	}
	if length == 0 {
		return nil, false, nil
	}
	for _, p := range best {
		if p != weiqi.Pass && length < 3 {
			continue
		}
		rest, ok, err := l.within(q.After(p), length-1)
		if err != nil || ok {
			return append([]board.Point{p}, rest...), ok, err
		}
	}
	return nil, false, nil
}
