package session

import (
	"testing"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/table"
	"tengen/game"
)

// A move without a proven score gets no score: 0 would be a claim.
func TestScoresAreProven(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 3}
	exact := func(move board.Point, score int) analyse.Finding {
		return analyse.Finding{Move: move, Name: game.MoveName(size, move), Grade: analyse.GradeExact, Value: table.Value{Score: score}}
	}
	open := func(move board.Point) analyse.Finding {
		return analyse.Finding{Move: move, Name: game.MoveName(size, move), Grade: analyse.GradeBounded, Value: table.Value{Open: true, Lo: -3, Hi: 2}}
	}
	a1, b1, c1 := size.At(0, 0), size.At(0, 1), size.At(0, 2)
	for _, test := range []struct {
		best  analyse.Finding
		moves []analyse.Finding
		want  string
	}{
		{
			exact(b1, 3),
			[]analyse.Finding{exact(b1, 3), exact(a1, -3), exact(c1, -3), exact(game.Pass, 0)},
			"TEXT black to play: B+3 with best play, which 1 of 4 moves keep; after a pass 0\nLABEL B1 +3 A1 -3 C1 -3\nCOLOR green B1\nCOLOR red A1 C1",
		},
		{
			exact(b1, 3),
			[]analyse.Finding{exact(b1, 3), open(a1), open(c1), exact(game.Pass, 0)},
			"TEXT black to play: B+3 with best play, which 1 of 4 moves keep, 2 of 4 moves are not decided; after a pass 0\nLABEL B1 +3\nCOLOR green B1",
		},
		{
			open(board.NoPoint),
			[]analyse.Finding{open(b1), exact(a1, -3), open(c1), open(game.Pass)},
			"TEXT black to play: the score is not known, 3 of 4 moves are not decided; after a pass the score is not known\nLABEL A1 -3",
		},
	} {
		a := analyse.Analysis{Position: game.NewPosition(size), Best: test.best, Moves: test.moves}
		if got := (goExpert{}).results(a); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
}

// If no move is known to reach the score, an analysis shows the best one so far, not a pass.
func TestSurveyShowsAMove(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 3}
	b1 := size.At(0, 1)
	a := analyse.Analysis{
		Position: game.NewPosition(size),
		Best:     analyse.Finding{Move: board.NoPoint, Grade: analyse.GradeExact, Value: table.Value{Score: 3}},
		Moves: []analyse.Finding{
			{Move: b1, Name: "B1", Grade: analyse.GradeBounded, Value: table.Value{Open: true, Lo: 1, Hi: 3}},
			{Move: game.Pass, Name: "pass", Grade: analyse.GradeExact, Value: table.Value{Score: -3}},
		},
		Classes: 2, Decided: 1,
	}
	if move := (goExpert{}).survey(a).Move; move != b1 {
		t.Errorf("%s is shown", game.MoveName(size, move))
	}
}
