package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

func superkoLegalExperiment() Experiment {
	return Experiment{
		Name:   "superko-legal",
		Shows:  "Go on rows: the number of legal positions, and the games from the empty board",
		Source: superkoPaper + ", figure 3",
		Points: Range{Least: 2, Most: 40, Usual: 12, Paper: 12},
		run:    filled("Legal positions of 1×n, and states under superko", superkoLegal),
	}
}

func superkoLegal(ctx context.Context, s *session, r *Report) error {
	s.all = s.Max
	var counted trials
	for points := 1; points <= s.Max; points++ {
		if err := s.begin(ctx, row(points)); err != nil {
			return err
		}
		legal := weiqi.LegalPositions(board.Size{Rows: 1, Cols: points})
		estimate := uint64(math.Round(.85 * math.Pow(.97, float64(1+points)) * math.Pow(2.98, float64(points))))
		r.explained(row(points)+": legal positions, beside the formula of the text", legal, estimate, "the constants of the formula are those of boards with many rows")
		if points <= 10 {
			n := int64(0)
			_ = everyRow(points, func(weiqi.Position) error { n++; return nil }) // visit never fails
			counted.try(n/2 == legal.Int64(), row(points))
		}
		s.done++
	}
	r.claim("the recurrence counts what enumeration does", counted.checked, counted.failed, "")
	for points := 1; points <= 3; points++ {
		if err := s.begin(ctx, row(points)+", games"); err != nil {
			return err
		}
		size := board.Size{Rows: 1, Cols: points}
		g := gameGraph{states: map[string]bool{}}
		g.walk(weiqi.NewHistory(weiqi.Rules{Ko: weiqi.Positional}, weiqi.NewPosition(size)), nil)
		legal := weiqi.LegalPositions(size).Int64()
		var more trials
		more.try(int64(len(g.states)) > legal, row(points))
		r.claim(row(points)+": more states than legal positions", more.checked, more.failed, "")
		r.news(row(points)+": states reached from the empty board", len(g.states))
		r.news(row(points)+": games", g.games)
	}
	r.Notes = []string{"A state is the set of earlier positions, the position, the side to play and whether the last move was a pass. A game ends with two passes."}
	return nil
}

// gameGraph counts the states and the games from a start.
type gameGraph struct {
	states map[string]bool
	games  int
}

// walk goes through every game; seen has the positions so far, in order.
func (g *gameGraph) walk(h *weiqi.History, seen []string) {
	p := h.Position()
	if len(seen) == 0 || p.Passes == 0 {
		seen = append(seen[:len(seen):len(seen)], p.String())
	}
	g.states[fmt.Sprint(slices.Sorted(slices.Values(seen)), p, p.ToPlay, p.Passes)] = true
	if p.Over() {
		g.games++
		return
	}
	for _, m := range slices.AppendSeq([]board.Point{weiqi.Pass}, h.Legal().Points()) {
		if h.Push(m) == nil {
			g.walk(h, seen)
			h.Pop()
		}
	}
}
