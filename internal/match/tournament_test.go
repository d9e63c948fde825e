package match_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/game"
	"tengen/internal/match"
)

func tournament(t *testing.T) match.Options {
	t.Helper()
	return match.Options{
		Rules:    game.NoGo{},
		Size:     board.Size{Rows: 2, Cols: 3},
		Games:    2,
		Programs: [][]string{fake("plain"), fake("tight"), fake("passes")},
		Names:    []string{"Ann", "Bob", "Cid"},
		Parallel: 2,
		Fresh:    !testing.Short(), // starting a program is slow under the race detector
		Openings: match.Openings{Random: 1, Seed: 7},
		Log:      filepath.Join(t.TempDir(), "log"),
	}
}

// timeless removes the times, which differ from run to run.
func timeless(games []match.Record) []match.Record {
	list := make([]match.Record, len(games))
	for i, g := range games {
		g.Seconds, g.Slowest = [2]float64{}, [2]float64{}
		list[i] = g
	}
	return list
}

// A tournament that was interrupted and resumed has the result of one that was not, for any
// number of games at a time.
func TestTournamentResumes(t *testing.T) {
	o := tournament(t)
	o.Log = ""
	want := run(t, o)
	if len(want.Games) != 6 || len(want.Pairings) != 3 {
		t.Fatalf("%d games in %d pairings", len(want.Games), len(want.Pairings))
	}
	for _, p := range want.Pairings {
		if p.Games() != 2 || p.Pairs[0]+p.Pairs[1]+p.Pairs[2]+p.Pairs[3]+p.Pairs[4] != 1 {
			t.Errorf("%+v", p)
		}
	}
	o = tournament(t)
	o.Parallel = 3
	ctx, cancel := context.WithCancel(t.Context())
	over := 0
	o.Finished = func(match.Record, match.Result) {
		if over++; over == 2 {
			cancel()
		}
	}
	first, err := match.Run(ctx, o)
	if !errors.Is(err, context.Canceled) || len(first.Games) < 2 || len(first.Games) > 4 {
		t.Fatalf("%v after %d games", err, len(first.Games))
	}
	o.Parallel = 1
	got := run(t, o)
	if over != 6 || !reflect.DeepEqual(timeless(got.Games), timeless(want.Games)) || !reflect.DeepEqual(got.Pairings, want.Pairings) {
		t.Errorf("%d games were played; the result is\n%+v\n, want\n%+v", over, got.Pairings, want.Pairings)
	}
}

func TestGauntlet(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many programs")
	}
	o := tournament(t)
	o.Gauntlet, o.Games = true, 1
	result := run(t, o)
	if len(result.Games) != 2 || len(result.Pairings) != 2 {
		t.Fatalf("%d games, %+v", len(result.Games), result.Pairings)
	}
	for i, g := range result.Games {
		if p := result.Pairings[i].Programs; p != [2]int{0, i + 1} || g.Number != 2*i+1 {
			t.Errorf("game %d of %v", g.Number, p)
		}
	}
	o.Games, o.Parallel, o.Fresh = 2, 1, false // more games are inserted between the old ones
	if more := run(t, o); len(more.Games) != 4 || !reflect.DeepEqual(timeless(more.Games)[0], timeless(result.Games)[0]) {
		t.Errorf("%+v", more.Games)
	}
}

func TestOneProgramIsNoTournament(t *testing.T) {
	o := tournament(t)
	o.Programs, o.Names = o.Programs[:1], o.Names[:1]
	if _, err := match.Run(t.Context(), o); err == nil {
		t.Error("one program has played")
	}
}

// Openings that Black wins and that White wins come in turn, and only those.
func TestBalancedOpenings(t *testing.T) {
	o := tournament(t)
	o.Programs, o.Names, o.Games, o.Log = o.Programs[:2], nil, 4, ""
	o.Parallel, o.Fresh = 1, false
	o.Openings.Balance = func(_ context.Context, g *game.Game) (float64, error) {
		if first := g.Moves()[0].Point; o.Size.Row(first) == 0 { // counts as a win of Black in this test
			return 1, nil
		}
		return -1, nil
	}
	for _, g := range run(t, o).Games {
		if lowest, black := strings.HasSuffix(g.Moves[0], "1"), g.Number <= 2; lowest != black {
			t.Errorf("game %d begins with %s", g.Number, g.Moves[0])
		}
	}
	o.Openings.Balance = func(context.Context, *game.Game) (float64, error) { return 3, nil }
	if _, err := match.Run(t.Context(), o); err == nil {
		t.Error("openings that are not even were taken")
	}
}

