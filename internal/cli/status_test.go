package cli

import (
	"bytes"
	"testing"
	"time"

	"tengen/board"
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

// Who looks on a match is told which program is waited for, once that takes more than a
// moment, of several the one that has taken longest.
func TestLookout(t *testing.T) {
	var log bytes.Buffer
	l := &lookout{status: &status{w: &log}, waiting: map[int]question{}}
	l.asked(2, "b", "genmove white")
	l.asked(1, "a", "boardsize 9")
	l.asked(3, "a", "play black A1")
	l.asked(3, "", "")
	begun := l.waiting[2].since
	l.waiting[1] = question{"a", "boardsize 9", begun.Add(-10 * time.Second)}
	l.look(begun.Add(5 * time.Second))
	l.asked(1, "", "")
	l.tell("1 of 10 games, game 2, move 7")
	l.status.last = time.Time{}
	l.look(begun.Add(5 * time.Second))
	const want = "game 1: waiting for a to answer boardsize 9, 15s so far\n1 of 10 games, game 2, move 7; game 2: waiting for b to answer genmove white, 5s so far\n"
	if log.String() != want {
		t.Errorf("it says %q", log.String())
	}
	l.asked(2, "", "")
	l.look(begun.Add(time.Hour))
	if log.String() != want {
		t.Errorf("nobody is waited for, and it says %q", log.String())
	}
}
