// Package movenet is the policy network that orders the moves of large NoGo positions for the
// search. It has learned which move wins with the smallest proof. One evaluation scores all
// points. It affects only the order of moves.
//
// All arithmetic is of integers, so that every processor gets the same scores. There are
// kernels for AVX2, written by the generator in internal/movenet/asm, and the same in Go.
//
// The package knows neither rules nor search. docs/regions.md explains its use, and
// train/README.md how the weights are made.
package movenet

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"tengen/board"
)

//go:generate go run ./asm -out kernels_amd64.s -stubs kernels_amd64.go -pkg movenet

// The shape of the network, which the kernels are made for: a 3×3 convolution from the
// codes of points, residual blocks of two 3×3 convolutions each, and a sum for each point.
const (
	channels = 48
	blocks   = 2
	planes   = 10 // the bits of a code, one for the board, and a zero that makes them even
)

// Fixed-point numbers by their bits after the point.
const (
	activationBits = 8
	weightBits     = 9
	stemBits       = 10 // of weights of the first convolution
	poolBits       = 4  // the sum over the board is divided by 16
	scoreBits      = 10
)

// ScoreUnit is the score that stands for 1, a factor e in the odds of a move.
const ScoreUnit = 1 << scoreBits

// Bits of the code of a point, seen by the side to move. Safe and short say what
// package region says of open points.
const (
	OpenMine = 1 << iota
	OpenTheirs
	SafeMine
	SafeTheirs
	ShortMine // a liberty of a block that has two
	ShortTheirs
	StoneMine
	StoneTheirs
)

// Knows reports whether the network has learned boards like this one.
func Knows(size board.Size) bool {
	short, long := min(size.Rows, size.Cols), max(size.Rows, size.Cols)
	return short >= 2 && short <= 5 && long <= 15
}

// Net holds weights. It is read once and shared. Those of convolutions are
// [tap][pair of inputs][output][input of the pair].
type Net struct {
	stem     []int16
	stemBias []int32
	blocks   [blocks]block
	head     []int16
	headBias int32
}

// block is a residual block with global pooling after the first convolution.
type block struct {
	first, second         []int16
	firstBias, secondBias []int32
	pool                  []int16 // [input][output]
	poolBias              []int32
}

//go:embed moves.weights
var embedded []byte

// Embedded is the network that is part of the program.
var Embedded = sync.OnceValue(func() *Net {
	n, err := Read(embedded)
	if err != nil {
		panic(fmt.Sprintf("the network of this program that orders moves: %v", err)) // a test reads it
	}
	return n
})

const (
	magic   = "TGMN"
	version = 1
	prefix  = len(magic) + 3*4 // magic, version, channels, blocks
)

// Read takes the contents of a weights file. It refuses a file that is damaged, of another
// version, or of another shape.
func Read(data []byte) (*Net, error) {
	if len(data) < prefix+sha256.Size || string(data[:len(magic)]) != magic {
		return nil, errors.New("this is not a weights file: it does not begin with " + magic + " or is cut off")
	}
	body, digest := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], digest) {
		return nil, errors.New("the weights file is damaged: its checksum does not agree, make it again")
	}
	var h [3]uint32
	for i := range h {
		h[i] = binary.LittleEndian.Uint32(body[len(magic)+4*i:])
	}
	if want := [3]uint32{version, channels, blocks}; h != want {
		return nil, fmt.Errorf("the weights file has version, channels and blocks %d, this program reads %d", h, want)
	}
	r := reader{bytes.NewReader(body[prefix:]), nil}
	n := &Net{stem: paired(r.short(9 * (planes - 1) * channels)), stemBias: r.long(channels)}
	for i := range n.blocks {
		b := &n.blocks[i]
		b.first, b.firstBias = r.short(9*channels*channels), r.long(channels)
		b.pool, b.poolBias = r.short(2*channels*channels), r.long(channels)
		b.second, b.secondBias = r.short(9*channels*channels), r.long(channels)
	}
	n.head, n.headBias = r.short(channels), r.long(1)[0]
	if r.err != nil || r.left.Len() > 0 {
		return nil, errors.New("the weights file is too short or too long for its network: make it again")
	}
	return n, nil
}

// reader reads numbers and remembers the first failure.
type reader struct {
	left *bytes.Reader
	err  error
}

func (r *reader) short(n int) []int16 { return read[int16](r, n) }
func (r *reader) long(n int) []int32  { return read[int32](r, n) }

func read[T any](r *reader, n int) []T {
	out := make([]T, n)
	if err := binary.Read(r.left, binary.LittleEndian, out); err != nil {
		r.err = err
	}
	return out
}

// paired puts the weights [tap][plane][output] of a file in the order of convolutions.
func paired(w []int16) []int16 {
	out := make([]int16, 9*planes*channels)
	for tap := range 9 {
		for plane := range planes - 1 {
			for c := range channels {
				out[(tap*planes+plane&^1)*channels+2*c+plane&1] = w[(tap*(planes-1)+plane)*channels+c]
			}
		}
	}
	return out
}
