package retro

// marks asks for evaluations: for each side of each board it holds a need. Threads
// change it concurrently.
type marks struct{ array }

// need is what a mark says of a side of a board. More than one need is all of them.
type need uint8

const (
	// falls: a move has become worse, so the value may fall.
	falls need = 1
	// rises: a move is worth the bar of the stage, so the value is not below the bar.
	rises need = 2
	// unsure: every move must be looked at.
	unsure = falls | rises

	sideBits   = 2            // of a need
	boardBits  = 2 * sideBits // of the needs of both sides
	wordBoards = 64 / boardBits
	boardMask  = 1<<boardBits - 1
)

// needs holds the need of side 0 in its low bits, and that of side 1 above.
type needs uint8

func (n needs) of(side uint8) need { return need(n) >> (sideBits * side) & unsure }

// marksWords is the number of words for the marks of n boards.
func marksWords(n uint64) uint64 { return n/wordBoards + 1 }

func newMarks(p *pool, boards uint64, purpose string) (marks, error) {
	a, err := newArray(p, marksWords(boards), purpose)
	return marks{a}, err
}

func (m *marks) mark(rank uint64, side uint8, n need) {
	m.set(rank/wordBoards, uint64(n)<<(rank%wordBoards*boardBits+sideBits*uint64(side)))
}

// take reads and clears the marks of a board in one step. Another thread that marks the
// board in between would see a part of its need cleared.
func (m *marks) take(rank uint64) needs {
	word, shift := rank/wordBoards, rank%wordBoards*boardBits
	if m.load(word)>>shift&boardMask == 0 {
		return 0
	}
	return needs(m.clear(word, boardMask<<shift) >> shift & boardMask)
}

// any reports whether a mark of the boards from … to-1 is set.
func (m *marks) any(from, to uint64) bool {
	if from >= to {
		return false
	}
	first, last := from/wordBoards, (to-1)/wordBoards
	for i := first; i <= last; i++ {
		w := m.load(i)
		if i == first {
			w &= ^uint64(0) << (from % wordBoards * boardBits)
		}
		if i == last {
			w &= ^uint64(0) >> (64 - boardBits - (to-1)%wordBoards*boardBits)
		}
		if w != 0 {
			return true
		}
	}
	return false
}

// fill marks both sides of the first n boards.
func (m *marks) fill(n uint64) {
	for i := range n / wordBoards {
		m.put(i, ^uint64(0))
	}
	if rest := n % wordBoards; rest != 0 {
		m.put(n/wordBoards, 1<<(rest*boardBits)-1)
	}
}
