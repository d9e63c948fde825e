package sums

import (
	"context"
	"testing"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/nogo"
)

// BenchmarkSolve solves empty boards with one thread and an empty table each time.
func BenchmarkSolve(b *testing.B) {
	for _, text := range []string{"4x4", "2x9", "3x6", "4x5"} {
		b.Run(text, func(b *testing.B) {
			size, err := board.ParseSize(text)
			if err != nil {
				b.Fatal(err)
			}
			var nodes uint64
			for b.Loop() {
				s, err := New(size, Options{Threads: 1})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Solve(context.Background(), solver.Query{Position: nogo.NewPosition(size)}); err != nil {
					b.Fatal(err)
				}
				nodes += s.Stats().Nodes
				s.Close()
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
		})
	}
}
