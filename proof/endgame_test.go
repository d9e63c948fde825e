package proof

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/nogo"
)

// brute decides positions by plain search with only the rules and an exact
// table. It is the reference of this package's tests.
type brute struct {
	grid  nogo.Grid
	known [2]map[nogo.Stones]bool
}

func newBrute(size board.Size) *brute {
	return &brute{nogo.NewGrid(size), [2]map[nogo.Stones]bool{{}, {}}}
}

func (b *brute) legal(s nogo.Stones, c board.Colour) uint64 {
	black, white := b.grid.Legal(s)
	return [2]uint64{black, white}[c]
}

func (b *brute) wins(s nogo.Stones, c board.Colour) bool {
	if w, ok := b.known[c][s]; ok {
		return w
	}
	_, w := b.move(s, c)
	b.known[c][s] = w
	return w
}

func (b *brute) move(s nogo.Stones, c board.Colour) (uint64, bool) {
	for rest := b.legal(s, c); rest != 0; rest &= rest - 1 {
		if p := rest & -rest; !b.wins(s.Play(c, p), c.Opponent()) {
			return p, true
		}
	}
	return 0, false
}

// longest is the largest number of moves c can make when the opponent may pass
// and both work together. most must never be less.
func longest(g nogo.Grid, s nogo.Stones, c board.Colour, seen map[nogo.Stones]int) int {
	if n, ok := seen[s]; ok {
		return n
	}
	n := 0
	black, white := g.Legal(s)
	for y, rest := range [2]uint64{black, white} {
		for ; rest != 0; rest &= rest - 1 {
			gain := 0
			if board.Colour(y) == c {
				gain = 1
			}
			n = max(n, gain+longest(g, s.Play(board.Colour(y), rest&-rest), c, seen))
		}
	}
	seen[s] = n
	return n
}

// guaranteed is the number of moves c can make against an opponent who may make
// any number of moves between two of c's. sure must never exceed it.
func guaranteed(g nogo.Grid, s nogo.Stones, c board.Colour, seen map[nogo.Stones]int) int {
	if n, ok := seen[s]; ok {
		return n
	}
	black, white := g.Legal(s)
	legal := [2]uint64{black, white}
	n := 0
	for rest := legal[c]; rest != 0; rest &= rest - 1 {
		n = max(n, 1+guaranteed(g, s.Play(c, rest&-rest), c, seen))
	}
	for rest := legal[c^1]; rest != 0; rest &= rest - 1 {
		n = min(n, guaranteed(g, s.Play(c^1, rest&-rest), c, seen))
	}
	seen[s] = n
	return n
}

func sizeOf(t testing.TB, text string) board.Size {
	t.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// scatter plays random moves of random colours until at most playable points
// are open to somebody.
func scatter(rng *rand.Rand, g nogo.Grid, playable int) nogo.Stones {
	var s nogo.Stones
	for {
		black, white := g.Legal(s)
		if bits.OnesCount64(black|white) <= playable {
			return s
		}
		c := board.Colour(rng.IntN(2))
		legal := [2]uint64{black, white}[c]
		if legal == 0 {
			continue
		}
		for range rng.IntN(bits.OnesCount64(legal)) {
			legal &= legal - 1
		}
		s = s.Play(c, legal&-legal)
	}
}

// everyPosition yields every legal position of a board, even if alternating
// moves cannot reach it.
func everyPosition(size board.Size, yield func(nogo.Stones)) {
	c := newCoder(size)
	for k := range c.limit.lo {
		s := c.decode(code{lo: k})
		if c.position(s).Validate() == nil {
			yield(s)
		}
	}
}

func diagram(size board.Size, s nogo.Stones) string {
	return size.Diagram(board.Stones{{s[0]}, {s[1]}})
}

var colours = []board.Colour{board.Black, board.White}

func TestSurveyReadsTheRules(t *testing.T) {
	for _, text := range []string{"3x3", "2x5", "1x9"} {
		size := sizeOf(t, text)
		g := nogo.NewGrid(size)
		var v survey
		everyPosition(size, func(s nogo.Stones) {
			v.read(g, s)
			if black, white := g.Legal(s); v.legal != [2]uint64{black, white} {
				t.Fatalf("legal points differ from the rules:\n%s", diagram(size, s))
			}
		})
	}
}

func TestSurveyFollowsMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, text := range []string{"5x5", "3x9", "1x63", "7x7"} {
		size := sizeOf(t, text)
		g := nogo.NewGrid(size)
		for range 50 {
			var v, next, fresh survey
			for v.read(g, nogo.Stones{}); v.legal[0]|v.legal[1] != 0; v = next {
				c := board.Colour(rng.IntN(2))
				if v.legal[c] == 0 {
					c ^= 1
				}
				point := v.legal[c]
				for range rng.IntN(bits.OnesCount64(point)) {
					point &= point - 1
				}
				next.play(g, &v, c, point&-point)
				fresh.read(g, next.stones)
				for _, view := range []*survey{&next, &fresh} {
					for y := range 2 {
						slices.Sort(view.liberties[y][:view.blocks[y]])
						clear(view.liberties[y][view.blocks[y]:])
					}
				}
				if next != fresh {
					t.Fatalf("a survey carried along differs from a fresh one:\n%s", diagram(size, next.stones))
				}
			}
		}
	}
}

