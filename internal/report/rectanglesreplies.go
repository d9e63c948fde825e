package report

import (
	"context"
	"strings"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/nogo"
)

func rectanglesRepliesExperiment() Experiment {
	return Experiment{
		Name:   "rectangles-replies",
		Shows:  "NoGo: the openings of 3×3, 4×4 and 5×5, and White's only replies on 4×4",
		Source: rectanglePaper + ", figures 1 and 4",
		Points: Range{Least: 16, Most: 25, Usual: 16, Paper: 25},
		run:    filled("Openings of square boards, and the replies on 4×4", rectanglesReplies),
	}
}

func rectanglesReplies(ctx context.Context, s *session, r *Report) error {
	s.all = 4
	if err := s.openingsOf(ctx, r, board.Size{Rows: 3, Cols: 3}, board.Black, 3); err != nil {
		return err
	}
	size := board.Size{Rows: 4, Cols: 4}
	openings := size.Orbits(size.Mask(), size.Symmetries())
	r.fact("4×4: distinct openings", len(openings), 3)
	for _, orbit := range openings {
		opening := orbit[0]
		request := solve.Request{Position: nogo.NewPosition(size), Moves: []board.Point{opening}, EachMove: true}
		found, err := s.solve(ctx, "4×4 after "+size.Name(opening), request, unlimited)
		if err != nil {
			return err
		}
		var replies []string
		for _, m := range found.moves {
			if m.Winner == board.White.Wins() {
				replies = append(replies, size.Name(m.Move))
			}
		}
		r.fact("4×4 after "+size.Name(opening)+": winning replies", strings.Join(replies, " "), size.Name(opposite(size, opening)))
	}
	if s.Max < 25 {
		return nil
	}
	return s.openingsOf(ctx, r, board.Size{Rows: 5, Cols: 5}, board.Black, 6)
}

// openingsOf compares the number of distinct openings that a side wins with the published
// one, which is that of all.
func (s *session) openingsOf(ctx context.Context, r *Report, size board.Size, side board.Colour, published int) error {
	name := rectangle{Size: size}.name()
	found, err := s.solve(ctx, name, solve.Request{Position: nogo.NewPosition(size), EachMove: true}, unlimited)
	if err != nil {
		return err
	}
	won := board.Set{}
	for _, m := range found.moves {
		if m.Winner == side.Wins() {
			won.Add(m.Move)
		}
	}
	r.fact(name+": distinct openings", len(size.Orbits(size.Mask(), size.Symmetries())), published)
	r.fact(name+": distinct openings that win", len(size.Orbits(won, size.Symmetries())), published)
	return nil
}

// opposite is a point after a half turn of the board.
func opposite(size board.Size, p board.Point) board.Point {
	return size.At(size.Rows-1-size.Row(p), size.Cols-1-size.Col(p))
}
