//go:build unix

package net

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"tengen/board"
)

// BenchmarkEvaluate counts evaluations per second of processor time, because other
// programs may use the processor too.
func BenchmarkEvaluate(b *testing.B) {
	size := board.Size{Rows: 9, Cols: 9}
	for _, path := range Paths() {
		for _, batch := range []int{1, 4} {
			b.Run(fmt.Sprintf("%s/%d", path, batch), func(b *testing.B) {
				e, err := Embedded().NewEvaluator(size, batch, path)
				if err != nil {
					b.Fatal(err)
				}
				views, out := randomViews(size, batch, 1), make([]Output, batch)
				n, begin := 0, processor(b)
				for b.Loop() {
					e.Evaluate(views, out)
					n += batch
				}
				b.ReportMetric(float64(n)/(processor(b)-begin).Seconds(), "evaluations/s")
			})
		}
	}
}

// processor is the processor time that this program has taken.
func processor(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
