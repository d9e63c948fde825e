package region_test

import (
	"errors"
	"math/rand"
	"strings"
	"testing"

	"tengen/board"
	"tengen/cgt"
	"tengen/internal/region"
	"tengen/internal/strip"
	"tengen/nogo"
)

const valueMemory = 64 << 20

// valuer values positions of one board by their regions.
type valuer struct {
	tb     testing.TB
	layout region.Layout
	values *region.Values
}

func newValuer(tb testing.TB, arena *cgt.Arena, size board.Size) valuer {
	layout := region.NewLayout(size)
	return valuer{tb, layout, region.NewValues(arena, layout.Grid, valueMemory)}
}

func (v valuer) of(p nogo.Position) cgt.Game {
	v.tb.Helper()
	r := region.Of(v.layout.Grid, v.layout.Stones(p))
	g, err := v.values.Of(&r)
	if err != nil {
		v.tb.Fatalf("%v in\n%s", err, p.Size.Diagram(p.Stones))
	}
	return g
}

// plain values positions by the rules alone, without taking anything apart.
type plain struct {
	tb    testing.TB
	arena *cgt.Arena
	known map[nogo.Position]cgt.Game
}

func (v plain) of(p nogo.Position) cgt.Game {
	if g, ok := v.known[p]; ok {
		return g
	}
	var options [2][]cgt.Game
	for c := range options {
		for at := range p.Legal(board.Colour(c)).Points() {
			next := p
			next.Stones[c].Add(at)
			options[c] = append(options[c], v.of(next))
		}
	}
	g, err := v.arena.Make(options[0], options[1])
	if err != nil {
		v.tb.Fatal(err)
	}
	v.known[p] = g
	return g
}

// Every position of small boards has the value that its whole game tree has.
func TestValuesOfEveryPosition(t *testing.T) {
	for _, text := range []string{"1x6", "2x2", "3x2", "2x4", "3x3"} {
		size := parseSize(t, text)
		arena := cgt.New(cgt.Limits{})
		regions, trees := newValuer(t, arena, size), plain{t, arena, make(map[nogo.Position]cgt.Game)}
		trees.of(nogo.NewPosition(size))
		for p, want := range trees.known {
			if got := regions.of(p); got != want {
				t.Fatalf("by regions %s, by the game tree %s:\n%s", arena.String(got), arena.String(want), size.Diagram(p.Stones))
			}
		}
		t.Logf("%s: %d positions", size, len(trees.known))
	}
}

// The order of values agrees with playing the difference: p ≥ q if Black, moving
// second, wins p beside the inverse of q. Only the rules decide the difference.
func TestValuesAgainstDifferenceGames(t *testing.T) {
	rng := rand.New(rand.NewSource(21))
	for _, text := range []string{"2x3", "3x3", "2x5", "3x4", "1x9"} {
		size := parseSize(t, text)
		arena := cgt.New(cgt.Limits{})
		v := newValuer(t, arena, size)
		games := make(pairs)
		var samples []nogo.Position
		for len(samples) < 60 {
			samples = append(samples, shrunk(size, 3+rng.Intn(3), rng))
		}
		for _, p := range samples {
			for range 20 {
				q := samples[rng.Intn(len(samples))]
				got, err := arena.Compare(v.of(p), v.of(q))
				if err != nil {
					t.Fatal(err)
				}
				if want := games.outcome(p, q.Inverse()); got != want {
					t.Fatalf("the difference is in %v by values, in %v by play:\n%s\n%s", got, want, size.Diagram(p.Stones), size.Diagram(q.Stones))
				}
			}
		}
	}
}

// shrunk plays at random until at most points points are playable.
func shrunk(size board.Size, points int, rng *rand.Rand) nogo.Position {
	p := nogo.NewPosition(size)
	for p.Legal(0).Union(p.Legal(1)).Len() > points {
		grow(&p, rng)
	}
	return p
}

// pairs plays two boards at once and remembers whether the side to move wins.
type pairs map[pair]bool

type pair struct {
	boards [2]nogo.Position
	toPlay board.Colour
}

