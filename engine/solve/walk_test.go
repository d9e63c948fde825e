package solve_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/nogo"
	"tengen/proof"
)

// openProof solves a position and opens its certificate.
func openProof(t testing.TB, p nogo.Position, c board.Colour) *proof.Certificate {
	t.Helper()
	var file bytes.Buffer
	_, err := solve.NoGo(t.Context(), solve.Request{Position: p, ToPlay: c, CertificateTo: &file, Limits: small})
	if err != nil {
		t.Fatal(err)
	}
	opened, err := proof.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// small is plenty for the boards here.
var small = job.Limits{Memory: 1 << 20, Threads: 1}

// At every position of a proof that is walked through, the moves are what solving each
// move says: a winning reply of the winner, and every move of the loser, all losing.
func TestWalksAgreeWithSolvingEachMove(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, text := range []string{"2x4", "3x3", "1x8", "3x4"} {
		size, err := board.ParseSize(text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			p, c := nogo.NewPosition(size), board.Black
			for range 2 * i {
				moves := p.Legal(c)
				var list []board.Point
				for q := range moves.Points() {
					list = append(list, q)
				}
				if p, err = p.Play(c, list[rng.IntN(len(list))]); err != nil {
					t.Fatal(err)
				}
				c = c.Opponent()
			}
			certificate := openProof(t, p, c)
			root, err := certificate.Walk(t.Context(), nil, 2)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[board.Stones]bool{}
			agree(t, certificate, root, seen)
			if len(seen) < 2 {
				t.Errorf("only %d positions of %s were seen", len(seen), p)
			}
		}
	}
}

func agree(t *testing.T, c *proof.Certificate, n *proof.Node, seen map[board.Stones]bool) {
	t.Helper()
	if seen[n.Position.Stones] || len(seen) >= 40 {
		return
	}
	seen[n.Position.Stones] = true
	p := n.Position
	solved, err := solve.NoGo(t.Context(), solve.Request{Position: p, ToPlay: n.ToPlay, EachMove: true, Limits: small})
	if err != nil {
		t.Fatal(err)
	}
	if !solved.Winner.Is(c.Winner()) || n.Over() != (len(solved.Moves) == 0) {
		t.Fatalf("%s wins by the proof, %s by solving; over is %v:\n%s", c.Winner(), solved.Winner, n.Over(), p.Size.Diagram(p.Stones))
	}
	winners := map[board.Point]board.Colour{}
	for _, m := range solved.Moves {
		winners[m.Move] = m.Winner.Colour()
	}
	if n.ToPlay != c.Winner() && len(n.Children) > 0 && len(n.Children) != len(winners) {
		t.Errorf("the walk has %d of %d moves:\n%s", len(n.Children), len(winners), p.Size.Diagram(p.Stones))
	}
	for _, child := range n.Children {
		if winners[child.Move] != c.Winner() {
			t.Errorf("%s is won by %s:\n%s", child.Name(), winners[child.Move], p.Size.Diagram(p.Stones))
		}
		agree(t, c, child, seen)
	}
}

func TestAMoveThatLeavesTheProof(t *testing.T) {
	certificate := openProof(t, nogo.NewPosition(board.Size{Rows: 3, Cols: 4}), board.Black)
	moves, err := certificate.Size().ParsePoints("B2 B3 A1 A3 C1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = certificate.Walk(t.Context(), moves, 1)
	if err == nil || !strings.Contains(err.Error(), "move 2, B3, leaves the proof: there white plays C2") {
		t.Errorf("leaving the proof: %v", err)
	}
}
