package sums

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/nogo"
)

// oracle answers by playing everything out, one move of the rules at a time. It
// shares nothing with the solver but nogo.Position.Legal.
type oracle struct {
	won    map[plain]bool
	length map[limited]int
}

type plain struct {
	stones nogo.Stones
	toPlay board.Colour
	free   int
}

type limited struct {
	stones           nogo.Stones
	toPlay, attacker board.Colour
}

// never is longer than any game.
const never = 1000

func newOracle() *oracle {
	return &oracle{make(map[plain]bool), make(map[limited]int)}
}

// wins reports whether c, to move, wins. A positive free is the number of
// Black's free moves beside the board, a negative one that of White's.
func (o *oracle) wins(p nogo.Position, c board.Colour, free int) bool {
	key := plain{p.Small(), c, free}
	if known, ok := o.won[key]; ok {
		return known
	}
	won := false
	if c == board.Black && free > 0 {
		won = !o.wins(p, board.White, free-1)
	}
	if c == board.White && free < 0 {
		won = !o.wins(p, board.Black, free+1)
	}
	for at := range p.Legal(c).Points() {
		if won {
			break
		}
		won = !o.wins(with(p, c, at), c.Opponent(), free)
	}
	o.won[key] = won
	return won
}

// plies is the number of moves in which the attacker can force the opponent to
// be without one, or never.
func (o *oracle) plies(p nogo.Position, c, attacker board.Colour) int {
	key := limited{p.Small(), c, attacker}
	if known, ok := o.length[key]; ok {
		return known
	}
	legal := p.Legal(c)
	n := 0
	if c == attacker {
		n = never
	}
	for at := range legal.Points() {
		next := min(o.plies(with(p, c, at), c.Opponent(), attacker)+1, never)
		if c == attacker {
			n = min(n, next)
		} else {
			n = max(n, next)
		}
	}
	o.length[key] = n
	return n
}

// winner is the true answer to a query.
func (o *oracle) winner(q solver.Query) board.Colour {
	won := false
	if q.Limited {
		won = (o.plies(q.Position, q.ToPlay, q.Attacker) <= q.Plies) == (q.ToPlay == q.Attacker)
	} else {
		won = o.wins(q.Position, q.ToPlay, 0)
	}
	if won {
		return q.ToPlay
	}
	return q.ToPlay.Opponent()
}

// check compares the solver's answer, including the move, with the truth.
func (o *oracle) check(t *testing.T, s *Solver, q solver.Query) {
	t.Helper()
	answer, err := s.Solve(context.Background(), q)
	if err != nil {
		t.Fatalf("%v in %s", err, inWords(q))
	}
	if want := o.winner(q); answer.Winner != want {
		t.Fatalf("%s wins, not %s, in %s", want, answer.Winner, inWords(q))
	}
	if answer.Winner != q.ToPlay {
		if answer.Move != board.NoPoint {
			t.Fatalf("a move of the loser, %s, in %s", q.Position.Size.Name(answer.Move), inWords(q))
		}
		return
	}
	if !q.Position.Legal(q.ToPlay).Has(answer.Move) {
		t.Fatalf("the winning move %d is not legal in %s", answer.Move, inWords(q))
	}
	next := q
	next.Position = with(q.Position, q.ToPlay, answer.Move)
	next.ToPlay = q.ToPlay.Opponent()
	next.Plies--
	if o.winner(next) != q.ToPlay {
		t.Fatalf("the move %s does not win in %s", q.Position.Size.Name(answer.Move), inWords(q))
	}
}

// inWords describes a query for a failing test.
func inWords(q solver.Query) string {
	text := fmt.Sprintf("%s with %s to play", q.Position.Size, q.ToPlay)
	if q.Limited {
		text += fmt.Sprintf(", %s to win in %d", q.Attacker, q.Plies)
	}
	return text + ":\n" + q.Position.Size.Diagram(q.Position.Stones)
}

func with(p nogo.Position, c board.Colour, at board.Point) nogo.Position {
	p.Stones[c].Add(at)
	return p
}

// randomPosition plays up to the given number of moves, mostly in turn.
func randomPosition(size board.Size, moves int, rng *rand.Rand) nogo.Position {
	p := nogo.NewPosition(size)
	c := board.Colour(rng.Intn(2))
	for range moves {
		legal := p.Legal(c)
		if legal.IsEmpty() {
			break
		}
		p = with(p, c, pick(legal, rng))
		if rng.Intn(5) > 0 {
			c = c.Opponent()
		}
	}
	return p
}

func pick(set board.Set, rng *rand.Rand) board.Point {
	k := rng.Intn(set.Len())
	for p := range set.Points() {
		if k == 0 {
			return p
		}
		k--
	}
	return board.NoPoint
}

// playable is the number of points open to anybody.
func playable(p nogo.Position) int {
	return p.Legal(board.Black).Union(p.Legal(board.White)).Len()
}

func parseSize(t testing.TB, text string) board.Size {
	t.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// newSolver is closed at the end of the test.
func newSolver(t testing.TB, size board.Size, o Options) *Solver {
	t.Helper()
	s, err := New(size, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
