package player

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

// BenchmarkPlayout plays out empty boards, nothing else.
func BenchmarkPlayout(b *testing.B) {
	for _, text := range []string{"5x5", "9x9", "19x19"} {
		b.Run(text, func(b *testing.B) {
			g := newStart(nogo.NewPosition(parseSize(b, text)), board.Black)
			p := new(playout)
			for b.Loop() {
				p.field.copy(&g.field, g.cells)
				p.fill(g.candidates)
				p.run(g.stride, 0)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
		})
	}
}

// BenchmarkSearch runs the whole tree search from empty boards on one thread.
func BenchmarkSearch(b *testing.B) {
	for _, text := range []string{"9x9", "19x19"} {
		b.Run(text, func(b *testing.B) {
			size := parseSize(b, text)
			playouts := 0
			for b.Loop() {
				m, err := NewMCTS(size, MCTSOptions{Threads: 1})
				if err != nil {
					b.Fatal(err)
				}
				choice, err := m.Move(b.Context(), nogo.NewPosition(size), board.Black, Budget{Playouts: 50_000})
				if err != nil {
					b.Fatal(err)
				}
				playouts += choice.Playouts
				m.Close()
			}
			b.ReportMetric(float64(playouts)/b.Elapsed().Seconds(), "playouts/s")
		})
	}
}

// BenchmarkEndgame decides random positions of 9×9 with few points left, each
// with an empty table.
func BenchmarkEndgame(b *testing.B) {
	for _, points := range []int{16, 20} {
		b.Run(strconv.Itoa(points), func(b *testing.B) {
			nodes := 0
			for b.Loop() {
				random := rand.New(rand.NewPCG(1, 1))
				for range 10 {
					e := newTestEndgame(b)
					g := newStart(randomPosition(random, board.Size{Rows: 9, Cols: 9}, points), board.Black)
					s, ok := newSheet(g.terrain, g.candidates)
					if !ok {
						b.Fatal("no sheet")
					}
					e.decide(g.terrain, s, &g.field, g.candidates, g.toPlay, 0)
					nodes += e.nodes
				}
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
		})
	}
}