func TestBoundsAreSound(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread alone: not in short mode")
	}
	for _, text := range []string{"3x3", "2x5", "1x10", "5x2"} {
		size := sizeOf(t, text)
		g := nogo.NewGrid(size)
		var v survey
		for _, c := range colours {
			high, low := map[nogo.Stones]int{}, map[nogo.Stones]int{}
			everyPosition(size, func(s nogo.Stones) {
				v.read(g, s)
				if sure, truth := v.assets(g, c).sure, guaranteed(g, s, c, low); sure > truth {
					t.Fatalf("%v: %d sure moves, only %d are guaranteed:\n%s", c, sure, truth, diagram(size, s))
				}
				if most, truth := v.most(g, c, 0), longest(g, s, c, high); most < truth {
					t.Fatalf("%v: at most %d moves, but %d are possible:\n%s", c, most, truth, diagram(size, s))
				}
			})
		}
	}
}

func TestJudgeIsSound(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread alone: not in short mode")
	}
	for _, text := range []string{"3x3", "3x4", "2x6", "1x11"} {
		size := sizeOf(t, text)
		b := newBrute(size)
		var v survey
		decided, all := 0, 0
		everyPosition(size, func(s nogo.Stones) {
			v.read(b.grid, s)
			for _, c := range colours {
				all++
				r, _ := v.judge(b.grid, c)
				if r == unknown {
					continue
				}
				decided++
				if (r == won) != b.wins(s, c) {
					t.Fatalf("%v to move: judged %v, the truth is %v:\n%s", c, r == won, b.wins(s, c), diagram(size, s))
				}
			}
		})
		t.Logf("%s: %d of %d positions decided by counting", text, decided, all)
	}
}

func TestJudgeIsSoundLate(t *testing.T) {
	alone(t)
	rng := rand.New(rand.NewPCG(15, 16))
	for _, text := range []string{"4x4", "4x5", "5x5", "3x9", "1x30"} {
		size := sizeOf(t, text)
		var v survey
		for range longtest.Times(200, 400) {
			b := newBrute(size)
			s := scatter(rng, b.grid, 1+rng.IntN(9))
			v.read(b.grid, s)
			for _, c := range colours {
				if r, _ := v.judge(b.grid, c); r != unknown && (r == won) != b.wins(s, c) {
					t.Fatalf("%v to move: judged %v, the truth is %v:\n%s", c, r == won, b.wins(s, c), diagram(size, s))
				}
			}
		}
	}
}

// manyNodes is a limit at which the search is long enough to be tested.
const manyNodes = 2000

