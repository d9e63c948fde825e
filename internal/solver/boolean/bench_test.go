package boolean

import (
	"testing"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/nogo"
)

func BenchmarkSolve(b *testing.B) {
	for _, text := range []string{"4x4", "3x6", "4x5"} {
		b.Run(text, func(b *testing.B) {
			size, err := board.ParseSize(text)
			if err != nil {
				b.Fatal(err)
			}
			var last solver.Stats
			var nodes uint64
			for b.Loop() {
				s, err := New(size, Options{Memory: 1 << 30})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Solve(b.Context(), solver.Query{Position: nogo.NewPosition(size)}); err != nil {
					b.Fatal(err)
				}
				last = s.Stats()
				nodes += last.Nodes
				s.Close()
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(float64(last.Nodes), "nodes")
			b.ReportMetric(float64(last.Bytes)/float64(last.Stored), "bytes/position")
		})
	}
}
