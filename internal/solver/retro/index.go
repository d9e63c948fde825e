package retro

import (
	"iter"
	"math/bits"
	"sync/atomic"

	"tengen/internal/bigmem"
)

// index numbers the boards that are kept, in ascending order of their codes: the
// sound boards with the smallest code among their images and inverses.
//
// A line of eight words holds a head, from which ranks are counted, and 448 bits, one
// per code. Most lines have no board and are left out, so a rank costs one read of the
// span of the code and one cache line. One more stone makes every image's code
// larger, and so also the smallest of them. So descending order visits a board
// after all boards to which its moves without capture lead.
type index struct {
	words  *bigmem.Words // the lines that have a board, span by span
	lines  int           // number of these lines
	spans  []span
	boards uint64
}

// span describes 64 lines in a row.
type span struct {
	base  uint64 // rank of its first board
	lines uint64 // set of the lines that have a board
	first uint64 // place of the first of them
}

const (
	lineWords = 8
	lineCodes = 64 * (lineWords - 1)
	spanLines = 64
	spanCodes = spanLines * lineCodes
	spanBytes = 24
)

func spansOf(codes uint64) int { return int((codes + spanCodes - 1) / spanCodes) }

// newIndex finds the boards on several threads.
func newIndex(g *geometry, team *team) (*index, error) {
	x := &index{spans: make([]span, spansOf(g.codes))}
	// Reserve room for every line. Only the lines that are written take memory.
	words, err := bigmem.Alloc(len(x.spans)*spanLines*lineWords, "index of Go boards")
	if err != nil {
		return nil, err
	}
	x.words = words
	low := newLowImages(g)
	var lines atomic.Int64
	err = team.run(len(x.spans), func(_, i int) {
		var found [spanLines][lineWords]uint64
		first := uint64(i) * spanCodes
		g.findBoards(low, first, min(first+spanCodes, g.codes), &found)
		x.spans[i] = x.keep(&found, &lines)
	})
	if err != nil {
		x.words.Free()
		return nil, err
	}
	x.lines = int(lines.Load())
	x.number()
	return x, nil
}

// keep copies the lines with a board to the end of those that are kept.
func (x *index) keep(found *[spanLines][lineWords]uint64, lines *atomic.Int64) span {
	var s span
	for i := range found {
		if found[i] != [lineWords]uint64{} {
			s.lines |= 1 << i
		}
	}
	n := int64(bits.OnesCount64(s.lines))
	s.first = uint64(lines.Add(n) - n)
	at := s.first
	for rest := s.lines; rest != 0; rest &= rest - 1 {
		copy(x.line(at), found[bits.TrailingZeros64(rest)][:])
		at++
	}
	return s
}

// number gives every line the rank of its first board.
func (x *index) number() {
	for i := range x.spans {
		s := &x.spans[i]
		s.base = x.boards
		for n := range bits.OnesCount64(s.lines) {
			line := x.line(s.first + uint64(n))
			line[0] = uint64(newHead(x.boards, line[1:]))
			for _, w := range line[1:] {
				x.boards += uint64(bits.OnesCount64(w))
			}
		}
	}
}

// head is the first word of a line. Its low bits are the rank of the first board. Above
// it are the numbers of boards in the first two, four and six words of the line, so that
// a rank is counted from two words without a loop.
type head uint64

const (
	pairBits  = 9 // enough for the bits of six words
	firstBits = 64 - 3*pairBits
)

func newHead(first uint64, words []uint64) head {
	h, boards := head(first), 0
	for pair := range 3 {
		boards += bits.OnesCount64(words[2*pair]) + bits.OnesCount64(words[2*pair+1])
		h |= head(boards) << (firstBits + pairBits*pair)
	}
	return h
}

func (h head) first() uint64 { return uint64(h) & (1<<firstBits - 1) }

// before is the number of boards in the words before a pair. The pair 0 has none; a mask
// takes the place of a branch.
func (h head) before(pair uint64) uint64 {
	other := -((pair + 3) / 4)
	return uint64(h) >> (firstBits - pairBits + pairBits*pair) & (1<<pairBits - 1) & other
}

