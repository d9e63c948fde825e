package gosearch

import (
	"testing"

	"tengen/board"
	"tengen/weiqi"
)

// BenchmarkProve proves that Black gets all of 4×5.
func BenchmarkProve(b *testing.B) {
	size := board.Size{Rows: 4, Cols: 5}
	for b.Loop() {
		s, err := New(size, Options{Threads: 1, Memory: 256 << 20})
		if err != nil {
			b.Fatal(err)
		}
		q := Question{weiqi.NewPosition(size), board.Black, size.Points()}
		if v, err := s.Prove(b.Context(), q, 0); v != Proven || err != nil {
			b.Fatal(v, err)
		}
		b.ReportMetric(float64(s.Stats().Nodes), "nodes")
		s.Close()
	}
}
