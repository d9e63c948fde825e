package region_test

import (
	"math/rand"
	"testing"

	"tengen/board"
	"tengen/internal/region"
	"tengen/nogo"
)

// TestPlayKeepsLegalMoves plays random games on the regions alone, each split
// after every move, and compares the open points with the rules.
func TestPlayKeepsLegalMoves(t *testing.T) {
	for _, text := range []string{"1x7", "1x12", "1x19", "2x9", "3x4", "3x9", "4x4", "4x5", "5x5", "5x6", "7x3"} {
		size, err := board.ParseSize(text)
		if err != nil {
			t.Fatal(err)
		}
		layout := region.NewLayout(size)
		rng := rand.New(rand.NewSource(1))
		for range 2000 {
			randomGame(t, size, layout, rng)
		}
	}
}

func randomGame(t *testing.T, size board.Size, layout region.Layout, rng *rand.Rand) {
	t.Helper()
	position := nogo.NewPosition(size)
	whole := region.Of(layout.Grid, layout.Stones(position))
	parts := []region.Region{whole}
	for {
		c := board.Colour(rng.Intn(2))
		legal := position.Legal(c)
		if legal.IsEmpty() {
			return
		}
		move := pick(legal, rng)
		position.Stones[c].Add(move)
		parts = play(t, parts, layout, c, layout.Bit(move))
		var open [2]uint64
		for i := range parts {
			open[0] |= parts[i].Open[0]
			open[1] |= parts[i].Open[1]
		}
		for c := range open {
			var want uint64
			for p := range position.Legal(board.Colour(c)).Points() {
				want |= layout.Bit(p)
			}
			if open[c] != want {
				t.Fatalf("after %s at %s\n%sopen to %s: %b, legal %b", board.Colour(c), size.Name(move), size.Diagram(position.Stones), board.Colour(c), open[c], want)
			}
		}
	}
}

func play(t *testing.T, parts []region.Region, layout region.Layout, c board.Colour, bit uint64) []region.Region {
	t.Helper()
	var next []region.Region
	for i := range parts {
		r := &parts[i]
		if r.Open[c]&bit == 0 {
			next = append(next, *r)
			continue
		}
		var out region.Region
		r.Play(layout.Grid, c, bit, &out)
		for rest := out.Points(); rest != 0; {
			points := out.Component(layout.Grid, rest)
			rest &^= points
			var part region.Region
			out.Part(points, &part)
			next = append(next, part)
		}
	}
	return next
}

func pick(set board.Set, rng *rand.Rand) board.Point {
	k := rng.Intn(set.Len())
	for p := range set.Points() {
		if k == 0 {
			return p
		}
		k--
	}
	return board.NoPoint
}
