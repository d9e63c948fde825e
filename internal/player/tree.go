package player

import (
	"math"
	"math/bits"
	"sync/atomic"

	"tengen/game"
)

// edge is a move in the tree together with the position it leads to. Where threads
// share a tree, all changes are atomic.
type edge struct {
	score    tally  // of the visits
	tag      uint32 // cell << 8 | Known, for the side that makes the move
	prior    uint32 // the bits of a float32: the win share expected of it
	children uint32 // number of the family of its replies; 0 before expansion
	black    uint32 // the bits of a float32: Black's chance by the appraisal, 0 before it is computed
}

// expanding is the value of children while a thread makes the family.
const expanding = math.MaxUint32

// tally counts playouts and adds up their rewards for the side that makes a move:
//
//	63……36 playouts   35……0 sum of the rewards, each from 0 to reward
type tally uint64

const (
	onePlayout = 1 << 36
	reward     = 1 << 8

	// maxVisits keeps tallies well within their bits. A tally holds more than the
	// visits: RAVE adds playouts that had the move later, and priors count too.
	maxVisits = 1 << 27
)

func (t tally) playouts() int { return int(t >> 36) }

// share is the average reward, from 0 to 1.
func (t tally) share() float32 {
	return float32(int64(t&(onePlayout-1))) / (reward * float32(int64(t>>36)))
}

func (t *tally) load() tally { return tally(atomic.LoadUint64((*uint64)(t))) }

func (e *edge) cell() uint16 { return uint16(atomic.LoadUint32(&e.tag) >> 8) }

func (e *edge) known() game.Known { return game.Known(atomic.LoadUint32(&e.tag) & 0xff) }

// open edges are worth another visit.
func (e *edge) open() bool { return e.known() == game.Unknown && e.visits() < maxVisits }

func (e *edge) expected() float32 { return math.Float32frombits(atomic.LoadUint32(&e.prior)) }

func (e *edge) visits() int { return e.score.load().playouts() }

// share is the part of the visits that were won.
func (e *edge) share() float64 {
	if s := e.score.load(); s.playouts() > 0 {
		return float64(s.share())
	}
	return 0
}

// cellSet is a set of cells.
type cellSet [cells / 64]uint64

func (s *cellSet) add(cell uint16) { s[cell&cellMask>>6] |= 1 << (cell & 63) }

// family is the moves from one position: consecutive edges in the order of their
// cells. All edges that lead to a position share it, by transpositions.
type family struct {
	moves    cellSet
	key      uint64 // Zobrist key of the position
	first, n uint32
	studied  uint32 // 1 if the moves have their priors
	heir     uint32 // number of the copy that was moved to the other store
}

// store is the memory of a tree. It hands out edges in families, never one by one.
// Every visit of a position compares all of its moves. The numbers for that lie close
// together, beside the edges: one tally of all results of a move, and its urgency.
type store struct {
	edges    []edge
	mix      []tally  // first-play urgency, visits, playouts that had the move later (RAVE), the prior
	urgency  []uint32 // the greatest is visited next
	families []family
	index    []uint32      // the transposition table: numbers of families by key, 0 is free; nil without transpositions
	used     atomic.Uint64 // edges, and families times oneFamily
}

// oneFamily counts one family in used. Both numbers change at once, so that no two
// threads get the same.
const oneFamily = 1 << 36

// edgesPerFamily is the average number of edges of a family for which there is room.
const edgesPerFamily = 8

func newStore(bytes int64, indexed bool) *store {
	const familyBytes, edgeBytes = 88 + 16, 24 + 8 + 4
	families := max(bytes/(familyBytes+edgesPerFamily*edgeBytes), 64)
	s := &store{
		edges:    make([]edge, families*edgesPerFamily),
		mix:      make([]tally, families*edgesPerFamily),
		urgency:  make([]uint32, families*edgesPerFamily),
		families: make([]family, families),
	}
	if indexed {
		s.index = make([]uint32, 1<<bits.Len64(uint64(2*families-1)))
	}
	return s
}

// clear leaves only a root. Family 0 is none.
func (s *store) clear(root edge) {
	s.edges[0] = root
	clear(s.index)
	s.used.Store(oneFamily + 1)
}

// taken are the numbers of edges and families in use.
func (s *store) taken() (edges, families int) { return unpack(s.used.Load()) }

func unpack(used uint64) (edges, families int) {
	return int(used % oneFamily), int(used / oneFamily)
}

// shortage is the shortage of memory, from 0, while half of it is free, to 4.
func (s *store) shortage() int {
	const eighths = 8
	edges, families := s.taken()
	used := max(edges*eighths/len(s.edges), families*eighths/len(s.families))
	return max(used-eighths/2, 0)
}

// take is the number of a new family of n edges, 0 if there is no room.
func (s *store) take(n int) uint32 {
	for {
		used := s.used.Load()
		first, number := unpack(used)
		if first+n > len(s.edges) || number >= len(s.families) {
			return 0
		}
		if s.used.CompareAndSwap(used, used+oneFamily+uint64(n)) {
			s.families[number] = family{first: uint32(first), n: uint32(n)}
			return uint32(number)
		}
	}
}

// find is the number of the family of a position, 0 if there is none. The index is
// probed linearly.
func (s *store) find(key uint64) uint32 {
	mask := uint64(len(s.index) - 1)
	for i := key & mask; ; i = (i + 1) & mask {
		number := atomic.LoadUint32(&s.index[i])
		if number == 0 || s.families[number].key == key {
			return number
		}
	}
}