// Two programs have the Elo difference of their score with one drawn game added.
func TestRatingsOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := match.Pairing{Programs: [2]int{0, 1}}
		p.Wins = [2]int{rapid.IntRange(0, 200).Draw(t, "a"), rapid.IntRange(0, 200).Draw(t, "b")}
		p.Draws = rapid.IntRange(0, 50).Draw(t, "draws")
		r := match.Ratings(2, []match.Pairing{p})
		share := (p.Points()[0] + 0.5) / (p.Points()[0] + p.Points()[1] + 1)
		want := 400 * math.Log10(share/(1-share))
		if got := r[0].Elo - r[1].Elo; math.Abs(got-want) > 1e-6 || math.Abs(r[0].Elo+r[1].Elo) > 1e-6 {
			t.Errorf("%+v: %v, want %v apart", p, r, want)
		}
		// The difference of two strengths has twice the interval of each around their mean.
		games := p.Points()[0] + p.Points()[1] + 1
		wide := 1.959964 * 400 / math.Ln10 / math.Sqrt(games*share*(1-share)) / 2
		if math.Abs(r[0].High-r[0].Elo-wide) > 1e-6*wide {
			t.Errorf("%+v: %v, want ±%v", p, r, wide)
		}
	})
}

// Ratings finds the strengths from which the shares were computed, for any set of pairings.
func TestRatingsOfMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "programs")
		elo := rapid.SliceOfN(rapid.Float64Range(-300, 300), n, n).Draw(t, "elo")
		mean := 0.0
		for _, e := range elo {
			mean += e / float64(n)
		}
		var pairings []match.Pairing
		for a := range n {
			for b := a + 1; b < n; b++ {
				const games = 1_000_000
				p := match.Pairing{Programs: [2]int{a, b}}
				p.Wins[0] = int(math.Round(games / (1 + math.Pow(10, (elo[b]-elo[a])/400))))
				p.Wins[1] = games - p.Wins[0]
				pairings = append(pairings, p)
			}
		}
		for i, r := range match.Ratings(n, pairings) {
			if math.Abs(r.Elo-(elo[i]-mean)) > 0.1 || !(r.Low < r.Elo && r.Elo < r.High) {
				t.Errorf("%v is rated %v, want %v", i, r, elo[i]-mean)
			}
		}
	})
}

func TestPairElo(t *testing.T) {
	// If every pair is shared, the programs are equal, and the interval is narrower than
	// that of the same number of independent games.
	elo, low, high := match.PairElo([5]int{0, 0, 50, 0, 0})
	apartLow, apartHigh := match.Interval([2]float64{50, 50})
	if math.Abs(elo) > 1e-9 || low < apartLow || high > apartHigh || math.Abs(low+high) > 1e-6 {
		t.Errorf("%f in %f to %f; apart %f to %f", elo, low, high, apartLow, apartHigh)
	}
	// If every pair is won or lost by one side, a pair counts as one game, not as two.
	_, low, high = match.PairElo([5]int{25, 0, 0, 0, 25})
	if high-low < 1.2*(apartHigh-apartLow) {
		t.Errorf("%f to %f; apart %f to %f", low, high, apartLow, apartHigh)
	}
	rapid.Check(t, func(t *rapid.T) {
		var pairs, back [5]int
		for i := range pairs {
			pairs[i] = rapid.IntRange(0, 1000).Draw(t, fmt.Sprint(i))
			back[4-i] = pairs[i]
		}
		elo, low, high := match.PairElo(pairs)
		_, backLow, _ := match.PairElo(back)
		if !(low < elo && elo < high) || math.IsInf(low, 0) || math.IsInf(high, 0) || math.Abs(high+backLow) > 1e-3*math.Abs(high)+1e-3 {
			t.Errorf("%v: %f in %f to %f, mirrored from %f", pairs, elo, low, high, backLow)
		}
	})
}
