package superko

import (
	"math/bits"

	"tengen/board"
)

// claim is the statement of a telomere: x holds one end of the row safely, and
// the rest of the row, the complement, is too little for o, who is to play. It is
// true if the telomere is fresh.
type claim struct {
	cells uint64 // the telomere
	score int    // of x, as the board stands
	bound int    // x gets at least this, unless o can end the game
	prune uint64 // moves of o that need not be tried
	only  uint64 // all other moves of o leave x at least the score
}

// noBound is less than any score.
const noBound = -128

// complements is figure 9, from the end of the row to the telomere. Moves that o
// need not try are marked *, and x gets at least all points except those given.
var complements = []struct {
	cells, prune string
	but          int
}{
	{"--", "**", 0},
	{"o-", "o*", 0},
	{"---", "*-*", 5},
	{"o--", "o**", 0},
	{"-o-", "*o*", 5},
	{"oo-", "oo*", 0},
	{"----", "*--*", 7},
	{"o---", "o***", 0},
	{"-o--", "*o-*", 7},
	{"--o-", "*-o*", 7},
	{"oo--", "oo-*", 5},
	{"o-o-", "o-o*", 5},
	{"ooo-", "ooo*", 5},
	{"-----", "*----", unbounded},
	{"o----", "o****", 0},
}

const unbounded = 1 << 10

// newClaim looks for a telomere of the opponent whose complement is at the
// beginning of the row. The front chain of the telomere needs a liberty on both
// sides. own may have no move into the telomere and, unlike in the paper, no
// stone in it: in ..xx.o, o has no move at the right end, but kills from the
// left.
func newClaim(r row, own board.Colour, legal uint64, score int) *claim {
	x := own.Opponent()
	at := bits.TrailingZeros64(r.stones[x] | 1<<r.points)
	behind := at
	for behind < r.points && r.at(behind) == x {
		behind++
	}
	if at < 2 || behind >= r.points || r.at(at-1) != board.Empty || r.at(behind) != board.Empty || (legal|r.stones[own])>>at != 0 {
		return nil
	}
	var cells []byte
	for i := range at {
		cells = append(cells, "-o"[r.stones[own]>>i&1])
	}
	c := &claim{cells: (1<<r.points - 1) >> at << at, score: score, bound: noBound}
	c.look(string(cells), r.points)
	switch string(cells) {
	case "-o-": // theorem 6
		c.bound = max(c.bound, score)
	case "-o-o-": // theorem 8
		c.only = 1 << 2
	}
	if c.bound == noBound && c.prune == 0 && c.only == 0 {
		return nil
	}
	return c
}

// look applies theorem 7.
func (c *claim) look(cells string, points int) {
	for _, known := range complements {
		if known.cells != cells {
			continue
		}
		if known.but != unbounded {
			c.bound = points - known.but
		}
		for i, mark := range known.prune {
			if mark == '*' {
				c.prune |= 1 << i
			}
		}
	}
}

func (c *claim) mirror(points int) *claim {
	flip := func(x uint64) uint64 { return bits.Reverse64(x) >> (64 - points) }
	c.cells, c.prune, c.only = flip(c.cells), flip(c.prune), flip(c.only)
	return c
}

// least is the least score of x. After a pass, o can end the game as the board
// stands.
func (c *claim) least(k key) int {
	if k.passed() {
		return min(c.bound, c.score)
	}
	return c.bound
}

// fresh reports whether x never had a stone in the telomere before, and adds this
// condition to the reason. The paper only requires that the telomere itself never
// occurred. But x may lose it on the way and need boards with a part of it.
func (c *claim) fresh(w *worker, k key, why *reason) bool {
	x := k.other()
	if w.history.before[x]&c.cells != 0 {
		return false
	}
	why.untouched[x] |= c.cells
	return true
}
