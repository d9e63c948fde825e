package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tengen/board"
	"tengen/engine/table"
	"tengen/weiqi"
)

func strongResultsExperiment() Experiment {
	return Experiment{
		Name:   "strong-results",
		Shows:  "Go under basic ko: the score and the best first move of every board",
		Source: strongPaper + ", the tables of results",
		Points: Range{Least: 1, Most: 22, Usual: 16, Paper: 21, Beyond: 22},
		run:    filled("Scores of the empty board and best first moves", strongResults),
	}
}

func strongResults(ctx context.Context, s *session, r *Report) error {
	boards := strongTo(s.Max)
	rows := min(s.Max, publishedStrongRow)
	s.all = rows + len(boards)
	for points := 1; points <= rows; points++ {
		b := strongBoard{Size: board.Size{Rows: 1, Cols: points}, score: strongRow(points)}
		if points == 3 || points == 4 {
			b.move = "B1"
		}
		if err := s.strongResult(ctx, r, b); err != nil {
			return err
		}
	}
	for _, b := range boards {
		if err := s.strongResult(ctx, r, b); err != nil {
			return err
		}
	}
	r.Notes = []string{"Scores are Black's area less White's under basic ko, without komi; endless games are draws. All best moves are looked at for the published one. The paper has rows to 1×20 by its strategy; `strong-rows` plays it."}
	return nil
}

// publishedStrongRow is the longest row here; strong-rows has those to 1×20.
const publishedStrongRow = 13

func (s *session) strongResult(ctx context.Context, r *Report, b strongBoard) error {
	if err := s.begin(ctx, b.name()); err != nil {
		return err
	}
	built, err := s.openTable(ctx, b.Size)
	if err != nil {
		return err
	}
	defer built.close()
	s.done++
	answer, err := table.Look(built.Table, weiqi.NewPosition(b.Size), table.EndlessDrawn)
	if err != nil {
		return err
	}
	r.fact(b.name()+": score", answer.Score, b.score)
	if b.move == "" {
		return nil
	}
	var best []string
	for _, m := range answer.Moves {
		if m.Score == answer.Score && m.Move != weiqi.Pass {
			best = append(best, b.Size.Name(m.Move))
		}
	}
	ours, why := "one of "+strings.Join(best, " "), ""
	switch {
	case len(best) == 0:
		ours = "pass"
	case slices.Contains(best, b.move):
		ours = b.move
	case slices.Contains(best, turned(b)):
		why = "the same as " + turned(b) + ", if the letter is the row"
	}
	if why == "" {
		r.fact(b.name()+": best first move", ours, b.move)
	} else {
		r.explained(b.name()+": best first move", ours, b.move, why)
	}
	return nil
}

// turned reads the published move as on the board turned, with rows and columns exchanged.
func turned(b strongBoard) string {
	col, number := b.move[0]-'A', b.move[1]-'1'
	return fmt.Sprintf("%c%c", 'A'+number, '1'+col)
}
