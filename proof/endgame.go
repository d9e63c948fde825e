package proof

import (
	"math/bits"

	"tengen/board"
	"tengen/nogo"
)

// MaxEndgameNodes is the highest limit of an endgame search that a file may state.
const MaxEndgameNodes = 65536

// DefaultEndgameNodes is the limit of the endgame searches for a board, in
// positions expanded. A low limit makes larger files that are checked faster: a
// listed position is checked once, a position below an endgame as often as it
// occurs. For proofs that take hours to check, time matters more than size.
func DefaultEndgameNodes(size board.Size) int {
	if size.Points() >= 28 {
		return 25
	}
	return 100
}

// endgame is a small exact search that decides late positions, so that a
// certificate need not list them. Given the same stones, side and limit it always
// takes the same path. So every checker can prove the positions that the writer
// left out. A change of its node counts is a new version of the file format.
//
// It is boolean negamax. Every child is looked up and judged statically as it
// is generated, so only positions that counting cannot decide are expanded.
type endgame struct {
	grid  nogo.Grid
	limit int
	nodes int    // expanded by the current search
	first uint64 // the winning move of the won position expanded last
	memo  memo
	tried [2][64]experience
	plies []ply
}

// experience counts the tries and wins of a move on one point in the current
// search.
type experience struct{ tries, wins int32 }

// ply is the working memory of one depth.
type ply struct {
	view  survey
	moves []candidate
}

// candidate is a move not decided when it was generated.
type candidate struct {
	point uint64
	score int32
}

func newEndgame(grid nogo.Grid, limit int) *endgame {
	return &endgame{
		grid:  grid,
		limit: limit,
		memo:  newMemo(limit),
		plies: make([]ply, bits.OnesCount64(grid.Mask)+2),
	}
}

// solve decides the position for the side to move, or gives up at the limit.
func (e *endgame) solve(s nogo.Stones, c board.Colour) outcome {
	e.nodes = 0
	v := &e.plies[0].view
	v.read(e.grid, s)
	if r, _ := v.judge(e.grid, c); r != unknown {
		return r
	}
	e.reset()
	return e.expand(c, 0)
}

// winningMove is a move that wins. It is 0 if there is none or if the limit is too
// low to find one.
func (e *endgame) winningMove(s nogo.Stones, c board.Colour) uint64 {
	e.reset()
	e.plies[0].view.read(e.grid, s)
	if e.expand(c, 0) != won {
		return 0
	}
	return e.first
}

// reset forgets the last search, so that it cannot affect the next.
func (e *endgame) reset() {
	e.nodes = 0
	e.memo.clear()
	e.tried = [2][64]experience{}
}

// expand searches below the position surveyed at a depth. That position is neither
// in the memo nor decided by counting. An unknown child makes the whole search
// unknown: the limit is reached.
func (e *endgame) expand(c board.Colour, depth int) outcome {
	if e.nodes >= e.limit {
		return unknown
	}
	e.nodes++
	here, next := &e.plies[depth], &e.plies[depth+1]
	s := here.view.stones
	if winning := e.generate(c, depth); winning != 0 {
		e.first = winning
		e.memo.put(s, won)
		return won
	}
	for i := range here.moves {
		point := pick(here.moves, i)
		r := e.memo.get(s.Play(c, point))
		if r == unknown {
			next.view.play(e.grid, &here.view, c, point)
			if r = e.expand(c.Opponent(), depth+1); r == unknown {
				return unknown
			}
		}
		tried := &e.tried[c][bits.TrailingZeros64(point)]
		tried.tries++
		if r == lost {
			tried.wins++
			e.first = point
			e.memo.put(s, won)
			return won
		}
	}
	e.memo.put(s, lost)
	return lost
}

// generate lists the moves whose outcome is not known yet. It stops at a move that
// wins at once and returns it. A move has a higher value if it leaves fewer
// replies, if the opponent is nearer to losing by counting, and if it has won more
// often elsewhere in this search.
func (e *endgame) generate(c board.Colour, depth int) (winning uint64) {
	here, child := &e.plies[depth], &e.plies[depth+1].view
	moves := here.moves[:0]
	o := c.Opponent()
	for rest := here.view.legal[c]; rest != 0; rest &= rest - 1 {
		point := rest & -rest
		r, slack := e.memo.get(here.view.stones.Play(c, point)), 0
		if r == unknown {
			child.play(e.grid, &here.view, c, point)
			r, slack = child.judge(e.grid, o)
		}
		switch r {
		case lost:
			return point
		case unknown:
			tried := e.tried[c][bits.TrailingZeros64(point)]
			moves = append(moves, candidate{
				point: point,
				score: 32*tried.wins/(tried.tries+1) - 8*int32(bits.OnesCount64(child.legal[o])+slack),
			})
		}
	}
	here.moves = moves
	return 0
}

// pick moves the best of the remaining candidates to place i; the earlier one
// wins a tie.
func pick(moves []candidate, i int) uint64 {
	best := i
	for j := i + 1; j < len(moves); j++ {
		if moves[j].score > moves[best].score {
			best = j
		}
	}
	m := moves[best]
	copy(moves[i+1:best+1], moves[i:best])
	moves[i] = m
	return m.point
}

// memo remembers the outcomes of one search, by the stones themselves. The side to
// move follows from their number. It has room for every node the limit allows, so
// it never has to forget an outcome.
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

// clear empties the memo in constant time.
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
