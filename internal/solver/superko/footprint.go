package superko

import (
	"fmt"
	"math/big"
	"unsafe"

	"tengen/board"
	"tengen/weiqi"
)

// Footprint is the memory of a solver before it remembers anything.
type Footprint struct {
	Boards int   // legal boards, each with the moves of both sides
	Bytes  int64 // of their graph, and of what the threads need beside it
}

// usualPlies is the depth for which threads allocate reasons in advance.
const usualPlies = 64

// Takes reports whether boards of a size have few enough legal positions.
func Takes(size board.Size) bool {
	// Those of larger boards take long to count.
	return size.Points() <= maxPoints && weiqi.LegalPositions(size).Cmp(big.NewInt(MaxBoards)) <= 0
}

// NewFootprint estimates the memory that New takes. It refuses boards with
// too many legal positions.
func NewFootprint(size board.Size, rules weiqi.Rules, threads int) (Footprint, error) {
	if !Takes(size) {
		return Footprint{}, fmt.Errorf("the superko solver takes rows to 1x%d and rectangles to 2x6 and 3x4, which have at most 2,097,152 legal boards: %s has more", maxPoints, size)
	}
	boards := weiqi.LegalPositions(size).Int64()
	ids := boards
	if rules.Ko == weiqi.Situational {
		ids *= 2
	}
	codes := int64(1)
	for range size.Points() {
		codes *= 3
	}
	images := 2 * int64(len(size.Symmetries()))
	const state, key = 2, 4 // for each board
	bytes := 4*codes + boards*int64(unsafe.Sizeof(stones{})+1) +
		boards*state*(4+1) + int64(edgesOf(int(boards), size.Points()))*int64(unsafe.Sizeof(edge{})) +
		images*4*(boards+ids) +
		boards*key*int64(unsafe.Sizeof([]fact{})) + 8*int64(attemptsOf(int(boards*key)))
	worker := boards*key*slots*int64(unsafe.Sizeof(experience{})) + ids + usualPlies*2*ids/8
	return Footprint{int(boards), bytes + int64(threads)*worker}, nil
}

// edgesOf estimates the number of moves of a graph. On rows and rectangles
// alike, about two in five points of a board are open to a side.
func edgesOf(boards, points int) int { return 2 * boards * points * 2 / 5 }
