package superko

import "math/bits"

// reason is what a proven verdict asks of a history. A proof is a strategy of the
// side that it is for, the prover. It stays a proof after any history in which
//
//   - nothing of free has happened: the prover's own moves are still allowed;
//   - all of barred has happened: the opponent is not allowed more than before;
//   - no board before the present one had a stone of a colour on a cell of its
//     untouched: what a theorem asks.
//
// docs/superko.md has the argument. The present state itself never counts.
type reason struct {
	free, barred set
	untouched    stones
}

func newReason(ids int) reason { return reason{free: newSet(ids), barred: newSet(ids)} }

func (r *reason) clear() {
	r.free.clear()
	r.barred.clear()
	r.untouched = stones{}
}

// merge adds what another proof asks.
func (r *reason) merge(o *reason) {
	r.free.merge(&o.free)
	r.barred.merge(&o.barred)
	r.untouched[0] |= o.untouched[0]
	r.untouched[1] |= o.untouched[1]
}

// set is a set of ids. While it is small, it costs as much as it holds; from about
// one member for every other word on, it is dense, and costs as much as the words.
type set struct {
	bits  []uint64
	list  []uint32 // every member, unless dense; what was removed may still be on it, or twice
	dense bool
}

func newSet(ids int) set { return set{bits: make([]uint64, (ids+63)/64)} }

func (s *set) has(id uint32) bool { return s.bits[id>>6]>>(id&63)&1 != 0 }

func (s *set) add(id uint32) {
	if s.has(id) {
		return
	}
	s.bits[id>>6] |= 1 << (id & 63)
	if !s.dense {
		s.list = append(s.list, id)
		s.dense = len(s.list) > 32+len(s.bits)/2
	}
}

func (s *set) remove(id uint32) { s.bits[id>>6] &^= 1 << (id & 63) }

func (s *set) clear() {
	if s.dense {
		clear(s.bits)
	} else {
		for _, id := range s.list {
			s.bits[id>>6] = 0
		}
	}
	s.list, s.dense = s.list[:0], false
}

func (s *set) merge(o *set) {
	if o.dense {
		s.dense = true
		for i, word := range o.bits {
			s.bits[i] |= word
		}
		return
	}
	for _, id := range o.list {
		if o.has(id) {
			s.add(id)
		}
	}
}

// room is at least the number of members.
func (s *set) room() int {
	if !s.dense {
		return len(s.list)
	}
	n := 0
	for _, word := range s.bits {
		n += bits.OnesCount64(word)
	}
	return n
}

// appendTo lists the members as the image maps them.
func (s *set) appendTo(list, image []uint32) []uint32 {
	if s.dense {
		for i, word := range s.bits {
			for ; word != 0; word &= word - 1 {
				list = append(list, image[i<<6+bits.TrailingZeros64(word)])
			}
		}
		return list
	}
	for _, id := range s.list {
		if s.has(id) {
			list = append(list, image[id])
		}
	}
	return list
}
