package strip

import (
	"math/bits"

	"tengen/board"
	"tengen/cgt"
)

// Values finds the values of strips in an arena and remembers them. Like its
// arena it is for one goroutine at a time.
type Values struct {
	arena *cgt.Arena
	known map[Strip]cgt.Game // of the first of the four images
}

// NewValues makes values in an arena.
func NewValues(arena *cgt.Arena) *Values {
	return &Values{arena, make(map[Strip]cgt.Game)}
}

// Of is the value of a strip.
func (v *Values) Of(s Strip) (cgt.Game, error) {
	if s.n < 2 {
		return 0, nil
	}
	first, which := s, 0
	for i, image := range s.images() {
		if Compare(image, first) < 0 {
			first, which = image, i
		}
	}
	g, ok := v.known[first]
	if !ok {
		var err error
		if g, err = v.make(first); err != nil {
			return 0, err
		}
		v.known[first] = g
	}
	if inverted[which] {
		return v.arena.Neg(g)
	}
	return g, nil
}

// Sum is the value of a sum.
func (v *Values) Sum(parts ...Strip) (cgt.Game, error) { return cgt.SumOf(v.arena, parts, v.Of) }

func (v *Values) make(s Strip) (cgt.Game, error) {
	black, white := s.Legal()
	left, err := v.options(s, board.Black, black)
	if err != nil {
		return 0, err
	}
	right, err := v.options(s, board.White, white)
	if err != nil {
		return 0, err
	}
	return v.arena.Make(left, right)
}

func (v *Values) options(s Strip, c board.Colour, legal uint64) ([]cgt.Game, error) {
	options := make([]cgt.Game, 0, MaxPoints)
	for ; legal != 0; legal &= legal - 1 {
		g, err := v.Sum(s.Play(c, bits.TrailingZeros64(legal)))
		if err != nil {
			return nil, err
		}
		options = append(options, g)
	}
	return options, nil
}
