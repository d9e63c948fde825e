package solver

import (
	"tengen/internal/lockless"
)

// Question is the form of a position in the table: a key, and an integer in which
// the answer is monotone.
type Question struct {
	Key lockless.Key
	N   int
}

// Move is a candidate: the move, and the question that it leaves to the opponent.
type Move struct {
	Key   lockless.Key
	Point uint64 // the move within the part, as the search numbers it
	Score int32  // the highest is tried first
	N     int8
	At    int8 // the part, or the child, depending on the search
}

// Question is the question that the move leaves to the opponent.
func (m *Move) Question() Question { return Question{m.Key, int(m.N)} }

// Sort puts the move of the highest score first and keeps the order of equal ones.
// It is an insertion sort, because lists are short.
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

// Asks reports whether a listed move leads to the question already. One such move is
// enough.
func Asks(moves []Move, q Question) bool {
	for i := range moves {
		if moves[i].Key == q.Key && int(moves[i].N) == q.N {
			return true
		}
	}
	return false
}

// Turns hands out the moves of a position in order. Moves that another worker is
// searching come last. This is the deferral of ABDADA, with marks beside the table
// instead of in it.
type Turns struct {
	Move
	Late bool // the table may have gained the result since the moves were listed

	moves          []Move
	marks          *Marks
	next           int
	deferred, back int // number of moves deferred, at the front of the list, and number of those handed out since
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

// Experience counts the tries and wins of a move: the history heuristic.
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
