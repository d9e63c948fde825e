package retro_test

import (
	"context"
	"path/filepath"
	"testing"

	"tengen/internal/solver/retro"
	"tengen/tablebase"
)

func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		name string
		o    retro.Options
	}{
		{"3x4 draw", retro.Options{}},
		{"3x4 range", retro.Options{Loops: tablebase.Range}},
		{"3x4 range distance", retro.Options{Loops: tablebase.Range, Distance: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.o.Size = sizeOf(b, "3x4")
			path := filepath.Join(b.TempDir(), "table")
			visits := uint64(0)
			for b.Loop() {
				report, err := retro.Build(context.Background(), path, c.o)
				if err != nil {
					b.Fatal(err)
				}
				visits += report.Visits
			}
			b.ReportMetric(float64(visits)/float64(b.N), "visits/op")
		})
	}
}
