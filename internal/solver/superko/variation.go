package superko

import (
	"context"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// line is a game that starts at a question, in which both sides play moves that keep
// the score.
type line struct {
	solver *Solver
	ctx    context.Context
	score  int
	best   map[string][]board.Point // moves made → moves that keep the score
}

// line solves a question.
func (s *Solver) line(ctx context.Context, q Question) (*line, error) {
	a, err := s.Solve(ctx, q)
	return &line{s, ctx, a.Low, make(map[string][]board.Point)}, err
}

// moves lists the moves that keep the score: after them the opponent does not get
// more. The window is one point wide, because the score is known.
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

// Short is a shortest line of best play to the end of the game: neither side prolongs
// it. On the empty board it begins with a stone if one is as good as a pass. Images
// of a question have images of its line. If it is stopped, it returns no line.
func (s *Solver) Short(ctx context.Context, q Question) ([]board.Point, error) {
	sym := s.standing(q)
	q = s.image(q, sym)
	l, err := s.line(ctx, q)
	if err != nil {
		return nil, err
	}
	s.solving.Lock()
	defer s.solving.Unlock()
	best, err := l.moves(q)
	if err != nil {
		return nil, err
	}
	if bare := q.Start.Empty().Len() == s.size.Points(); bare && len(q.Moves) == 0 && len(best) > 1 && best[0] == weiqi.Pass {
		l.best[fmt.Sprint(q.Moves)] = best[1:]
	}
	for length := 0; ; length++ {
		list, ok, err := l.within(q, length)
		if err != nil || ok {
			return s.mapAll(s.size.Inverse(sym), list), err
		}
	}
}

// within looks for a line of best play that ends after a number of moves. Two passes
// end a game, so the last moves must be passes.
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

// Follow is a line of best play to the end of the game in which stones are played on
// the given points in their order, with passes between them where needed, because
// published lines leave passes out. It is nil if there is no such line.
func (s *Solver) Follow(ctx context.Context, q Question, points []board.Point) ([]board.Point, error) {
	l, err := s.line(ctx, q)
	if err != nil {
		return nil, err
	}
	s.solving.Lock()
	defer s.solving.Unlock()
	return l.follow(q, points)
}

func (l *line) follow(q Question, points []board.Point) ([]board.Point, error) {
	best, err := l.moves(q)
	if err != nil {
		return nil, err
	}
	if len(best) == 0 && len(points) == 0 {
		return []board.Point{}, nil // the game is over
	}
	if len(points) > 0 && slices.Contains(best, points[0]) {
		rest, err := l.follow(q.After(points[0]), points[1:])
		if err != nil || rest != nil {
			return append(points[:1:1], rest...), err
		}
	}
	if slices.Contains(best, weiqi.Pass) {
		rest, err := l.follow(q.After(weiqi.Pass), points)
		if err != nil || rest != nil {
			return append([]board.Point{weiqi.Pass}, rest...), err
		}
	}
	return nil, nil
}

// standing is the symmetry that maps a question to the image that represents all its
// images.
func (s *Solver) standing(q Question) board.Symmetry {
	return slices.MinFunc(s.size.Symmetries(), func(a, b board.Symmetry) int {
		x, y := s.image(q, a), s.image(q, b)
		for c := range x.Start.Stones {
			if d := slices.Compare(slices.Collect(x.Start.Stones[c].Points()), slices.Collect(y.Start.Stones[c].Points())); d != 0 {
				return d
			}
		}
		return slices.Compare(x.Moves, y.Moves)
	})
}

func (s *Solver) image(q Question, sym board.Symmetry) Question {
	return Question{q.Start.Map(sym), s.mapAll(sym, q.Moves)}
}

func (s *Solver) mapAll(sym board.Symmetry, moves []board.Point) []board.Point {
	var list []board.Point
	for _, p := range moves {
		if p != weiqi.Pass {
			p = s.size.Map(sym, p)
		}
		list = append(list, p)
	}
	return list
}
