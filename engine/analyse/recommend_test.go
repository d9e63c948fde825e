package analyse

import (
	"testing"

	"tengen/board"
	"tengen/game"
)

// A move is recommended with an exact score only if it reaches that score: a guess may have
// turned out to be worse.
func TestRecommendationReachesTheScore(t *testing.T) {
	size := board.Size{Rows: 5, Cols: 5}
	i, err := newInquiry(Question{Rules: game.Go{}, Start: game.NewPosition(size)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	guess := size.At(0, 0)
	i.advise(guess, nil)
	if now := i.snapshot(); now.Best.Move != guess {
		t.Errorf("the guess is not recommended while nothing is known, but %q", now.Best.Name)
	}
	i.prove(i.classOf(guess), -25, -25, BySearch)
	i.prove(whole, 25, 25, BySearch)
	if now := i.snapshot(); now.Best.Name != "" {
		t.Errorf("%s is recommended for a score of %d, and its own is -25", now.Best.Name, now.Best.Score)
	}
	centre := size.At(2, 2)
	i.prove(i.classOf(centre), 25, 25, BySearch)
	if now := i.snapshot(); now.Best.Move != centre {
		t.Errorf("%s is recommended for a score of %d", now.Best.Name, now.Best.Score)
	}
}
