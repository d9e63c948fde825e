package superko_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/solver/superko"
	"tengen/weiqi"
)

var (
	psk = weiqi.Rules{Ko: weiqi.Positional}
	ssk = weiqi.Rules{Ko: weiqi.Situational}
)

// The 7- and 8-point openings of the paper's knock-out test, and the longer rows.
func BenchmarkOpenings(b *testing.B) {
	for _, c := range []struct {
		size, opening string
		with          []string
	}{
		{"1x7", "", nil},
		{"1x7", "", superko.Theorems()},
		{"1x7", "C1", nil},
		{"1x8", "D1", nil},
		{"1x8", "D1", superko.Theorems()},
		{"1x8", "A1", nil},
		{"1x8", "A1", superko.Theorems()},
		{"1x9", "", nil},
		{"1x9", "", superko.Theorems()},
		{"2x4", "", nil},
		{"3x3", "", nil},
	} {
		b.Run(fmt.Sprintf("%s/%s/%s", c.size, c.opening, strings.Join(c.with, ",")), func(b *testing.B) {
			size, err := board.ParseSize(c.size)
			if err != nil {
				b.Fatal(err)
			}
			q := superko.Question{Start: weiqi.NewPosition(size)}
			if q.Moves, err = size.ParsePoints(c.opening); err != nil {
				b.Fatal(err)
			}
			nodes := uint64(0)
			for b.Loop() {
				b.StopTimer()
				s, err := superko.New(b.Context(), size, superko.Options{Rules: psk, Threads: 1, With: c.with})
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if a, err := s.Solve(context.Background(), q); err != nil || !a.Exact() {
					b.Fatal(a, err)
				}
				nodes = s.Stats().Nodes
			}
			b.ReportMetric(float64(nodes), "nodes")
		})
	}
}
