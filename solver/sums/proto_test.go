package sums

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"tengen/board"
	"tengen/nogo"
	"tengen/nogo/region"
	"tengen/table"
	"time"
)

func TestProto(t *testing.T) {
	boards := "3x3 4x4 3x5 2x8 3x6"
	if b := os.Getenv("B"); b != "" {
		boards = b
	}
	if b := os.Getenv("P"); b != "" {
		v := []*int{&defaultWeights.Free, &defaultWeights.Own, &defaultWeights.Other, &defaultWeights.Contested, &defaultWeights.History, &defaultWeights.Reply, &defaultWeights.Estimate, new(int), &defaultWeights.Split, new(int)}
		for i, f := range strings.Split(b, ",") {
			fmt.Sscan(f, v[i])
		}
	}
	K := 3
	if b := os.Getenv("K"); b != "" {
		fmt.Sscan(b, &K)
	}
	for _, b := range strings.Fields(boards) {
		sz, _ := board.ParseSize(b)
		tt, _ := table.NewThresholds(256<<20)
		w := newWorker(nogo.NewGrid(sz), tt, K, new(atomic.Bool))
		t0 := time.Now()
		r := region.Of(w.grid, nogo.NewPosition(sz).Small())
		w.place(&r, &w.frames[0].sum)
		win := w.search(0, board.Black)
		d := time.Since(t0)
		tt.Close()
		fmt.Printf("%s K=%d win=%v nodes=%d small=%d %v %.0f ns/node\n", b, K, win, w.nodes, w.locals, d, float64(d.Nanoseconds())/float64(w.nodes+1))
	}
}
