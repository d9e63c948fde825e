package play_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tengen/board"
	"tengen/internal/oracle"
	"tengen/nogo"
	"tengen/weiqi"
)

// ownCache keeps the tables of a test away from the user's.
func ownCache(t *testing.T) { t.Setenv("XDG_CACHE_HOME", t.TempDir()) }

func emptyBoard(t testing.TB, size string) weiqi.Position {
	t.Helper()
	s, err := board.ParseSize(size)
	if err != nil {
		t.Fatal(err)
	}
	return weiqi.NewPosition(s)
}

// latePosition is one with a number of playable points between least and most.
func latePosition(random *rand.Rand, size board.Size, least, most int) (nogo.Position, board.Colour) {
	for range 100_000 {
		p, c := oracle.RandomPosition(random, size, size.Points()/3+random.IntN(size.Points()/2))
		if n := p.Legal(board.Black).Union(p.Legal(board.White)).Len(); least <= n && n <= most {
			return p, c
		}
	}
	panic(fmt.Sprintf("no position of %s with %d to %d playable points was found", size, least, most))
}
