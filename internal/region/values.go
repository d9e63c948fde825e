package region

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

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

// NewValues finds values in an arena. It uses at most memory bytes beside the arena.
func NewValues(arena *cgt.Arena, g nogo.Grid, memory int64) *Values {
	return &Values{arena: arena, grid: g, known: make(map[string]cgt.Game), memory: memory}
}

// Of is the value of a position in normal form, in one piece or not: the sum of the values
// of its independent parts. It returns the errors of the arena. When the memory is used
// up, the error wraps cgt.ErrMemory.
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

// connected is the value of a region that does not fall apart. Values are remembered by
// form.
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

// perForm is roughly the number of bytes that a form takes in the map beside its own
// bytes.
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

// form writes out the region in full, in the corner of the board. Equal forms are equal
// regions up to translation, symmetry and, where inverse differs, colours. Among the
// orientations that Keys uses, the least text is taken.
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

// Signatures writes a position in normal form as the list of its regions, independent of
// where they lie and how they are turned, and the same with the colours exchanged.
// Positions with the same signature, on grids with rows of the same length, are equal
// games.
func (r *Region) Signatures(g nogo.Grid) (signature, inverse string) {
	var lists [2][]string
	for rest := r.Points(); rest != 0; {
		points := r.Component(g, rest)
		rest &^= points
		var part Region
		r.Part(points, &part)
		for colour, text := range part.forms(g) {
			lists[colour] = append(lists[colour], text)
		}
	}
	for i := range lists {
		slices.Sort(lists[i])
	}
	// A form begins with its number of blocks, which fixes its length.
	return strings.Join(lists[0], ""), strings.Join(lists[1], "")
}

// forms are the least text of the region and the least text with the colours exchanged.
func (r *Region) forms(g nogo.Grid) (least [2]string) {
	b := boxOf(g, r.Points())
	tied := b.leastAmong(r.Open[0]&r.Open[1], b.least(r.Points()))
	for ; tied != 0; tied &= tied - 1 {
		halves := r.written(&b, bits.TrailingZeros(tied))
		for first := range least {
			text := string(halves[first]) + string(halves[first^1])
			if least[first] == "" || text < least[first] {
				least[first] = text
			}
		}
	}
	return least
}
