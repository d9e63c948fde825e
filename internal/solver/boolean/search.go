package boolean

import (
	"context"
	"math/bits"

	"tengen/board"
	"tengen/internal/bucket"
	"tengen/internal/yield"
	"tengen/nogo"
)

// node is a position on the search's path.
type node struct {
	stones nogo.Stones
	sums   [2]uint64 // by colour, the powers of three of its stones
	toPlay board.Colour
	depth  int // stones on the board
}

func (s *Solver) node(p nogo.Position, toPlay board.Colour) node {
	n := node{stones: p.Small(), toPlay: toPlay}
	for c, stones := range n.stones {
		n.depth += bits.OnesCount64(stones)
		for ; stones != 0; stones &= stones - 1 {
			n.sums[c] += s.powers[bits.TrailingZeros64(stones)]
		}
	}
	return n
}

// code is the board as the side to move sees it.
func (n *node) code() uint64 { return n.sums[n.toPlay] + 2*n.sums[n.toPlay^1] }

func (s *Solver) play(n *node, cell int) node {
	next := *n
	next.stones[n.toPlay] |= 1 << cell
	next.sums[n.toPlay] += s.powers[cell]
	next.toPlay ^= 1
	next.depth++
	return next
}

func (s *Solver) moves(n *node) uint64 {
	black, white := s.grid.Legal(n.stones)
	if n.toPlay == board.Black {
		return black
	}
	return white
}

// search is one search for one question. Values are the numbers of winning
// points, or the solver's loss.
type search struct {
	*Solver
	ctx      context.Context
	root     node
	table    *bucket.Table // nil to search without
	offset   uint64        // added to codes: the start of the deadline's range
	deadline int           // stones after which the attacker's time is over; the number of points if there is no limit
	nodes    uint64
	lost     uint64 // root moves known to lose
	err      error

	useETC, useHistory bool

	// These are kept here because they would otherwise be allocated at every
	// node: the positions from the root down, by depth, and the scratch space of
	// cutoff.
	path   [MaxPoints + 1]node
	codes  [bucket.MaxBatch]uint64
	values [bucket.MaxBatch]bucket.Value
}

// pollEvery is the number of nodes between two calls of poll.
const pollEvery = 1 << 12

// run searches the root.
func (f *search) run() (bucket.Value, error) {
	v := f.loss
	if f.root.depth <= f.deadline {
		v = f.value(&f.root)
	}
	f.flush()
	if f.err == nil && f.table != nil {
		f.err = f.table.Err()
	}
	return v, f.err
}

// flush adds the nodes since the last time to the published counts.
func (f *search) flush() {
	f.counts.nodes.Add(f.nodes)
	f.nodes = 0
	f.publish()
}

// poll publishes counts, serves a waiting request to save, and notices a stop.
func (f *search) poll() {
	f.flush()
	yield.Now()
	select {
	case r := <-f.requests:
		r.done <- f.save(r.to)
	default:
	}
	if f.err == nil {
		f.err = f.ctx.Err()
	}
}

// value looks a position up and searches it if it is new.
func (f *search) value(n *node) bucket.Value {
	code := n.code() + f.offset
	if f.table != nil {
		if v := f.table.Get(code); v != bucket.Missing {
			return v
		}
	}
	return f.expand(n, code)
}

// expand decides a position that is not in the table and stores it there. After
// an error its result is undefined.
func (f *search) expand(n *node, code uint64) bucket.Value {
	if f.nodes++; f.nodes == pollEvery {
		f.poll()
		f.publishPath(n.depth)
	}
	moves := f.moves(n)
	if moves == 0 {
		return f.store(code, f.loss)
	}
	if n.depth == f.deadline {
		// The attacker has played the last stone allowed, and the defender can
		// still move: any move wins for the defender.
		return f.store(code, bucket.Value(f.numbers[bits.TrailingZeros64(moves)]))
	}
	fresh := false
	if f.useETC {
		open, cell := f.cutoff(n, moves)
		if cell >= 0 {
			return f.win(n, code, cell)
		}
		f.decided(n, moves&^open)
		moves, fresh = open, true
	}
	for moves != 0 && f.err == nil {
		cell := f.choose(n.toPlay, moves)
		moves &^= 1 << cell
		next := &f.path[n.depth+1]
		*next = f.play(n, cell)
		var v bucket.Value
		if fresh {
			// Nothing was stored since all children were looked up.
			v, fresh = f.expand(next, next.code()+f.offset), false
		} else {
			v = f.value(next)
		}
		if v == f.loss && f.err == nil {
			return f.win(n, code, cell)
		}
		f.decided(n, 1<<cell)
	}
	return f.store(code, f.loss)
}

// cutoff looks up all children at once. It returns a cell that leaves the
// opponent lost, or -1 and the moves not yet known to lose.
func (f *search) cutoff(n *node, moves uint64) (open uint64, cell int) {
	base := n.sums[n.toPlay^1] + 2*n.sums[n.toPlay] + f.offset
	count := 0
	for rest := moves; rest != 0; rest &= rest - 1 {
		f.codes[count&(bucket.MaxBatch-1)] = base + 2*f.powers[bits.TrailingZeros64(rest)]
		count++
	}
	f.table.GetMany(f.codes[:count], f.values[:count])
	open = moves
	i := 0
	for rest := moves; rest != 0; rest &= rest - 1 {
		switch f.values[i&(bucket.MaxBatch-1)] {
		case f.loss:
			return 0, bits.TrailingZeros64(rest)
		case bucket.Missing:
		default:
			open &^= rest & -rest
		}
		i++
	}
	return open, -1
}

// choose takes the move with the best history, and the first of equal ones.
func (f *search) choose(c board.Colour, moves uint64) int {
	best := bits.TrailingZeros64(moves)
	if !f.useHistory {
		return best
	}
	history := &f.history[c]
	score := history[best]
	for rest := moves & (moves - 1); rest != 0; rest &= rest - 1 {
		cell := bits.TrailingZeros64(rest)
		if history[cell] > score {
			best, score = cell, history[cell]
		}
	}
	return best
}

// win stores a winning move and rewards it. The reward is larger near the root.
func (f *search) win(n *node, code uint64, cell int) bucket.Value {
	weight := uint64(len(f.points) - 1 - n.depth)
	f.history[n.toPlay][cell] += weight * weight
	return f.store(code, bucket.Value(f.numbers[cell]))
}

func (f *search) store(code uint64, v bucket.Value) bucket.Value {
	if f.table != nil && f.err == nil {
		f.err = f.table.Add(bucket.Entry{Code: code, Value: v})
	}
	return v
}

// decided notes root moves that lose, for Stats and Settled. A move whose search
// was stopped does not count.
func (f *search) decided(n *node, moves uint64) {
	if n.depth == f.root.depth && f.err == nil {
		f.counts.rootDone.Add(int64(bits.OnesCount64(moves)))
		f.lost |= moves
		f.publishPath(n.depth)
	}
}

// pathMoves is the number of moves of the current line that are published.
const pathMoves = 8

// publishPath publishes the line being searched, up to a depth.
func (f *search) publishPath(depth int) {
	at := &progress{root: f.root.stones, lost: f.lost}
	before := f.root.stones
	for d := f.root.depth + 1; d <= depth && len(at.path) < pathMoves; d++ {
		now := f.path[d].stones
		added := (now[0] | now[1]) &^ (before[0] | before[1])
		at.path = append(at.path, board.Point(bits.TrailingZeros64(added)))
		before = now
	}
	f.counts.at.Store(at)
}
