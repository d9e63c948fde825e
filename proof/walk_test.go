package proof

import (
	"errors"
	"math/rand/v2"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

// A walk to the end lists every move of the loser and one winning reply of
// the winner, with the right basis of the reply.
func TestWalkToTheEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, text := range []string{"2x4", "3x3", "1x9", "4x4", "7x7"} {
		size := sizeOf(t, text)
		for i := range 6 {
			b := newBrute(size)
			s := scatter(rng, b.grid, 1+rng.IntN(7))
			c := prove(t, b, newCoder(size).position(s), board.Colour(i&1), []int{1, 5, 100}[i%3])
			root, err := Walk{Guide: c.Guide(), Winner: c.Winner(), Rounds: size.Points()}.From(t.Context(), c.Root(), c.ToPlay())
			if err != nil {
				t.Fatalf("%v:\n%s", err, diagram(size, s))
			}
			checkNode(t, b, c, root)
		}
	}
}

func checkNode(t *testing.T, b *brute, c *Certificate, n *Node) {
	t.Helper()
	p := n.Position
	if n.ToPlay != c.Winner() {
		legal := p.Legal(n.ToPlay)
		if len(n.Children) != legal.Len() && n.Like == board.NoPoint && len(n.Children) > 0 {
			t.Fatalf("%d of %d moves of the loser:\n%s", len(n.Children), legal.Len(), p.Size.Diagram(p.Stones))
		}
	} else {
		if len(n.Children) != 1 {
			t.Fatalf("%d replies of the winner:\n%s", len(n.Children), p.Size.Diagram(p.Stones))
		}
		reply := n.Children[0]
		if _, listed := c.Lookup(p, n.ToPlay); listed != (reply.By == ByEntry) {
			t.Errorf("a reply by %q where listed is %v:\n%s", reply.By, listed, p.Size.Diagram(p.Stones))
		}
		if b.wins(reply.Position.Small(), reply.ToPlay) {
			t.Errorf("the reply %s loses:\n%s", p.Size.Name(reply.Move), p.Size.Diagram(p.Stones))
		}
	}
	for _, child := range n.Children {
		if next, err := p.Play(n.ToPlay, child.Move); err != nil || next != child.Position {
			t.Fatalf("%s does not lead to its position: %v", p.Size.Name(child.Move), err)
		}
		if child.Like != board.NoPoint {
			alike, err := p.Play(n.ToPlay, child.Like)
			a, _ := c.coder.canonical(alike.Small())
			if z, _ := c.coder.canonical(child.Position.Small()); err != nil || a != z {
				t.Errorf("%s is not like %s", p.Size.Name(child.Move), p.Size.Name(child.Like))
			}
		}
		checkNode(t, b, c, child)
	}
}

func TestWalksThatCannotBe(t *testing.T) {
	size := sizeOf(t, "3x3")
	c := prove(t, newBrute(size), nogo.NewPosition(size), board.Black, 1)
	w := Walk{Guide: c.Guide(), Winner: c.Winner(), Rounds: 9, Most: 20}
	var large *TooLarge
	if _, err := w.From(t.Context(), c.Root(), c.ToPlay()); !errors.As(err, &large) || large.Most != 20 {
		t.Errorf("a long walk ends with %v", err)
	}
	// The loser is given as the winner.
	unsound := nogo.Position{Size: c.Size(), Stones: board.Stones{c.Size().Mask(), c.Size().Mask()}}
	if _, _, err := c.Guide().Reply(t.Context(), unsound); !errors.Is(err, ErrElsewhere) {
		t.Errorf("a reply in no position: %v", err)
	}
	if _, err := w.From(t.Context(), nogo.NewPosition(sizeOf(t, "4x4")), c.Winner()); !errors.Is(err, ErrElsewhere) {
		t.Errorf("another board: %v", err)
	}
}
