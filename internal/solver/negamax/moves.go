package negamax

import (
	"tengen/internal/lockless"
	"tengen/internal/solver"
)

// Question is the form in which the table knows a position: a key, and the integer
// in which the answer is monotone.
type Question struct {
	Key lockless.Key
	N   int
}

// Move is a candidate: what is played, and the question it puts to the opponent.
type Move struct {
	Key   lockless.Key
	Point uint64 // what the search calls the move within the part
	Score int32  // high for what is to be tried first
	N     int8
	At    int8 // the part, or what the move leads to, as the search has it
}

// Question is what the move asks.
func (m *Move) Question() Question { return Question{m.Key, int(m.N)} }

// Sort puts the move of the highest score first and keeps the order of equals; lists
// are short.
func Sort(moves []Move) {
	for i := 1; i < len(moves); i++ {
		m := moves[i]
		j := i
		for ; j > 0 && moves[j-1].Score < m.Score; j-- {
			moves[j] = moves[j-1]
		}
		moves[j] = m
	}
}

// Asks reports whether a move puts the question already. Of moves that do one is enough.
func Asks(moves []Move, q Question) bool {
	for i := range moves {
		if moves[i].Key == q.Key && int(moves[i].N) == q.N {
			return true
		}
	}
	return false
}

// Turns hands out the moves of a position in order, but those that another worker is
// at come last: deferral as in ABDADA, with marks beside the table instead of in it.
type Turns struct {
	Move
	Late bool // the table may know more than when the moves were listed

	moves          []Move
	marks          *solver.Marks
	next           int
	deferred, back int // moves put off, at the front of the list, and those taken up again
}

// Next takes the next move, if there is one.
func (t *Turns) Next() bool {
	for t.next < len(t.moves) {
		m := &t.moves[t.next]
		t.next++
		t.Late = t.next > 1
		if t.Late && t.marks.Has(m.Key) {
			t.moves[t.deferred] = *m
			t.deferred++
			continue
		}
		t.Move = *m
		return true
	}
	if t.back == t.deferred {
		return false
	}
	t.Move, t.Late = t.moves[t.back], true
	t.back++
	return true
}

// Experience counts how a move has fared: the history heuristic.
type Experience struct {
	tries, wins int32
	Earned      int32 // the part of the weight in proportion to the wins
}

// Add counts one more try. Older experience fades: after span tries it counts half.
func (e *Experience) Add(won bool, span, weight int32) {
	e.tries++
	if won {
		e.wins++
	}
	if e.tries >= span {
		e.tries /= 2
		e.wins /= 2
	}
	e.Earned = weight * e.wins / (e.tries + 1)
}
