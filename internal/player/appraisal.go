package player

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"tengen/board"
	"tengen/nogo"
)

// The appraisal evaluates a position without playing on. It adds up the weights of the
// shapes on the board and turns the sum into a chance of winning. The weights were
// learned from games of the player against itself (internal/train/appraisal).
//
// There are two kinds of shapes: the cross of a point and its four neighbours, around
// every point of the board, and the square of four cells, some of which may lie beside
// the board. Each cell is in one of seven states. Turned and mirrored shapes are the
// same. A shape with the colours exchanged counts for the other side, so a shape that is
// its own opposite counts for nobody.

// The states of a cell in a shape. Stones are the colours of package board.
const (
	openToBoth uint8 = iota + 2
	openToBlack
	openToWhite
	openToNobody
	beside
	states = iota + 2
)

// stateOf is the state of a vacant cell, by the sides that may play there.
var stateOf = [4]uint8{openToNobody, openToBlack, openToWhite, openToBoth}

// opposite is the state after the colours are exchanged.
var opposite = [states]uint8{1, 0, openToBoth, openToWhite, openToBlack, openToNobody, beside}

// Stages are the parts of a game with separate weights: the beginning, and when a quarter
// and half of the board is filled. Between them weights are interpolated.
const Stages = 3

// Weights of shapes, for Black, as logits in units of 1/WeightUnit, by stage. Tempo is
// the weight of being the side to move.
type Weights struct {
	Tempo  int16
	Shapes [][Stages]int16 // the first stands for shapes that are their own opposite
}

// WeightUnit is the integer that stands for a weight of 1.
const WeightUnit = 1 << 12

// Bytes are the weights as the file holds them.
func (w *Weights) Bytes() []byte {
	data, _ := binary.Append(nil, binary.LittleEndian, w.Tempo)
	data, _ = binary.Append(data, binary.LittleEndian, w.Shapes)
	return data
}

func readWeights(data []byte, shapes int) (*Weights, error) {
	w := &Weights{Shapes: make([][Stages]int16, shapes)}
	if want := len(w.Bytes()); len(data) != want {
		return nil, fmt.Errorf("the weights of the appraisal have %d bytes instead of %d", len(data), want)
	}
	r := bytes.NewReader(data)
	if err := binary.Read(r, binary.LittleEndian, &w.Tempo); err != nil {
		return nil, err
	}
	return w, binary.Read(r, binary.LittleEndian, w.Shapes)
}

//go:embed appraisal.weights
var weightsFile []byte

const (
	crosses = states * states * states * states * states
	squares = states * states * states * states
)

// Shape is the number of a shape, negative if the colours are exchanged.
type Shape int16

// catalogue numbers the shapes by the states of their cells: a cross in the order centre,
// below, right, above, left, and a square row by row.
type catalogue struct {
	cross  [crosses]Shape
	square [squares]Shape
	n      int
}

var catalogued = sync.OnceValue(func() *catalogue {
	c := &catalogue{n: 1}
	c.number(c.cross[:], []int{0, 2, 3, 4, 1}, []int{0, 1, 4, 3, 2})
	c.number(c.square[:], []int{1, 3, 0, 2}, []int{1, 0, 3, 2})
	return c
})

// number numbers all shapes of a kind. turn and mirror say how a quarter turn and a
// mirror move the cells.
func (c *catalogue) number(shapes []Shape, turn, mirror []int) {
	const todo = math.MinInt16
	for i := range shapes {
		shapes[i] = todo
	}
	cells := make([]uint8, len(turn))
	for i := range shapes {
		if shapes[i] != todo {
			continue
		}
		for k, rest := len(cells)-1, i; k >= 0; k-- {
			cells[k], rest = uint8(rest%states), rest/states
		}
		name := Shape(c.n)
		for _, code := range alike(cells, turn, mirror) {
			shapes[code] = name
		}
		for k := range cells {
			cells[k] = opposite[cells[k]]
		}
		if shapes[codeOf(cells)] == name {
			name = 0
		} else {
			c.n++
		}
		for _, code := range alike(cells, turn, mirror) {
			shapes[code] = -name
		}
	}
}

// alike are the codes of a shape in all eight orientations.
func alike(cells []uint8, turn, mirror []int) (codes [8]int) {
	now := cells
	for i := range codes {
		codes[i] = codeOf(now)
		now = moved(now, turn)
		if i == 3 {
			now = moved(now, mirror)
		}
	}
	return codes
}

func moved(cells []uint8, from []int) []uint8 {
	to := make([]uint8, len(cells))
	for i, k := range from {
		to[i] = cells[k]
	}
	return to
}

func codeOf(cells []uint8) (code int) {
	for _, state := range cells {
		code = code*states + int(state)
	}
	return code
}

// Shapes is the number of shapes.
func Shapes() int { return catalogued().n }

// view is a board in the form that shapes need, with the codes of the shapes on it.
type view struct {
	cells   [cells]uint8
	crosses [cells]uint16
	squares [cells]uint16
	n       [2]int  // crosses and squares
	filled  float32 // share of the board
}

func (v *view) look(t terrain, f *field) {
	stones := 0
	for i, holds := range f.holds[:t.cells] {
		switch holds {
		case wall:
			v.cells[i] = beside
		case vacant:
			v.cells[i] = stateOf[f.open(t.stride, uint16(i))&both]
		default:
			v.cells[i] = holds
			stones++
		}
	}
	v.filled = float32(stones) / float32(t.size.Points())
	v.encode(t)
}

