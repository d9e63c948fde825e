package player

import (
	"testing"

	"tengen/board"
	"tengen/nogo"
)

func BenchmarkPlayout(b *testing.B) {
	for _, text := range []string{"5x5", "9x9", "19x19"} {
		b.Run(text, func(b *testing.B) {
			size, err := board.ParseSize(text)
			if err != nil {
				b.Fatal(err)
			}
			t := newTerrain(size)
			var start field
			start.set(t, nogo.NewPosition(size))
			var candidates []uint16
			for _, p := range size.All() {
				candidates = append(candidates, t.cell(p))
			}
			p := new(playout)
			wins := 0
			for b.Loop() {
				p.field.copy(&start, t.cells)
				p.fill(candidates)
				wins += int(p.run(t.stride, 0))
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
			b.ReportMetric(float64(wins)/float64(b.N), "white")
		})
	}
}
