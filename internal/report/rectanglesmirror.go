package report

import (
	"context"

	"tengen/board"
	"tengen/nogo"
)

func rectanglesMirrorExperiment() Experiment {
	return Experiment{
		Name:   "rectangles-mirror",
		Shows:  "NoGo: mirror play on rows, against every move",
		Source: rectanglePaper + ", theorems 1 and 2, figures 9 and 10",
		Points: Range{Least: 3, Most: 31, Usual: 19, Paper: 27},
		run:    filled("Mirror play on 1×n", rectanglesMirror),
	}
}

func rectanglesMirror(ctx context.Context, s *session, r *Report) error {
	s.all = s.Max - 2
	for points := 3; points <= s.Max; points++ {
		if err := s.begin(ctx, row(points)); err != nil {
			return err
		}
		size := board.Size{Rows: 1, Cols: points}
		begin := []board.Point{size.At(0, points/2)}
		what := row(points) + ": Black plays the middle and mirrors every move"
		if points%2 == 0 {
			begin = []board.Point{size.At(0, points/2-1), size.At(0, points/2)}
			what = row(points) + ": White answers a middle point by the other and mirrors every move"
		}
		start, toPlay, err := nogo.NewPosition(size).PlayAll(board.Black, begin)
		if err != nil {
			return err
		}
		m := mirror{seen: map[nogo.Position]bool{}}
		m.walk(start, toPlay)
		s.done++
		r.claim(what, len(m.seen), m.failed, "")
	}
	r.Notes = []string{"Cases are the positions with the opponent of the mirroring side to move, over all its moves. The mirrored move must be legal in each."}
	return nil
}

// mirror is a walk through all games against a side that mirrors.
type mirror struct {
	seen   map[nogo.Position]bool
	failed []string
}

func (m *mirror) walk(p nogo.Position, toPlay board.Colour) {
	if m.seen[p] {
		return
	}
	m.seen[p] = true
	for q := range p.Legal(toPlay).Points() {
		next, _, err := p.PlayAll(toPlay, []board.Point{q, opposite(p.Size, q)})
		if err != nil {
			m.failed = append(m.failed, p.String())
			continue
		}
		m.walk(next, toPlay)
	}
}
