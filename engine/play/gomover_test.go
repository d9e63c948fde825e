package play_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/engine/job"

	"tengen/board"
	"tengen/engine/play"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/longtest"
	"tengen/tablebase"
	"tengen/weiqi"
)

func goMover(t testing.TB, o play.GoOptions) *play.GoMover {
	t.Helper()
	m, err := play.NewGo(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func sizeOf(t testing.TB, text string) board.Size {
	t.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// opponentOf plays a legal move; earlier are the positions of the game.
type opponentOf func(p weiqi.Position, earlier []weiqi.Position) board.Point

func legalOf(p weiqi.Position) []board.Point {
	return append(slices.Collect((weiqi.Rules{}).Legal(p).Points()), weiqi.Pass)
}

func randomly(rng *rand.Rand) opponentOf {
	return func(p weiqi.Position, _ []weiqi.Position) board.Point {
		moves := legalOf(p)
		return moves[rng.IntN(len(moves))]
	}
}

// stalling goes back to where the game has been whenever it can, and otherwise plays
// at random but does not pass.
func stalling(rng *rand.Rand) opponentOf {
	return func(p weiqi.Position, earlier []weiqi.Position) board.Point {
		moves := legalOf(p)
		for _, m := range moves {
			if next, err := (weiqi.Rules{}).Play(p, m); err == nil && slices.Contains(earlier, next) {
				return m
			}
		}
		return moves[rng.IntN(max(len(moves)-1, 1))]
	}
}

// playOut lets a mover play a colour from a position. It returns the score for that
// colour, 0 for a game that has come round this number of times.
func playOut(t testing.TB, m *play.GoMover, p weiqi.Position, colour board.Colour, opponent opponentOf, rounds int) int {
	t.Helper()
	var earlier []weiqi.Position
	for !p.Over() {
		var move board.Point
		if p.ToPlay == colour {
			choice, err := m.Move(context.Background(), p, earlier)
			if err != nil {
				t.Fatal(err)
			}
			move = choice.Move
		} else {
			move = opponent(p, earlier)
		}
		earlier = append(earlier, p)
		next, err := (weiqi.Rules{}).Play(p, move)
		if err != nil {
			t.Fatal(err)
		}
		if p = next; slices.Contains(earlier, p) {
			if rounds--; rounds == 0 {
				return 0
			}
		}
	}
	if colour == board.White {
		return -p.Score()
	}
	return p.Score()
}

// wander is a position after random moves.
func wander(rng *rand.Rand, size board.Size) weiqi.Position {
	for {
		p := weiqi.NewPosition(size)
		for range rng.IntN(2 * size.Points()) {
			if next, err := (weiqi.Rules{}).Play(p, randomly(rng)(p, nil)); err == nil {
				p = next
			}
		}
		if !p.Over() {
			return p
		}
	}
}

// Against anybody the mover gets at least the score of the position. A game that it
// wins does not come round if the table knows distances, and ends in any case. The
// boards are the table's or lie on their side.
func TestGoMoverKeepsTheScore(t *testing.T) {
	longtest.Alone(t)
	ownCache(t)
	games := 50
	if testing.Short() {
		games = 30
	}
	for _, name := range []string{"1x5", "2x2", "2x3", "3x2", "3x3", "4x2", "3x4", "4x3"} {
		size := sizeOf(t, name)
		bare := filepath.Join(t.TempDir(), "bare")
		if _, _, err := table.Build(context.Background(), table.Request{Size: size, Loops: tablebase.Drawn, Path: bare}); err != nil {
			t.Fatal(err)
		}
		full := goMover(t, play.GoOptions{Table: job.Cache, Size: size})
		for rounds, m := range map[int]*play.GoMover{1: full, 1000: goMover(t, play.GoOptions{Size: size, Table: bare})} {
			rng := rand.New(rand.NewPCG(1, 2))
			for range games {
				p := wander(rng, size)
				a, err := full.Answer(p)
				if err != nil {
					t.Fatal(err)
				}
				want := a.Score
				if p.ToPlay == board.White {
					want = -want
				}
				for _, opponent := range []opponentOf{randomly(rng), stalling(rng)} {
					allowed := rounds
					if want <= 0 {
						allowed = 1
					}
					if score := playOut(t, m, p, p.ToPlay, opponent, allowed); score < want {
						t.Fatalf("%s: %d instead of %d within %d rounds from, %s to play,\n%s", name, score, want, rounds, p.ToPlay, size.Diagram(p.Stones))
					}
				}
			}
		}
	}
}

// Two movers reach the published scores, or come round where those are 0.
func TestGoMoversAgainstEachOther(t *testing.T) {
	longtest.Alone(t)
	ownCache(t)
	for name, want := range map[string]int{"1x3": 3, "1x4": 4, "1x5": 0, "2x2": 0, "2x4": 8, "3x3": 9, "3x4": 4, "4x3": 4} {
		m := goMover(t, play.GoOptions{Table: job.Cache, Size: sizeOf(t, name)})
		itself := func(p weiqi.Position, earlier []weiqi.Position) board.Point {
			choice, err := m.Move(context.Background(), p, earlier)
			if err != nil {
				t.Fatal(err)
			}
			if choice.Source != game.FromTable || choice.Moves[0].Move != choice.Move || choice.Moves[0].Score != choice.Score {
				t.Errorf("a choice that does not stand behind its move: %+v", choice)
			}
			return choice.Move
		}
		if score := playOut(t, m, emptyBoard(t, name), board.Black, itself, 1); score != want {
			t.Errorf("%s: %d, want %d", name, score, want)
		}
	}
}

// On rows without a table the strategy does not lose, from either side.
func TestGoMoverOnLongRows(t *testing.T) {
	ownCache(t)
	games := 40
	if testing.Short() {
		games = 10
	}
	for _, name := range []string{"1x17", "18x1", "1x30"} {
		size := sizeOf(t, name)
		m := goMover(t, play.GoOptions{Table: job.Cache, Size: size})
		if m.Exact() {
			t.Fatalf("%s: there is a table", name)
		}
		if _, err := m.Answer(weiqi.NewPosition(size)); err == nil {
			t.Errorf("%s: a score without a table", name)
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for i := range games {
			colour := board.Colour(i % 2)
			for _, opponent := range []opponentOf{randomly(rng), stalling(rng)} {
				if score := playOut(t, m, weiqi.NewPosition(size), colour, opponent, 1); score < 0 {
					t.Errorf("%s: %s loses by %d", name, colour, -score)
				}
			}
		}
		choice, err := m.Move(t.Context(), weiqi.NewPosition(size), nil)
		if err != nil || choice.Source != game.FromStrategy || choice.Moves != nil {
			t.Errorf("%s: %+v, %v", name, choice, err)
		}
	}
}

// Where the strategy claims nothing the move is legal and called a guess.
func TestGoMoverGuesses(t *testing.T) {
	ownCache(t)
	p, err := weiqi.ParsePosition(".xx.xxxxxxxxxxxxx.x.")
	if err != nil {
		t.Fatal(err)
	}
	p.ToPlay = board.White
	choice, err := goMover(t, play.GoOptions{Table: job.Cache, Size: p.Size}).Move(t.Context(), p, nil)
	if err != nil || choice.Source != game.FromGuess {
		t.Fatalf("%+v, %v", choice, err)
	}
	if _, err := (weiqi.Rules{}).Play(p, choice.Move); err != nil {
		t.Error(err)
	}
}

func TestGoMoverRefuses(t *testing.T) {
	ownCache(t)
	ctx := context.Background()
	three := filepath.Join(t.TempDir(), "table")
	if _, _, err := table.Build(ctx, table.Request{Size: sizeOf(t, "2x3"), Path: three}); err != nil {
		t.Fatal(err)
	}
	var missing *table.Missing
	if _, err := play.NewGo(ctx, play.GoOptions{Table: job.Cache, Size: sizeOf(t, "4x5")}); !errors.As(err, &missing) || missing.Size != sizeOf(t, "4x5") {
		t.Errorf("a board whose table takes long: %v", err)
	}
	for _, o := range []play.GoOptions{
		{},
		{Size: sizeOf(t, "9x9")},
		{Size: sizeOf(t, "3x3"), Table: three},
		{Size: sizeOf(t, "3x3"), Table: three + ".none"},
	} {
		if _, err := play.NewGo(ctx, o); err == nil {
			t.Errorf("a player for %+v", o)
		}
	}
	m := goMover(t, play.GoOptions{Size: sizeOf(t, "3x2"), Table: three})
	over := weiqi.NewPosition(sizeOf(t, "3x2"))
	over.Passes = 2
	if _, err := m.Move(ctx, over, nil); !errors.Is(err, play.ErrGoOver) {
		t.Errorf("a move after the end: %v", err)
	}
	if _, err := m.Move(ctx, weiqi.NewPosition(sizeOf(t, "2x3")), nil); err == nil {
		t.Error("a move on another board")
	}
	over.Passes, over.Ko = 0, over.Size.At(0, 0)
	if _, err := m.Move(ctx, over, nil); err == nil {
		t.Error("a move with a ban that cannot be")
	}
}

// A table of a long row that cannot be read does not keep anybody from playing.
func TestGoMoverWarns(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	if err := os.MkdirAll(filepath.Join(cache, "tengen"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cache, "tengen", "go-1x17.table"), []byte("no table"), 0o644); err != nil {
		t.Fatal(err)
	}
	m := goMover(t, play.GoOptions{Table: job.Cache, Size: sizeOf(t, "1x17")})
	if w := m.Warnings(); m.Exact() || len(w) != 1 || !strings.Contains(w[0], "go-1x17.table") {
		t.Errorf("warnings %q", w)
	}
}
