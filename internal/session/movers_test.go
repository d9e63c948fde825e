package session_test

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
	"tengen/internal/session"
	"tengen/nogo"
)

// Every player plays a game against itself to the end, and the session accepts
// every move.
func TestGamesOfThePlayers(t *testing.T) {
	for _, kind := range play.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			s := newSession(t, func(o *session.Options) {
				o.Size = board.Size{Rows: 3, Cols: 4}
				o.Budget = play.Budget{Playouts: 200}
				o.NewMover = func(ctx context.Context, size board.Size) (play.Mover, error) {
					return play.New(ctx, play.Options{Kind: kind, Size: size, Limits: job.Limits{Memory: 64 << 20, Threads: 1}, Seed: 1})
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

// A move that is a guess has a comment in the record, and says so when it is judged.
func TestGuessesSaySo(t *testing.T) {
	s := newSession(t, func(o *session.Options) {
		o.Rules, o.Size = game.Go{}, board.Size{Rows: 5, Cols: 6}
		o.Budget.Time = 50 * time.Millisecond
		o.Exact = job.Limits{Memory: 64 << 20, Threads: 1, Time: 200 * time.Millisecond}
	})
	const guess = "A guess: nothing is proven of this move."
	ask(t, s, "genmove b")
	if got := ask(t, s, "printsgf"); !strings.Contains(got, "C["+guess+"]") {
		t.Errorf("the record does not say that the move is a guess: %s", got)
	}
	if got := ask(t, s, "tengen-mistake"); got != "= TEXT "+guess+" The result is not known.\n\n" {
		t.Errorf("judged: %s", got)
	}
	ask(t, s, "undo")
	ask(t, s, "play b C3")
	if got := ask(t, s, "printsgf"); strings.Contains(got, "guess") {
		t.Errorf("nobody guessed this move: %s", got)
	}
}

// For a solved position the analysis has every move with its result.
func TestAnalysisOfSolvedPositions(t *testing.T) {
	for _, kind := range []play.Kind{play.MCTS, play.Perfect} {
		s := newSession(t, func(o *session.Options) {
			o.Size = board.Size{Rows: 2, Cols: 4}
			o.NewMover = func(ctx context.Context, size board.Size) (play.Mover, error) {
				return play.New(ctx, play.Options{Kind: kind, Size: size, Limits: job.Limits{Memory: 64 << 20, Threads: 1}, Seed: 1})
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

// served has a session answer commands until their writer is closed.
func served(t *testing.T, s *session.Session) (commands io.WriteCloser, lines *bufio.Scanner, done <-chan error) {
	in, writer := io.Pipe()
	answers, out := io.Pipe()
	end := make(chan error, 1)
	go func() {
		end <- s.Server().Serve(t.Context(), in, out)
		out.Close()
	}()
	return writer, bufio.NewScanner(answers), end
}

// lastAnalysis is the last line of an analysis that is complete.
func lastAnalysis(t *testing.T, s *session.Session) string {
	t.Helper()
	commands, lines, done := served(t, s)
	io.WriteString(commands, "lz-analyze 500\n")
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

// The network reports the ownership if the command asks for it.
func TestOwnership(t *testing.T) {
	for kind, points := range map[play.Kind]int{play.Net: 30, play.MCTS: 0} {
		s := newSession(t, func(o *session.Options) {
			o.Size = board.Size{Rows: 5, Cols: 6}
			o.Budget = play.Budget{Playouts: 8}
			o.NewMover = func(ctx context.Context, size board.Size) (play.Mover, error) {
				return play.New(ctx, play.Options{Kind: kind, Size: size, Limits: job.Limits{Memory: 16 << 20, Threads: 1}, Seed: 1})
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

// pensive uses its whole time for every move, and records whether it was asked for
// the ownership meanwhile.
type pensive struct {
	thinking, disturbed atomic.Bool
}

func (m *pensive) Move(ctx context.Context, p nogo.Position, c board.Colour, b play.Budget) (game.Choice, error) {
	m.thinking.Store(true)
	defer m.thinking.Store(false)
	select {
	case <-ctx.Done():
	case <-time.After(b.Time):
	}
	for move := range p.Legal(c).Points() {
		return game.Choice{Move: move, Source: game.FromPlayouts, Playouts: 1, WinShare: 0.5}, nil
	}
	return game.Choice{}, play.ErrNoMove
}

func (m *pensive) Ownership(p nogo.Position, _ board.Colour) []float64 {
	if m.thinking.Load() {
		m.disturbed.Store(true)
	}
	return make([]float64, p.Size.Points())
}

func (*pensive) Ponder(context.Context, nogo.Position, board.Colour) {}
func (*pensive) Parts() []string                                     { return nil }
func (*pensive) Playouts() int                                       { return 0 }
func (*pensive) Slow() (float64, bool)                               { return 0, false }
func (*pensive) SetThreads(int)                                      {}
func (*pensive) Close() error                                        { return nil }

// The player is asked for the ownership while it does not search.
func TestOwnershipBesideNoSearch(t *testing.T) {
	player := &pensive{}
	s := newSession(t, func(o *session.Options) {
		o.Size = board.Size{Rows: 9, Cols: 9}
		o.NewMover = func(context.Context, board.Size) (play.Mover, error) { return player, nil }
	})
	commands, lines, done := served(t, s)
	io.WriteString(commands, "kata-analyze 5 ownership true\n")
	for reports := 0; reports < 8 && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "info ") {
			reports++
			if _, owns, _ := strings.Cut(lines.Text(), " ownership "); len(strings.Fields(owns)) != 81 {
				t.Errorf("no ownership of 81 points in %s", lines.Text())
			}
		}
	}
	commands.Close()
	for lines.Scan() {
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if player.disturbed.Load() {
		t.Error("the player was asked for the ownership while it was thinking")
	}
}

// A player without playouts has the time of a move for genmove_analyze too, however short the
// interval of the reports is.
func TestIntervalIsNotTheTimeOfAMove(t *testing.T) {
	s := newSession(t, func(o *session.Options) {
		o.NewMover = func(context.Context, board.Size) (play.Mover, error) { return &slowSolver{}, nil }
		o.Budget = play.Budget{Time: time.Hour}
	})
	if got, _ := analysed(t, s, "genmove_analyze b 5"); got != "play B2" {
		t.Errorf("the player of NoGo answered %s", got)
	}
	s = newSession(t, func(o *session.Options) {
		o.Rules, o.Size = game.Go{}, board.Size{Rows: 5, Cols: 6}
		o.Budget = play.Budget{Time: 200 * time.Millisecond}
	})
	// Nothing is proven in the first piece, so there is a second one.
	if _, reports := analysed(t, s, "genmove_analyze b 5"); reports != 2 {
		t.Errorf("the player of Go was asked %d times", reports)
	}
}

// analysed sends a command that is not disturbed by further input. It returns the line with
// the move and the number of reports before it.
func analysed(t *testing.T, s *session.Session, command string) (move string, reports int) {
	t.Helper()
	commands, lines, done := served(t, s)
	io.WriteString(commands, command+"\n")
	for lines.Scan() {
		switch {
		case strings.HasPrefix(lines.Text(), "info "):
			reports++
		case strings.HasPrefix(lines.Text(), "play "):
			move = lines.Text()
			commands.Close()
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	return move, reports
}

// slowSolver knows the best move only if it has more than a minute.
type slowSolver struct{ firstMover }

func (m *slowSolver) Move(_ context.Context, p nogo.Position, _ board.Colour, b play.Budget) (game.Choice, error) {
	m.budget = b
	if b.Time < time.Minute {
		return game.Choice{Move: p.Size.At(0, 0), Source: game.FromGuess}, nil
	}
	return game.Choice{Move: p.Size.At(1, 1), Source: game.FromSearch, Known: game.Won}, nil
}

// The question why a move is bad has the time of exact results: a search of Go may never end.
func TestWhyEndsInTime(t *testing.T) {
	s := newSession(t, func(o *session.Options) {
		o.Rules, o.Size = game.Go{}, board.Size{Rows: 5, Cols: 6}
		o.Exact = job.Limits{Memory: 64 << 20, Threads: 1, Time: 200 * time.Millisecond}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var out strings.Builder
	if err := s.Server().Serve(ctx, strings.NewReader("tengen-why b A1\n"), &out); err != nil || !strings.HasPrefix(out.String(), "? not solved in the time: the time is up") {
		t.Errorf("%v: %s", err, out.String())
	}
}