// file enters a family in the index. If two threads expand one position at the same
// time, both enter a family. Lookups find the first, and the second serves one path.
func (s *store) file(number uint32) {
	mask := uint64(len(s.index) - 1)
	for i := s.families[number].key & mask; !atomic.CompareAndSwapUint32(&s.index[i], 0, number); {
		i = (i + 1) & mask
	}
}

// tree has its root in a store and a second store to move to.
type tree struct {
	now, spare *store
	top        uint32 // index of the root
	shared     bool   // between threads

	past float64 // bound of the errors in earlier stores
}

func newTree(bytes int64, shared, indexed bool) *tree {
	t := &tree{now: newStore(bytes/2, indexed), spare: newStore(bytes/2, indexed), shared: shared}
	t.reset()
	return t
}

func (t *tree) root() *edge { return &t.now.edges[t.top] }

// reset empties the tree.
func (t *tree) reset() {
	t.top, t.past = 0, 0
	t.now.clear(edge{})
}

// replies is the family of an edge; nil before it is expanded.
func (t *tree) replies(e *edge) *family {
	c := atomic.LoadUint32(&e.children)
	if c == 0 || c == expanding {
		return nil
	}
	return &t.now.families[c]
}

// family are the edges of the moves from a position; none before it is expanded.
func (t *tree) family(e *edge) []edge {
	f := t.replies(e)
	if f == nil {
		return nil
	}
	return t.now.edges[f.first : f.first+f.n]
}

// add adds to a tally, atomically if threads share the tree, and returns the sum.
func (t *tree) add(to *tally, x tally) tally {
	if t.shared {
		return tally(atomic.AddUint64((*uint64)(to), uint64(x)))
	}
	*to += x
	return *to
}

// The urgency of a move is its average reward, a float between 0 and 1. Its bits are
// compared as an integer, which has the same order. Decided moves are below or above
// all others.
const (
	neverVisit  = 0
	alwaysVisit = math.MaxUint32
)

// settle sets the known result of an edge; the cell never changes.
func (t *tree) settle(i uint32, k game.Known) {
	e := &t.now.edges[i]
	atomic.StoreUint32(&e.tag, atomic.LoadUint32(&e.tag)&^0xff|uint32(k))
	switch k {
	case game.Won:
		atomic.StoreUint32(&t.now.urgency[i], alwaysVisit)
	case game.Lost:
		atomic.StoreUint32(&t.now.urgency[i], neverVisit)
	}
}

// learn adds to the results of a move and updates its urgency.
func (t *tree) learn(i uint32, x tally) {
	now := t.add(&t.now.mix[i], x)
	if u := &t.now.urgency[i]; t.shared {
		if old := atomic.LoadUint32(u); old != neverVisit && old != alwaysVisit {
			atomic.CompareAndSwapUint32(u, old, urgency(i, now))
		}
	} else if *u != neverVisit && *u != alwaysVisit {
		*u = urgency(i, now)
	}
}

// urgency is the urgency of an edge. The last bits are a hash of its index, so that
// equal moves are visited in no particular order.
func urgency(i uint32, mix tally) uint32 {
	const lot = 1<<9 - 1
	return math.Float32bits(mix.share())&^lot | i*0x9e3779b1>>23 | 1
}

// mostUrgent is the index of the edge of a family to visit next.
func (t *tree) mostUrgent(f *family) uint32 {
	best, most := 0, uint32(neverVisit)
	urgency := t.now.urgency[f.first : f.first+f.n]
	for i := range urgency {
		if u := atomic.LoadUint32(&urgency[i]); u > most {
			best, most = i, u
		}
	}
	return f.first + uint32(best)
}

// find is the index of the edge of a move, if it is there.
func (t *tree) find(f *family, cell uint16) (uint32, bool) {
	word, bit := cell>>6, uint64(1)<<(cell&63)
	if f.moves[word]&bit == 0 {
		return 0, false
	}
	before := bits.OnesCount64(f.moves[word] & (bit - 1))
	for _, w := range f.moves[:word] {
		before += bits.OnesCount64(w)
	}
	return f.first + uint32(before), true
}

// descend makes the position after some moves the root and keeps the tree below it.
// If the tree does not contain the position, it empties the tree and returns false.
func (t *tree) descend(moves []uint16) bool {
	for _, m := range moves {
		next, ok := uint32(0), false
		if f := t.replies(t.root()); f != nil {
			next, ok = t.find(f, m)
		}
		if !ok {
			t.reset()
			return false
		}
		t.top = next
	}
	if edges, families := t.now.taken(); edges > len(t.now.edges)/2 || families > len(t.now.families)/2 {
		t.move()
	}
	return true
}

// move copies the tree below the root to the spare store, breadth first, and switches
// to it. The old store is garbage.
func (t *tree) move() {
	from, to := t.now, t.spare
	t.past += from.bound()
	to.clear(*t.root())
	for at, edges := 0, 1; at < edges; at++ {
		e := &to.edges[at]
		if e.children == 0 {
			continue
		}
		old := &from.families[e.children]
		if old.heir == 0 {
			old.heir = to.inherit(from, old)
			edges, _ = to.taken()
		}
		e.children = old.heir
	}
	t.now, t.spare, t.top = to, from, 0
}

// inherit copies a family of another store and returns its number.
func (s *store) inherit(from *store, old *family) uint32 {
	number := s.take(int(old.n))
	f := &s.families[number]
	f.moves, f.key, f.studied = old.moves, old.key, old.studied
	copy(s.edges[f.first:], from.edges[old.first:old.first+old.n])
	copy(s.mix[f.first:], from.mix[old.first:old.first+old.n])
	copy(s.urgency[f.first:], from.urgency[old.first:old.first+old.n])
	if f.key != 0 {
		s.file(number)
	}
	return number
}
