package table

import (
	"testing"
	"time"

	"tengen/board"
	"tengen/internal/solver/retro"
	"tengen/tablebase"
)

// With the time of an evaluation on the machine of docs/retrograde.md the builds that it
// tells of take about as long as they took, by a factor of 1.6 at most.
func TestBuildsTakeAboutAsLong(t *testing.T) {
	const seconds = 0.62e-6 // of one processor, in the table of 3x4
	for _, c := range []struct {
		rows, cols int
		took       time.Duration
	}{
		{3, 5, 4 * time.Second},
		{4, 4, 7 * time.Second},
		{3, 6, 139 * time.Second},
		{2, 10, 1525 * time.Second},
		{4, 5, 1930 * time.Second},
		{3, 7, 6120 * time.Second},
	} {
		request := Request{Size: board.Size{Rows: c.rows, Cols: c.cols}}
		got := request.extrapolate(seconds, 40997, false)
		if factor := got.Seconds() / c.took.Seconds(); factor < 1/1.6 || factor > 1.6 {
			t.Errorf("%v is to take %v and took %v", request.Size, got, c.took)
		}
		if packed := request.extrapolate(seconds, 40997, true); packed < 2*got {
			t.Errorf("%v is to take %v packed and %v plain", request.Size, packed, got)
		}
	}
}

// The share that is done grows to the end, the rest of the time follows from it, and
// nothing is said where little is known.
func TestShareOfABuild(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 3}
	var shares []float64
	request := Request{Size: size, Loops: tablebase.Range, Distance: true, Path: t.TempDir() + "/table"}
	request.Progress = func(p Progress) { shares = append(shares, p.Share) }
	if _, _, err := Build(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	for i, share := range shares {
		if share < 0 || share >= 1 || i > 0 && share < shares[i-1] {
			t.Fatalf("the shares are %v", shares)
		}
	}
	if last := shares[len(shares)-1]; last != shareEvaluated {
		t.Errorf("%v is done when the table is written", last)
	}
	// 850 boards with 12 evaluations each, a few more than were expected at the end.
	half := request.share(retro.Progress{Phase: "values", Report: retro.Report{Boards: 850, Visits: 5100}})
	over := request.share(retro.Progress{Phase: "values", Report: retro.Report{Boards: 850, Visits: 20000}})
	if half < 0.45 || half > 0.55 || over != shareEvaluated {
		t.Errorf("half is %v, more than all is %v", half, over)
	}
	for _, c := range []struct {
		share float64
		took  time.Duration
		left  time.Duration
	}{
		{0.5, time.Minute, time.Minute},
		{0.25, time.Minute, 3 * time.Minute},
		{0.01, time.Minute, 0},
		{0.5, time.Second, 0},
		{shareEvaluated, time.Minute, 0},
	} {
		if got := left(c.share, c.took); got != c.left {
			t.Errorf("%v are left after %v for %v, want %v", got, c.took, c.share, c.left)
		}
	}
}

// A build of a small board is not measured, and one that goes on cannot be.
func TestEstimatesAreHonest(t *testing.T) {
	small := Request{Size: board.Size{Rows: 3, Cols: 4}}
	if d := small.duration(t.Context(), Plan{Threads: 1}); d != 0 {
		t.Errorf("3x4 is to take %v", d)
	}
	large := Request{Size: board.Size{Rows: 4, Cols: 4}}
	if d := large.duration(t.Context(), Plan{Threads: 1, Resumed: true}); d != 0 {
		t.Errorf("the rest of 4x4 is to take %v", d)
	}
	if d := large.duration(t.Context(), Plan{Threads: 1}); d <= 0 {
		t.Error("4x4 is to take no time")
	}
}
