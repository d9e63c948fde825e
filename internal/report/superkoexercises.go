package report

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/weiqi"
)

func superkoExercisesExperiment() Experiment {
	return Experiment{
		Name:   "superko-exercises",
		Shows:  "Go under superko: the exercises, the stable and the unstable states of the text",
		Source: superkoPaper + ", figures 2, 6 and 14, and the examples beside theorem 5",
		Points: Range{Least: 8, Most: 8, Usual: 8, Paper: 8},
		run:    filled("The states of the text under positional superko", superkoExercises),
	}
}

// exercise is a state of the paper with what is printed about it.
type exercise struct {
	what     string
	points   int
	moves    []int // 0 is a pass
	standing *int  // score of the position as it stands
	score    *int  // minimax
	stable   bool
	line     []int
}

var exercises = []exercise{
	{"figures 2 and 14: (-1-2--)", 6, []int{2, 4}, new(-1), new(6), false, []int{5, 6, 3, 1, 3, 2, 5, 3, 2, 1}},
	{"figure 6: (-13-2-)", 6, []int{2, 5, 3}, nil, nil, true, nil},
	{"figure 6: (-1-3-2-)", 7, []int{2, 6, 4}, nil, nil, true, nil},
	{"1×5: (-x-x-)", 5, []int{2, 0, 4}, new(5), nil, true, nil},
	{"1×8: (-xx-o-o-), loosely packed", 8, []int{2, 7, 3, 5}, nil, new(1), false, []int{4, 6, 8, 6, 7}},
	{"1×8: (-x-o-xx-), loosely packed", 8, []int{2, 4, 7, 0, 6, 0}, nil, new(8), false, []int{5, 8, 5, 3, 7}},
}

func superkoExercises(ctx context.Context, s *session, r *Report) error {
	s.all = len(exercises)
	for _, x := range exercises {
		request := superkoRow(x.points)
		for _, cell := range x.moves {
			move := weiqi.Pass
			if cell > 0 {
				move = board.Point(cell - 1)
			}
			request.Moves = append(request.Moves, move)
		}
		standing := weiqi.NewHistory(request.Rules, request.Position)
		for _, m := range request.Moves {
			if err := standing.Push(m); err != nil {
				return err
			}
		}
		if x.line != nil {
			request.Line, request.Follow = solve.LineWanted, cellPoints(x.line)
		}
		found, err := s.solveSuperko(ctx, x.what, request)
		if err != nil {
			return err
		}
		now := standing.Position().Score()
		r.printed(x.what+": score as it stands", now, x.standing)
		r.printed(x.what+": minimax score", found.score, x.score)
		r.fact(x.what+": stable", now == found.score, x.stable)
		if x.line != nil {
			r.fact(fmt.Sprintf("%s: the line %v", x.what, x.line), bestPlay(found.line), "best play")
		}
	}
	r.Notes = []string{superkoNote, "A state whose minimax score is that of its board is stable. The last needs a pass of White before Black's stone at 6, and one after it, for Black to attack."}
	return nil
}

// printed compares a score with the one in the paper, if it prints one.
func (r *Report) printed(what string, score int, published *int) {
	if published == nil {
		r.news(what, score)
		return
	}
	r.fact(what, score, *published)
}

// bestPlay says whether a line that was to be followed is best play of both sides.
func bestPlay(line []board.Point) string {
	if line == nil {
		return "not best play"
	}
	return "best play"
}
