package solve_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/longtest"
	searches "tengen/internal/method"
	"tengen/internal/oracle"
	"tengen/internal/text"
	"tengen/nogo"
)

// setting is one way to ask the same question.
type setting struct {
	method  solve.Method
	threads int
	memory  int64
	without []string
}

func (s setting) String() string {
	return fmt.Sprintf("%s, %d threads, %s, without %v", s.method, s.threads, text.Bytes(s.memory), s.without)
}

// settings covers every part of every method alone, then random mixtures.
func settings(random *rand.Rand, size board.Size, playable int) []setting {
	var list []setting
	for _, method := range methods() {
		memory := func() int64 { return int64(4<<20) << random.IntN(5) }
		list = append(list, setting{method: method, threads: 1, memory: testMemory})
		list = append(list, setting{method: method, threads: 2 + random.IntN(3), memory: memory()})
		parts := slices.DeleteFunc(slices.Clone(searches.PartsOn(string(method), size)), func(part string) bool {
			// Plain enumeration is hopeless but on the smallest positions.
			return part == "tt" && playable > 9
		})
		for _, part := range parts {
			list = append(list, setting{method, 1 + random.IntN(2), memory(), []string{part}})
		}
		var mixture []string
		for _, part := range parts {
			if random.IntN(2) == 0 {
				mixture = append(mixture, part)
			}
		}
		list = append(list, setting{method, 1, memory(), mixture})
	}
	return list
}

// Whatever the method, the threads, the memory and the parts left out, the
// answer is one; on small boards it is the one of plain enumeration.
func TestOneAnswerWhateverTheSetting(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 12))
	games := 75
	switch {
	case testing.Short():
		games = 15
	case longtest.On():
		games = 1500
	}
	sizes := []board.Size{
		{Rows: 1, Cols: 12},
		{Rows: 1, Cols: 18},
		{Rows: 2, Cols: 6},
		{Rows: 2, Cols: 8},
		{Rows: 2, Cols: 9},
		{Rows: 9, Cols: 2},
		{Rows: 3, Cols: 4},
		{Rows: 3, Cols: 5},
		{Rows: 5, Cols: 3},
		{Rows: 4, Cols: 4},
		{Rows: 3, Cols: 6},
		{Rows: 6, Cols: 3},
	}
	disk := t.TempDir()
	for range games {
		size := sizes[random.IntN(len(sizes))]
		position, toPlay := oracle.RandomPosition(random, size, 3+random.IntN(size.Points()/2))
		if random.IntN(2) == 0 {
			toPlay = toPlay.Opponent()
		}
		playable := position.Legal(board.Black).Union(position.Legal(board.White)).Len()
		var want board.Colour
		for i, s := range settings(random, size, playable) {
			result, err := solve.NoGo(t.Context(), solve.Request{
				Position: position, ToPlay: toPlay, Method: s.method, Limits: job.Limits{Memory: s.memory, Threads: s.threads}, Without: s.without, DiskDir: disk,
			})
			if err != nil {
				t.Fatalf("%v: %v in\n%s", s, err, size.Diagram(position.Stones))
			}
			if i == 0 {
				want = truth(position, toPlay, playable, result.Winner.Colour())
			}
			if !result.Winner.Is(want) {
				t.Errorf("%v: %s wins, not %s, with %s to play in\n%s", s, result.Winner, want, toPlay, size.Diagram(position.Stones))
			}
			checkLine(t, result)
		}
	}
}

// truth is brute force to 12 points, and what the first setting found above.
func truth(position nogo.Position, toPlay board.Colour, playable int, found board.Colour) board.Colour {
	if position.Size.Points() > 12 && playable > 9 {
		return found
	}
	if oracle.WinsWithin(position, toPlay, toPlay, position.Size.Points(), oracle.Memo{}) {
		return toPlay
	}
	return toPlay.Opponent()
}