func (x *index) line(i uint64) []uint64 { return x.words.Data[i*lineWords:][:lineWords] }

// base is the rank of the first board of a span, also of the span after the last.
func (x *index) base(span int) uint64 {
	if span >= len(x.spans) {
		return x.boards
	}
	return x.spans[span].base
}

// rank is the number of a board, if it is kept.
func (x *index) rank(code uint64) (uint64, bool) {
	at := code / lineCodes
	s, mark := &x.spans[at/spanLines], uint64(1)<<(at%spanLines)
	if s.lines&mark == 0 {
		return 0, false
	}
	line := x.line(s.first + uint64(bits.OnesCount64(s.lines&(mark-1))))
	at = code % lineCodes
	h, word := head(line[0]), at/64
	w, bit := line[1+word], uint64(1)<<(at&63)
	left := line[1+word&^1] & -(word & 1) // the word before it in the pair
	return h.first() + h.before(word/2) + uint64(bits.OnesCount64(left)+bits.OnesCount64(w&(bit-1))), w&bit != 0
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
		same, inverse := g.faces(b)
		low.same = append(low.same, same)
		low.inverse = append(low.inverse, inverse)
	}
	return low
}

// findBoards sets the bits of the boards with codes from first, where found begins,
// up to end.
func (g *geometry) findBoards(low *lowImages, first, end uint64, found *[spanLines][lineWords]uint64) {
	for code := first; code < end; {
		high := code - code%low.codes
		same, inverse := g.faces(g.board(high))
		stop := min(high+low.codes, end)
		for ; code < stop; code++ {
			if smallest(g.syms, code, &same, &inverse, &low.same[code-high], &low.inverse[code-high]) {
				if b := g.board(code); g.grid.Sound(b.own, b.other) {
					line, at := (code-first)/lineCodes, (code-first)%lineCodes
					found[line][1+at/64] |= 1 << (at & 63)
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

// all yields every board in ascending order: code and rank.
func (x *index) all() iter.Seq2[uint64, uint64] {
	return func(yield func(code, rank uint64) bool) {
		rank := uint64(0)
		for i, s := range x.spans {
			at := s.first
			for rest := s.lines; rest != 0; rest &= rest - 1 {
				start := uint64(i)*spanCodes + uint64(bits.TrailingZeros64(rest))*lineCodes
				for word, w := range x.line(at)[1:] {
					for ; w != 0; w &= w - 1 {
						if !yield(start+uint64(word*64+bits.TrailingZeros64(w)), rank) {
							return
						}
						rank++
					}
				}
				at++
			}
		}
	}
}

// descend calls visit with the boards of a span, the largest code first. It skips
// rank intervals for which wanted returns false.
func (x *index) descend(span int, wanted func(from, to uint64) bool, visit func(code, rank uint64)) {
	s, end := x.spans[span], x.base(span+1)
	if !wanted(s.base, end) {
		return
	}
	at := s.first + uint64(bits.OnesCount64(s.lines))
	for rest := s.lines; rest != 0; {
		top := 63 - bits.LeadingZeros64(rest)
		rest &^= 1 << top
		at--
		line := x.line(at)
		first := head(line[0]).first()
		if wanted(first, end) {
			descendLine(line, uint64(span)*spanCodes+uint64(top)*lineCodes, end, visit)
		}
		end = first
	}
}

// descendLine visits the boards of the line that begins with the code first and
// ends before the board of rank end.
func descendLine(line []uint64, first, end uint64, visit func(code, rank uint64)) {
	for i := lineWords - 1; i > 0; i-- {
		start := first + uint64(i-1)*64
		for w := line[i]; w != 0; {
			bit := 63 - bits.LeadingZeros64(w)
			w &^= 1 << bit
			end--
			visit(start+uint64(bit), end)
		}
	}
}

// inhabited reports whether an interval has a board.
func inhabited(from, to uint64) bool { return from < to }
