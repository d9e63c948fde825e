package proof

import (
	"context"
	"errors"
	"fmt"

	"tengen/nogo"
)

// VerifyOptions tune a check; the zero value is good.
type VerifyOptions struct {
	Threads  int                      // 0 stands for one per processor
	Progress func(done, total uint64) // entries; called by one goroutine at a time
}

// Report is the result of a check.
type Report struct {
	Valid           bool     `json:"valid"`
	Positions       uint64   `json:"positions"` // entries checked
	EndgameSearches uint64   `json:"endgame_searches"`
	EndgameNodes    uint64   `json:"endgame_nodes"`
	Failure         *Failure `json:"failure,omitempty"`
}

// Failure is the first thing wrong with a certificate: at the root, or else at
// the entry with the lowest code.
type Failure struct {
	Position string `json:"position"` // as a diagram line
	Move     string `json:"move,omitempty"`
	Reply    string `json:"reply,omitempty"`
	Reason   string `json:"reason"`
}

func (f *Failure) Error() string {
	text := "in " + f.Position
	if f.Move != "" {
		text += " after " + f.Move
	}
	if f.Reply != "" {
		text += " and the reply " + f.Reply
	}
	return text + ": " + f.Reason
}

const (
	// checkStride is the number of entries that share a record of positions
	// already proven. It is fixed so that the counts of a report do not depend
	// on the number of threads.
	checkStride = 4096
	provenLimit = 1 << 16
)

// Verify checks a certificate with the rules of NoGo and the endgame search
// alone. That suffices by induction on the number of empty points: if every
// entry's move is legal, and every reply to it leads to an entry or to a
// position proven won, then the winner wins from every entry; and the root is
// judged in the same way. Entries that cannot be reached from the root would do
// no harm, but they are checked as well.
//
// The error is for a check that could not be completed; a certificate that
// proves nothing gives a Report with a Failure.
func Verify(ctx context.Context, c *Certificate, opt VerifyOptions) (Report, error) {
	w := sweep{threads: threadsOr(opt.Threads), total: c.Len(), stride: checkStride}
	if opt.Progress != nil {
		w.progress = func(done int) { opt.Progress(uint64(done), uint64(c.Len())) }
	}
	first := newChecker(c)
	checkers := []*checker{first}
	for len(checkers) < w.threads {
		checkers = append(checkers, newChecker(c))
	}
	err := first.root()
	if err == nil {
		err = w.run(ctx, func(worker, from, to int) error {
			return checkers[worker].entries(from, to)
		})
	}
	report := Report{Valid: err == nil, Positions: uint64(w.done)}
	for _, k := range checkers {
		report.EndgameSearches += k.searches
		report.EndgameNodes += k.nodes
	}
	if errors.As(err, &report.Failure) {
		return report, nil
	}
	return report, err
}

// checker is one goroutine's share of a check.
type checker struct {
	c        *Certificate
	search   *endgame
	proven   memo // positions the endgame search has proven for the current range
	recorded int
	searches uint64
	nodes    uint64
}

func newChecker(c *Certificate) *checker {
	return &checker{c: c, search: newEndgame(c.coder.grid, c.endgameNodes), proven: newMemo(provenLimit)}
}

// root checks that the claim follows from the entries.
func (k *checker) root() error {
	var point uint64
	var reason string
	if k.c.toPlay == k.c.winner {
		key, _ := k.c.coder.canonical(k.c.root)
		reason = k.settle(key)
	} else {
		point, reason = k.escape(k.c.root)
	}
	if reason == "" {
		return nil
	}
	return &Failure{Position: k.c.Root().String(), Reply: k.c.coder.name(point), Reason: reason}
}

// entries checks a range of entries.
func (k *checker) entries(from, to int) error {
	k.proven.clear()
	k.recorded = 0
	for i := from; i < to; i++ {
		if err := k.entry(i); err != nil {
			return err
		}
	}
	return nil
}

func (k *checker) entry(i int) error {
	coder, winner := k.c.coder, k.c.winner
	key := k.c.entries.key(i)
	s := coder.decode(key)
	move := coder.points[k.c.entries.moves[i]]
	var point uint64
	var reason string
	if !alive(coder.grid, s) {
		reason = "this is not a position of the game: a block has no liberty"
	} else if least, _ := coder.canonical(s); least != key {
		reason = "the position is not in its canonical orientation"
	} else if legal(coder.grid, s, winner)>>move&1 == 0 {
		reason = fmt.Sprintf("the move is not legal for %s", winner)
	} else {
		point, reason = k.escape(s.Play(winner, 1<<move))
	}
	if reason == "" {
		return nil
	}
	return &Failure{
		Position: coder.position(s).String(),
		Move:     coder.size.Name(move),
		Reply:    coder.name(point),
		Reason:   reason,
	}
}

// escape looks for a move of the loser in s after which no win is proven, and
// says why; without one the reason is empty.
func (k *checker) escape(s nogo.Stones) (point uint64, reason string) {
	for point, key := range replies(k.c.coder, s, k.c.winner.Opponent()) {
		if reason := k.settle(key); reason != "" {
			return point, reason
		}
	}
	return 0, ""
}

// alive reports whether every block has a liberty.
func alive(g nogo.Grid, s nogo.Stones) bool {
	empty := g.Mask &^ (s[0] | s[1])
	return g.Flood(s[0]&g.Around(empty), s[0]) == s[0] && g.Flood(s[1]&g.Around(empty), s[1]) == s[1]
}

// settle looks for a proof that the winner, who is to move, wins a position in
// its canonical orientation. It returns why there is none, or nothing.
func (k *checker) settle(key code) string {
	if _, ok := k.c.entries.find(key); ok {
		return ""
	}
	s := k.c.coder.decode(key)
	if k.proven.get(s) == won {
		return ""
	}
	r := k.search.solve(s, k.c.winner)
	k.searches++
	k.nodes += uint64(k.search.nodes)
	switch r {
	case lost:
		return fmt.Sprintf("%s loses there", k.c.winner)
	case unknown:
		return fmt.Sprintf("the certificate has no entry there and %d nodes of endgame search do not prove a win", k.c.endgameNodes)
	}
	if k.recorded < provenLimit {
		k.recorded++
		k.proven.put(s, won)
	}
	return ""
}