// TestEndgameSignature checks that files stay checkable: every later checker
// must find within the limit what a writer left to the search.
func TestEndgameSignature(t *testing.T) {
	alone(t)
	rng := rand.New(rand.NewPCG(17, 18))
	nodes, results := 0, [3]int{}
	for _, text := range []string{"4x4", "3x7", "5x5", "1x25"} {
		g := nogo.NewGrid(sizeOf(t, text))
		e := newEndgame(g, manyNodes)
		for i := range 100 {
			results[e.solve(scatter(rng, g, 8+i%8), board.Colour(i&1))]++
			nodes += e.nodes
		}
	}
	if want, wantResults := 175408, [3]int{53, 227, 120}; nodes != want || results != wantResults {
		t.Errorf("%d nodes and results %v, version %d of the format has %d and %v: a search that walks differently needs a new version",
			nodes, results, version, want, wantResults)
	}
}

func TestEndgameEqualsBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread alone: not in short mode")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, text := range []string{"3x4", "2x7", "1x14", "4x4", "3x5", "4x5", "5x5", "3x9"} {
		size := sizeOf(t, text)
		e := newEndgame(nogo.NewGrid(size), MaxEndgameNodes)
		for range longtest.Times(75, 150) {
			b := newBrute(size)
			s := scatter(rng, b.grid, 1+rng.IntN(12))
			for _, c := range colours {
				if r := e.solve(s, c); r == unknown || (r == won) != b.wins(s, c) {
					t.Fatalf("%v to move: endgame says %v, the truth is %v:\n%s", c, r, b.wins(s, c), diagram(size, s))
				}
			}
		}
	}
}

func TestEndgameKeepsItsLimit(t *testing.T) {
	size := sizeOf(t, "4x4")
	e := newEndgame(nogo.NewGrid(size), 10)
	if r := e.solve(nogo.Stones{}, board.Black); r != unknown || e.nodes != 10 {
		t.Errorf("the empty 4x4 board with 10 nodes: outcome %d after %d nodes", r, e.nodes)
	}
}

func TestEndgameForgetsTheLastSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	size := sizeOf(t, "4x5")
	g := nogo.NewGrid(size)
	used := newEndgame(g, 100)
	for range 300 {
		s := scatter(rng, g, 14)
		fresh := newEndgame(g, 100)
		if a, b := used.solve(s, board.Black), fresh.solve(s, board.Black); a != b || used.nodes != fresh.nodes {
			t.Fatalf("a used search says %d after %d nodes, a fresh one %d after %d:\n%s", a, used.nodes, b, fresh.nodes, diagram(size, s))
		}
	}
}

// BenchmarkEndgame reports, for boards with n playable points left after random
// moves, the share that a limit of manyNodes decides, the nodes and the time per node.
func BenchmarkEndgame(b *testing.B) {
	for _, text := range []string{"5x5", "3x9", "4x6"} {
		for _, playable := range []int{8, 10, 12, 14, 16, 18} {
			b.Run(fmt.Sprintf("%s/playable=%d", text, playable), func(b *testing.B) {
				size := sizeOf(b, text)
				g := nogo.NewGrid(size)
				rng := rand.New(rand.NewPCG(5, uint64(playable)))
				positions := make([]nogo.Stones, 512)
				for i := range positions {
					positions[i] = scatterExactly(rng, g, playable)
				}
				e := newEndgame(g, manyNodes)
				nodes, decided := 0, 0
				b.ResetTimer()
				for i := range b.N {
					if e.solve(positions[i%len(positions)], board.Colour(i&1)) != unknown {
						decided++
					}
					nodes += e.nodes
				}
				b.ReportMetric(100*float64(decided)/float64(b.N), "%decided")
				b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(max(nodes, 1)), "ns/node")
			})
		}
	}
}

// scatterExactly plays in turn, as in games.
func scatterExactly(rng *rand.Rand, g nogo.Grid, playable int) nogo.Stones {
	for {
		var s nogo.Stones
		for c := board.Black; ; c ^= 1 {
			black, white := g.Legal(s)
			if n := bits.OnesCount64(black | white); n == playable {
				return s
			} else if n < playable {
				break
			}
			legal := [2]uint64{black, white}[c]
			if legal == 0 {
				break
			}
			for range rng.IntN(bits.OnesCount64(legal)) {
				legal &= legal - 1
			}
			s = s.Play(c, legal&-legal)
		}
	}
}
