package linear

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/strip"
)

// BenchmarkSecondPoint solves rows after Black has opened on the second point,
// on one thread. TENGEN_STRIPS names a database to use.
func BenchmarkSecondPoint(b *testing.B) {
	var db *strip.DB
	if path := os.Getenv("TENGEN_STRIPS"); path != "" {
		var err error
		if db, err = strip.Open(path); err != nil {
			b.Fatal(err)
		}
		defer db.Close()
	}
	for n := 16; n <= 32; n += 2 {
		sum := must(strip.Reduce(".x" + strings.Repeat(".", n-2)))
		b.Run(fmt.Sprintf("1x%d", n), func(b *testing.B) {
			nodes := uint64(0)
			for b.Loop() {
				b.StopTimer()
				s := open(b, Options{Points: n, Memory: 4 << 30, Threads: 1, Database: db})
				b.StartTimer()
				if white, err := s.Wins(b.Context(), sum, board.White); white || err != nil {
					b.Fatal(white, err)
				}
				nodes = s.Stats().Nodes
			}
			b.ReportMetric(float64(nodes), "nodes")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node")
		})
	}
}
