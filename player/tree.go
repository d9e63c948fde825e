package player

import "sync/atomic"

// edge is a move in the tree together with the position it leads to. All that
// changes is changed atomically where threads share a tree.
type edge struct {
	score    uint64 // visits << 32 | how often the side that makes the move won
	rave     uint64 // the same, of playouts in which that side made the move later
	children uint64 // index of the first child << 16 | number of children; 0 before expansion
	tag      uint32 // cell << 8 | Known, for the side that makes the move
	prior    float32
}

const (
	oneVisit  = 1 << 32
	expanding = 1 << 63 // in children: a thread is at it
)

func (e *edge) cell() uint16 { return uint16(atomic.LoadUint32(&e.tag) >> 8) }

func (e *edge) known() Known { return Known(atomic.LoadUint32(&e.tag) & 0xff) }

// settle records what is known; the cell never changes.
func (e *edge) settle(k Known) {
	atomic.StoreUint32(&e.tag, atomic.LoadUint32(&e.tag)&^0xff|uint32(k))
}

func (e *edge) visits() int { return int(atomic.LoadUint64(&e.score) >> 32) }

// share is the part of the visits that were won.
func (e *edge) share() float64 {
	s := atomic.LoadUint64(&e.score)
	if s>>32 == 0 {
		return 0
	}
	return float64(uint32(s)) / float64(s>>32)
}

// store is the memory of a tree: edges handed out in runs, never one by one.
type store struct {
	edges []edge
	used  atomic.Int64
}

func newStore(bytes int64) *store { return &store{edges: make([]edge, max(bytes/32, 1024))} }

// take is the index of n new edges, 0 if there is no room. Index 0 is a root.
func (s *store) take(n int) int {
	end := s.used.Add(int64(n))
	if end > int64(len(s.edges)) {
		s.used.Add(-int64(n))
		return 0
	}
	return int(end) - n
}

// tree has its root somewhere in a store and a second store to move to.
type tree struct {
	now, spare *store
	top        int  // index of the root
	shared     bool // between threads
}

func newTree(bytes int64, shared bool) *tree {
	t := &tree{now: newStore(bytes / 2), spare: newStore(bytes / 2), shared: shared}
	t.reset()
	return t
}

func (t *tree) root() *edge { return &t.now.edges[t.top] }

// reset forgets everything.
func (t *tree) reset() {
	t.top = 0
	t.now.edges[0] = edge{}
	t.now.used.Store(1)
}

// family are the children of an edge; none before it is expanded.
func (t *tree) family(e *edge) []edge {
	c := atomic.LoadUint64(&e.children)
	if c == 0 || c == expanding {
		return nil
	}
	first := c >> 16
	return t.now.edges[first : first+c&0xffff]
}

// add counts, atomically if it has to be.
func (t *tree) add(word *uint64, x uint64) {
	if t.shared {
		atomic.AddUint64(word, x)
	} else {
		*word += x
	}
}

// descend makes the position after some moves the root and keeps what is known
// of it. It reports false, and forgets everything, if the tree has not got there.
func (t *tree) descend(moves []uint16) bool {
	for _, m := range moves {
		family := t.family(t.root())
		i := find(family, m)
		if i < 0 {
			t.reset()
			return false
		}
		t.top = int(t.root().children>>16) + i
	}
	if int(t.now.used.Load()) > len(t.now.edges)/2 {
		t.move()
	}
	return true
}

// find is the index of a move, -1 if it is not there.
func find(family []edge, cell uint16) int {
	for i := range family {
		if family[i].cell() == cell {
			return i
		}
	}
	return -1
}

// move copies the tree below the root to the spare store, breadth first, and
// changes over. What is left behind is garbage.
func (t *tree) move() {
	from, to := t.now, t.spare
	to.edges[0] = *t.root()
	end := 1
	for at := 0; at < end; at++ {
		c := to.edges[at].children
		if c == 0 {
			continue
		}
		first, n := c>>16, c&0xffff
		copy(to.edges[end:], from.edges[first:first+n])
		to.edges[at].children = uint64(end)<<16 | n
		end += int(n)
	}
	to.used.Store(int64(end))
	t.now, t.spare, t.top = to, from, 0
}
