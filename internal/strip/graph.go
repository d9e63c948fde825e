package strip

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"tengen/cgt"
)

// graph holds the canonical forms of all strips up to a number of points, those of
// their inverses, and all games that these lead to. Games are numbered by birthday
// and then by their options, Left's first, each a list of numbers in ascending
// order. So the numbers depend on the games alone, and options have smaller numbers
// than the game.
type graph struct {
	arena  *cgt.Arena
	games  []cgt.Game   // by number
	number []uint32     // by handle in the arena
	values [][]cgt.Game // of the entries of each layer
}

// unnumbered marks handles of games that no strip leads to.
const unnumbered = ^uint32(0)

// newGraph values all strips with up to a number of points. It calls done after every entry.
func newGraph(arena *cgt.Arena, points int, done func()) (*graph, error) {
	g := &graph{arena: arena, values: make([][]cgt.Game, points+1)}
	values := NewValues(arena)
	for n := 1; n <= points; n++ {
		g.values[n] = make([]cgt.Game, entries(n))
		for index := range g.values[n] {
			game, err := values.Of(placed(n, uint64(index)))
			if err != nil {
				return nil, fmt.Errorf("the value of %s: %w", placed(n, uint64(index)), err)
			}
			g.values[n][index] = game
			done()
		}
	}
	return g, g.enumerate()
}

// enumerate numbers the games that the values lead to.
func (g *graph) enumerate() error {
	used, err := g.reachable()
	if err != nil {
		return err
	}
	slices.SortStableFunc(used, func(a, b cgt.Game) int {
		return cmp.Compare(g.arena.Birthday(a), g.arena.Birthday(b))
	})
	g.number = slices.Repeat([]uint32{unnumbered}, g.arena.Len())
	for len(used) > 0 {
		same := 1
		for same < len(used) && g.arena.Birthday(used[same]) == g.arena.Birthday(used[0]) {
			same++
		}
		g.enumerateDay(used[:same])
		used = used[same:]
	}
	return nil
}

// enumerateDay numbers games of one birthday; all earlier ones have numbers.
func (g *graph) enumerateDay(games []cgt.Game) {
	options := make(map[cgt.Game][2][]uint32, len(games))
	for _, game := range games {
		options[game] = g.options(game)
	}
	slices.SortFunc(games, func(a, b cgt.Game) int {
		x, y := options[a], options[b]
		return cmp.Or(slices.Compare(x[0], y[0]), slices.Compare(x[1], y[1]))
	})
	for _, game := range games {
		g.number[game] = uint32(len(g.games))
		g.games = append(g.games, game)
	}
}

// reachable lists the games that the values and their negatives lead to, in
// ascending order of handles.
func (g *graph) reachable() ([]cgt.Game, error) {
	var roots []cgt.Game
	for _, layer := range g.values {
		for _, game := range layer {
			minus, err := g.arena.Neg(game)
			if err != nil {
				return nil, err
			}
			roots = append(roots, game, minus)
		}
	}
	marked := make([]bool, g.arena.Len())
	marked[0] = true
	for _, game := range roots {
		marked[game] = true
	}
	for game := len(marked) - 1; game >= 0; game-- {
		if !marked[game] {
			continue
		}
		for _, options := range [][]cgt.Game{g.arena.Left(cgt.Game(game)), g.arena.Right(cgt.Game(game))} {
			for _, option := range options {
				marked[option] = true
			}
		}
	}
	var used []cgt.Game
	for game, is := range marked {
		if is {
			used = append(used, cgt.Game(game))
		}
	}
	return used, nil
}

// options are the numbers of the options of a game, Left's and Right's.
func (g *graph) options(game cgt.Game) (numbers [2][]uint32) {
	for side, options := range [2][]cgt.Game{g.arena.Left(game), g.arena.Right(game)} {
		for _, option := range options {
			numbers[side] = append(numbers[side], g.number[option])
		}
		slices.Sort(numbers[side])
	}
	return numbers
}

// encodeGames lists the options of every game: the numbers of Left's and Right's
// options, then the options by number.
func (g *graph) encodeGames() []byte {
	var out []byte
	for _, game := range g.games {
		options := g.options(game)
		out = binary.LittleEndian.AppendUint16(out, uint16(len(options[0])))
		out = binary.LittleEndian.AppendUint16(out, uint16(len(options[1])))
		for _, number := range slices.Concat(options[0], options[1]) {
			out = binary.LittleEndian.AppendUint32(out, number)
		}
	}
	return out
}

// encodeNegatives lists the number of the negative of every game.
func (g *graph) encodeNegatives() ([]byte, error) {
	var out []byte
	for _, game := range g.games {
		minus, err := g.arena.Neg(game)
		if err != nil {
			return nil, err
		}
		out = binary.LittleEndian.AppendUint32(out, g.number[minus])
	}
	return out, nil
}

// encodeValues lists the number of the value of every entry of a layer.
func (g *graph) encodeValues(n int) []byte {
	var out []byte
	for _, game := range g.values[n] {
		out = binary.LittleEndian.AppendUint32(out, g.number[game])
	}
	return out
}

// encodeSimplest lists for every game the first strip that has it as its value.
func (g *graph) encodeSimplest() ([]byte, error) {
	out := make([]byte, 4*len(g.games))
	for n := 1; n < len(g.values); n++ {
		for code := range Count(n) {
			s := at(n, code)
			index, inverse := s.place()
			game := g.values[n][index]
			if inverse {
				var err error
				if game, err = g.arena.Neg(game); err != nil {
					return nil, err
				}
			}
			if field := out[4*g.number[game]:]; binary.LittleEndian.Uint32(field) == 0 {
				binary.LittleEndian.PutUint32(field, packStrip(s))
			}
		}
	}
	return out, nil
}

// packedSlots is the room for the slots of one colour in a packed strip.
const packedSlots = MaxSimplest + 1

// packStrip writes a short strip as one word: the black slots, the white slots
// and the number of points, from the lowest bit. No strip with points is packed
// as 0.
func packStrip(s Strip) uint32 {
	return uint32(s.black) | uint32(s.white)<<packedSlots | uint32(s.n)<<(2*packedSlots)
}

func unpackStrip(packed uint32) Strip {
	const slots = 1<<packedSlots - 1
	return Strip{uint64(packed & slots), uint64(packed >> packedSlots & slots), uint8(packed >> (2 * packedSlots))}
}