func (known pairs) outcome(p, q nogo.Position) cgt.Outcome {
	boards := [2]nogo.Position{p, q}
	black, white := known.wins(pair{boards, board.Black}), known.wins(pair{boards, board.White})
	switch {
	case black && white:
		return cgt.N
	case black:
		return cgt.L
	case white:
		return cgt.R
	}
	return cgt.P
}

func (known pairs) wins(game pair) bool {
	if won, ok := known[game]; ok {
		return won
	}
	won := false
	for i, p := range game.boards {
		for at := range p.Legal(game.toPlay).Points() {
			if won {
				break
			}
			next := pair{game.boards, game.toPlay.Opponent()}
			next.boards[i].Stones[game.toPlay].Add(at)
			won = !known.wins(next)
		}
	}
	known[game] = won
	return won
}

// A row is a sum of strips, and has their value.
func TestValuesOfRows(t *testing.T) {
	rng := rand.New(rand.NewSource(22))
	for _, text := range []string{"1x5", "1x7", "1x8", "1x12", "12x1", "1x19"} {
		size := parseSize(t, text)
		arena := cgt.New(cgt.Limits{})
		rows, strips := newValuer(t, arena, size), strip.NewValues(arena)
		for range 100 {
			p := randomPosition(size, max(0, size.Points()-9)+rng.Intn(8), rng)
			parts, err := strip.Reduce(strings.ReplaceAll(p.String(), "/", ""))
			if err != nil {
				t.Fatal(err)
			}
			want, err := strips.Sum(parts...)
			if err != nil {
				t.Fatal(err)
			}
			if got := rows.of(p); got != want {
				t.Fatalf("%s is %s as a region and %s as %s", p, arena.String(got), arena.String(want), strip.Format(parts))
			}
		}
	}
}

// Symmetric positions have the same value, and the inverse has the negative one.
// Each position is valued from scratch, so that no remembered value can hide a
// difference.
func TestValuesKnowSymmetry(t *testing.T) {
	rng := rand.New(rand.NewSource(23))
	for _, text := range []string{"3x4", "4x4", "2x6", "2x9", "9x3"} {
		size := parseSize(t, text)
		arena := cgt.New(cgt.Limits{})
		for range 20 {
			p := shrunk(size, 6, rng)
			g := newValuer(t, arena, size).of(p)
			for _, sym := range size.Symmetries() {
				if newValuer(t, arena, size).of(p.Map(sym)) != g {
					t.Fatalf("symmetry %d changes the value of\n%s", sym, size.Diagram(p.Stones))
				}
			}
			minus, err := arena.Neg(g)
			if err != nil {
				t.Fatal(err)
			}
			if newValuer(t, arena, size).of(p.Inverse()) != minus {
				t.Fatalf("the inverse has not the negative value of\n%s", size.Diagram(p.Stones))
			}
		}
	}
}

// A limit that is too small gives the error of that limit, and a stop gives its
// own error.
func TestValuesEnd(t *testing.T) {
	layout := region.NewLayout(parseSize(t, "4x4"))
	empty := region.Of(layout.Grid, nogo.Stones{})

	values := region.NewValues(cgt.New(cgt.Limits{}), layout.Grid, 1<<14)
	if _, err := values.Of(&empty); !errors.Is(err, cgt.ErrLimit) {
		t.Errorf("with 16 KiB for regions: %v", err)
	}
	values = region.NewValues(cgt.New(cgt.Limits{Games: 100}), layout.Grid, valueMemory)
	if _, err := values.Of(&empty); !errors.Is(err, cgt.ErrLimit) {
		t.Errorf("with 100 games: %v", err)
	}
	arena := cgt.New(cgt.Limits{})
	arena.Stop()
	if _, err := region.NewValues(arena, layout.Grid, valueMemory).Of(&empty); !errors.Is(err, cgt.ErrStopped) {
		t.Errorf("after a stop: %v", err)
	}
}

func BenchmarkValues(b *testing.B) {
	size := board.Size{Rows: 3, Cols: 4}
	layout := region.NewLayout(size)
	empty := region.Of(layout.Grid, nogo.Stones{})
	for b.Loop() {
		if _, err := region.NewValues(cgt.New(cgt.Limits{}), layout.Grid, valueMemory).Of(&empty); err != nil {
			b.Fatal(err)
		}
	}
}
