package cli

import (
	"bytes"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine"
)

// A build says how long it will take where that is known, and on its way one share of the
// whole and the time that is left.
func TestBuildsSayHowLong(t *testing.T) {
	var log bytes.Buffer
	a := &app{err: &log}
	plan := engine.TablePlan{Size: board.Size{Rows: 4, Cols: 5}, Memory: 1 << 30, Plain: 1 << 30, Disk: 1 << 20, Threads: 2}
	a.announceTable(plan)
	plan.Time = 47 * time.Minute
	a.announceTable(plan)
	const begins = "building the table of 4x5: about 1.0 GiB of memory and 1.0 MiB on disk, threads: 2\n"
	if want := begins + begins + "it takes about 45 minutes\n"; log.String() != want {
		t.Errorf("%q is said, want %q", log.String(), want)
	}
	p := engine.TableProgress{Phase: "values", Share: 0.4999, TableReport: engine.TableReport{Elapsed: 61 * time.Second, Boards: 1234, Visits: 5678}}
	if got, want := buildLine(p), "1m1s  49 %  values  1,234 boards, 5,678 evaluations"; got != want {
		t.Errorf("%q is shown, want %q", got, want)
	}
	p.Left = 62 * time.Second
	if got, want := buildLine(p), "1m1s  49 %, about 60 seconds left  values  1,234 boards, 5,678 evaluations"; got != want {
		t.Errorf("%q is shown, want %q", got, want)
	}
}
