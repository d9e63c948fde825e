package report

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/internal/solver/superko"
	"tengen/weiqi"
)

func superkoBoundsExperiment() Experiment {
	return Experiment{
		Name:   "superko-bounds",
		Shows:  "Go under superko: trees that prove the bounds of empty rows",
		Source: superkoPaper + ", figures 4 and 7",
		Points: Range{Least: 2, Most: 7, Usual: 7, Paper: 7},
		run:    filled("Proof trees of the scores of empty rows", superkoBounds),
	}
}

func superkoBounds(ctx context.Context, s *session, r *Report) error {
	s.all = s.Max - 1
	for points := 2; points <= s.Max; points++ {
		if err := s.begin(ctx, row(points)); err != nil {
			return err
		}
		x, err := s.newRows(ctx, points)
		if err != nil {
			return err
		}
		for side, name := range [2]string{"lower", "upper"} {
			t := proofTree{rows: x, prover: board.Colour(side), score: publishedEmpty[points]}
			q := superko.Question{Start: weiqi.NewPosition(board.Size{Rows: 1, Cols: points})}
			if err := t.walk(ctx, q, weiqi.NewHistory(weiqi.Rules{Ko: weiqi.Positional}, q.Start)); err != nil {
				return err
			}
			r.claim(fmt.Sprintf("%s: %s bound of %d, at every node of its tree", row(points), name, t.score), t.nodes, t.failed, "")
		}
		s.done++
	}
	if s.Max >= 7 {
		request := superkoRow(7, 2, 3)
		request.EachMove = true
		found, err := s.solveSuperko(ctx, "1×7 after 2 3", request)
		if err != nil {
			return err
		}
		var best trials
		for _, m := range found.moves {
			if m.Move == 5 {
				best.try(m.Score == found.score, fmt.Sprintf("%d, and %d is best", m.Score, found.score))
			}
		}
		r.claim("1×7 after 2 3: the strongest reply is 6", best.checked, best.failed, "")
	}
	r.Notes = []string{"A tree has one move of the side that proves, a shortest way, and every move of the other. Every end of a game in it has the score that is claimed, or a better one."}
	return nil
}

// proofTree is the tree of a bound: one move of the prover, every move of the opponent.
type proofTree struct {
	rows
	prover board.Colour
	score  int // Black's area less White's
	nodes  int
	failed []string
}

func (t *proofTree) walk(ctx context.Context, q superko.Question, h *weiqi.History) error {
	if t.nodes++; ctx.Err() != nil {
		return stoppedAt(ctx, row(t.points))
	}
	p := h.Position()
	if p.Over() {
		if reached := p.Score() - t.score; reached != 0 && (reached > 0) == (t.prover == board.White) {
			t.failed = append(t.failed, fmt.Sprint(q.Moves))
		}
		return nil
	}
	var moves []board.Point
	if p.ToPlay == t.prover {
		line, err := t.Short(ctx, q)
		if err != nil || len(line) == 0 {
			return fmt.Errorf("no line after %v: %w", q.Moves, err)
		}
		moves = line[:1]
	} else {
		moves = append(moves, weiqi.Pass)
		for m := range h.Legal().Points() {
			moves = append(moves, m)
		}
	}
	for _, m := range moves {
		if err := h.Push(m); err != nil {
			return err
		}
		if err := t.walk(ctx, q.After(m), h); err != nil {
			return err
		}
		h.Pop()
	}
	return nil
}
