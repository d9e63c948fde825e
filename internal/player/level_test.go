package player

import (
	"testing"

	"tengen/board"
	"tengen/game"
	"tengen/nogo"
)

// A drawn move has a good share, and is neither known to lose nor worse than
// a known win.
func TestLevelDraws(t *testing.T) {
	l := &level{evaluations: 1, warmth: 2, least: 0.1}
	share := func(s game.MoveStats) float64 { return s.Prior }
	for name, test := range map[string]struct {
		moves []game.MoveStats
		drawn int // number of the first moves that may be drawn
	}{
		"seldom":  {[]game.MoveStats{{Move: 0, Prior: 0.6}, {Move: 1, Prior: 0.3}, {Move: 2, Prior: 0.05}}, 2},
		"won":     {[]game.MoveStats{{Move: 0, Prior: 0.1, Known: game.Won}, {Move: 1, Prior: 0.9}}, 1},
		"lost":    {[]game.MoveStats{{Move: 0, Prior: 0.1}, {Move: 1, Prior: 0.9, Known: game.Lost}}, 1},
		"nothing": {[]game.MoveStats{{Move: 0, Prior: 0.5, Known: game.Lost}, {Move: 1, Prior: 0.5, Known: game.Lost}}, 2},
	} {
		seen := map[board.Point]int{}
		for seed := range uint64(100) {
			ch := game.Choice{Move: 0, Moves: test.moves}
			l.draw(&ch, share, random(seed))
			seen[ch.Move]++
		}
		for i := range test.moves {
			if drawn := seen[board.Point(i)] > 0; drawn != (i < test.drawn) {
				t.Errorf("%s: move %d is drawn %d times of 100", name, i, seen[board.Point(i)])
			}
		}
	}
}

// A level depends on the seed and the position, not on threads, on earlier
// moves or on the rest of the budget. Every move is one that the level may
// draw.
func TestLevelsRepeatThemselves(t *testing.T) {
	size := board.Size{Rows: 6, Cols: 6}
	network := func(seed uint64, threads int) *Network {
		m, err := NewNetwork(size, TreeOptions{Seed: seed, Threads: threads, Memory: 4 << 20})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		return m
	}
	a, again, other := network(1, 1), network(1, 2), network(2, 1)
	differ := 0
	for level := 1; level < 7; level++ {
		var played []board.Point
		p, c := nogo.NewPosition(size), board.Black
		for !p.Legal(c).IsEmpty() {
			choice, err := a.Move(t.Context(), p, c, Budget{Level: level})
			if err != nil || !p.Legal(c).Has(choice.Move) {
				t.Fatalf("level %d: %v in\n%s", level, err, size.Diagram(p.Stones))
			}
			if choice.Known == game.Unknown && choice.WinShare == 0 {
				t.Errorf("level %d: %s has no chance to win, but is not lost, in\n%s", level, size.Name(choice.Move), size.Diagram(p.Stones))
			}
			if len(played)%4 == 0 {
				same, err := again.Move(t.Context(), p, c, Budget{Playouts: 1 << 20, Level: level})
				if err != nil || same.Move != choice.Move {
					t.Errorf("level %d: %s and %s (%v) in\n%s", level, size.Name(choice.Move), size.Name(same.Move), err, size.Diagram(p.Stones))
				}
				if elsewhere, _ := other.Move(t.Context(), p, c, Budget{Level: level}); elsewhere.Move != choice.Move {
					differ++
				}
			}
			played = append(played, choice.Move)
			p.Stones[c].Add(choice.Move)
			c = c.Opponent()
		}
	}
	if differ == 0 {
		t.Error("another seed, the same games throughout")
	}
	p := nogo.NewPosition(size)
	for _, level := range []int{-1, Levels + 1} {
		if _, err := a.Move(t.Context(), p, board.Black, Budget{Level: level}); err == nil {
			t.Errorf("level %d is taken", level)
		}
	}
}

// mcts has levels too, on boards that the network does not know.
func TestLevelsOfMCTS(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	m, err := NewMCTS(size, TreeOptions{Threads: 1, Memory: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	first := map[board.Point]bool{}
	for range 20 {
		choice, err := m.Move(t.Context(), nogo.NewPosition(size), board.Black, Budget{Level: 1})
		if err != nil || choice.Playouts > playoutsPerEvaluation {
			t.Fatalf("%+v, %v", choice, err)
		}
		first[choice.Move] = true
	}
	if len(first) < 2 {
		t.Error("twenty games begin with the same move")
	}
}
