package proof

import (
	"math/bits"

	"tengen/board"
	"tengen/nogo"
)

// Limits of the endgame search, in positions expanded.
const (
	DefaultEndgameNodes = 2000
	MaxEndgameNodes     = 65536
)

// endgame is a small exact search that decides late positions, so that a
// certificate need not list them. Given the same stones, side and limit it
// always takes the same path, so a position that the writer could leave out is
// one that every checker can prove.
//
// It is boolean negamax. Every child is looked up and judged statically as it
// is generated, so only positions that counting cannot decide are expanded.
type endgame struct {
	grid    nogo.Grid
	limit   int
	nodes   int // expanded by the current search
	memo    memo
	first   uint64       // the winning move of the position expanded last
	history [2][64]int32 // how often a point refuted, in the current search
	moves   [65][]candidate
	view    survey
}

// candidate is a move not decided when it was generated.
type candidate struct {
	point uint64
	mine  uint64 // legal for the side that made the move, afterwards
	other uint64 // legal for the opponent, afterwards
	score int32
}

func newEndgame(grid nogo.Grid, limit int) *endgame {
	return &endgame{grid: grid, limit: limit, memo: newMemo(limit)}
}

// solve decides the position for the side to move, or gives up at the limit.
func (e *endgame) solve(s nogo.Stones, c board.Colour) outcome {
	e.nodes = 0
	e.view.read(e.grid, s)
	if r := e.view.judge(e.grid, c); r != unknown {
		return r
	}
	e.reset()
	return e.expand(s, c, e.view.legal[c], 0)
}

// winningMove is a move that wins, or 0 if there is none or the limit does not
// suffice to find one.
func (e *endgame) winningMove(s nogo.Stones, c board.Colour) uint64 {
	e.reset()
	e.view.read(e.grid, s)
	if e.expand(s, c, e.view.legal[c], 0) != won {
		return 0
	}
	return e.first
}

func (e *endgame) reset() {
	e.nodes = 0
	e.memo.clear()
	clear(e.history[0][:])
	clear(e.history[1][:])
}

// expand searches below a position that is neither in the memo nor decided by
// counting. An unknown child makes the whole search unknown: the limit is
// reached.
func (e *endgame) expand(s nogo.Stones, c board.Colour, legal uint64, depth int) outcome {
	if e.nodes >= e.limit {
		return unknown
	}
	e.nodes++
	moves, winning := e.generate(s, c, legal, depth)
	if winning != 0 {
		e.first = winning
		e.memo.put(s, won)
		return won
	}
	o := c.Opponent()
	for i := range moves {
		m := pick(moves, i)
		child := s.Play(c, m.point)
		r := e.memo.get(child)
		if r == unknown {
			if r = e.expand(child, o, m.other, depth+1); r == unknown {
				return unknown
			}
		}
		if r == lost {
			e.history[c][bits.TrailingZeros64(m.point)] += int32(bits.OnesCount64(legal))
			e.first = m.point
			e.memo.put(s, won)
			return won
		}
	}
	e.memo.put(s, lost)
	return lost
}

// generate lists the moves whose outcome is not known yet, unless it meets one
// that wins at once.
func (e *endgame) generate(s nogo.Stones, c board.Colour, legal uint64, depth int) (moves []candidate, winning uint64) {
	moves = e.moves[depth][:0]
	o := c.Opponent()
	for rest := legal; rest != 0; rest &= rest - 1 {
		point := rest & -rest
		child := s.Play(c, point)
		r := e.memo.get(child)
		if r == unknown {
			e.view.read(e.grid, child)
			r = e.view.judge(e.grid, o)
		}
		switch r {
		case lost:
			return nil, point
		case unknown:
			mine, other := e.view.legal[c], e.view.legal[o]
			mobility := bits.OnesCount64(mine) - bits.OnesCount64(other)
			moves = append(moves, candidate{
				point: point, mine: mine, other: other,
				score: int32(mobility)*16 + e.history[c][bits.TrailingZeros64(point)],
			})
		}
	}
	e.moves[depth] = moves
	return moves, 0
}

// pick moves the best of the remaining candidates to place i; the earlier one
// wins a tie.
func pick(moves []candidate, i int) *candidate {
	best := i
	for j := i + 1; j < len(moves); j++ {
		if moves[j].score > moves[best].score {
			best = j
		}
	}
	m := moves[best]
	copy(moves[i+1:best+1], moves[i:best])
	moves[i] = m
	return &moves[i]
}

// memo remembers the outcomes of one search, by the stones themselves; whose
// turn it is follows from their number. It has room for every node the limit
// allows, so it never forgets and never has to choose.
type memo struct {
	slots      []slot
	generation uint32
}

type slot struct {
	stones     nogo.Stones
	generation uint32 // the slot is free unless this is the memo's
	outcome    outcome
}

func newMemo(limit int) memo {
	return memo{slots: make([]slot, 1<<bits.Len(uint(2*limit))), generation: 1}
}

// clear forgets everything in constant time.
func (m *memo) clear() {
	m.generation++
	if m.generation == 0 {
		clear(m.slots)
		m.generation = 1
	}
}

func (m *memo) find(s nogo.Stones) *slot {
	mask := uint64(len(m.slots) - 1)
	hash := s[0]*0x9E3779B97F4A7C15 ^ bits.RotateLeft64(s[1]*0xC2B2AE3D27D4EB4F, 31)
	for i := hash ^ hash>>32; ; i++ {
		at := &m.slots[i&mask]
		if at.generation != m.generation || at.stones == s {
			return at
		}
	}
}

func (m *memo) get(s nogo.Stones) outcome {
	if at := m.find(s); at.generation == m.generation {
		return at.outcome
	}
	return unknown
}

func (m *memo) put(s nogo.Stones, r outcome) {
	*m.find(s) = slot{stones: s, generation: m.generation, outcome: r}
}
