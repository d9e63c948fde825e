package cluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver"
	"tengen/nogo"
)

func readList(t testing.TB, text string) List {
	t.Helper()
	list, err := ReadList(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A hundred thousand jobs leave nothing behind: neither in the memory of master, workers
// and server, which are all in this process, nor in the queues.
func TestManyJobsLeaveNothing(t *testing.T) {
	longtest.Skip(t)
	const jobs, every, trivial = 100_000, 5000, "xo/.."
	s := newSystem(t)
	s.hire(nil)
	s.hire(nil)
	o := s.options()
	o.Log, o.lines = nil, 1
	var heaps []uint64
	o.Progress = func(now Status) {
		if n := now.Jobs / every; n > uint64(len(heaps)) {
			heaps = append(heaps, heapInUse())
			t.Logf("%d jobs in %.0f s, heap %d KiB", now.Jobs, now.Seconds, heaps[len(heaps)-1]>>10)
		}
	}
	total, err := SolveList(t.Context(), readList(t, strings.Repeat(trivial+" b\n", jobs)), io.Discard, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d jobs, %.0f a second; without a queue %.0f positions a second", total.Jobs, float64(total.Jobs)/total.Seconds, directly(t, trivial))
	if len(heaps) < jobs/every/2 || total.Jobs != jobs {
		t.Fatalf("%d jobs, memory taken %d times", total.Jobs, len(heaps))
	}
	// The server holds what it has lately written for a while, so the least counts.
	half := len(heaps) / 2
	if first, second := slices.Min(heaps[:half]), slices.Min(heaps[half:]); second > first+8<<20 {
		t.Errorf("the memory has grown from %d to %d bytes", first, second)
	}
	awaitEmptyQueues(t, s)
}

// directly is how many positions a worker answers in a second without messages.
func directly(t *testing.T, position string) float64 {
	t.Helper()
	const times = 100_000
	b := newExecutor(32<<20, 1)
	defer b.close()
	began := time.Now()
	for range times {
		if err := b.line(t.Context(), &answer{question: question{Position: position, ToPlay: "black"}}); err != nil {
			t.Fatal(err)
		}
	}
	return times / time.Since(began).Seconds()
}

// heapInUse is how much memory is in use.
func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// awaitEmptyQueues returns when no job and no result is left.
func awaitEmptyQueues(t *testing.T, s *system) {
	t.Helper()
	h, err := connect(t.Context(), Access{URL: s.server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	for _, name := range []string{jobStream, resultStream} {
		for left := uint64(1); left > 0; { // what was said last may still be on its way
			queue, err := h.stream.Stream(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			left = queue.CachedInfo().State.Msgs
			runtime.Gosched()
		}
	}
}

// randomPosition is one after some moves of each side.
func randomPosition(random *rand.Rand, size board.Size, most int) (nogo.Position, board.Colour) {
	p, toPlay := nogo.Position{Size: size}, board.Black
	for range random.IntN(most + 1) {
		var moves []board.Point
		for move := range p.Legal(toPlay).Points() {
			moves = append(moves, move)
		}
		if len(moves) == 0 {
			break
		}
		p = played(p, toPlay, moves[random.IntN(len(moves))])
		toPlay = toPlay.Opponent()
	}
	return p, toPlay
}

// Random positions of 4x4 by two workers: every answer is that of the plain solver, and
// every move that is said to win does.
func TestRandomPositionsAsPlain(t *testing.T) {
	positions := 1000
	if longtest.On() {
		positions = 10_000
	}
	size := board.Size{Rows: 4, Cols: 4}
	random := rand.New(rand.NewPCG(7, 7))
	var text strings.Builder
	for seen := map[string]bool{}; len(seen) < positions; {
		p, toPlay := randomPosition(random, size, 10)
		line := fmt.Sprintf("%s %s\n", p, toPlay)
		if !seen[line] {
			seen[line] = true
			text.WriteString(line)
		}
	}
	s := newSystem(t)
	s.hire(nil)
	s.hire(nil)
	var out bytes.Buffer
	total, err := SolveList(t.Context(), readList(t, text.String()), &out, s.options())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d positions in %d jobs and %.2f s, %.1f jobs a second, %d nodes", total.Positions, total.Jobs, total.Seconds, float64(total.Jobs)/total.Seconds, total.Nodes)
	plain, err := openSearch(size, 64<<20, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	winner := func(p nogo.Position, toPlay board.Colour) board.Colour {
		found, err := plain.Solve(t.Context(), solver.Query{Position: p, ToPlay: toPlay})
		if err != nil {
			t.Fatal(err)
		}
		return found.Winner
	}
	began := time.Now()
	answers := json.NewDecoder(&out)
	for n := range positions {
		var a answer
		if err := answers.Decode(&a); err != nil {
			t.Fatal(err)
		}
		p, toPlay := parsed(t, a.question)
		if want := winner(p, toPlay).String(); a.Line != n+1 || a.Winner != want || a.Failure != "" {
			t.Errorf("line %d: %+v, and %s wins", n+1, a, want)
		}
		if a.Move != "" {
			move, err := size.ParsePoint(a.Move)
			if err != nil {
				t.Fatal(err)
			}
			if winner(played(p, toPlay, move), toPlay.Opponent()) != toPlay {
				t.Errorf("line %d: %s does not win", n+1, a.Move)
			}
		}
	}
	t.Logf("the plain solver takes %.2f s, checks of moves included", time.Since(began).Seconds())
}

func parsed(t *testing.T, q question) (nogo.Position, board.Colour) {
	t.Helper()
	p, err := nogo.ParsePosition(q.Position)
	if err != nil {
		t.Fatal(err)
	}
	toPlay, err := board.ParseColour(q.ToPlay)
	if err != nil {
		t.Fatal(err)
	}
	return p, toPlay
}
