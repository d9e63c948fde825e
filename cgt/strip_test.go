package cgt_test

import (
	"bytes"
	"testing"

	"tengen/cgt"
	"tengen/internal/longtest"
)

// strips values positions of linear NoGo, the games this package is made for, by
// the rules alone. A reduced position is a string of x, o and '.'. After every
// move it is a sum of reduced positions.
type strips struct {
	tb     testing.TB
	arena  *cgt.Arena
	values map[string]cgt.Game
}

func newStrips(tb testing.TB) *strips {
	return &strips{tb, cgt.New(cgt.Limits{}), make(map[string]cgt.Game)}
}

// reduced writes the reduced position with n empty points and this code: a digit
// to base 3 for each gap, 0 for no stone, 1 for x and 2 for o.
func reduced(n, code int) []byte {
	text := make([]byte, 0, 2*n+1)
	weight := 1
	for range n {
		weight *= 3
	}
	for i := range n + 1 {
		if d := code / weight % 3; d > 0 {
			text = append(text, " xo"[d])
		}
		if i < n {
			text = append(text, '.')
		}
		weight /= 3
	}
	return text
}

func (s *strips) value(strip []byte) cgt.Game {
	if g, ok := s.values[string(strip)]; ok {
		return g
	}
	var options [2][]cgt.Game
	next := make([]byte, 0, len(strip))
	for i, point := range strip {
		if point != '.' {
			continue
		}
		for p, stone := range []byte("xo") {
			next = append(next[:0], strip...)
			next[i] = stone
			if legal(next) {
				options[p] = append(options[p], s.sum(next))
			}
		}
	}
	g, err := s.arena.Make(options[0], options[1])
	if err != nil {
		s.tb.Fatal(err)
	}
	s.values[string(strip)] = g
	return g
}

// legal reports whether every block has a liberty.
func legal(strip []byte) bool {
	for i := 0; i < len(strip); {
		j := i + 1
		for j < len(strip) && strip[j] == strip[i] {
			j++
		}
		if strip[i] != '.' && (i == 0 || strip[i-1] != '.') && (j == len(strip) || strip[j] != '.') {
			return false
		}
		i = j
	}
	return true
}

// sum reduces a position and adds up its parts.
func (s *strips) sum(strip []byte) cgt.Game {
	total := cgt.Game(0)
	part := make([]byte, 0, len(strip))
	flush := func() {
		g, err := s.arena.Add(total, s.value(part))
		if err != nil {
			s.tb.Fatal(err)
		}
		total = g
		part = part[:0]
	}
	for i, point := range strip {
		if i > 0 && point != '.' && strip[i-1] == point {
			continue
		}
		if i > 0 && point != '.' && strip[i-1] != '.' {
			flush()
		}
		part = append(part, point)
	}
	flush()
	return total
}

// all values every reduced position with n empty points.
func (s *strips) all(n int) {
	codes := 3
	for range n {
		codes *= 3
	}
	for code := range codes {
		s.value(reduced(n, code))
	}
}

func (s *strips) upTo(n int) {
	for i := range n {
		s.all(i + 1)
	}
}

// Table 1 of Du and Müller, Solving Linear NoGo with Combinatorial Game Theory:
// the most frequent values of the reduced positions with at most 8 empty points,
// the simplest positions that have them, and their occurrences.
func TestFrequentStrips(t *testing.T) {
	s := newStrips(t)
	s.upTo(8)
	count := make(map[cgt.Game]int)
	for _, g := range s.values {
		count[g]++
	}
	for _, c := range []struct {
		strip, value string
		occurrences  int
	}{
		{".x.x.o.", "1*", 481},
		{"..", "*", 457},
		{"...", "±1", 424},
		{"...x.o.", "±(1*)", 341},
		{"..x.x.", "{2|1}", 326},
		{".x.", "1", 310},
		{".x.x.x.", "3", 287},
		{".x.x.x.o.", "2*", 284},
		{".", "0", 282},
		{"..x.", "{1|0}", 268},
		{".x.x.", "2", 256},
	} {
		g := s.values[c.strip]
		if text := s.arena.String(g); text != c.value || count[g] != c.occurrences {
			t.Errorf("%s is %s and occurs %d times, want %s and %d", c.strip, text, count[g], c.value, c.occurrences)
		}
	}
}

// The same paper gives the size of the canonical form of the empty 1×16 board,
// the largest that CGSuite could compute there.
func TestEmptyBoard16(t *testing.T) {
	longtest.Skip(t)
	s := newStrips(t)
	g := s.value(bytes.Repeat([]byte("."), 16))
	if n := s.arena.StopCount(g); n != 1201194 {
		t.Errorf("%d stops, want 1201194", n)
	}
}

// The outcome of every strip with at most 6 points agrees with playing it out.
func TestStripOutcomes(t *testing.T) {
	s := newStrips(t)
	s.upTo(6)
	known := make(map[string]bool)
	var wins func(strip []byte, p int) bool
	wins = func(strip []byte, p int) bool {
		key := string("xo"[p]) + string(strip)
		won, seen := known[key]
		for i := 0; i < len(strip) && !seen && !won; i++ {
			if strip[i] == '.' {
				next := bytes.Clone(strip)
				next[i] = "xo"[p]
				won = legal(next) && !wins(next, 1-p)
			}
		}
		known[key] = won
		return won
	}
	for text, g := range s.values {
		strip := []byte(text)
		if got, want := s.arena.Outcome(g), outcome(wins(strip, 0), wins(strip, 1)); got != want {
			t.Fatalf("the outcome of %s is %v, want %v", text, got, want)
		}
	}
}
