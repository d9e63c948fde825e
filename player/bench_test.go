package player

import (
	"testing"

	"tengen/board"
	"tengen/nogo"
)

// BenchmarkPlayout plays out empty boards, nothing else.
func BenchmarkPlayout(b *testing.B) {
	for _, text := range []string{"5x5", "9x9", "19x19"} {
		b.Run(text, func(b *testing.B) {
			g := newStart(nogo.NewPosition(parseSize(b, text)), board.Black)
			p := new(playout)
			for b.Loop() {
				p.field.copy(&g.field, g.cells)
				p.fill(g.candidates)
				p.run(g.stride, 0)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
		})
	}
}

// BenchmarkSearch runs the whole tree search from empty boards on one thread.
func BenchmarkSearch(b *testing.B) {
	for _, text := range []string{"9x9", "19x19"} {
		b.Run(text, func(b *testing.B) {
			size := parseSize(b, text)
			playouts := 0
			for b.Loop() {
				m, err := NewMCTS(size, MCTSOptions{Threads: 1})
				if err != nil {
					b.Fatal(err)
				}
				choice, err := m.Move(b.Context(), nogo.NewPosition(size), board.Black, Budget{Playouts: 50_000})
				if err != nil {
					b.Fatal(err)
				}
				playouts += choice.Playouts
				m.Close()
			}
			b.ReportMetric(float64(playouts)/b.Elapsed().Seconds(), "playouts/s")
		})
	}
}
