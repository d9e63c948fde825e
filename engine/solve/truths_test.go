package solve_test

import (
	"slices"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/longtest"
	"tengen/nogo"
)

// pointReflection turns the board by half a turn.
const pointReflection board.Symmetry = 3

// Among the positions of 4x4 in which a White move can make the board
// point-symmetric, colours exchanged, there are 24,708 (section 4.1 of the
// paper), and the move wins in 21,080 of them: 85.3 %.
//
// The reading that gives these numbers: every legal position with White to play
// counts, won or lost and whatever its orientation. All legal positions with one
// Black stone more occur in games, for a legal position stays legal when a
// stone is taken away. No position has two such moves, because the White stone
// that is missing is the image of the one Black stone without a partner. So the
// count runs over the symmetric positions, each as often as it has White stones.
func TestSymmetricRepliesOnFourByFour(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode")
	}
	size := board.Size{Rows: 4, Cols: 4}
	whiteWins := map[nogo.Position]bool{}
	positions, wins := 0, 0
	for _, p := range pointSymmetric(size) {
		class := representative(p)
		win, known := whiteWins[class]
		if !known {
			win = winner(t, class, board.Black) == board.White
			whiteWins[class] = win
		}
		positions += p.Stones[board.White].Len()
		if win {
			wins += p.Stones[board.White].Len()
		}
	}
	if positions != 24708 || wins != 21080 {
		t.Errorf("%d symmetric moves, %d of which win; the paper has 24,708 and 85.3 %%", positions, wins)
	}
}

// pointSymmetric lists the legal positions that a half turn inverts, on a board
// without a centre.
func pointSymmetric(size board.Size) []nogo.Position {
	half := size.All()[:size.Points()/2]
	list := []nogo.Position{nogo.NewPosition(size)}
	for _, q := range half {
		for _, p := range list {
			for c := range p.Stones {
				next := p
				next.Stones[c].Add(q)
				next.Stones[1-c].Add(size.Map(pointReflection, q))
				list = append(list, next)
			}
		}
	}
	return slices.DeleteFunc(list, func(p nogo.Position) bool { return p.Validate() != nil })
}

// representative is the least of the images of a position.
func representative(p nogo.Position) nogo.Position {
	least := p
	for _, symmetry := range p.Size.Symmetries() {
		if image := p.Map(symmetry); image.String() < least.String() {
			least = image
		}
	}
	return least
}

func winner(t *testing.T, p nogo.Position, toPlay board.Colour) board.Colour {
	t.Helper()
	result, err := solve.NoGo(t.Context(), solve.Request{Position: p, ToPlay: toPlay, Limits: job.Limits{Memory: 1 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return result.Winner.Colour()
}

var five = board.Size{Rows: 5, Cols: 5}

// fiveByFive asks about every opening of 5x5.
func fiveByFive(t *testing.T, limit *solve.Within) solve.Result {
	t.Helper()
	result, err := solve.NoGo(t.Context(), solve.Request{
		Position: nogo.NewPosition(five), EachMove: true, Within: limit,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Moves) != five.Points() {
		t.Fatalf("%d of %d openings are decided", len(result.Moves), five.Points())
	}
	return result
}

// Black wins 5x5 with each of the six distinct openings.
func TestFiveByFiveOpenings(t *testing.T) {
	longtest.Skip(t)
	for _, m := range fiveByFive(t, nil).Moves {
		if !m.Winner.Is(board.Black) {
			t.Errorf("%s loses", five.Name(m.Move))
		}
	}
}

// Each of them wins within 21 moves of the game, and none within 19.
func TestFiveByFiveLength(t *testing.T) {
	longtest.Skip(t)
	for moves, want := range map[int]board.Colour{21: board.Black, 19: board.White} {
		for _, m := range fiveByFive(t, &solve.Within{Moves: moves, Attacker: board.Black}).Moves {
			if !m.Winner.Is(want) {
				t.Errorf("within %d moves %s is decided for %s", moves, five.Name(m.Move), m.Winner)
			}
		}
	}
}
