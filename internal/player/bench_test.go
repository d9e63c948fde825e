package player

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"tengen/board"
	"tengen/nogo"
)

// BenchmarkPlayout plays out empty boards, nothing else. Every second playout
// uses spending.
func BenchmarkPlayout(b *testing.B) {
	for _, text := range []string{"5x5", "9x9", "19x19"} {
		b.Run(text, func(b *testing.B) {
			g := newStart(nogo.NewPosition(parseSize(b, text)), board.Black)
			p := new(playout)
			for i := 0; b.Loop(); i++ {
				p.field.copy(&g.field, g.cells)
				p.fill(g.candidates)
				if i%2 == 0 {
					p.spend(g.stride)
				}
				p.run(g.stride, 0, [2]uint16{})
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
				m, err := NewMCTS(size, TreeOptions{Threads: 1})
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

// BenchmarkClock plays games of short moves and reports by how much the slowest
// and the average move missed the time.
func BenchmarkClock(b *testing.B) {
	const each = 20 * time.Millisecond
	size := board.Size{Rows: 9, Cols: 9}
	var worst, total time.Duration
	moves := 0
	for b.Loop() {
		m, err := NewMCTS(size, TreeOptions{Threads: 1})
		if err != nil {
			b.Fatal(err)
		}
		p, c := nogo.NewPosition(size), board.Black
		for {
			begin := time.Now()
			choice, err := m.Move(b.Context(), p, c, Budget{Time: each})
			if err != nil {
				break
			}
			late := max(time.Since(begin)-each, 0)
			worst, total, moves = max(worst, late), total+late, moves+1
			p.Stones[c].Add(choice.Move)
			c = c.Opponent()
		}
		m.Close()
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms-late-worst")
	b.ReportMetric(float64(total.Microseconds())/1000/float64(moves), "ms-late")
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
					nodes += int(e.nodes)
				}
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
		})
	}
}
