package value

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tengen/board"
	"tengen/cgt"
	"tengen/engine/job"
	"tengen/nogo"
)

func parsed(t *testing.T, text string) Sum {
	t.Helper()
	sum, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// Boards that cancel are gone before any search: turned, mirrored, and wherever normal
// forms agree.
func TestBoardsCancel(t *testing.T) {
	for text, want := range map[string]string{
		"3x5 - 3x5":                       "0",
		"3x5 - 5x3":                       "0",
		"4x7 + 4x7":                       "0", // each is its own inverse
		"4x5 + 2x2 - 5x4":                 "../..",
		"3x5 - 3x5 + *2 + 1":              "*2 + 1",
		"x.../..../.... + ..../..../...o": "0",
		"x.../..../.... + ..../..../...x": "x.../..../.... + ..../..../...x",
		".x..o... - ...o..x.":             "0",
		"1x40 - 40x1":                     "0",
		"6x8 - 6x8":                       "0",
		"2 3x4 - 3 4x3":                   ".../.../.../...",
		"2x3":                             ".../...",
	} {
		got := parsed(t, text).cancelled()
		if len(got) == 0 {
			got = parsed(t, "0")
		}
		if got.String() != want {
			t.Errorf("of %s there is %s left, not %s", text, got, want)
		}
	}
}

// A difference that cancels is equal, with every move lost, and costs no position.
func TestComparingWhatCancels(t *testing.T) {
	for _, pair := range [][2]string{{"4x5", "4x5"}, {"4x5", "5x4"}, {"x.../..../..../....", "..../..../..../x..."}, {"1x30", "1x30"}} {
		c, err := Compare(t.Context(), CompareRequest{G: parsed(t, pair[0]), H: parsed(t, pair[1])})
		if err != nil || c.Order != Equal || c.Outcome != cgt.P || c.Nodes != 0 || c.By != ByCancelling {
			t.Errorf("%s and %s: %+v, %v", pair[0], pair[1], c, err)
		}
		for first, r := range c.First {
			mover := board.Colour(first)
			moves, _ := c.Difference.moves(mover)
			lost := !slices.ContainsFunc(r.Moves, func(m MoveResult) bool { return !m.Winner.Is(mover.Opponent()) })
			if len(r.Moves) != len(moves) || !lost || !r.Winner.Is(mover.Opponent()) {
				t.Errorf("%s and %s: %s moves first, and %+v", pair[0], pair[1], mover, r.Moves)
			}
			sum, toPlay := c.Difference, mover
			for _, m := range r.Line {
				next, err := sum.play(m, toPlay)
				if err != nil {
					t.Fatalf("%s and %s: %v", pair[0], pair[1], err)
				}
				sum, toPlay = next, toPlay.Opponent()
			}
			if left, _ := sum.moves(toPlay); len(left) > 0 || toPlay != mover {
				t.Errorf("%s and %s: the line ends with %d moves left for %s", pair[0], pair[1], len(left), toPlay)
			}
		}
	}
}

// It is the sum after the moves of the request that cancels or does not.
func TestMovesBeforeCancelling(t *testing.T) {
	request := SolveRequest{Sum: parsed(t, "4x4 - 4x4"), Moves: []Move{{Summand: 0, Point: 0}}, Limits: job.Limits{Memory: 64 << 20}}
	r, err := Solve(t.Context(), request)
	if err != nil || r.By == ByCancelling || !r.Winner.Is(board.White) {
		t.Errorf("after a move of Black %s wins, by %s: %v", r.Winner, r.By, err)
	}
	request.Moves = append(request.Moves, Move{Summand: 1, Point: 15})
	if r, err = Solve(t.Context(), request); err != nil || r.By != ByCancelling || !r.Winner.Is(board.White) {
		t.Errorf("after the answer of White %s wins, by %s: %v", r.Winner, r.By, err)
	}
}

// The sum after cancelling is equal to the sum before, and its winners and moves are those
// that canonical forms tell.
func TestCancellingChangesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	sizes := []board.Size{{Rows: 1, Cols: 4}, {Rows: 1, Cols: 5}, {Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}, {Rows: 3, Cols: 2}, {Rows: 3, Cols: 3}}
	gone := 0
	for range 300 {
		var sum Sum
		for range 1 + random.IntN(3) {
			t := Summand{Position: randomStones(random, sizes[random.IntN(len(sizes))])}
			sum = append(sum, t)
			if random.IntN(2) == 0 {
				size := t.Position.Size
				sym := size.Symmetries()[random.IntN(len(size.Symmetries()))]
				mapped := nogo.NewPosition(size)
				for c := range t.Position.Stones {
					mapped.Stones[c] = size.MapSet(sym, t.Position.Stones[c])
				}
				sum = append(sum, Summand{Position: mapped}.inverse())
			}
		}
		random.Shuffle(len(sum), func(i, j int) { sum[i], sum[j] = sum[j], sum[i] })
		left := sum.cancelled()
		gone += len(sum) - len(left)
		v := newValuer(sum, 64<<20)
		add := func(s Sum) (total cgt.Game) {
			for _, summand := range s {
				g, err := v.of(summand)
				if err == nil {
					total, err = v.arena.Add(total, g)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			return total
		}
		if add(sum) != add(left) {
			t.Errorf("%s is not %s", sum, left)
		}
		if openPoints(sum.Positions()) > 14 {
			continue
		}
		for c := range board.Colour(2) {
			request := SolveRequest{Sum: sum, ToPlay: c, EachMove: true, Limits: job.Limits{Memory: 64 << 20, Threads: 1}}
			chosen, err := Solve(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			request.By = ByForms
			forms, err := Solve(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			byMove := func(a, b MoveResult) int {
				return slices.Compare([]int{a.Summand, int(a.Point)}, []int{b.Summand, int(b.Point)})
			}
			slices.SortFunc(chosen.Moves, byMove)
			slices.SortFunc(forms.Moves, byMove)
			if chosen.Winner != forms.Winner || !slices.Equal(chosen.Moves, forms.Moves) {
				t.Errorf("%s, %s to play: %s wins, by canonical forms %s", sum, c, chosen.Winner, forms.Winner)
			}
		}
	}
	if gone == 0 {
		t.Error("nothing has cancelled")
	}
}

// The value is 0 if whoever moves first loses, and it is told as soon as that is known.
func TestOutcomePIsZero(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	v, err := Find(ctx, Request{Sum: parsed(t, "4x4"), Limits: job.Limits{Memory: 256 << 20, Threads: 1}})
	if err != nil || v.Canonical != "0" || v.Low != 0 || v.High != 0 || !v.OutcomeKnown || v.Outcome != cgt.P {
		t.Errorf("%+v, %v", v, err)
	}
	k := newKnowledge(parsed(t, "3x3"))
	k.study(t.Context(), parsed(t, "3x3"), job.Limits{Memory: 64 << 20, Threads: 1})
	if v := k.value(); v.Outcome == cgt.P && (v.Low != 0 || v.High != 0) || v.Outcome == cgt.L && v.Low < 0 || v.Outcome == cgt.R && v.High > 0 {
		t.Errorf("the outcome is %s, and %d ≤ value ≤ %d", v.Outcome, v.Low, v.High)
	}
}
