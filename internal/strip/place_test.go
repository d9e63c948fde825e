package strip

import (
	"testing"

	"tengen/internal/longtest"
)

// Every entry belongs to one strip. Every strip has an entry that belongs to it,
// to its reverse or, if inverse is true, to an inverse of it.
func TestPlaces(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for index := range entries(n) {
			if at, inverse := placed(n, index).place(); at != index || inverse {
				t.Fatalf("%d points: entry %d is about %s, whose entry is %d (inverse: %t)", n, index, placed(n, index), at, inverse)
			}
		}
		for code := range Count(n) {
			s := at(n, code)
			index, inverse := s.place()
			about := placed(n, index)
			if inverse {
				about = about.Inverse()
			}
			if about != s && about != s.Reverse() {
				t.Fatalf("the entry of %s is about %s", s, about)
			}
		}
	}
}

func TestPackedBounds(t *testing.T) {
	for low := -offset; low <= offset; low++ {
		for width := range widths {
			b := Bounds{low, low + width}
			packed, err := b.pack()
			if err != nil || unpack(packed) != b {
				t.Errorf("%v becomes %v, %v", b, unpack(packed), err)
			}
		}
	}
	for _, b := range []Bounds{{-17, -17}, {17, 17}, {0, -1}, {0, widths}} {
		if packed, err := b.pack(); err == nil {
			t.Errorf("%v is packed as %d", b, packed)
		}
	}
}

// A sum and its inverse cancel, equal strips meet, integers become free moves.
func TestSumsAreKeptInOrder(t *testing.T) {
	table := layers{nil}
	for n := 1; n <= 6; n++ {
		layer, err := table.layer(t.Context(), 1, func(uint64) {})
		if err != nil {
			t.Fatal(err)
		}
		table = append(table, layer)
	}
	var x sum
	for _, text := range []string{"...x", "...x..", ".x.x.", "x...", "...o", "..o.x.x", ".o."} {
		s, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		x.add(s, table)
	}
	if x.free != 1 || x.count != 3 {
		t.Fatalf("%d parts and %d free moves", x.count, x.free)
	}
	for i := range x.count - 1 {
		if x.parts[i].id > x.parts[i+1].id {
			t.Errorf("%s comes before %s", x.parts[i].strip, x.parts[i+1].strip)
		}
	}
	y := x
	y.invert()
	for i := range y.count {
		p, _ := table.find(x.parts[i].strip.Inverse())
		if got := y.parts[i]; got.strip != p.strip || got.low != p.low || got.high != p.high {
			t.Errorf("%v inverted is %v, not %v", x.parts[i], got, p)
		}
	}
	if y.invert(); y != x {
		t.Errorf("inverted twice it is %v", y)
	}
}

// The decider remembers few results; forgetting changes no answer.
func TestForgettingChangesNothing(t *testing.T) {
	longtest.Alone(t)
	table := layers{nil}
	for n := 1; n <= 9; n++ {
		layer, err := table.layer(t.Context(), 2, func(uint64) {})
		if err != nil {
			t.Fatal(err)
		}
		table = append(table, layer)
	}
	for index := range entries(9) {
		if index%7 != 0 {
			continue
		}
		d := newDecider(table[:9])
		if got, want := d.bounds(placed(9, index)), unpack(table[9][index]); got != want {
			t.Fatalf("%s: %v by a fresh decider, %v in the table", placed(9, index), got, want)
		}
	}
}
