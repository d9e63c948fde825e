package region

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/cgt"
	"tengen/nogo"
)

// Values finds the values of regions of one grid in an arena, with Black as
// Left, and remembers them. Like its arena it is for one goroutine at a time.
type Values struct {
	arena  *cgt.Arena
	grid   nogo.Grid
	known  map[string]cgt.Game // by form
	memory int64               // bytes that known may take
	used   int64
}

// NewValues makes values in an arena and spends at most so many bytes beside it.
func NewValues(arena *cgt.Arena, g nogo.Grid, memory int64) *Values {
	return &Values{arena: arena, grid: g, known: make(map[string]cgt.Game), memory: memory}
}

// Of is the value of a position in normal form, in one piece or not: the sum of
// the values of its independent parts. Its errors are those of the arena, and
// one that wraps cgt.ErrMemory when the memory is used up.
func (v *Values) Of(r *Region) (cgt.Game, error) {
	total := cgt.Game(0)
	for rest := r.Points(); rest != 0; {
		points := r.Component(v.grid, rest)
		rest &^= points
		var part Region
		r.Part(points, &part)
		g, err := v.connected(&part)
		if err != nil {
			return 0, err
		}
		if total, err = v.arena.Add(total, g); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// connected is the value of a region that does not fall apart. What is known is
// the value of its form.
func (v *Values) connected(r *Region) (cgt.Game, error) {
	form, inverse := r.form(v.grid)
	if g, ok := v.known[string(form)]; ok {
		if inverse {
			return v.arena.Neg(g)
		}
		return g, nil
	}
	value, err := v.make(r)
	if err != nil {
		return 0, err
	}
	g := value
	if inverse {
		if g, err = v.arena.Neg(value); err != nil {
			return 0, err
		}
	}
	return value, v.keep(string(form), g)
}

// perForm is what a form takes in the map beside its bytes, roughly.
const perForm = 48

func (v *Values) keep(form string, g cgt.Game) error {
	v.used += int64(len(form)) + perForm
	if v.used > v.memory {
		return fmt.Errorf("%w: %d regions fill the %d KiB of memory for their values", cgt.ErrMemory, len(v.known), v.memory>>10)
	}
	v.known[form] = g
	return nil
}

func (v *Values) make(r *Region) (cgt.Game, error) {
	left, err := v.options(r, board.Black)
	if err != nil {
		return 0, err
	}
	right, err := v.options(r, board.White)
	if err != nil {
		return 0, err
	}
	return v.arena.Make(left, right)
}

func (v *Values) options(r *Region, c board.Colour) ([]cgt.Game, error) {
	var options []cgt.Game
	for moves := r.Open[c]; moves != 0; moves &= moves - 1 {
		var next Region
		r.Play(v.grid, c, moves&-moves, &next)
		g, err := v.Of(&next)
		if err != nil {
			return nil, err
		}
		options = append(options, g)
	}
	return options, nil
}

// form writes the region down in full, in the corner of the board: equal forms are
// equal regions up to translation, symmetry and, if inverse tells them apart,
// colours. Of all ways to write it the least is taken, among the orientations
// that Keys looks at.
func (r *Region) form(g nogo.Grid) (least []byte, inverse bool) {
	b := boxOf(g, r.Points())
	tied := b.leastAmong(r.Open[0]&r.Open[1], b.least(r.Points()))
	for ; tied != 0; tied &= tied - 1 {
		halves := r.written(&b, bits.TrailingZeros(tied))
		for first := range 2 {
			text := slices.Concat(halves[first], halves[first^1])
			if least == nil || string(text) < string(least) {
				least, inverse = text, first == 1
			}
		}
	}
	return least, inverse
}

// written lists each colour's masks in one orientation: the number of blocks, the
// open and the safe points, and the liberties in ascending order.
func (r *Region) written(b *box, orientation int) (halves [2][]byte) {
	for c := range 2 {
		var liberties []uint64
		for _, l := range r.Liberties[c][:r.Count[c]] {
			liberties = append(liberties, b.turn(l, orientation))
		}
		slices.Sort(liberties)
		text := make([]byte, 0, 1+8*(2+len(liberties)))
		text = append(text, r.Count[c])
		text = binary.BigEndian.AppendUint64(text, b.turn(r.Open[c], orientation))
		text = binary.BigEndian.AppendUint64(text, b.turn(r.Safe[c], orientation))
		for _, l := range liberties {
			text = binary.BigEndian.AppendUint64(text, l)
		}
		halves[c] = text
	}
	return halves
}
