package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
)

func someGames(t *testing.T, games int) [][]example {
	t.Helper()
	played, err := playAll(context.Background(), games, 20)
	if err != nil {
		t.Fatal(err)
	}
	if len(played) != games {
		t.Fatalf("%d games instead of %d", len(played), games)
	}
	return played
}

func TestGamesAreLabelledFromTheEnd(t *testing.T) {
	for _, g := range someGames(t, 4) {
		for i, e := range g {
			if e.won != g[0].won {
				t.Error("a game has two winners")
			}
			if e.black < 0 || e.black > 1 {
				t.Errorf("Black's chance is %.3f", e.black)
			}
			if want := board.Colour(i % 2); e.toPlay != want {
				t.Errorf("%s is to move after %d moves", e.toPlay, i)
			}
		}
	}
	game := make([]example, 3)
	label(game, []float64{0.2, 0, 0.5}, true)
	for i, want := range []float64{0.875, 0.95, 0.95} {
		if math.Abs(game[i].black-want) > 1e-9 {
			t.Errorf("Black's chance in position %d is %.4f, want %.4f", i, game[i].black, want)
		}
	}
}

func TestLearnerLearns(t *testing.T) {
	longtest.Alone(t)
	_, examples := split(someGames(t, 20))
	l := newLearner()
	before := l.loss(examples)
	if math.Abs(before-math.Log(2)) > 1e-9 {
		t.Errorf("who knows nothing loses %.4f", before)
	}
	for range rounds {
		l.round(examples)
	}
	if after := l.loss(examples); after > 0.95*before {
		t.Errorf("the loss is %.4f after learning, %.4f before", after, before)
	}
}

// Two runs play the same games and learn the same weights.
func TestWeightsRepeat(t *testing.T) {
	longtest.Alone(t)
	var files [2][]byte
	for i := range files {
		out := filepath.Join(t.TempDir(), "weights")
		if err := run(context.Background(), out, heldBack, 10); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = data
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two runs give different weights")
	}
	if err := run(context.Background(), filepath.Join(t.TempDir(), "weights"), 1, 10); err == nil {
		t.Error("one game is enough to learn from")
	}
}
