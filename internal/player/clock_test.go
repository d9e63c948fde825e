package player

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/nogo"
)

// The delay of a player depends on the work it does between two looks at the
// clock. These tests count that work, with clocks that have run out before the
// start. They measure no time.

func TestEndgamesLookAtTheClock(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	e := newTestEndgame(t)
	stopped := 0
	for range 200 {
		g := newStart(randomPosition(random, board.Size{Rows: 9, Cols: 9}, 20+random.IntN(16)), board.Black)
		if g.lay(); g.sheet == nil {
			continue
		}
		e.until = time.Now().Add(-time.Hour)
		known, _ := e.decide(g.terrain, g.sheet, &g.field, g.candidates, g.toPlay, 0)
		if e.nodes > lookEvery {
			t.Fatalf("%d nodes after the time was up", e.nodes)
		}
		if e.spent && known == game.Unknown {
			stopped++
		}
	}
	if stopped < 20 {
		t.Errorf("only %d endgames were stopped: the positions are too easy for this test", stopped)
	}
}

func TestTreesLookAtTheClock(t *testing.T) {
	size := board.Size{Rows: 9, Cols: 9}
	random := rand.New(rand.NewPCG(9, 10))
	for _, threads := range []int{1, 3} {
		m, err := NewMCTS(size, TreeOptions{Threads: threads, Memory: 32 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		for _, p := range []nogo.Position{nogo.NewPosition(size), randomPosition(random, size, 60), randomPosition(random, size, 34), randomPosition(random, size, 24)} {
			choice, err := m.Move(context.Background(), p, board.Black, Budget{Time: 1})
			if err != nil {
				t.Fatal(err)
			}
			if most := threads * m.pace().clock; choice.Playouts > most {
				t.Errorf("%d playouts after the time was up, want at most %d", choice.Playouts, most)
			}
		}
	}
}
