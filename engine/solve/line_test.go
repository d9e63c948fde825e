package solve_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/longtest"
	"tengen/internal/oracle"
	"tengen/nogo"
	"tengen/weiqi"
)

// Lines of Go from positions of random games: by the table every move keeps the score, and
// the game ends. Who loses passes where that costs nothing.
func TestLinesOfGoKeepTheScore(t *testing.T) {
	ownCache(t)
	for _, name := range []string{"3x3", "2x4"} {
		opened := cached(t, name)
		random := rand.New(rand.NewPCG(20, 0))
		for range 300 {
			begin := randomGo(random, emptyBoard(t, name))
			a, err := table.Probe(opened, begin, table.EndlessDrawn)
			if err != nil {
				t.Fatal(err)
			}
			p := begin
			for i, m := range a.Line {
				here, err := table.Probe(opened, p, table.EndlessDrawn)
				if err != nil {
					t.Fatal(err)
				}
				losing := here.Score != 0 && (here.Score < 0) == (p.ToPlay == board.Black)
				pass := slices.ContainsFunc(here.Moves, func(m table.Move) bool { return m.Move == weiqi.Pass && m.Score == here.Score })
				if losing && pass && m != weiqi.Pass {
					t.Fatalf("move %d of %s does not pass, which would cost nothing, in\n%s", i+1, names(begin, a.Line), p.Size.Diagram(p.Stones))
				}
				if here.Score != a.Score {
					t.Fatalf("after move %d of %s the score is %d, not %d, in\n%s", i, names(begin, a.Line), here.Score, a.Score, p.Size.Diagram(p.Stones))
				}
				if p, err = (weiqi.Rules{}).Play(p, m); err != nil {
					t.Fatal(err)
				}
			}
			if !a.Round && (!p.Over() || p.Score() != a.Score) {
				t.Fatalf("%s does not end with %d, from\n%s", names(begin, a.Line), a.Score, p.Size.Diagram(begin.Stones))
			}
		}
	}
}

func randomGo(random *rand.Rand, p weiqi.Position) weiqi.Position {
	for range random.IntN(12) {
		legal := append(slices.Collect((weiqi.Rules{}).Legal(p).Points()), weiqi.Pass)
		next, err := (weiqi.Rules{}).Play(p, legal[random.IntN(len(legal))])
		if err != nil || next.Over() {
			break
		}
		p = next
	}
	return p
}

func names(p weiqi.Position, line []board.Point) string {
	return strings.Join(game.MoveNames(p.Size, line), " ")
}

// The centre of 3x3 takes everything, and White does not throw stones in after it.
func TestTheLineOfAHopelessGame(t *testing.T) {
	ownCache(t)
	opened := cached(t, "3x3")
	a, err := table.Probe(opened, emptyBoard(t, "3x3"), table.EndlessDrawn)
	if got := names(emptyBoard(t, "3x3"), a.Line); err != nil || got != "B2 pass pass" {
		t.Errorf("the line is %s (%v)", got, err)
	}
	if a, err = table.ProbeStubborn(opened, emptyBoard(t, "3x3"), table.EndlessDrawn); err != nil || len(a.Line) != a.Distance || a.Distance != 15 {
		t.Errorf("the stubborn line is %s, %d moves (%v)", names(emptyBoard(t, "3x3"), a.Line), a.Distance, err)
	}
}

// Lines of NoGo from positions of random games: by brute force every move keeps the
// winner, and where the length is known the winner takes the shortest way.
func TestLinesOfNoGoKeepTheWinner(t *testing.T) {
	longtest.Alone(t)
	random := rand.New(rand.NewPCG(20, 1))
	size := board.Size{Rows: 3, Cols: 4}
	memo := map[board.Colour]oracle.Memo{board.Black: {}, board.White: {}}
	wins := func(p nogo.Position, toPlay, attacker board.Colour, plies int) bool {
		return oracle.WinsWithin(p, toPlay, attacker, plies, memo[attacker])
	}
	for range 40 {
		p, c := nogo.NewPosition(size), board.Black
		for range random.IntN(6) {
			legal := slices.Collect(p.Legal(c).Points())
			if len(legal) == 0 {
				break
			}
			p.Stones[c].Add(legal[random.IntN(len(legal))])
			c = c.Opponent()
		}
		for _, stubborn := range []bool{false, true} {
			r, err := solve.NoGo(t.Context(), solve.Request{Position: p, ToPlay: c, Stubborn: stubborn, Limits: job.Limits{Memory: testMemory, Threads: 1}})
			if err != nil {
				t.Fatal(err)
			}
			checkLine(t, r)
			at, toPlay := p, c
			for i, m := range r.Line {
				at.Stones[toPlay].Add(m)
				toPlay = toPlay.Opponent()
				if !wins(at, toPlay, r.Winner.Colour(), size.Points()) {
					t.Fatalf("move %d of %v gives the win of %s away, in\n%s", i+1, game.MoveNames(size, r.Line), r.Winner, size.Diagram(p.Stones))
				}
			}
			short := p.Legal(board.Black).Union(p.Legal(board.White)).Len() <= 10
			if n := len(r.Line); !stubborn && short && (!wins(p, c, r.Winner.Colour(), n) || n > 0 && wins(p, c, r.Winner.Colour(), n-1)) {
				t.Errorf("%v is not the length of best play in\n%s", game.MoveNames(size, r.Line), size.Diagram(p.Stones))
			}
		}
	}
}
