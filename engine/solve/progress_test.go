package solve

import (
	"context"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/solver"
	"tengen/nogo"
)

// Reports of a running search are true: settled moves have the results of solving,
// and the line is play by the rules.
func TestWhatASearchTells(t *testing.T) {
	for _, method := range []Method{Sums, SBH} {
		for _, text := range []string{"..../..../....", "x.../..../..../....", "............"} {
			p, err := nogo.ParsePosition(text)
			if err != nil {
				t.Fatal(err)
			}
			r, err := prepare(Request{Position: p, ToPlay: board.White, Method: method, Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.open(t.Context(), false, job.Cost{}); err != nil {
				t.Fatal(err)
			}
			defer r.solver.Close()
			inspectable := r.solver.(solver.Inspectable)
			// Some moves are settled in the table, as if a search had come so far.
			truth := map[board.Point]board.Colour{}
			n := 0
			for move := range p.Legal(board.White).Points() {
				answer, err := r.solver.Solve(t.Context(), r.query.After(move))
				if err != nil {
					t.Fatal(err)
				}
				truth[move] = answer.Winner
				if n++; n == 3 {
					break
				}
			}
			r.setPhase(job.PhaseSearch)
			stopped, cancel := context.WithCancel(t.Context())
			cancel()
			_, _ = r.solver.Solve(stopped, r.query)
			glance := r.progress()
			for _, m := range glance.Settled {
				if winner, known := truth[m.Move]; known && !m.Winner.Is(winner) {
					t.Errorf("%s by %s: %s is told to be won by %s, and %s wins", text, method, p.Size.Name(m.Move), m.Winner, winner)
				}
			}
			if method == Sums && glance.MovesDone == 0 {
				t.Errorf("%s: nothing is settled", text)
			}
			if _, _, err := p.PlayAll(board.White, glance.Line); err != nil {
				t.Errorf("%s by %s: the line %v is no play: %v", text, method, glance.Line, err)
			}
			if _, lost := inspectable.Settled(solver.Query{Position: nogo.NewPosition(board.Size{Rows: 2, Cols: 2})}); !lost.IsEmpty() {
				t.Errorf("%s tells of another board", method)
			}
		}
	}
}

// A stop names the moves that are settled.
func TestAStopNamesSettledMoves(t *testing.T) {
	p := nogo.NewPosition(board.Size{Rows: 4, Cols: 4})
	r, err := prepare(Request{Position: p, Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.open(t.Context(), false, job.Cost{}); err != nil {
		t.Fatal(err)
	}
	defer r.solver.Close()
	if _, err := r.solver.Solve(t.Context(), r.query.After(0)); err != nil {
		t.Fatal(err)
	}
	r.finish()
	r.result.Settled, _, _ = r.settled()
	if got := r.known(); !strings.Contains(got, "; of 3 distinct moves A1 loses") {
		t.Errorf("it says %q", got)
	}
	if len(r.result.Settled) < 4 || p.Size.Name(r.result.Settled[0].Move) != "A1" || !r.result.Settled[0].Winner.Is(board.White) {
		t.Errorf("settled are %v", r.result.Settled)
	}
}

// A stop on a column that is searched as a row names moves of the column.
func TestAStopNamesMovesOfTheColumn(t *testing.T) {
	row, err := nogo.ParsePosition("x.x.x......")
	if err != nil {
		t.Fatal(err)
	}
	r, err := prepare(Request{Position: row, column: true, Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	r.result.Settled = []Move{{Move: row.Size.At(0, 7), Winner: board.White.Wins()}}
	// The eighth point of the row is H1, that of the column A8.
	if got := r.known(); !strings.HasSuffix(got, " moves A8 loses") {
		t.Errorf("it says %q", got)
	}
}
