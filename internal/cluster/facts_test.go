package cluster

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tengen/board"
	"tengen/internal/lockless"
)

// factKey is the key of a fact that no search finds.
func factKey(i int) lockless.Key {
	return lockless.Key{uint64(i+1) * 0x9e3779b97f4a7c15, uint64(i+1) * 0xc2b2ae3d27d4eb4f >> 23 << 23}
}

// knows reports whether an executor has imported a fact.
func (e *executor) knows(i int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.solver == nil {
		return false
	}
	return e.solver.Disputes(lockless.Append(nil, factKey(i), lockless.Bounds{Yes: lockless.NeverYes, No: 1}))
}

func someFact(i int) []byte {
	return lockless.Append(nil, factKey(i), lockless.Bounds{Yes: 1, No: lockless.NeverNo, Effort: 60})
}

func joinAsWorker(t *testing.T, s *system, name string) *worker {
	t.Helper()
	h, err := connect(t.Context(), Access{URL: s.server.URL(), Name: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	w := &worker{o: WorkerOptions{Access: Access{Name: name}}, hub: h, executor: newExecutor(32<<20, 1), log: log(t)}
	t.Cleanup(w.executor.close)
	return w
}

func searchJob(t *testing.T, search, size string, epoch int) job {
	t.Helper()
	p := empty(t, size)
	return job{Protocol: protocol, Search: search, ID: "1", Epoch: epoch, Kind: solving, Size: size, Key: keyOf(p, board.Black), Budget: 50, Share: 1}
}

func listJob(search string, lines ...string) job {
	j := job{Protocol: protocol, Search: search, ID: "1", Kind: batching}
	for i, position := range lines {
		j.Batch = append(j.Batch, question{i + 1, position, "black"})
	}
	return j
}

func do(t *testing.T, w *worker, j job) {
	t.Helper()
	if err := j.check(); err != nil {
		t.Fatal(err)
	}
	if r := w.answer(t.Context(), j, 1); r.Failure != "" {
		t.Fatal(r.Failure)
	}
}

// publishAll publishes facts of a table, until a worker of that table has the last.
func publishAll(t *testing.T, from *hub, of table, control *executor, facts int) {
	t.Helper()
	for i := range facts {
		m := nats.NewMsg(factSubject + of.search + "." + strconv.Itoa(of.epoch))
		m.Header.Set(workerHeader, "other")
		m.Header.Set(tableHeader, of.String())
		m.Data = someFact(i)
		if err := from.conn.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !control.knows(facts - 1) {
		if ctx.Err() != nil {
			t.Fatal("a fact does not reach a worker of its search")
		}
		wait(ctx, time.Millisecond)
	}
}

// A worker that was at a search takes no fact of it in once it is at something else: a
// list, of boards of any width, or a search of another board, epoch or name.
func TestFactsOfOneBoardReachNoOther(t *testing.T) {
	const three, facts = "x.x.x.x./.o.o.o.o/x.x.x.x.", 50
	s := newSystem(t)
	five := table{"five", 0, board.Size{Rows: 5, Cols: 5}}
	control := joinAsWorker(t, s, "control")
	do(t, control, searchJob(t, "five", "5x5", 0))
	for name, next := range map[string]job{
		"list":          listJob("list", three, ".../.x./...", three),
		"another width": searchJob(t, "eight", "3x8", 0),
		"another epoch": searchJob(t, "five", "5x5", 1),
		"another name":  searchJob(t, "six", "5x5", 0),
		"same, as list": listJob("five", three),
	} {
		t.Run(name, func(t *testing.T) {
			w := joinAsWorker(t, s, "worker")
			do(t, w, searchJob(t, "five", "5x5", 0))
			do(t, w, next)
			control.executor.release()
			do(t, control, searchJob(t, "five", "5x5", 0))
			publishAll(t, control.hub, five, control.executor, facts)
			if err := w.hub.conn.FlushTimeout(time.Minute); err != nil {
				t.Fatal(err)
			}
			for i := range facts {
				if w.executor.knows(i) {
					t.Fatalf("the solver of %s has taken fact %d of 5x5 in", w.executor.table.size, i)
				}
			}
			// And back: the facts of the search are there again.
			do(t, w, searchJob(t, "five", "5x5", 0))
			publishAll(t, control.hub, five, w.executor, facts)
		})
	}
}

// Facts that do not name the very table are refused, wherever they come from.
func TestFactsNameTheirTable(t *testing.T) {
	b := newExecutor(32<<20, 1)
	defer b.close()
	b.table = table{"search", 2, board.Size{}}
	if err := b.open(board.Size{Rows: 3, Cols: 8}); err != nil {
		t.Fatal(err)
	}
	right := fmt.Sprintf("%d search 2 3x8", protocol)
	for i, of := range []string{
		"", "search", fmt.Sprintf("%d search 2 5x5", protocol), fmt.Sprintf("%d search 2 8x3", protocol), fmt.Sprintf("%d search 1 3x8", protocol),
		fmt.Sprintf("%d other 2 3x8", protocol), fmt.Sprintf("%d search 2 3x8", protocol-1), fmt.Sprintf("%d search 2 3x8", protocol+1), right + " ",
	} {
		if b.importFacts(of, someFact(i)); b.knows(i) {
			t.Errorf("facts of %q were taken", of)
		}
	}
	if b.importFacts(right, someFact(99)); !b.knows(99) {
		t.Error("facts of the table were refused")
	}
	if b.importFacts(right, someFact(7)[:15]); b.knows(7) {
		t.Error("half a fact was taken")
	}
}

// A list of several widths, after a search, has the answers of one machine, while facts of
// the search are published.
func TestListOfSeveralWidthsAfterSearch(t *testing.T) {
	s := newSystem(t)
	s.hire(nil)
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
	if _, err := Solve(t.Context(), q, s.options()); err != nil {
		t.Fatal(err)
	}
	text := listOf(60, board.Size{Rows: 3, Cols: 4}, board.Size{Rows: 4, Cols: 3}, board.Size{Rows: 2, Cols: 6}, board.Size{Rows: 3, Cols: 3})
	o := s.options()
	o.lines = 7
	var out bytes.Buffer
	if _, err := SolveList(t.Context(), readList(t, text), &out, o); err != nil {
		t.Fatal(err)
	}
	checkAnswers(t, out.String(), 60)
}
