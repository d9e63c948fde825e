package gosearch

import (
	"bytes"
	"context"
	"iter"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/retro"
	"tengen/tablebase"
	"tengen/weiqi"
)

// truth opens a table of the ranges of all scores of a board, which another method has found.
func truth(t testing.TB, text string) (*tablebase.Table, board.Size) {
	t.Helper()
	return scores(t, text, tablebase.Range)
}

// scores opens a table of one kind.
func scores(t testing.TB, text string, loops tablebase.Loops) (*tablebase.Table, board.Size) {
	t.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "table")
	if _, err := retro.Build(context.Background(), path, retro.Options{Size: size, Loops: loops}); err != nil {
		t.Fatal(err)
	}
	table, err := tablebase.Open(path, 1<<28)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Close() })
	return table, size
}

func newSolver(t testing.TB, size board.Size, o Options) *Solver {
	t.Helper()
	if o.Memory == 0 {
		o.Memory = 1 << 26
	}
	if o.Threads == 0 {
		o.Threads = 1
	}
	s, err := New(size, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// lookUp is the range of a score in a table, as Black sees it. A table with endless games
// drawn has one score, which lies between all bounds that hold for any rule.
func lookUp(t testing.TB, table *tablebase.Table, p weiqi.Position) Answer {
	t.Helper()
	v, err := table.Value(p)
	if err != nil {
		t.Fatal(err)
	}
	if table.Header().Loops == tablebase.Drawn {
		v.Lo, v.Hi = v.Score, v.Score // with endless games drawn
	}
	loops := v.Lo != v.Hi // the ends of the range need a way to hold each
	if p.ToPlay == board.White {
		v.Lo, v.Hi = -v.Hi, -v.Lo
	}
	return Answer{Low: v.Lo, High: v.Hi, LowHeld: loops, HighHeld: loops}
}

// variants are the positions of a board: either side to play, after a stone that took a
// ko, after a pass, or neither.
func variants(size board.Size, stones board.Stones) (list []weiqi.Position) {
	for c := board.Black; c <= board.White; c++ {
		p := weiqi.Position{Size: size, Stones: stones, ToPlay: c, Ko: board.NoPoint}
		if p.Validate() != nil {
			return nil
		}
		list = append(list, p)
		passed := p
		passed.Passes = 1
		list = append(list, passed)
		for q := range p.Empty().Points() {
			banned := p
			if banned.Ko = q; banned.Validate() == nil {
				list = append(list, banned)
			}
		}
	}
	return list
}

// board3 is the board with a number in base 3.
func board3(size board.Size, number int) (stones board.Stones) {
	for _, q := range size.All() {
		if c := number % 3; c > 0 {
			stones[c-1].Add(q)
		}
		number /= 3
	}
	return stones
}

// positionsOf3x3 are those of every board, in the short run of one board in step.
func positionsOf3x3(size board.Size, step int) iter.Seq[weiqi.Position] {
	if longtest.On() {
		step = 1
	}
	return func(yield func(weiqi.Position) bool) {
		for number := 0; number < 19683; number += step {
			for _, p := range variants(size, board3(size, number)) {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// Positions of 3×3, in the long run all of them: what is proven is what the table has, no
// more and no less.
func TestPositionsOf3x3(t *testing.T) {
	longtest.Alone(t)
	table, size := truth(t, "3x3")
	s := newSolver(t, size, Options{Plies: 26})
	count := 0
	for p := range positionsOf3x3(size, 59) {
		count++
		want := lookUp(t, table, p)
		got, err := s.Solve(context.Background(), p, All(size), 0)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("%s, %s to play, ban %s, passes %d: proven %v, the table has %v", p, p.ToPlay, size.Name(p.Ko), p.Passes, got, want)
		}
	}
	t.Logf("%d positions", count)
}

// Where an endless game decides, there is a move that avoids the first claim that cannot be
// proven: the table has as much after it.
func TestAvoid(t *testing.T) {
	table, size := truth(t, "3x3")
	s := newSolver(t, size, Options{Plies: 26})
	count := 0
	for p := range positionsOf3x3(size, 97) {
		want := lookUp(t, table, p)
		if want.Exact() {
			continue
		}
		count++
		claim := Question{Position: p, Prover: board.White, Goal: 1 - want.High}
		if p.ToPlay == board.White {
			claim = Question{Position: p, Prover: board.Black, Goal: want.Low + 1}
		}
		move, err := s.Avoid(t.Context(), claim)
		if err != nil {
			t.Fatalf("%s, %s to play: %v", p, p.ToPlay, err)
		}
		next, err := weiqi.Rules{}.Play(p, move)
		if err != nil {
			t.Fatal(err)
		}
		after := Answer{Low: next.Score(), High: next.Score()}
		if !next.Over() {
			after = lookUp(t, table, next)
		}
		if p.ToPlay == board.Black && after.High < want.High || p.ToPlay == board.White && after.Low > want.Low {
			t.Fatalf("%s, %s to play: %s leads from %v to %v", p, p.ToPlay, size.Name(move), want, after)
		}
	}
	t.Logf("%d positions", count)
	if count == 0 {
		t.Error("nothing was asked")
	}
}

// random is a legal position with about as many stones as points, ban and pass included.
func random(rng *rand.Rand, size board.Size) weiqi.Position {
	for {
		var stones board.Stones
		full := rng.IntN(9) + 2 // tenths
		for _, q := range size.All() {
			if rng.IntN(10) < full {
				stones[rng.IntN(2)].Add(q)
			}
		}
		if list := variants(size, stones); len(list) > 0 {
			return list[rng.IntN(len(list))]
		}
	}
}

// Random positions: bounds never contradict the table, and some are as tight as they can
// be within few nodes.
func TestRandomPositions(t *testing.T) {
	longtest.Alone(t)
	for _, test := range []struct {
		size        string
		short, long int
		nodes       uint64
		tight       int // percent of the positions whose bounds are those of the table
		loops       tablebase.Loops
		counted     bool // stones, for every claim from its first node on
	}{
		{"3x4", 1000, 100000, 5000, 40, tablebase.Range, false},
		{"4x4", 0, 100000, 500, 15, tablebase.Range, true},
		{"4x5", 0, 10000, 2000, 10, tablebase.Drawn, true}, // quicker to build
	} {
		t.Run(test.size, func(t *testing.T) {
			count := test.short
			if longtest.On() {
				count = test.long
			}
			if testing.Short() {
				count = min(count, 200)
			}
			if count == 0 || testing.Short() && test.size != "3x4" {
				t.Skip("it takes a large table")
			}
			table, size := scores(t, test.size, test.loops)
			s := newSolver(t, size, Options{Memory: 1 << 28})
			if test.counted {
				countAll(t, s)
			}
			rng := rand.New(rand.NewPCG(33, uint64(size.Points())))
			same := 0
			for range count {
				p := random(rng, size)
				want := lookUp(t, table, p)
				got, err := s.Solve(context.Background(), p, All(size), test.nodes)
				if err != nil && err != ErrNodes {
					t.Fatal(err)
				}
				wrong := got.Low > want.Low || got.High < want.High
				if test.loops == tablebase.Range {
					wrong = wrong || got.LowHeld && got.Low != want.Low || got.HighHeld && got.High != want.High
				}
				if wrong {
					t.Fatalf("%s, %s to play, ban %s, passes %d: proven %v, the table has %v", p, p.ToPlay, size.Name(p.Ko), p.Passes, got, want)
				}
				if got == want {
					same++
				}
			}
			t.Logf("%d positions, %d bounds as tight as they can be", count, same)
			if same*100 < count*test.tight {
				t.Errorf("only %d of %d positions have bounds as tight as they can be", same, count)
			}
		})
	}
}

// countAll counts the stones of every claim.
func countAll(t *testing.T, s *Solver) {
	t.Helper()
	for want := 1; want <= s.geo.points; want++ {
		if err := s.count(t.Context(), board.Black, 2*want-s.geo.points); err != nil {
			t.Fatal(err)
		}
	}
}

// What is called safe is worth as much in the table, whoever is to move and whatever an
// endless game counts, after a pass too unless that ends the game.
func TestSafety(t *testing.T) {
	longtest.Alone(t)
	for _, test := range []struct {
		size string
		long bool
	}{{"1x7", false}, {"2x5", false}, {"3x3", false}, {"3x4", false}, {"4x4", true}} {
		t.Run(test.size, func(t *testing.T) {
			if test.long {
				longtest.Skip(t)
			}
			table, size := truth(t, test.size)
			f := newSafety(newGeometry(size))
			all, points := 1, size.Points()
			for range points {
				all *= 3
			}
			safe := 0
			for number := range all {
				stones := board3(size, number)
				area := bits.OnesCount64(f.find(stones[board.Black][0], stones[board.White][0], 0))
				if area == 0 {
					continue
				}
				for c := board.Black; c <= board.White; c++ {
					p := weiqi.Position{Size: size, Stones: stones, ToPlay: c, Ko: board.NoPoint}
					if p.Validate() != nil {
						break
					}
					safe++
					if got := lookUp(t, table, p); got.Low < 2*area-points {
						t.Fatalf("%s, %s to play: black has %d points for sure, the table has %v", p, c, area, got)
					}
				}
			}
			if safe == 0 {
				t.Error("no position has a safe point")
			}
			t.Logf("%d positions with safe points", safe)
		})
	}
}

// brief is a context that ends after its error was asked for once.
type brief struct {
	context.Context
	asked bool
}

func (b *brief) Err() error {
	if b.asked {
		return context.Canceled
	}
	b.asked = true
	return nil
}

// The stones are counted in turns, however short, and the search says that it waits.
func TestStonesAreCountedInTurns(t *testing.T) {
	size := board.Size{Rows: 4, Cols: 4}
	whole := newStones(newGeometry(size))
	if err := whole.count(t.Context(), newGeometry(size), 2); err != nil {
		t.Fatal(err)
	}
	s := newSolver(t, size, Options{})
	for last := 0.0; s.stones == nil || !s.stones.complete(); {
		if err := s.count(&brief{Context: t.Context()}, board.Black, size.Points()); err != nil && !s.stones.complete() {
			share, waits := s.Stats().Status.Counting()
			if !waits || share <= last {
				t.Fatalf("waits: %t, %g counted after %g", waits, share, last)
			}
			last = share
		}
	}
	if !bytes.Equal(s.stones.holds, whole.holds) {
		t.Error("another table")
	}
}

// Where rooms are said to keep some points, or one more stone of the prover to reach a goal,
// the table has a score that is as good.
func TestRooms(t *testing.T) {
	longtest.Alone(t)
	for _, test := range []struct {
		size   string
		boards int // random ones; 0 for all
	}{{"2x5", 0}, {"3x3", 0}, {"3x4", 0}, {"4x4", 300000}} {
		t.Run(test.size, func(t *testing.T) {
			if test.boards > 0 {
				longtest.Skip(t)
			}
			table, size := truth(t, test.size)
			points := size.Points()
			solver := newSolver(t, size, Options{})
			countAll(t, solver)
			w := solver.workers[0]
			rng := rand.New(rand.NewPCG(33, 44))
			all := test.boards
			if all == 0 {
				all = 1
				for range points {
					all *= 3
				}
			}
			rooms, parts, finished := 0, 0, 0
			for number := range all {
				stones := board3(size, number)
				if test.boards > 0 {
					stones = random(rng, size).Stones
				}
				p := weiqi.Position{Size: size, Stones: stones, ToPlay: board.White, Ko: board.NoPoint}
				if p.Validate() != nil {
					continue
				}
				s := stateOf(p, board.Black)
				kept := 0
				for w.rooms(s.own, s.other, kept+1) {
					kept++
				}
				goal := points
				if number%2 == 0 {
					goal -= 2 * rng.IntN(points)
				}
				solver.prepare(w, goal, 0)
				byStone := w.finished(&s)
				if kept == 0 && !byStone {
					continue
				}
				score := 2*kept - points
				switch kept {
				case 0:
				case points:
					rooms++
				default:
					parts++
				}
				if byStone {
					finished++
					score = max(score, goal)
				}
				if got := lookUp(t, table, p); got.Low < score {
					t.Fatalf("%s, white to play: %d points are black's by rooms, a score of %d by a stone: %t; the table has %v", p, kept, goal, byStone, got)
				}
			}
			t.Logf("%d boards by rooms, %d parts, %d by one more stone", rooms, parts, finished)
			if rooms == 0 || parts == 0 && points > 9 || finished == 0 {
				t.Error("nothing was tested")
			}
		})
	}
}

// Positions from games of 5×5: the score of all but one is found within two million nodes, which
// is less than a minute.
func TestGamesOf5x5(t *testing.T) {
	longtest.Skip(t)
	longtest.Alone(t)
	size := board.Size{Rows: 5, Cols: 5}
	s := newSolver(t, size, Options{Memory: 1 << 30})
	rng := rand.New(rand.NewPCG(5, 5))
	solved := 0
	const positions = 30
	for i := range positions {
		p := game(rng, size, 10+i/2)
		before := s.nodes()
		got, err := s.Solve(context.Background(), p, All(size), 2_000_000)
		if err != nil && err != ErrNodes {
			t.Fatal(err)
		}
		if got.Exact() {
			solved++
		}
		t.Logf("%s, %s to play after %d moves: %d to %d, %d nodes", p, p.ToPlay, 10+i/2, got.Low, got.High, s.nodes()-before)
	}
	if solved < 29 {
		t.Errorf("only %d of %d positions are solved", solved, positions)
	}
}

// game plays a number of moves, one of three at random, none into an eye.
func game(rng *rand.Rand, size board.Size, moves int) weiqi.Position {
	p := weiqi.NewPosition(size)
	for range moves {
		move := Guess(p)
		if legal := slices.Collect((weiqi.Rules{}).Legal(p).Points()); rng.IntN(3) == 0 && len(legal) > 0 {
			if other := legal[rng.IntN(len(legal))]; !fillsEye(p, other) {
				move = other
			}
		}
		next, err := weiqi.Rules{}.Play(p, move)
		if err != nil || next.Over() {
			break
		}
		p = next
	}
	return p
}
