package solve_test

import (
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/nogo"
)

// brutely is how a game ends by brute force: who wins, and after how many moves if the
// winner hurries and the loser does not.
type brutely struct {
	winner board.Colour
	moves  int
}

func endsBrutely(p nogo.Position, c board.Colour, memo map[board.Stones]brutely) brutely {
	if e, ok := memo[p.Stones]; ok {
		return e
	}
	end := brutely{c.Opponent(), 0}
	for q := range p.Legal(c).Points() {
		next, _ := p.Play(c, q)
		e := endsBrutely(next, c.Opponent(), memo)
		e.moves++
		switch {
		case e.winner == c && (end.winner != c || e.moves < end.moves), end.winner != c && e.winner != c && e.moves > end.moves:
			end = e
		}
	}
	memo[p.Stones] = end
	return end
}

// Every first move of some boards: the answer and the shortest refutation are those of
// brute force, and the line and the tree around it are legal play.
func TestWhyFindsTheShortestRefutation(t *testing.T) {
	for _, text := range []string{".../.../...", "..../....", "........", "x.../.o../...."} {
		p, err := nogo.ParsePosition(text)
		if err != nil {
			t.Fatal(err)
		}
		memo := map[board.Stones]brutely{}
		for _, method := range []solve.Method{solve.Sums, solve.SBH} {
			for move := range p.Legal(board.Black).Points() {
				r, err := solve.NoGo(t.Context(), solve.Request{Position: p, Method: method, Why: &solve.Why{Move: move, Rounds: 1}, Limits: small})
				if err != nil {
					t.Fatal(err)
				}
				next, _ := p.Play(board.Black, move)
				want := endsBrutely(next, board.White, memo)
				why := r.Why
				if !why.Winner.Is(want.winner) {
					t.Fatalf("%s after %s: %s wins, by brute force %s", text, p.Size.Name(move), why.Winner, want.winner)
				}
				if end, c, err := p.PlayAll(board.Black, why.Line); err != nil || !end.Legal(c).IsEmpty() || c == want.winner {
					t.Errorf("%s: the line %v does not end the game: %v", text, why.Line, err)
				}
				if want.winner == board.Black {
					if why.Tree != nil || why.Shortest {
						t.Errorf("%s: %s wins and is refuted", text, p.Size.Name(move))
					}
					continue
				}
				if !why.Shortest || why.Length != want.moves || len(why.Line) != want.moves+1 || why.Tree.Left != want.moves {
					t.Errorf("%s after %s by %s: %d moves and line %v, by brute force %d", text, p.Size.Name(move), method, why.Length, why.Line, want.moves)
				}
				for _, reply := range why.Tree.Children[0].Children {
					after := reply.Position
					if e := endsBrutely(after, board.White, memo); e.moves != reply.Left || e.winner != board.White {
						t.Errorf("%s: after %s %d moves are left, by brute force %d", text, reply.Name(), reply.Left, e.moves)
					}
				}
			}
		}
	}
}

func TestWhyIsRefused(t *testing.T) {
	p := nogo.NewPosition(board.Size{Rows: 2, Cols: 2})
	p.Stones[board.White].Add(0)
	for _, c := range []struct {
		request solve.Request
		want    string
	}{
		{solve.Request{Position: p, Why: &solve.Why{Move: 0}}, "the point is occupied"},
		{solve.Request{Position: p, Why: &solve.Why{Move: 1}, Within: &solve.Within{Moves: 3}}, "cannot be combined with a limit"},
		{solve.Request{Position: nogo.NewPosition(board.Size{Rows: 40, Cols: 1}), Why: &solve.Why{}}, "ask about the row, 1x40"},
	} {
		if _, err := solve.NoGo(t.Context(), c.request); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
