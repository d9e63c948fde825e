package report

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"tengen/board"
	"tengen/internal/text"
	"tengen/tablebase"
)

func strongScoresExperiment() Experiment {
	return Experiment{
		Name:   "strong-scores",
		Shows:  "Go under basic ko: wins, draws, losses and scores of all positions",
		Source: strongPaper + ", which solves every position and prints no counts",
		Points: Range{Least: 4, Most: 22, Usual: 16, Paper: 21, Beyond: 22},
		run:    strongScores,
	}
}

func strongScores(ctx context.Context, s *session) (Report, error) {
	r := Report{
		Title: "Results of the side to play over all legal boards of Go",
		Data:  Data{Columns: []string{"rows", "columns", "score", "boards"}},
		Notes: []string{"Boards without a ban of ko and without a pass before, endless games drawn."},
	}
	list := Table{Columns: []Column{words("board"), numbers("legal boards"), numbers("wins"), numbers("draws"), numbers("losses")}}
	boards := strongTo(s.Max)
	s.all = len(boards)
	for _, b := range boards {
		stats, err := s.tableStats(ctx, b)
		if err != nil {
			if len(list.Rows) == 0 {
				return Report{}, err
			}
			return r, err
		}
		s.done++
		share := func(n uint64) string {
			return fmt.Sprintf("%s (%.1f %%)", text.Thousands(n), 100*float64(n)/float64(stats.Positions))
		}
		list.add(b.name(), text.Thousands(stats.Positions), share(stats.Wins), share(stats.Draws), share(stats.Losses))
		for _, score := range slices.Sorted(maps.Keys(stats.Histogram)) {
			r.Data.add(b.Rows, b.Cols, score, stats.Histogram[score])
		}
		if (b.Size == board.Size{Rows: 4, Cols: 5}) {
			r.fact("4×5: legal boards", stats.Positions, publishedLegal)
		} else {
			r.news(b.name()+": boards won by the side to play", stats.Wins)
		}
		r.Tables = []Table{list}
	}
	return r, nil
}

func (s *session) tableStats(ctx context.Context, b strongBoard) (tablebase.Stats, error) {
	if err := s.begin(ctx, b.name()); err != nil {
		return tablebase.Stats{}, err
	}
	built, err := s.openTable(ctx, b.Size)
	if err != nil {
		return tablebase.Stats{}, err
	}
	defer built.close()
	return built.Stats(ctx)
}
