package cgt_test

import (
	"bytes"
	"math/rand"
	"testing"

	"tengen/cgt"
)

// BenchmarkStrips values all reduced positions of linear NoGo with at most 8
// empty points, from nothing.
func BenchmarkStrips(b *testing.B) {
	for b.Loop() {
		s := newStrips(b)
		s.upTo(8)
		b.ReportMetric(float64(len(s.values)), "strips")
		b.ReportMetric(float64(s.arena.Len()), "games")
	}
}

// BenchmarkEmptyBoard values the empty 1×14 board: fewer and larger games.
func BenchmarkEmptyBoard(b *testing.B) {
	for b.Loop() {
		s := newStrips(b)
		s.value(bytes.Repeat([]byte("."), 14))
		b.ReportMetric(float64(s.arena.Len()), "games")
	}
}

// BenchmarkMake makes random games out of earlier ones, of ever later birthdays.
func BenchmarkMake(b *testing.B) {
	for b.Loop() {
		a := cgt.New(cgt.Limits{})
		games := pool(b, a, rand.New(rand.NewSource(8)), 10000)
		b.ReportMetric(float64(a.Len()), "games")
		b.ReportMetric(float64(a.Birthday(games[len(games)-1])), "birthday")
	}
}

// stripPairs are random pairs of values of strips with at most 8 points.
func stripPairs(b *testing.B, n int) (*cgt.Arena, [][2]cgt.Game) {
	s := newStrips(b)
	s.upTo(8)
	rng := rand.New(rand.NewSource(9))
	pairs := make([][2]cgt.Game, n)
	for i := range pairs {
		for j := range pairs[i] {
			pairs[i][j] = s.value(reduced(8, rng.Intn(19683)))
		}
	}
	return s.arena, pairs
}

// BenchmarkAdd adds pairs of values of strips: each pair for the first time, or
// pairs that were added before.
func BenchmarkAdd(b *testing.B) {
	const n = 2000
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			a, pairs := stripPairs(b, n)
			b.StartTimer()
			for _, p := range pairs {
				ok(a.Add(p[0], p[1]))(b)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/sum")
	})
	b.Run("known", func(b *testing.B) {
		a, pairs := stripPairs(b, n)
		for i := 0; b.Loop(); i++ {
			p := pairs[i%n]
			if _, err := a.Add(p[0], p[1]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkLessEq compares pairs of values of strips that were compared before.
func BenchmarkLessEq(b *testing.B) {
	a, pairs := stripPairs(b, 2000)
	for i := 0; b.Loop(); i++ {
		p := pairs[i%len(pairs)]
		if _, err := a.LessEq(p[0], p[1]); err != nil {
			b.Fatal(err)
		}
	}
}
