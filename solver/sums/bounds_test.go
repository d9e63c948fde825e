package sums

import (
	"math/rand"
	"testing"

	"tengen/board"
	"tengen/nogo"
	"tengen/nogo/region"
)

func TestBoundsEncloseValues(t *testing.T) {
	for _, text := range []string{"4x4", "3x5", "2x7", "1x14", "4x5", "5x5"} {
		size, _ := board.ParseSize(text)
		s, err := New(size, Options{Memory: 1 << 20, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		w := s.workers[0]
		w.exact = 6
		rng := rand.New(rand.NewSource(1))
		checked := 0
		for range 3000 {
			p := nogo.NewPosition(size)
			c := board.Black
			for {
				legal := p.Legal(c)
				if legal.IsEmpty() {
					break
				}
				k := rng.Intn(legal.Len())
				for q := range legal.Points() {
					if k == 0 {
						p.Stones[c].Add(q)
						break
					}
					k--
				}
				if rng.Intn(4) > 0 {
					c = c.Opponent()
				}
				r := region.Of(w.grid, s.layout.Stones(p))
				for rest := r.Points(); rest != 0; {
					pts := r.Component(w.grid, rest)
					rest &^= pts
					var part region.Region
					r.Part(pts, &part)
					f := w.describe(&part)
					if int(f.points) > w.exact {
						continue
					}
					checked++
					b := part.Bounds(w.grid)
					if b.Low > int(f.low) || b.High < int(f.high) || b.First > int(f.first) || b.Reply < int(f.reply) {
						t.Fatalf("%s\nregion %+v\nexact %+v bounds %+v", size.Diagram(p.Stones), part, f.value, b)
					}
				}
			}
		}
		t.Log(text, checked)
	}
}
