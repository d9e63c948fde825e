// Package net is the network of the NoGo player. For a position with a side to move it
// predicts how good each move is, who will win, and where stones end up. The trainer in
// the folder train makes the weights, which are part of the program.
//
// A Net is read once and shared. An Evaluator has the memory to evaluate positions of one
// board size and is for one goroutine. Convolutions use Winograd's method on tiles of 3×3
// points, of which a 9×9 board has exactly nine. There are kernels for AVX-512 and AVX2,
// written by the generator in internal/net/asm, and the same in Go for every other
// processor. Their results differ only by rounding. An evaluation allocates nothing.
//
// The package does not search, and it does not know which moves are legal.
package net

import (
	"fmt"
	"sync"

	"tengen/board"
)

//go:generate go run ./asm -out kernels_amd64.s -stubs kernels_amd64.go -pkg net

// The shape of the network, which the kernels are made for.
const (
	channels = 64
	blocks   = 6
	planes   = 8
	head     = 32
)

// Boards have at least MinSide and at most MaxSide points on a side.
const (
	MinSide   = 5
	MaxSide   = 9
	MaxPoints = MaxSide * MaxSide
)

// Knows reports whether the network has learned boards of a size.
func Knows(size board.Size) bool {
	return min(size.Rows, size.Cols) >= MinSide && max(size.Rows, size.Cols) <= MaxSide
}

// Embedded is the network that is part of the program.
var Embedded = sync.OnceValue(func() *Net {
	n, err := Read(Weights())
	if err != nil {
		panic(fmt.Sprintf("the network of this program: %v", err)) // a test reads it
	}
	return n
})

// Net holds weights in the order that the kernels need.
type Net struct {
	stem     []float32 // [tap][kind][channel]: what a point of a kind adds to the points around it
	stemBias []float32
	block    [blocks]block

	// The policy has the first half of the channels of heads, the value the second.
	heads, headsBias   []float32
	policy             []float32
	policyBias         float32
	hidden, hiddenBias []float32
	value              []float32
	valueBias          float32
	ends               [2][]float32
	endsBias           [2]float32
}

// block is a residual block. Without global pooling the pooling is nil.
type block struct {
	first, second         []float32 // transformed
	firstBias, secondBias []float32
	pooling, poolingBias  []float32
}

// Output is the network's result for a position. Points are counted row by row from the
// top left.
type Output struct {
	Logits [MaxPoints]float32 // of moves: the larger the better, legal or not
	Value  float32            // from -1, a loss for the side to move, to 1, a win
}

// Ends are the chances that a point holds a stone of the side to move, or of the opponent,
// at the end of the game.
type Ends [2][MaxPoints]float32
