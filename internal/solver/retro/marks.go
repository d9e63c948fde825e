package retro

// marks is a set of numbers that threads change concurrently.
type marks struct{ array }

// marksWords is the number of words for n numbers.
func marksWords(n uint64) uint64 { return n/64 + 1 }

func newMarks(p *pool, n uint64, purpose string) (marks, error) {
	a, err := newArray(p, marksWords(n), purpose)
	return marks{a}, err
}

func (m *marks) mark(i uint64) { m.set(i/64, 1<<(i&63)) }

// take reads and clears the two marks 2r and 2r+1. It clears only the marks
// that it has read: another thread may set the other mark in between.
func (m *marks) take(r uint64) uint8 {
	shift := r % 32 * 2
	found := m.load(r/32) >> shift & 3
	if found != 0 {
		m.clear(r/32, found<<shift)
	}
	return uint8(found)
}

// any reports whether a mark of the boards from … to-1 is set.
func (m *marks) any(from, to uint64) bool {
	if from >= to {
		return false
	}
	first, last := from/32, (to-1)/32
	for i := first; i <= last; i++ {
		w := m.load(i)
		if i == first {
			w &= ^uint64(0) << (from % 32 * 2)
		}
		if i == last {
			w &= ^uint64(0) >> (62 - (to-1)%32*2)
		}
		if w != 0 {
			return true
		}
	}
	return false
}

// fill marks both sides of the first n boards.
func (m *marks) fill(n uint64) {
	for i := range n / 32 {
		m.put(i, ^uint64(0))
	}
	if n%32 != 0 {
		m.put(n/32, 1<<(n%32*2)-1)
	}
}
