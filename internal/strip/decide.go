package strip

import (
	"math/bits"

	"tengen/board"
)

// decider bounds strips and compares sums of strips with integers by search. It
// looks up the bounds of single strips in a table, which leaves little to search,
// and remembers its results. It is for one goroutine.
type decider struct {
	table layers
	known []enclosure
	open  [deepest][]sum // sums that a node has yet to search, by depth
	depth int
}

// deepest bounds the depth of nodes: after the first, at least every second node
// follows from a move on a point.
const deepest = 2*MaxBounds + 2

// enclosure is the known range of the Low of a sum. A newer entry replaces it.
type enclosure struct {
	key             key
	least, greatest int8
}

func (e *enclosure) lows() span { return span{int(e.least), int(e.greatest)} }

// maxKnown bounds the number of results that a decider remembers.
const maxKnown = 1 << 20

// newDecider prepares for the strips with one point more than the table covers.
// Its memory grows with the size of their layer, up to maxKnown.
func newDecider(table layers) *decider {
	n := min(max(entries(len(table))/8, 1<<10), maxKnown)
	return &decider{table: table, known: make([]enclosure, n)}
}

// slot is the entry that remembers a sum.
func (d *decider) slot(k *key) *enclosure {
	at, _ := bits.Mul64(k.hash(), uint64(len(d.known)))
	return &d.known[at]
}

// bounds finds the bounds of a strip; the table covers all shorter ones.
func (d *decider) bounds(s Strip) Bounds {
	return enclose(d.own(s), -d.own(s.Inverse()))
}

// own is the largest Low of the games that Black can move to.
func (d *decider) own(s Strip) int {
	best := -noMove
	waiting := d.enter()
	legal, _ := s.Legal()
	for ; legal != 0; legal &= legal - 1 {
		left, right := s.Play(board.Black, bits.TrailingZeros64(legal))
		if right.n == 0 {
			best = max(best, d.table.at(left).Low)
			continue
		}
		var x sum
		x.add(left, d.table)
		x.add(right, d.table)
		lows := x.lows()
		best = max(best, lows.least+x.free)
		if lows.least < lows.greatest {
			*waiting = append(*waiting, x)
		}
	}
	for i := range *waiting {
		x := &(*waiting)[i]
		for x.lows().greatest+x.free > best && d.atLeast(x, best+1) {
			best++
		}
	}
	d.leave()
	return best
}

// enter gives a node its list, and reuses the memory of earlier nodes of its
// depth.
func (d *decider) enter() *[]sum {
	list := &d.open[d.depth]
	*list = (*list)[:0]
	d.depth++
	return list
}

func (d *decider) leave() { d.depth-- }

// atMost reports whether x ≤ k.
func (d *decider) atMost(x *sum, k int) bool {
	highs := x.highs()
	switch {
	case k >= highs.greatest+x.free:
		return true
	case k < highs.least+x.free:
		return false
	}
	inverse := *x
	inverse.invert()
	return d.atLeast(&inverse, -k)
}

// atLeast reports whether x ≥ k.
func (d *decider) atLeast(x *sum, k int) bool {
	k -= x.free
	lows, at := x.lows(), x.key()
	known := d.slot(&at)
	if known.key == at {
		lows = known.lows()
	}
	switch {
	case k <= lows.least:
		return true
	case k > lows.greatest:
		return false
	}
	won := d.search(x, k)
	if known.key == at {
		lows = known.lows() // the search may have come across the same sum
	}
	if won {
		lows.least = max(lows.least, k)
	} else {
		lows.greatest = min(lows.greatest, k-1)
	}
	*known = enclosure{at, int8(lows.least), int8(lows.greatest)}
	return won
}

// search reports whether the parts of x are ≥ k: whether White, moving first, has
// no move to a sum ≤ k. It first tries the moves that bounds decide.
func (d *decider) search(x *sum, k int) bool {
	waiting := d.enter()
	defer d.leave()
	for i := range x.count {
		if i > 0 && x.parts[i].strip == x.parts[i-1].strip {
			continue
		}
		rest := *x
		rest.free = 0
		rest.remove(i)
		s := x.parts[i].strip
		_, legal := s.Legal()
		for ; legal != 0; legal &= legal - 1 {
			left, right := s.Play(board.White, bits.TrailingZeros64(legal))
			y := rest
			y.add(left, d.table)
			y.add(right, d.table)
			highs := y.highs()
			if k >= highs.greatest+y.free {
				return false
			}
			if k >= highs.least+y.free {
				*waiting = append(*waiting, y)
			}
		}
	}
	for i := range *waiting {
		if d.atMost(&(*waiting)[i], k) {
			return false
		}
	}
	if k <= 0 {
		return true
	}
	parts := *x
	parts.free = 0
	return !d.atMost(&parts, k-1) // White's free move
}
