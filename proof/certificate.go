// Package proof holds certificates of NoGo results and a checker that is
// independent of every solver.
//
// A certificate proves that one side wins a root position. It lists positions
// with the winner to move and a winning move for each, so that after the move
// every reply leads to another listed position or to one that a small endgame
// search, part of the format and limited in size, can prove. Stones are never
// removed, so there are no cycles, and every entry can be checked on its own.
//
// The package makes certificates from any Oracle, writes and reads them, checks
// them with the rules of NoGo alone, and counts the positions of the proof. It
// solves only endgames and imports no solver.
package proof

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"sort"
	"sync"

	"tengen/board"
	"tengen/nogo"
)

// Certificate is a claim and its proof. It does not change once made and is
// safe for concurrent use.
type Certificate struct {
	coder        *coder
	root         nogo.Stones
	toPlay       board.Colour
	winner       board.Colour
	endgameNodes int
	entries      entries

	seal func() seal
}

// seal identifies the file form of a certificate.
type seal struct {
	bytes    int64
	checksum string
}

// newCertificate checks the claim and leaves the proof empty.
func newCertificate(root nogo.Position, toPlay, winner board.Colour, endgameNodes int) (*Certificate, error) {
	if _, err := board.NewSize(root.Size.Rows, root.Size.Cols); err != nil {
		return nil, err
	}
	if endgameNodes == 0 {
		endgameNodes = DefaultEndgameNodes(root.Size)
	}
	switch {
	case !root.Size.Small():
		return nil, fmt.Errorf("a %s board is too large for a certificate: rows times (columns + 1) may be at most 64", root.Size)
	case toPlay > board.White || winner > board.White:
		return nil, errors.New("the side to play and the winner must be black or white")
	case endgameNodes < 1 || endgameNodes > MaxEndgameNodes:
		return nil, fmt.Errorf("an endgame limit of %d nodes is not between 1 and %d", endgameNodes, MaxEndgameNodes)
	}
	if err := root.Validate(); err != nil {
		return nil, fmt.Errorf("root %s: %w", root, err)
	}
	c := &Certificate{
		coder:        newCoder(root.Size),
		root:         root.Small(),
		toPlay:       toPlay,
		winner:       winner,
		endgameNodes: endgameNodes,
	}
	c.entries.wide = c.coder.high != nil
	c.seal = sync.OnceValue(c.computeSeal)
	return c, nil
}

// Root is the position the claim is about.
func (c *Certificate) Root() nogo.Position { return c.coder.position(c.root) }

// ToPlay is the side to move at the root.
func (c *Certificate) ToPlay() board.Colour { return c.toPlay }

// Winner is the side that is claimed to win.
func (c *Certificate) Winner() board.Colour { return c.winner }

// EndgameNodes is the limit of the endgame searches that complete the proof.
func (c *Certificate) EndgameNodes() int { return c.endgameNodes }

// Len is the number of entries.
func (c *Certificate) Len() int { return c.entries.len() }

// Size is the size of the board.
func (c *Certificate) Size() board.Size { return c.coder.size }

// Bytes is the size of the file.
func (c *Certificate) Bytes() int64 { return c.seal().bytes }

// Checksum is the SHA-256 of the whole file in hexadecimal, as sha256sum prints it.
func (c *Certificate) Checksum() string { return c.seal().checksum }

// Lookup finds the winning move of a position in any orientation.
func (c *Certificate) Lookup(p nogo.Position, toPlay board.Colour) (board.Point, bool) {
	if p.Size != c.coder.size || toPlay != c.winner {
		return board.NoPoint, false
	}
	key, sym := c.coder.canonical(p.Small())
	i, ok := c.entries.find(key)
	if !ok {
		return board.NoPoint, false
	}
	return p.Size.Map(p.Size.Inverse(sym), c.coder.points[c.entries.moves[i]]), true
}

// Entries yields the positions in ascending order of their codes, each in its
// canonical orientation, with its move.
func (c *Certificate) Entries() iter.Seq2[nogo.Position, board.Point] {
	return func(yield func(nogo.Position, board.Point) bool) {
		for i, move := range c.entries.moves {
			p := c.coder.position(c.coder.decode(c.entries.key(i)))
			if !yield(p, c.coder.points[move]) {
				return
			}
		}
	}
}

// entry is one position of a proof and the index of its move.
type entry struct {
	key  code
	move uint8
}

// entries are columns sorted by code: 9 bytes per entry where codes fit one
// word, 17 elsewhere.
type entries struct {
	wide  bool
	low   []uint64
	high  []uint64 // empty unless wide
	moves []uint8
}

func (e *entries) len() int { return len(e.moves) }

func (e *entries) key(i int) code {
	if e.wide {
		return code{e.high[i], e.low[i]}
	}
	return code{lo: e.low[i]}
}

func (e *entries) add(key code, move uint8) {
	if e.wide {
		e.high = append(e.high, key.hi)
	}
	e.low = append(e.low, key.lo)
	e.moves = append(e.moves, move)
}

// each is the memory of an entry while a file is read. Columns grow to at most
// twice their length, and the last time to their final length. The old column, half
// as long, exists during the copy.
func (e *entries) each() int {
	if e.wide {
		return (8 + 8 + 1) * 3 / 2
	}
	return (8 + 1) * 3 / 2
}

// reserve makes room for n more entries; left is the number of entries still to
// come.
func (e *entries) reserve(n int, left uint64) {
	if cap(e.moves)-len(e.moves) >= n {
		return
	}
	more := int(min(left, uint64(max(len(e.moves), n))))
	if e.wide {
		e.high = extended(e.high, more)
	}
	e.low = extended(e.low, more)
	e.moves = extended(e.moves, more)
}

// extended is a list with room for exactly more further elements.
func extended[T any](list []T, more int) []T {
	return append(make([]T, 0, len(list)+more), list...)
}

// addSorted appends a list in the order of sortedEntries.
func (e *entries) addSorted(list []entry) {
	for _, x := range sortedEntries(list) {
		e.add(x.key, x.move)
	}
}

// sortedEntries sorts in place and keeps one entry of each code. It keeps the one
// with the smallest move, so that the result does not depend on the order of the
// list.
func sortedEntries(list []entry) []entry {
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(a.key.compare(b.key), cmp.Compare(a.move, b.move))
	})
	return slices.CompactFunc(list, func(a, b entry) bool { return a.key == b.key })
}

func (e *entries) find(key code) (int, bool) {
	if !e.wide {
		return slices.BinarySearch(e.low, key.lo)
	}
	i := sort.Search(e.len(), func(i int) bool { return e.key(i).compare(key) >= 0 })
	return i, i < e.len() && e.key(i) == key
}

// replies yields the canonical codes of the positions that the loser can reach.
func replies(k *coder, s nogo.Stones, loser board.Colour) iter.Seq2[uint64, code] {
	return func(yield func(uint64, code) bool) {
		for rest := legal(k.grid, s, loser); rest != 0; rest &= rest - 1 {
			key, _ := k.canonical(s.Play(loser, rest&-rest))
			if !yield(rest&-rest, key) {
				return
			}
		}
	}
}

func legal(g nogo.Grid, s nogo.Stones, c board.Colour) uint64 {
	black, white := g.Legal(s)
	return [2]uint64{black, white}[c]
}

// name is the name of a point given as a bit.
func (c *coder) name(point uint64) string {
	return c.size.Name(board.Point(bits.TrailingZeros64(point)))
}
