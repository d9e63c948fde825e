package retro

import (
	"math/bits"
	"sync/atomic"

	"tengen/internal/bigmem"
)

// index numbers the boards that are kept, in ascending order of their codes: the
// sound boards with the smallest code among their images and inverses.
//
// A line of eight words holds the rank of its first board and 448 bits, one per
// code, so that a rank costs one cache line. A stone more makes every image's code
// larger and so the smallest of them: descending order visits a board after all
// boards that moves without capture lead to.
type index struct {
	words  *bigmem.Words
	lines  int
	boards uint64
}

const (
	lineWords = 8
	lineCodes = 64 * (lineWords - 1)

	// chunkLines is what a thread takes at a time.
	chunkLines = 64
)

func indexBytes(codes uint64) int64 {
	return int64((codes + lineCodes - 1) / lineCodes * lineWords * 8)
}

// newIndex finds the boards on several threads.
func newIndex(g *geometry, team *team) (*index, error) {
	x := &index{lines: int((g.codes + lineCodes - 1) / lineCodes)}
	words, err := bigmem.Alloc(x.lines*lineWords, "index of Go boards")
	if err != nil {
		return nil, err
	}
	x.words = words
	low := newLowImages(g)
	err = team.run(x.chunks(), func(_, chunk int) {
		first := uint64(chunk) * chunkLines * lineCodes
		x.findBoards(g, low, first, min(first+chunkLines*lineCodes, g.codes))
	})
	if err != nil {
		x.words.Free()
		return nil, err
	}
	for line := range x.lines {
		x.words.Data[line*lineWords] = x.boards
		for _, w := range x.line(line)[1:] {
			x.boards += uint64(bits.OnesCount64(w))
		}
	}
	return x, nil
}

func (x *index) chunks() int { return (x.lines + chunkLines - 1) / chunkLines }

func (x *index) line(i int) []uint64 { return x.words.Data[i*lineWords : (i+1)*lineWords] }

// base is the rank of the first board of a line, also of the line after the last.
func (x *index) base(line int) uint64 {
	if line >= x.lines {
		return x.boards
	}
	return x.words.Data[line*lineWords]
}

// rank is the number of a board, if it is one that is kept.
func (x *index) rank(code uint64) (uint64, bool) {
	line := x.line(int(code / lineCodes))
	at := code % lineCodes
	word := int(1 + at/64)
	w, bit := line[word], uint64(1)<<(at&63)
	r := line[0] + uint64(bits.OnesCount64(w&(bit-1)))
	for _, v := range line[1:word] {
		r += uint64(bits.OnesCount64(v))
	}
	return r, w&bit != 0
}

// lowImages holds the codes of all settings of the lowest digits, under every
// symmetry, with the colours as they are and exchanged.
type lowImages struct {
	codes         uint64
	same, inverse []image
}

func newLowImages(g *geometry) *lowImages {
	low := &lowImages{codes: uint64(len(g.decode[0]))}
	for _, b := range g.decode[0] {
		same, inverse := g.bothImages(b)
		low.same = append(low.same, same)
		low.inverse = append(low.inverse, inverse)
	}
	return low
}

func (g *geometry) bothImages(b stones) (same, inverse image) {
	x, y := g.images(b.own), g.images(b.other)
	for s := range g.syms {
		same[s] = x[s] + 2*y[s]
		inverse[s] = 2*x[s] + y[s]
	}
	return same, inverse
}

// findBoards sets the bits of the codes from first up to end, which share no line
// with those of other calls.
func (x *index) findBoards(g *geometry, low *lowImages, first, end uint64) {
	for code := first; code < end; {
		high := code - code%low.codes
		same, inverse := g.bothImages(g.board(high))
		stop := min(high+low.codes, end)
		for ; code < stop; code++ {
			if smallest(g.syms, code, &same, &inverse, &low.same[code-high], &low.inverse[code-high]) {
				if b := g.board(code); g.grid.Sound(b.own, b.other) {
					at := code % lineCodes
					x.words.Data[code/lineCodes*lineWords+1+at/64] |= 1 << (at & 63)
				}
			}
		}
	}
}

func smallest(syms int, code uint64, highSame, highInverse, lowSame, lowInverse *image) bool {
	for s := range syms {
		if highSame[s]+lowSame[s] < code || highInverse[s]+lowInverse[s] < code {
			return false
		}
	}
	return true
}

// descend calls visit with the boards of a chunk, the largest code first, as far
// as wanted says that something in the rank interval is of interest.
func (x *index) descend(chunk int, wanted func(from, to uint64) bool, visit func(code, rank uint64)) {
	first, end := chunk*chunkLines, min((chunk+1)*chunkLines, x.lines)
	if !wanted(x.base(first), x.base(end)) {
		return
	}
	for line := end - 1; line >= first; line-- {
		rank := x.base(line + 1)
		if rank == x.base(line) || !wanted(x.base(line), rank) {
			continue
		}
		words := x.line(line)
		for i := lineWords - 1; i > 0; i-- {
			start := uint64(line)*lineCodes + uint64(i-1)*64
			for w := words[i]; w != 0; {
				bit := 63 - bits.LeadingZeros64(w)
				w &^= 1 << bit
				rank--
				visit(start+uint64(bit), rank)
			}
		}
	}
}

// inhabited wants every interval with a board.
func inhabited(from, to uint64) bool { return from < to }

// marks is a set of numbers that threads add to and take from at once.
type marks struct{ words *bigmem.Words }

func newMarks(n uint64, purpose string) (marks, error) {
	words, err := bigmem.Alloc(int(n/64+1), purpose)
	return marks{words}, err
}

func (m marks) set(i uint64) {
	word, bit := &m.words.Data[i/64], uint64(1)<<(i&63)
	if atomic.LoadUint64(word)&bit == 0 {
		atomic.OrUint64(word, bit)
	}
}

// take reads and clears the two marks 2r and 2r+1. It clears only what it has
// read: the other mark may be set by another thread in between.
func (m marks) take(r uint64) uint8 {
	word, shift := &m.words.Data[r/32], r%32*2
	found := atomic.LoadUint64(word) >> shift & 3
	if found != 0 {
		atomic.AndUint64(word, ^(found << shift))
	}
	return uint8(found)
}

// any reports whether a mark of the boards from … to-1 is set.
func (m marks) any(from, to uint64) bool {
	if from >= to {
		return false
	}
	first, last := from/32, (to-1)/32
	for i := first; i <= last; i++ {
		w := atomic.LoadUint64(&m.words.Data[i])
		if i == first {
			w &= ^uint64(0) << (from % 32 * 2)
		}
		if i == last {
			w &= ^uint64(0) >> (62 - (to-1)%32*2)
		}
		if w != 0 {
			return true
		}
	}
	return false
}

// fill marks both sides of the first n boards.
func (m marks) fill(n uint64) {
	for i := range n / 32 {
		m.words.Data[i] = ^uint64(0)
	}
	if n%32 != 0 {
		m.words.Data[n/32] = 1<<(n%32*2) - 1
	}
}
