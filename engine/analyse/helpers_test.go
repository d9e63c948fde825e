package analyse_test

import (
	"context"
	"slices"
	"testing"

	"tengen/board"
	"tengen/engine/solve"
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
