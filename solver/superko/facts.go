package superko

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// fact is a verdict with its reason, about one state in the image in which it is
// remembered.
type fact struct {
	ids       []uint32 // free, then barred
	untouched stones
	// doubt is an id that spoke against the fact when it was last asked. It most
	// often still does, and then nothing else needs to be looked at.
	doubt     uint32
	doubtFree bool // the id is one of free
	won       bool
	threshold int8
	effort    uint8  // logarithm of the nodes it cost
	split     uint32 // how many of the ids are free
}

const (
	// factBytes is what a fact takes besides its ids.
	factBytes = int64(unsafe.Sizeof(fact{})) + 16
	// bucketFacts is how many facts a state keeps. More are rarely of use and
	// cost time whenever the state is met.
	bucketFacts = 64
	locks       = 1 << 10
)

// facts is what has been proven so far, by state. It serves any number of goroutines.
type facts struct {
	graph   *graph
	buckets [][]fact // by key of the remembered image
	locks   [locks]sync.Mutex
	limit   int64
	bytes   atomic.Int64
	stored  atomic.Uint64
}

func newFacts(g *graph, limit int64) *facts {
	return &facts{graph: g, buckets: make([][]fact, 4*len(g.boards)), limit: limit}
}

// covers reports whether the fact answers a threshold.
func (f *fact) covers(t int) bool {
	if f.won {
		return t <= int(f.threshold)
	}
	return t >= int(f.threshold)
}

// holds reports whether the history allows the fact. back maps the ids of the
// remembered image to those of the history.
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

// recall finds a fact that answers the threshold after the history, writes its
// reason and returns its verdict.
func (m *facts) recall(k key, t int, h *history, why *reason) verdict {
	turn := &m.graph.images[m.graph.turn[k.state()]]
	at := k.image(turn)
	lock := &m.locks[at%locks]
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
		won := f.won
		if i > 0 { // what is asked for often is found soon
			bucket[i], bucket[i-1] = bucket[i-1], bucket[i]
		}
		if won {
			return proven
		}
		return refuted
	}
	return open
}

// keep remembers a verdict. When there is no room, the cheapest fact about the
// same state has to go.
func (m *facts) keep(k key, t int, v verdict, why *reason, nodes uint64) {
	turn := &m.graph.images[m.graph.turn[k.state()]]
	at := k.image(turn)
	f := fact{
		untouched: turn.stones(why.untouched),
		won:       v == proven, threshold: int8(t), effort: uint8(bits.Len64(nodes)),
	}
	f.ids = why.free.appendTo(make([]uint32, 0, why.free.room()+why.barred.room()), turn.ids)
	f.split = uint32(len(f.ids))
	f.ids = why.barred.appendTo(f.ids, turn.ids)
	if len(f.ids) > 0 {
		f.doubt, f.doubtFree = f.ids[0], f.split > 0
	}
	lock := &m.locks[at%locks]
	lock.Lock()
	defer lock.Unlock()
	m.put(at, f)
}

func (f *fact) bytes() int64 { return factBytes + 4*int64(cap(f.ids)) }

func (m *facts) put(at key, f fact) {
	bucket := m.buckets[at]
	if len(bucket) < bucketFacts && m.bytes.Load()+f.bytes() <= m.limit {
		m.buckets[at] = append(bucket, f)
		m.stored.Add(1)
		m.bytes.Add(f.bytes())
		return
	}
	if len(bucket) == 0 {
		return
	}
	// The first half of a bucket is what is asked for.
	victim := len(bucket) / 2
	for i := victim; i < len(bucket); i++ {
		if bucket[i].effort < bucket[victim].effort {
			victim = i
		}
	}
	if m.bytes.Load()+f.bytes()-bucket[victim].bytes() <= m.limit {
		m.bytes.Add(f.bytes() - bucket[victim].bytes())
		bucket[victim] = f
	}
}
