package session

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/internal/region"
	"tengen/nogo"
)

func randomPosition(t *rapid.T, size board.Size) nogo.Position {
	p := nogo.NewPosition(size)
	for range rapid.IntRange(0, size.Points()).Draw(t, "stones") {
		c := board.Colour(rapid.IntRange(0, 1).Draw(t, "colour"))
		q := rapid.SampledFrom(size.All()).Draw(t, "point")
		if next, err := p.Play(c, q); err == nil {
			p = next
		}
	}
	return p
}

// On small boards package region finds the parts in another way, and may
// split more. Points of one part there have one number here.
func TestRegionsAgainstPackageRegion(t *testing.T) {
	size := board.Size{Rows: 5, Cols: 6}
	rapid.Check(t, func(t *rapid.T) {
		p := randomPosition(t, size)
		numbers := regionsOf(p)
		g := nogo.NewGrid(size)
		r := region.Of(g, p.Small())
		if len(numbers) != bits.OnesCount64(r.Points()) {
			t.Fatalf("%d points are playable, %d have a number\n%s", bits.OnesCount64(r.Points()), len(numbers), size.Diagram(p.Stones))
		}
		for rest := r.Points(); rest != 0; {
			part := r.Component(g, rest)
			rest &^= part
			first := 0
			for q := range (board.Set{part}).Points() {
				if first == 0 {
					first = numbers[q]
				}
				if numbers[q] != first || first == 0 {
					t.Fatalf("%s has number %d, its part %d\n%s", size.Name(q), numbers[q], first, size.Diagram(p.Stones))
				}
			}
		}
	})
}

func TestRegionsSplit(t *testing.T) {
	p, err := nogo.ParsePosition("..xo../..xo../..xo../..xo..")
	if err != nil {
		t.Fatal(err)
	}
	numbers := regionsOf(p)
	left, right := p.Size.At(0, 0), p.Size.At(0, 5)
	if numbers[left] == 0 || numbers[right] == 0 || numbers[left] == numbers[right] {
		t.Errorf("the two sides of\n%s\nhave numbers %d and %d", p.Size.Diagram(p.Stones), numbers[left], numbers[right])
	}
}
