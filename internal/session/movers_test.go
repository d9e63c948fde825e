package session_test

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/session"
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
					return engine.NewMover(engine.MoverOptions{Kind: kind, Size: size, Limits: engine.Limits{Memory: 64 << 20, Threads: 1}, Seed: 1})
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

// Where a position is solved the analysis has every move with its result.
func TestAnalysisOfSolvedPositions(t *testing.T) {
	for _, kind := range []engine.PlayerKind{engine.PlayerMCTS, engine.PlayerPerfect} {
		s := newSession(t, func(o *session.Options) {
			o.Size = board.Size{Rows: 2, Cols: 4}
			o.NewMover = func(size board.Size) (engine.Mover, error) {
				return engine.NewMover(engine.MoverOptions{Kind: kind, Size: size, Limits: engine.Limits{Memory: 64 << 20, Threads: 1}, Seed: 1})
			}
		})
		for _, first := range []string{"", "play b A1"} {
			if first != "" {
				ask(t, s, first)
			}
			got := lastAnalysis(t, s)
			wins, losses := strings.Count(got, " winrate 10000 "), strings.Count(got, " winrate 0 ")
			legal := len(strings.Fields(ask(t, s, "legal_moves"))) - 1
			if wins+losses != legal {
				t.Errorf("%s: %d moves win and %d lose of %d: %s", kind, wins, losses, legal, got)
			}
			results := ask(t, s, "tengen-results")
			if _, green, _ := strings.Cut(results, "green "); wins != len(strings.Fields(strings.Split(green, "\n")[0])) {
				t.Errorf("%s: %d moves win, but %s", kind, wins, results)
			}
		}
	}
}

// lastAnalysis is the line after which an analysis has nothing more to tell.
func lastAnalysis(t *testing.T, s *session.Session) string {
	t.Helper()
	in, commands := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- s.Server().Serve(t.Context(), in, out)
		out.Close()
	}()
	io.WriteString(commands, "lz-analyze 500\n")
	lines := bufio.NewScanner(answers)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "info ") {
	}
	last := lines.Text()
	commands.Close()
	for lines.Scan() {
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	return last
}

// The network tells whose stones end up where, if it is asked.
func TestOwnership(t *testing.T) {
	for kind, points := range map[engine.PlayerKind]int{engine.PlayerNet: 30, engine.PlayerMCTS: 0} {
		s := newSession(t, func(o *session.Options) {
			o.Size = board.Size{Rows: 5, Cols: 6}
			o.Budget = engine.Budget{Playouts: 8}
			o.NewMover = func(size board.Size) (engine.Mover, error) {
				return engine.NewMover(engine.MoverOptions{Kind: kind, Size: size, Limits: engine.Limits{Memory: 16 << 20, Threads: 1}, Seed: 1})
			}
		})
		ask(t, s, "play b A1")
		got := ask(t, s, "kata-genmove_analyze w 5 ownership true")
		info, _, _ := strings.Cut(got, "\nplay")
		_, owns, _ := strings.Cut(info[strings.LastIndex(info, "info"):], "ownership ")
		fields := strings.Fields(owns)
		if len(fields) != points {
			t.Fatalf("%s: ownership of %d points in %s", kind, len(fields), got)
		}
		// Stones stay: White is to move, and the black one is in the corner at the bottom left.
		if points > 0 && fields[24] != "-1.000" && !strings.HasPrefix(fields[24], "-0.9") {
			t.Errorf("the stone at A1 ends up as %s", fields[24])
		}
		if plain := ask(t, s, "kata-genmove_analyze b 5"); strings.Contains(plain, "ownership") {
			t.Errorf("%s: nobody asked: %s", kind, plain)
		}
	}
}
