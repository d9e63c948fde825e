package session_test

import (
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine"
	"tengen/gtp/session"
)

// Every player plays a game against itself to its end, and the session agrees with
// every move.
func TestGamesOfThePlayers(t *testing.T) {
	for _, kind := range engine.PlayerKinds() {
		t.Run(string(kind), func(t *testing.T) {
			s := newSession(t, func(o *session.Options) {
				o.Size = board.Size{Rows: 3, Cols: 4}
				o.Budget = engine.Budget{Playouts: 200}
				o.NewMover = func(size board.Size) (engine.Mover, error) {
					return engine.NewMover(engine.MoverOptions{Kind: kind, Size: size, Threads: 1, Memory: 64 << 20, Seed: 1})
				}
			})
			colour := "w"
			for range 20 {
				if colour == "w" {
					colour = "b"
				} else {
					colour = "w"
				}
				got := ask(t, s, "genmove "+colour)
				if !strings.HasPrefix(got, "= ") {
					t.Fatal(got)
				}
				if got == "= resign\n\n" {
					return
				}
			}
			if got := ask(t, s, "final_score"); !strings.Contains(got, "+1") {
				t.Errorf("nobody resigned and the game is not over: %s", got)
			}
		})
	}
}
