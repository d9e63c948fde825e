package report

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/weiqi"
)

func superkoPrintedExperiment() Experiment {
	return Experiment{
		Name:   "superko-printed",
		Shows:  "Go under superko: counterexamples to theorems that are false as printed",
		Source: superkoPaper + ", theorems 5, 6 and 7",
		Points: Range{Least: 7, Most: 7, Usual: 7, Paper: 7},
		run:    filled("Where theorems on rows are false as printed", superkoPrinted),
	}
}

// counterexample is a game in which a theorem promises something else than what is true.
type counterexample struct {
	theorem string
	start   string
	toPlay  board.Colour
	moves   []int // cells, 0 for a pass
	promise string
	score   int // Black's area less White's
	why     string
}

var counterexamples = []counterexample{
	{
		"theorem 5, nobody has played in their own territory", ".....", board.Black,
		[]int{0, 2, 0, 5, 4},
		"0", 5,
		"the reply that takes two stones would repeat a board",
	},
	{
		"theorem 7, (--] beside a telomere with a stone of o in it", "..xx.o", board.White, nil, "6", 3,
		"x shares its liberty on the right, and o attacks from the left",
	},
	{
		"theorem 7, (--x-] beside a telomere that was there in part", "...xo..", board.Black,
		[]int{3, 0, 1, 2, 7, 1, 3, 6},
		"0 or less", 2,
		"White may lose the telomere and must not return to a part of it",
	},
}

func superkoPrinted(ctx context.Context, s *session, r *Report) error {
	s.all = len(counterexamples)
	for _, c := range counterexamples {
		start, err := weiqi.ParsePosition(c.start)
		if err != nil {
			return err
		}
		start.ToPlay = c.toPlay
		request := solve.GoRequest{Position: start, Rules: weiqi.Rules{Ko: weiqi.Positional}, Line: solve.LineNone}
		for _, cell := range c.moves {
			if cell == 0 {
				request.Moves = append(request.Moves, weiqi.Pass)
			} else {
				request.Moves = append(request.Moves, board.Point(cell-1))
			}
		}
		found, err := s.solveSuperko(ctx, c.theorem, request)
		if err != nil {
			return err
		}
		if found.score != c.score {
			r.differ("%s: the score is %s and not the known %s", c.theorem, signed(found.score), signed(c.score))
		}
		r.explained(fmt.Sprintf("%s: `%s` after %v", c.theorem, c.start, c.moves), found.score, c.promise, c.why)
	}
	r.Notes = []string{superkoNote, "In the moves 0 is a pass. docs/superko.md has the forms of the theorems that passed all checks."}
	return nil
}
