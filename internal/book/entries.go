package book

import (
	"encoding/binary"
	"errors"
	"slices"

	"tengen/board"
	"tengen/game"
)

// entries are positions, each with a move of the side to play, in ascending order of their
// codes.
type entries struct {
	codes []uint64
	moves []uint8 // numbers of points, or none
}

// none stands for a move that puts no stone: of Go a pass, of NoGo that no move wins.
const none = PassNumber & 0xff

// mostPoints is how many points a code of NoGo has room for.
const mostPoints = 40

var powers = func() (list [mostPoints]uint64) {
	list[0] = 1
	for i := 1; i < mostPoints; i++ {
		list[i] = 3 * list[i-1]
	}
	return list
}()

// code is a position as a number, the least of those of its images. The digit of weight 3^i
// is that of point i: 1 for a stone of the side to play and 2 for one of the other. The next
// digits are the number of the banned point counted from 1, or one more than the number of
// points after a pass; otherwise 0.
func code(p game.Position) (least uint64, how Frame) {
	points := p.Size.Points()
	for n, sym := range p.Size.Symmetries() {
		f, sum := Frame{p.Size, sym}, uint64(0)
		switch {
		case p.Ko != board.NoPoint:
			sum = uint64(f.Number(p.Ko)+1) * powers[points]
		case p.Passes > 0:
			sum = uint64(points+1) * powers[points]
		}
		for side, set := range p.Stones {
			digit := uint64(1)
			if board.Colour(side) != p.ToPlay {
				digit = 2
			}
			for q := range set.Points() {
				sum += digit * powers[f.Number(q)]
			}
		}
		if n == 0 || sum < least {
			least, how = sum, f
		}
	}
	return least, how
}

func stonesOf(p game.Position) int { return p.Stones[board.Black].Len() + p.Stones[board.White].Len() }

// find is the move of a position, board.NoPoint for none.
func (e entries) find(p game.Position) (move board.Point, found bool) {
	key, f := code(p)
	i, found := slices.BinarySearch(e.codes, key)
	if !found || e.moves[i] == none {
		return board.NoPoint, found
	}
	return f.Point(int(e.moves[i])), true
}

// Len is the number of positions.
func (e entries) Len() int { return len(e.codes) }

var errDamaged = errors.New("the book is damaged")

// parseEntries reads entries of a board from the beginning of a content. They are their
// number, the codes in ascending order, each as the difference to the one before, all as
// varints, and then a byte for the move of each.
func parseEntries(size board.Size, content []byte) (e entries, rest []byte, err error) {
	count, n := binary.Uvarint(content)
	if n <= 0 || count > uint64(len(content)) {
		return e, nil, errDamaged
	}
	content = content[n:]
	last := uint64(0)
	for range count {
		step, n := binary.Uvarint(content)
		if n <= 0 {
			return e, nil, errDamaged
		}
		last, content = last+step, content[n:]
		e.codes = append(e.codes, last)
	}
	if uint64(len(content)) < count || !slices.IsSorted(e.codes) {
		return e, nil, errDamaged
	}
	e.moves, rest = content[:count], content[count:]
	if slices.ContainsFunc(e.moves, func(m uint8) bool { return m != none && int(m) >= size.Points() }) {
		return e, nil, errDamaged
	}
	return e, rest, nil
}

// gathered are entries in the making: moves by codes.
type gathered map[uint64]uint8

// add lists a position. One that is listed keeps its move, which is returned.
func (g gathered) add(p game.Position, move board.Point) (kept uint8) {
	key, f := code(p)
	kept, known := g[key]
	if !known {
		kept = uint8(f.Number(move))
		g[key] = kept
	}
	return kept
}

// appendTo writes the entries as parseEntries reads them.
func (g gathered) appendTo(content []byte) []byte {
	codes := make([]uint64, 0, len(g))
	for key := range g {
		codes = append(codes, key)
	}
	slices.Sort(codes)
	content = binary.AppendUvarint(content, uint64(len(codes)))
	last := uint64(0)
	for _, key := range codes {
		content = binary.AppendUvarint(content, key-last)
		last = key
	}
	for _, key := range codes {
		content = append(content, g[key])
	}
	return content
}
