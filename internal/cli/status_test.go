package cli

import (
	"bytes"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
)

// A build says how long it will take where that is known, and on its way one share of the
// whole and the time that is left.
func TestBuildsSayHowLong(t *testing.T) {
	var log bytes.Buffer
	a := &app{err: &log}
	plan := table.Plan{Size: board.Size{Rows: 4, Cols: 5}, Memory: 1 << 30, Plain: 1 << 30, Disk: 1 << 20, Threads: 2}
	a.announceTable(plan)
	plan.Time = 47 * time.Minute
	a.announceTable(plan)
	const begins = "building the table of 4x5: about 1.0 GiB of memory and 1.0 MiB on disk, threads: 2\n"
	if want := begins + begins + "it takes about 45 minutes\n"; log.String() != want {
		t.Errorf("%q is said, want %q", log.String(), want)
	}
	p := table.Progress{Phase: "values", Share: 0.4999, Report: table.Report{Elapsed: 61 * time.Second, Boards: 1234, Visits: 5678}}
	if got, want := buildLine(p), "1m1s  49 %  values  1,234 boards, 5,678 evaluations"; got != want {
		t.Errorf("%q is shown, want %q", got, want)
	}
	p.Left = 62 * time.Second
	if got, want := buildLine(p), "1m1s  49 %, about 60 seconds left  values  1,234 boards, 5,678 evaluations"; got != want {
		t.Errorf("%q is shown, want %q", got, want)
	}
}

// A search says what it does before it has positions to count.
func TestStonesAreCounted(t *testing.T) {
	p := solve.Progress{Progress: job.Progress{Phase: job.PhaseStones, Elapsed: 4 * time.Second}, Share: 0.4999}
	if got, want := progressLine(p), "4s  counting the stones that make the whole board safe: 49 %"; got != want {
		t.Errorf("%q is shown, want %q", got, want)
	}
}

// The status of a match shows the program that is waited for after more than a moment, of
// several the one that has taken longest.
func TestWaits(t *testing.T) {
	var log bytes.Buffer
	w := &waits{status: &status{w: &log}, open: map[int]wait{}}
	w.begin(2, "game 2: waiting for b to answer genmove white")
	w.begin(1, "")
	w.begin(3, "game 3: waiting for a to answer play black A1")
	w.end(3)
	begun := w.open[2].since
	w.open[1] = wait{"game 1: waiting for a to answer boardsize 9", begun.Add(-10 * time.Second)}
	w.look(begun.Add(5 * time.Second))
	w.end(1)
	w.show("1 of 10 games, game 2, move 7")
	w.status.last = time.Time{}
	w.look(begun.Add(5 * time.Second))
	const want = "game 1: waiting for a to answer boardsize 9, 15s so far\n1 of 10 games, game 2, move 7; game 2: waiting for b to answer genmove white, 5s so far\n"
	if log.String() != want {
		t.Errorf("it says %q", log.String())
	}
	w.end(2)
	w.look(begun.Add(time.Hour))
	if log.String() != want {
		t.Errorf("nobody is waited for, and it says %q", log.String())
	}
}
