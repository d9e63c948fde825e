package sums

import (
	"context"
	"fmt"
	"os"
	"strings"
	"tengen/board"
	"tengen/nogo"
	"tengen/solver"
	"testing"
	"time"
)

func TestProto(t *testing.T) {
	boards := "3x3 4x4 3x5 2x8 3x6"
	if b := os.Getenv("B"); b != "" {
		boards = b
	}
	threads := 1
	if b := os.Getenv("TH"); b != "" {
		fmt.Sscan(b, &threads)
	}
	for _, b := range strings.Fields(boards) {
		sz, _ := board.ParseSize(b)
		s, _ := New(sz, Options{Threads: threads, Memory: 8 << 30})
		t0 := time.Now()
		a, err := s.Solve(context.Background(), solver.Query{Position: nogo.NewPosition(sz), ToPlay: board.Black})
		d := time.Since(t0)
		st := s.Stats()
		fmt.Printf("%s win=%v %s %v nodes=%d stored=%d %v %.0f ns/node err=%.2g\n", b, a.Winner, sz.Name(a.Move), err, st.Nodes, st.Stored, d, float64(d.Nanoseconds())/float64(st.Nodes+1), st.ErrorBound)
		s.Close()
	}
}
