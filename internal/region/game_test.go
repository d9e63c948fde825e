package region_test

import (
	"math/rand"
	"testing"

	"tengen/board"
	"tengen/internal/oracle"
	"tengen/internal/region"
	"tengen/nogo"
)

const mostFree = 2

// outcomes says who wins, for either side to move and a few free moves of either.
func outcomes(o oracle.Oracle, p nogo.Position) (wins [2][2*mostFree + 1]bool) {
	for c := range wins {
		for i := range wins[c] {
			wins[c][i] = o.Wins(board.Colour(c), i-mostFree, p)
		}
	}
	return wins
}

// Positions with equal keys are the same game, also if they are on different
// boards; the rules say who wins.
func TestEqualKeysAreEqualGames(t *testing.T) {
	type example struct {
		position nogo.Position
		outcomes [2][2*mostFree + 1]bool
	}
	rng := rand.New(rand.NewSource(8))
	for _, family := range [][]string{
		{"3x3", "2x5", "3x4", "4x3", "2x6", "3x5", "4x4", "4x5", "5x5", "3x6"},
		{"1x10", "10x1"},
		{"1x14"},
		{"2x8", "8x2"},
		{"3x8"},
	} {
		known := make(map[region.Key]example)
		equal := 0
		for _, text := range family {
			size := parseSize(t, text)
			layout := region.NewLayout(size)
			o := make(oracle.Oracle)
			for range 400 {
				p := randomPosition(size, rng.Intn(3), rng)
				for grow(&p, rng) {
					if points := p.Legal(0).Union(p.Legal(1)).Len(); points > 6 {
						continue
					}
					key, _ := positionKeys(layout, p)
					now := example{p, outcomes(o, p)}
					old, ok := known[key]
					if ok && old.position != p {
						equal++
					}
					if ok && old.outcomes != now.outcomes {
						t.Fatalf("equal keys but different games:\n%s\n%s", old.position.Size.Diagram(old.position.Stones), size.Diagram(p.Stones))
					}
					known[key] = now
				}
			}
		}
		t.Logf("%v: %d games, %d times the same in another position", family, len(known), equal)
		if equal < 100 {
			t.Errorf("%v: the test compared only %d positions", family, equal)
		}
	}
}

// Bounds hold for any position in normal form, in one piece or not. The failing
// bound is named.
func TestBoundsEncloseWholePositions(t *testing.T) {
	rng := rand.New(rand.NewSource(9))
	for _, text := range []string{"1x9", "1x14", "2x5", "2x8", "3x3", "4x3", "4x4", "3x6", "5x5"} {
		size := parseSize(t, text)
		layout := region.NewLayout(size)
		o := make(oracle.Oracle)
		for range 250 {
			p := randomPosition(size, rng.Intn(3), rng)
			for grow(&p, rng) {
				if points := p.Legal(0).Union(p.Legal(1)).Len(); points > 6 {
					continue
				}
				r := region.Of(layout.Grid, layout.Stones(p))
				b := r.Bounds(layout.Grid)
				for _, claim := range []struct {
					name  string
					holds bool
				}{
					{"Low", !o.Wins(board.White, -b.Low, p)},
					{"High", !o.Wins(board.Black, -b.High, p)},
					{"First", o.Wins(board.Black, -b.First, p)},
					{"Reply", o.Wins(board.White, -b.Reply, p)},
				} {
					if !claim.holds {
						t.Fatalf("%s of %+v is wrong for\n%s", claim.name, b, size.Diagram(p.Stones))
					}
				}
			}
		}
	}
}

// The normal form of a position does not depend on the moves that led to it:
// playing move by move gives the same form as Of on the final stones.
func TestPlayLeadsToNormalForm(t *testing.T) {
	rng := rand.New(rand.NewSource(10))
	for _, text := range []string{"1x7", "1x12", "1x19", "2x9", "3x4", "3x9", "4x4", "4x5", "5x5", "5x6", "7x3"} {
		size := parseSize(t, text)
		layout := region.NewLayout(size)
		for range 1000 {
			p := nogo.NewPosition(size)
			parts := split(layout.Grid, region.Of(layout.Grid, layout.Stones(p)))
			for {
				c := board.Colour(rng.Intn(2))
				legal := p.Legal(c)
				if legal.IsEmpty() {
					break
				}
				move := pick(legal, rng)
				p.Stones[c].Add(move)
				parts = play(t, parts, layout, c, layout.Bit(move))
				played, _ := sumKeys(layout.Grid, parts)
				afresh, _ := positionKeys(layout, p)
				if played != afresh {
					t.Fatalf("reached by play\n%v\nbut looked at afresh\n%v\nin\n%s", parts, split(layout.Grid, region.Of(layout.Grid, layout.Stones(p))), size.Diagram(p.Stones))
				}
			}
		}
	}
}
