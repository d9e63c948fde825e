package solver_test

import (
	"math/rand"
	"slices"
	"testing"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/solver"
)

// Free moves alone are won by the side to move exactly if it has more of them.
func TestFreeMovesAlone(t *testing.T) {
	for free := -3; free <= 3; free++ {
		total := solver.NewTotal(free)
		for c, more := range map[board.Colour]bool{board.Black: free > 0, board.White: free < 0} {
			want := solver.Lost
			if more {
				want = solver.Won
			}
			if got := total.Decided(c); got != want {
				t.Errorf("%+d free moves, %s to move: %d, not %d", free, c, got, want)
			}
		}
	}
}

// A total does not depend on the order of its parts, and the bounds of parts add up.
func TestTotalsAddUp(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 1000 {
		values := make([]solver.Value, rng.Intn(5))
		free := rng.Intn(7) - 3
		low, high := free, free
		for i := range values {
			l := int8(rng.Intn(7) - 3)
			h := l + int8(rng.Intn(4))
			values[i] = solver.Value{Low: l, High: h, First: l + int8(rng.Intn(4)) - 1, Reply: h - int8(rng.Intn(4)) + 1}
			low, high = low+int(l), high+int(h)
		}
		first, second := solver.NewTotal(free), solver.NewTotal(free)
		for i := range values {
			first.Add(&values[i])
			second.Add(&values[len(values)-1-i])
		}
		if first != second || first.Low != low || first.High != high {
			t.Fatalf("%+v beside %+d: %+v, in reverse %+v", values, free, first, second)
		}
	}
}

// Moves are sorted by score, and moves of one score stay in their order.
func TestSortIsStable(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 200 {
		moves := make([]solver.Move, rng.Intn(30))
		for i := range moves {
			moves[i] = solver.Move{Score: int32(rng.Intn(5) - 2), Point: uint64(i)}
		}
		want := slices.Clone(moves)
		slices.SortStableFunc(want, func(a, b solver.Move) int { return int(b.Score - a.Score) })
		if solver.Sort(moves); !slices.Equal(moves, want) {
			t.Fatalf("sorted to %v, not %v", moves, want)
		}
	}
}

// Two moves ask the same if both the key and the integer are equal.
func TestAsks(t *testing.T) {
	moves := []solver.Move{{Key: lockless.Key{1, 2}, N: 3}, {Key: lockless.Key{4, 5}, N: -6}}
	for i := range moves {
		if !solver.Asks(moves, moves[i].Question()) {
			t.Errorf("%+v is not found", moves[i].Question())
		}
	}
	for _, q := range []solver.Question{{lockless.Key{1, 2}, 2}, {lockless.Key{1, 5}, 3}, {lockless.Key{}, 0}} {
		if solver.Asks(moves, q) {
			t.Errorf("%+v is found", q)
		}
	}
}

// Every move is handed out exactly once, whatever others mark and clear meanwhile.
// The first move is never deferred, and a move handed out early was not marked.
func TestTurnsHandOutEveryMoveOnce(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 500 {
		marks := new(solver.Marks)
		moves := make([]solver.Move, rng.Intn(12))
		for i := range moves {
			moves[i] = solver.Move{Key: lockless.Key{uint64(i + 1), uint64(i) << 50}, Point: uint64(i)}
		}
		keys := slices.Clone(moves)
		change := func() {
			for _, m := range keys {
				if rng.Intn(2) == 0 {
					marks.Set(m.Key)
				} else {
					marks.Clear(m.Key)
				}
			}
		}
		searcher := solver.Searcher{Marks: marks}
		turns := searcher.Turns(moves)
		var handed []uint64
		for change(); turns.Next(); change() {
			if len(handed) == 0 && (turns.Point != 0 || turns.Late) {
				t.Fatalf("move %d comes first", turns.Point)
			}
			handed = append(handed, turns.Point)
		}
		if turns.Next() {
			t.Fatal("there is a move after the last")
		}
		slices.Sort(handed)
		for i := range keys {
			if i >= len(handed) || handed[i] != uint64(i) {
				t.Fatalf("of %d moves %v were handed out", len(keys), handed)
			}
		}
	}
}

// Moves that another worker is searching come last. A single worker has no such
// moves.
func TestTurnsPutMarkedMovesOff(t *testing.T) {
	list := func() (moves []solver.Move) {
		for i := range uint64(5) {
			moves = append(moves, solver.Move{Key: lockless.Key{i + 1, i << 50}, Point: i})
		}
		return moves
	}
	marks := new(solver.Marks)
	for _, i := range []int{0, 1, 3} {
		marks.Set(list()[i].Key)
	}
	for _, c := range []struct {
		marks *solver.Marks
		want  []uint64
	}{{nil, []uint64{0, 1, 2, 3, 4}}, {marks, []uint64{0, 2, 4, 1, 3}}} {
		searcher := solver.Searcher{Marks: c.marks}
		var got []uint64
		for turns := searcher.Turns(list()); turns.Next(); {
			got = append(got, turns.Point)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("the order is %v, not %v", got, c.want)
		}
	}
}

// Experience earns more for a larger share of wins, never more than the weight, and
// old experience fades.
func TestExperience(t *testing.T) {
	const span, weight = 100, 600
	after := func(e solver.Experience, won bool, tries int) solver.Experience {
		for range tries {
			e.Add(won, span, weight)
			if e.Earned < 0 || e.Earned > weight {
				t.Fatalf("earned %d of %d", e.Earned, weight)
			}
		}
		return e
	}
	var none solver.Experience
	winner, loser := after(none, true, 1000), after(none, false, 1000)
	if loser.Earned != 0 || winner.Earned < weight*9/10 {
		t.Errorf("who always wins earns %d, who always loses %d", winner.Earned, loser.Earned)
	}
	if mixed := after(after(none, true, 10), false, 10); mixed.Earned <= loser.Earned || mixed.Earned >= winner.Earned {
		t.Errorf("who wins half of the time earns %d", mixed.Earned)
	}
	if fallen := after(winner, false, 5*span); fallen.Earned > weight/10 {
		t.Errorf("after %d losses in a row %d are left", 5*span, fallen.Earned)
	}
}

// A question won at n is won above n, and one lost at n is lost below n. Between the
// two nothing is known.
func TestFactsAreMonotone(t *testing.T) {
	table, err := lockless.New(1 << 16)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	key := lockless.Key{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9}
	if got := solver.Probe(table, solver.Question{Key: key, N: 0}); got != solver.Unknown {
		t.Fatalf("an empty table says %d", got)
	}
	table.Put(key, solver.Fact(3, solver.Won, 10))
	table.Put(key, solver.Fact(-2, solver.Lost, 10))
	searcher := solver.Searcher{Table: table}
	forgetful := solver.Searcher{Table: table, Forget: true}
	for n := -8; n <= 8; n++ {
		want := solver.Unknown
		switch {
		case n >= 3:
			want = solver.Won
		case n <= -2:
			want = solver.Lost
		}
		q := solver.Question{Key: key, N: n}
		if got := searcher.Probe(q); got != want {
			t.Errorf("at %d the table says %d, not %d", n, got, want)
		}
		if got := forgetful.Probe(q); got != solver.Unknown {
			t.Errorf("without a table %d is said at %d", got, n)
		}
	}
	if searcher.Probes != 17 || forgetful.Probes != 0 {
		t.Errorf("%d and %d probes are counted", searcher.Probes, forgetful.Probes)
	}
}