func (v *view) encode(t terrain) {
	v.cells[cells-1] = beside // the cell before the first
	v.n = [2]int{}
	for i := range uint16(t.cells) - t.stride {
		v.squares[v.n[1]&cellMask] = v.square(t.stride, i-1)
		v.n[1]++
		if v.cells[i&cellMask] != beside {
			v.crosses[v.n[0]&cellMask] = v.cross(t.stride, i)
			v.n[0]++
		}
	}
}

// cross is the code of the cross around a cell.
func (v *view) cross(stride, i uint16) uint16 {
	return (((v.state(i)*states+v.state(i-stride))*states+v.state(i+1))*states+v.state(i+stride))*states + v.state(i-1)
}

// square is the code of the square of a cell, the next cell and the two cells above.
func (v *view) square(stride, i uint16) uint16 {
	return ((v.state(i)*states+v.state(i+1))*states+v.state(i+stride))*states + v.state(i+stride+1)
}

func (v *view) state(i uint16) uint16 { return uint16(v.cells[i&cellMask]) }

// stage is the last stage reached, and the fraction of the way to the next.
func (v *view) stage() (before int, part float32) {
	const perBoard = 4
	x := min(perBoard*v.filled, Stages-1)
	before = min(int(x), Stages-2)
	return before, x - float32(before)
}

// appraisal is the form of the weights for evaluation. By stage and code it has the
// weights of that stage and of the next in one word, the second times 2³². So adding
// words adds both.
type appraisal struct {
	tempo  int16
	cross  [Stages - 1][crosses]int64
	square [Stages - 1][squares]int64
}

// learned is the appraisal with the weights that are part of the program.
var learned = sync.OnceValue(func() *appraisal {
	w, err := readWeights(weightsFile, Shapes())
	if err != nil {
		panic(err)
	}
	return newAppraisal(w)
})

func newAppraisal(w *Weights) *appraisal {
	a, c := &appraisal{tempo: w.Tempo}, catalogued()
	for before := range Stages - 1 {
		pack := func(to []int64, shapes []Shape) {
			for code, s := range shapes {
				both := w.Shapes[max(s, -s)][before:]
				to[code] = int64(both[0]) + int64(both[1])<<32
				if s < 0 {
					to[code] = -to[code]
				}
			}
		}
		pack(a.cross[before][:], c.cross[:])
		pack(a.square[before][:], c.square[:])
	}
	return a
}

// share is Black's chance of winning, c to move.
func (a *appraisal) share(v *view, c uint8) float32 {
	before, part := v.stage()
	var sum int64
	cross, square := &a.cross[before], &a.square[before]
	for _, code := range v.crosses[:v.n[0]] {
		sum += cross[code]
	}
	for _, code := range v.squares[:v.n[1]] {
		sum += square[code]
	}
	logit := between(sum, part)
	if c == uint8(board.Black) {
		logit += float32(a.tempo)
	} else {
		logit -= float32(a.tempo)
	}
	return float32(1 / (1 + math.Exp(-float64(logit)/WeightUnit)))
}

// between interpolates the sums of two stages; part is the fraction of the way from the
// first to the second.
func between(sum int64, part float32) float32 {
	first := int64(int32(sum))
	second := (sum - first) >> 32
	return (1-part)*float32(first) + part*float32(second)
}

// worth is the gain of a move for c as a logit, without the tempo, given the cells it
// closes.
func (a *appraisal) worth(v *view, stride, move uint16, c uint8, closed []closing) float32 {
	before, part := v.stage()
	var was [maxLooks + 1]uint8
	was[0] = v.cells[move]
	sum := a.change(v, stride, before, move, c)
	for i, q := range closed {
		was[i+1] = v.cells[q.cell]
		sum += a.change(v, stride, before, q.cell, stateOf[q.open])
	}
	v.cells[move] = was[0]
	for i, q := range closed {
		v.cells[q.cell] = was[i+1]
	}
	logit := between(sum, part)
	if c != uint8(board.Black) {
		logit = -logit
	}
	return (logit - float32(a.tempo)) / WeightUnit
}

// change gives a cell another state and returns the change of the sum of shapes.
func (a *appraisal) change(v *view, stride uint16, before int, cell uint16, state uint8) int64 {
	sum := a.around(v, stride, before, cell)
	v.cells[cell&cellMask] = state
	return a.around(v, stride, before, cell) - sum
}

// around adds up the shapes that contain a cell.
func (a *appraisal) around(v *view, stride uint16, before int, cell uint16) (sum int64) {
	cross, square := &a.cross[before], &a.square[before]
	for _, i := range [...]uint16{cell, cell - 1, cell + 1, cell - stride, cell + stride} {
		if v.cells[i&cellMask] != beside {
			sum += cross[v.cross(stride, i)]
		}
	}
	for _, i := range [...]uint16{cell, cell - 1, cell - stride, cell - stride - 1} {
		sum += square[v.square(stride, i)]
	}
	return sum
}

// Seen is a position in the form that the appraisal needs: its shapes and its stage. The
// trainer learns from it.
type Seen struct {
	Shapes []Shape
	Before int     // the last stage reached
	Part   float32 // fraction of the way to the next
}

// See finds the shapes of a position.
func See(p nogo.Position) Seen {
	f, v, c := new(field), new(view), catalogued()
	t := newTerrain(p.Size)
	f.set(t, p)
	v.look(t, f)
	var s Seen
	s.Before, s.Part = v.stage()
	for _, code := range v.crosses[:v.n[0]] {
		s.take(c.cross[code])
	}
	for _, code := range v.squares[:v.n[1]] {
		s.take(c.square[code])
	}
	return s
}

func (s *Seen) take(shape Shape) {
	if shape != 0 {
		s.Shapes = append(s.Shapes, shape)
	}
}
