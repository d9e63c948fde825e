package tiny_test

import (
	"math/bits"
	"math/rand"
	"testing"

	"tengen/board"
	"tengen/internal/region"
	"tengen/internal/region/tiny"
	"tengen/nogo"
)

var sizes = []string{"1x6", "1x12", "2x5", "2x9", "3x4", "3x7", "4x4", "4x5", "5x5", "5x6", "7x3"}

// Every position of random games with at most eight points is decided as by the rules
// alone, with both sides to move and up to three free moves for either.
func TestWinsAgreesWithTheRules(t *testing.T) {
	asked := 0
	for _, text := range sizes {
		size := parseSize(t, text)
		layout := region.NewLayout(size)
		rng := rand.New(rand.NewSource(1))
		known := make(rules)
		for range 60 {
			for p := nogo.NewPosition(size); grow(&p, rng); {
				r := region.Of(layout.Grid, layout.Stones(p))
				if bits.OnesCount64(r.Points()) > tiny.MaxPoints {
					continue
				}
				var s tiny.Sum
				if !addParts(&s, layout.Grid, &r) {
					continue // too many blocks
				}
				for free := -3; free <= 3; free++ {
					for c := range board.Colour(2) {
						asked++
						if got, want := s.Wins(c, free), known.wins(p, c, free); got != want {
							t.Fatalf("%s to move with %d free moves more, on\n%swins %t, by the rules %t", c, free, size.Diagram(p.Stones), got, want)
						}
					}
				}
			}
		}
	}
	t.Logf("%d questions", asked)
	if asked < 10_000 {
		t.Errorf("only %d questions", asked)
	}
}

// Sums of regions from different games of one board are decided as by playing on the
// regions.
func TestSumsAgreeWithPlayingOnRegions(t *testing.T) {
	for _, text := range sizes {
		size := parseSize(t, text)
		layout := region.NewLayout(size)
		rng := rand.New(rand.NewSource(2))
		pool := smallRegions(size, layout, rng)
		asked, full := 0, 0
		for range 300 {
			var s tiny.Sum
			var parts []region.Region
			for range 1 + rng.Intn(3) {
				parts = append(parts, pool[rng.Intn(len(pool))])
			}
			if !add(&s, layout.Grid, parts) {
				full++
				continue
			}
			free, c := rng.Intn(5)-2, board.Colour(rng.Intn(2))
			asked++
			if got, want := s.Wins(c, free), playedOut(layout.Grid, parts, c, free); got != want {
				t.Fatalf("%s: %s to move with %d free moves more wins %t, played out %t: %+v", size, c, free, got, want, parts)
			}
		}
		if asked < 100 {
			t.Errorf("%s: only %d sums, %d did not fit", size, asked, full)
		}
	}
}

// A sum that does not fit is refused, and Clear makes room.
func TestAddRefusesWhatDoesNotFit(t *testing.T) {
	layout := region.NewLayout(parseSize(t, "3x3"))
	whole := region.Of(layout.Grid, nogo.Stones{})
	var s tiny.Sum
	if s.Add(layout.Grid, &whole) {
		t.Error("nine points were accepted")
	}
	layout = region.NewLayout(parseSize(t, "2x4"))
	whole = region.Of(layout.Grid, nogo.Stones{})
	s.Clear()
	if !s.Add(layout.Grid, &whole) {
		t.Error("eight points were refused")
	}
	if s.Add(layout.Grid, &whole) {
		t.Error("sixteen points were accepted")
	}
	s.Clear()
	if !s.Add(layout.Grid, &whole) || s.Wins(board.Black, 0) { // White wins 2×4
		t.Error("after Clear the empty board of 2×4 is not White's")
	}
}

func BenchmarkWins(b *testing.B) {
	size := board.Size{Rows: 4, Cols: 5}
	layout := region.NewLayout(size)
	pool := smallRegions(size, layout, rand.New(rand.NewSource(3)))
	var sums []tiny.Sum
	for i := range pool {
		var s tiny.Sum
		if bits.OnesCount64(pool[i].Points()) == tiny.MaxPoints && s.Add(layout.Grid, &pool[i]) {
			sums = append(sums, s)
		}
	}
	i := 0
	for b.Loop() {
		sums[i%len(sums)].Wins(board.Black, 0)
		i++
	}
}

// smallRegions are connected regions of two to eight points from random games.
func smallRegions(size board.Size, layout region.Layout, rng *rand.Rand) []region.Region {
	var pool []region.Region
	for range 300 {
		for p := nogo.NewPosition(size); grow(&p, rng); {
			whole := region.Of(layout.Grid, layout.Stones(p))
			for _, r := range split(layout.Grid, &whole) {
				if n := bits.OnesCount64(r.Points()); n > 1 && n <= tiny.MaxPoints {
					pool = append(pool, r)
				}
			}
		}
	}
	return pool
}

func add(s *tiny.Sum, g nogo.Grid, parts []region.Region) bool {
	for i := range parts {
		if !s.Add(g, &parts[i]) {
			return false
		}
	}
	return true
}

func addParts(s *tiny.Sum, g nogo.Grid, r *region.Region) bool { return add(s, g, split(g, r)) }

func split(g nogo.Grid, r *region.Region) (parts []region.Region) {
	for rest := r.Points(); rest != 0; {
		points := r.Component(g, rest)
		rest &^= points
		var part region.Region
		r.Part(points, &part)
		parts = append(parts, part)
	}
	return parts
}

// playedOut decides a sum by moves on its regions.
func playedOut(g nogo.Grid, parts []region.Region, c board.Colour, free int) bool {
	for i := range parts {
		for rest := parts[i].Open[c]; rest != 0; rest &= rest - 1 {
			next := append([]region.Region(nil), parts...)
			parts[i].Play(g, c, rest&-rest, &next[i])
			if !playedOut(g, next, c^1, -free) {
				return true
			}
		}
	}
	return free > 0 && !playedOut(g, parts, c^1, 1-free)
}

// rules remembers positions decided by the rules of NoGo and free moves.
type rules map[question]bool

type question struct {
	position nogo.Position
	toPlay   board.Colour
	free     int
}

func (known rules) wins(p nogo.Position, c board.Colour, free int) bool {
	key := question{p, c, free}
	if won, ok := known[key]; ok {
		return won
	}
	won := free > 0 && !known.wins(p, c^1, 1-free)
	for at := range p.Legal(c).Points() {
		if won {
			break
		}
		next := p
		next.Stones[c].Add(at)
		won = !known.wins(next, c^1, -free)
	}
	known[key] = won
	return won
}

// grow makes a random move of either colour, and reports whether there was one.
func grow(p *nogo.Position, rng *rand.Rand) bool {
	c := board.Colour(rng.Intn(2))
	legal := p.Legal(c)
	if legal.IsEmpty() {
		return false
	}
	k := rng.Intn(legal.Len())
	for at := range legal.Points() {
		if k == 0 {
			p.Stones[c].Add(at)
		}
		k--
	}
	return true
}

func parseSize(tb testing.TB, text string) board.Size {
	tb.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		tb.Fatal(err)
	}
	return size
}
