package superko

import "math/bits"

// reason is the condition on a history under which a verdict is proven. A proof
// is a strategy of one side, the prover. It stays a proof after any history in
// which
//
//   - no id of free has occurred: the prover's own moves are still allowed;
//   - all ids of barred have occurred: the opponent has no more moves than before;
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

// merge adds the conditions of another proof.
func (r *reason) merge(o *reason) {
	r.free.merge(&o.free)
	r.barred.merge(&o.barred)
	r.untouched[0] |= o.untouched[0]
	r.untouched[1] |= o.untouched[1]
}

// set is a set of ids. A small set is a list and takes time in proportion to its
// members. From about one member for every two words on, it is dense and takes
// time in proportion to its words.
type set struct {
	bits  []uint64
	list  []uint32 // every member, unless dense; removed members may still be on it, and members may be on it twice
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

// room is an upper bound on the number of members.
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

// appendTo appends the members, mapped by the image.
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
