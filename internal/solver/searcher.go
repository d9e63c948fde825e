package solver

import (
	"math/bits"
	"sync/atomic"

	"tengen/internal/lockless"
)

const (
	// strayNodes is the number of nodes between two checks whether another
	// worker has settled a position on the path.
	strayNodes = 64
	// publishNodes is the number of nodes between two updates of the published
	// counts.
	publishNodes = 1024
	// noCut is no ply.
	noCut = -1
)

// Searcher is the state that every worker has. Workers share only a table and
// the marks of positions being searched.
type Searcher struct {
	Table  *lockless.Table
	Marks  *Marks // nil for a worker that is alone
	Forget bool   // the table is neither read nor written
	Tally

	stop   *atomic.Bool
	budget *budget
	due    uint64     // node count at the next report to the budget
	spent  uint64     // nodes already reported to the budget
	path   []Question // positions being searched, by ply
	cut    int        // ply of a position that another worker has settled, or noCut
}

// Core makes every worker that embeds a Searcher one of a Team.
func (s *Searcher) Core() *Searcher { return s }

// Probe is the answer of the table to a question, Won for yes.
func (s *Searcher) Probe(q Question) Outcome {
	if s.Forget {
		return Unknown
	}
	s.Probes++
	return Probe(s.Table, q)
}

// Probe is the answer of a table to a question, Won for yes.
func Probe(t *lockless.Table, q Question) Outcome {
	b, ok := t.Get(q.Key)
	switch {
	case !ok:
		return Unknown
	case q.N >= b.Yes:
		return Won
	case q.N <= b.No:
		return Lost
	}
	return Unknown
}

// Fact is an outcome in the form of the table, with the nodes it took.
func Fact(n int, outcome Outcome, nodes uint64) lockless.Bounds {
	b := lockless.Bounds{Yes: lockless.NeverYes, No: lockless.NeverNo, Effort: bits.Len64(nodes)}
	if outcome == Won {
		b.Yes = n
	} else {
		b.No = n
	}
	return b
}

// Enter sets the position to search at a ply; plies are entered in order.
func (s *Searcher) Enter(ply int, q Question) {
	if ply == 0 {
		s.cut = noCut
	}
	s.path = append(s.path[:ply], q)
}

// At is the question entered at a ply.
func (s *Searcher) At(ply int) Question { return s.path[ply] }

// Interrupted reports whether to give up the search below this ply.
func (s *Searcher) Interrupted(ply int) bool {
	if s.Nodes >= s.due {
		s.account()
	}
	if s.stop.Load() {
		return true
	}
	if s.Marks == nil || s.Nodes%strayNodes != 0 {
		return false
	}
	for p := range ply {
		if s.Probe(s.path[p]) != Unknown {
			s.cut = p
			return true
		}
	}
	return false
}

// account publishes the counts, and stops all workers when the budget is spent.
func (s *Searcher) account() {
	s.Publish()
	if s.budget.spend(s.Nodes-s.spent) < 0 {
		s.stop.Store(true)
	}
	s.begin()
}

// begin counts the nodes from here on against the budget.
func (s *Searcher) begin() {
	s.spent = s.Nodes
	s.due = s.Nodes + s.budget.step()
}

// Cut reports whether a search below this ply ended because another worker has
// settled the position at this ply. The caller then looks that position up.
func (s *Searcher) Cut(ply int) bool {
	if s.cut != ply {
		return false
	}
	s.cut = noCut
	return true
}

// Turns hands out a list of moves.
func (s *Searcher) Turns(moves []Move) Turns { return Turns{moves: moves, marks: s.Marks} }
