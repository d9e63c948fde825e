package analyse_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/nogo"
	"tengen/weiqi"
)

// testMemory is plenty for the boards here.
const testMemory = 64 << 20

// ownCache keeps the tables of a test away from the user's.
func ownCache(t *testing.T) { t.Setenv("XDG_CACHE_HOME", t.TempDir()) }

func solveGo(t testing.TB, request solve.GoRequest) solve.GoResult {
	t.Helper()
	result, err := solve.Go(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func emptyBoard(t testing.TB, size string) weiqi.Position {
	t.Helper()
	s, err := board.ParseSize(size)
	if err != nil {
		t.Fatal(err)
	}
	return weiqi.NewPosition(s)
}

func randomPosition(random *rand.Rand, size board.Size, stones int) (nogo.Position, board.Colour) {
	p, c := nogo.NewPosition(size), board.Black
	for range stones {
		legal := p.Legal(c)
		if legal.IsEmpty() {
			break
		}
		n := random.IntN(legal.Len())
		for q := range legal.Points() {
			if n == 0 {
				p.Stones[c].Add(q)
			}
			n--
		}
		c = c.Opponent()
	}
	return p, c
}

// everyGame is the whole game graph of a board under basic ko, from the rules alone.
func everyGame(start weiqi.Position) map[weiqi.Position][]weiqi.Position {
	graph := map[weiqi.Position][]weiqi.Position{}
	for queue := []weiqi.Position{start}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if _, known := graph[p]; known {
			continue
		}
		graph[p] = nil
		moves := append(slices.Collect((weiqi.Rules{}).Legal(p).Points()), weiqi.Pass)
		for _, m := range moves {
			if next, err := (weiqi.Rules{}).Play(p, m); err == nil {
				graph[p] = append(graph[p], next)
				queue = append(queue, next)
			}
		}
	}
	return graph
}

// bruteMemo holds what brute knows for one attacker.
type bruteMemo map[bruteKey]bool

type bruteKey struct {
	position nogo.Position
	toPlay   board.Colour
	plies    int
}

// brute is the plain truth: can attacker win within plies moves?
func brute(p nogo.Position, toPlay, attacker board.Colour, plies int, memo bruteMemo) bool {
	legal := p.Legal(toPlay)
	if legal.IsEmpty() {
		return toPlay != attacker
	}
	if plies == 0 {
		return false
	}
	key := bruteKey{p, toPlay, plies}
	if known, ok := memo[key]; ok {
		return known
	}
	result := toPlay != attacker
	for move := range legal.Points() {
		next := p
		next.Stones[toPlay].Add(move)
		if brute(next, toPlay.Opponent(), attacker, plies-1, memo) == (toPlay == attacker) {
			result = toPlay == attacker
			break
		}
	}
	memo[key] = result
	return result
}
