package superko

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// fact is a verdict with its reason. It is about one state, in the image in which
// the state is remembered.
type fact struct {
	ids       []uint32 // free, then barred
	untouched stones
	claim     ref // of the record, if one is kept
	// doubt is an id that made the fact fail at the last test. It usually still
	// does, and then no other id is tested.
	doubt     uint32
	doubtFree bool // the id is one of free
	won       bool
	threshold int8
	effort    uint8  // logarithm of the nodes it cost
	uses      uint8  // number of recent uses
	split     uint32 // number of free ids
}

const (
	// factBytes is the memory of a fact without its ids.
	factBytes = int64(unsafe.Sizeof(fact{})) + 16
	// bucketFacts is the most facts that a state keeps. More are rarely of use
	// and cost time whenever the state is visited.
	bucketFacts = 64
	locks       = 1 << 10
	// worths is larger than any worth of a fact: cost and bytes have up to 64
	// bits.
	worths = 256
)

// facts holds the proven verdicts, by state. Any number of goroutines may use it.
type facts struct {
	graph   *graph
	buckets [][]fact // by key of the remembered image
	locks   [locks]sync.Mutex
	stretch key // number of consecutive buckets that share a lock
	limit   int64
	bytes   atomic.Int64
	stored  atomic.Uint64
	sweep   sync.Mutex // held by the goroutine that makes room
	sweeps  atomic.Uint64
}

func newFacts(g *graph, limit int64) *facts {
	keys := 4 * len(g.boards)
	return &facts{graph: g, buckets: make([][]fact, keys), stretch: key(keys/locks + 1), limit: limit}
}

func (m *facts) lock(at key) *sync.Mutex { return &m.locks[at/m.stretch] }

// covers reports whether the fact answers a threshold.
func (f *fact) covers(t int) bool {
	if f.won {
		return t <= int(f.threshold)
	}
	return t >= int(f.threshold)
}

// holds reports whether the history meets the reason of the fact. back maps the
// ids of the remembered image to those of the history.
func (f *fact) holds(seen []uint8, back []uint32) bool {
	if len(f.ids) == 0 {
		return true
	}
	if (seen[back[f.doubt]] != 0) == f.doubtFree {
		return false
	}
	for i, id := range f.ids {
		if free := i < int(f.split); (seen[back[id]] != 0) == free {
			f.doubt, f.doubtFree = id, free
			return false
		}
	}
	return true
}

// recall finds a fact that answers the threshold after the history. It writes the
// reason and returns the verdict and the claim.
func (m *facts) recall(k key, t int, h *history, why *reason) (verdict, ref) {
	turn := &m.graph.images[m.graph.turn[k.state()]]
	at := k.image(turn)
	lock := m.lock(at)
	lock.Lock()
	defer lock.Unlock()
	back := &m.graph.images[turn.inverse]
	bucket := m.buckets[at]
	for i := range bucket {
		f := &bucket[i]
		if !f.covers(t) || !f.holds(h.seen, back.ids) {
			continue
		}
		untouched := back.stones(f.untouched)
		if untouched[0]&h.before[0]|untouched[1]&h.before[1] != 0 {
			continue
		}
		why.untouched = untouched
		for _, id := range f.ids[:f.split] {
			why.free.add(back.ids[id])
		}
		for _, id := range f.ids[f.split:] {
			why.barred.add(back.ids[id])
		}
		won, claim := f.won, m.graph.turned(f.claim, turn.inverse)
		f.uses = min(f.uses+1, maxUses)
		if i > 0 { // move facts in frequent use to the front
			bucket[i], bucket[i-1] = bucket[i-1], bucket[i]
		}
		if won {
			return proven, claim
		}
		return refuted, claim
	}
	return open, 0
}

// keep remembers a verdict with its reason and its claim.
func (m *facts) keep(k key, t int, v verdict, why *reason, claim ref, nodes uint64) {
	to := m.graph.turn[k.state()]
	turn := &m.graph.images[to]
	at := k.image(turn)
	f := fact{
		untouched: turn.stones(why.untouched), claim: m.graph.turned(claim, int(to)),
		won: v == proven, threshold: int8(t), effort: uint8(bits.Len64(nodes)),
	}
	f.ids = why.free.appendTo(make([]uint32, 0, why.free.room()+why.barred.room()), turn.ids)
	f.split = uint32(len(f.ids))
	f.ids = why.barred.appendTo(f.ids, turn.ids)
	if len(f.ids) > 0 {
		f.doubt, f.doubtFree = f.ids[0], f.split > 0
	}
	if m.bytes.Load()+f.bytes() > m.limit {
		m.makeRoom()
	}
	lock := m.lock(at)
	lock.Lock()
	defer lock.Unlock()
	m.put(at, f)
}

func (f *fact) bytes() int64 { return factBytes + 4*int64(cap(f.ids)) }

// put adds a fact if there is room for it. If the state has bucketFacts facts,
// the cheapest of the less used half is dropped.
func (m *facts) put(at key, f fact) {
	bucket := m.buckets[at]
	victim, freed := len(bucket), int64(0)
	if len(bucket) == bucketFacts {
		victim /= 2
		for i := victim; i < len(bucket); i++ {
			if bucket[i].effort < bucket[victim].effort {
				victim = i
			}
		}
		freed = bucket[victim].bytes()
	}
	if m.bytes.Load()+f.bytes()-freed > m.limit {
		return
	}
	m.bytes.Add(f.bytes() - freed)
	if victim < len(bucket) {
		bucket[victim] = f
		return
	}
	m.buckets[at] = append(bucket, f)
	m.stored.Add(1)
}
