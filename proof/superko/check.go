package superko

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// Report is the result of a check.
type Report struct {
	Valid     bool     `json:"valid"`
	Positions int      `json:"positions"` // entries checked
	Barred    int      `json:"barred"`    // moves of the opponent that repeat a board
	Boards    int      `json:"boards"`    // most boards in the conditions of an entry
	Failure   *Failure `json:"failure,omitempty"`
}

// Failure is the first fault of a certificate.
type Failure struct {
	Entry    int    `json:"entry"` // from 0
	Position string `json:"position"`
	Move     string `json:"move,omitempty"`
	Reason   string `json:"reason"`
}

func (f *Failure) Error() string {
	text := fmt.Sprintf("entry %d, %s", f.Entry, f.Position)
	if f.Move != "" {
		text += ", after " + f.Move
	}
	return text + ": " + f.Reason
}

// reason is the condition of an entry: no id of free has occurred and all of barred have,
// besides the id of the entry itself.
type reason struct{ free, barred []uint32 }

// bytes is the memory that a reason takes.
func (r reason) bytes() int64 { return int64(4 * (cap(r.free) + cap(r.barred))) }

// checker goes through the entries in their order.
type checker struct {
	*Certificate
	reasons []reason // of the entries so far; empty once no later entry needs them
	uses    []uint32 // by entry: times that it will still be needed
	held    int64    // bytes of reasons
	report  Report

	// Of the present entry. An id is in a set if it has the stamp there.
	at               int
	stamp            uint32
	inFree, inBarred []uint32
	free, barred     []uint32
	ownID            uint32
	present          state
}

// Verify checks a certificate by the rules alone. That suffices by induction on the number
// of an entry. Suppose that the game has come to the position of an entry, that no id of its
// free and all of its barred have occurred. The prover's move leads to an id of free, so that
// it is legal, and the conditions of the next entry are met: its ids are among these, and
// none of its free is the id that has just occurred. A legal move of the opponent has an
// entry whose conditions are met too, for a move without one leads to an id of barred, and
// is not legal. Every move leads to an entry with a smaller number, or to the end of the game
// with the goal reached.
//
// An error means that the check could not be completed. A certificate that proves nothing
// gives a Report with a Failure. Verify calls progress, unless nil, with the number of
// entries checked.
func Verify(ctx context.Context, c *Certificate, progress func(done, total int)) (Report, error) {
	k := newChecker(c)
	for i := range c.entries {
		if i%progressEvery == 0 {
			if err := ctx.Err(); err != nil {
				return k.report, err
			}
			if progress != nil {
				progress(i, len(c.entries))
			}
		}
		if !k.check(i) {
			return k.report, nil
		}
		if c.memory > 0 && k.held > c.memory {
			return k.report, fmt.Errorf("the conditions of its first %d entries %w: give it more memory", i+1, errMemory)
		}
	}
	if k.checkRoot() {
		k.report.Valid = true
	}
	return k.report, nil
}

var errMemory = errors.New("take more memory than is left for them")

// progressEvery is the number of entries between two looks at the context.
const progressEvery = 256

func newChecker(c *Certificate) *checker {
	k := &checker{Certificate: c, reasons: make([]reason, len(c.entries)), uses: make([]uint32, len(c.entries)+1)}
	for _, n := range c.after {
		k.uses[n]++
	}
	k.inFree, k.inBarred = make([]uint32, c.coder.ids()), make([]uint32, c.coder.ids())
	return k
}

// fail notes a fault of the present entry.
func (k *checker) fail(move string, format string, args ...any) bool {
	p := k.coder.position(k.present)
	text := fmt.Sprintf("%s, %s to play", p, p.ToPlay)
	if k.present.passed {
		text += " after a pass"
	}
	k.report.Failure = &Failure{k.at, text, move, fmt.Sprintf(format, args...)}
	return false
}

// check checks an entry and finds its reason.
func (k *checker) check(i int) bool {
	e, coder := k.entries[i], k.coder
	k.at, k.present = i, coder.state(e.code)
	k.ownID = coder.id(k.present)
	k.stamp, k.free, k.barred = uint32(i+1), k.free[:0], k.barred[:0]
	s := k.present
	after := k.after[e.from:][:coder.slots(s)]
	if !coder.Sound(s.stones[0], s.stones[1]) {
		return k.fail("", "a block has no liberty")
	}
	legal := coder.legal(s)
	if !s.opponent {
		move := coder.move(e.move)
		if move != weiqi.Pass && legal>>move&1 == 0 {
			return k.fail(moveName(coder.size, move), "the move is not legal")
		}
		if !k.follow(move, after[0]) {
			return false
		}
	} else {
		if !k.follow(weiqi.Pass, after[0]) {
			return false
		}
		for rest, slot := coder.empty(s), 1; rest != 0; rest, slot = rest&(rest-1), slot+1 {
			move := board.Point(bits.TrailingZeros64(rest))
			if legal>>move&1 == 0 {
				if after[slot] != 0 {
					return k.fail(moveName(coder.size, move), "an entry follows a move that is not legal")
				}
				continue
			}
			if !k.follow(move, after[slot]) {
				return false
			}
		}
	}
	if k.inFree[k.ownID] == k.stamp {
		return k.fail("", "the prover returns to this board")
	}
	k.keep(i)
	return true
}

// follow takes in the conditions of a move and of the entry that follows, from 1, or 0 for
// none.
func (k *checker) follow(move board.Point, entry uint32) bool {
	coder, s := k.coder, k.present
	name := moveName(coder.size, move)
	next := coder.play(s, move)
	if entry == 0 {
		switch {
		case move != weiqi.Pass && !s.opponent:
			return k.fail(name, "no entry follows")
		case move != weiqi.Pass:
			k.report.Barred++
			k.add(&k.barred, k.inBarred, coder.id(next))
			return true
		case !s.passed && !s.opponent:
			return k.fail(name, "no entry follows")
		}
		// The second pass, or the pass that the prover answers by one.
		if score := coder.Score(s.stones[0], s.stones[1]); score < k.claim.Goal {
			return k.fail(name, "the game ends with %d, short of %d", score, k.claim.Goal)
		}
		return true
	}
	if move == weiqi.Pass && s.passed {
		return k.fail(name, "an entry follows the end of the game")
	}
	if k.entries[entry-1].code != coder.code(next) {
		return k.fail(name, "entry %d is about another position", entry-1)
	}
	why := k.reasons[entry-1]
	for _, id := range why.free {
		k.add(&k.free, k.inFree, id)
	}
	for _, id := range why.barred {
		k.add(&k.barred, k.inBarred, id)
	}
	if !s.opponent && move != weiqi.Pass {
		k.add(&k.free, k.inFree, coder.id(next))
	}
	if k.uses[entry]--; k.uses[entry] == 0 {
		k.held -= k.reasons[entry-1].bytes()
		k.reasons[entry-1] = reason{}
	}
	return true
}

// add adds an id to a set.
func (k *checker) add(list *[]uint32, stamps []uint32, id uint32) {
	if stamps[id] != k.stamp {
		stamps[id] = k.stamp
		*list = append(*list, id)
	}
}

// keep keeps the reason of the present entry, whose own id has occurred.
func (k *checker) keep(i int) {
	if n := slices.Index(k.barred, k.ownID); n >= 0 {
		k.barred = slices.Delete(k.barred, n, n+1)
	}
	k.report.Positions++
	k.report.Boards = max(k.report.Boards, len(k.free)+len(k.barred))
	if last := i == len(k.entries)-1; last || k.uses[i+1] > 0 {
		k.reasons[i] = reason{slices.Clone(k.free), slices.Clone(k.barred)}
		k.held += k.reasons[i].bytes()
	}
}

// checkRoot compares the last entry with the game.
func (k *checker) checkRoot() bool {
	positions, err := k.claim.game()
	root := len(k.entries) - 1
	if err != nil || root < 0 || k.entries[root].code != k.coder.code(k.coder.of(positions[len(positions)-1])) {
		return k.fail("", "the last entry is not the position of the claim")
	}
	occurred := map[uint32]bool{}
	for _, p := range positions {
		occurred[k.coder.id(k.coder.of(p))] = true
	}
	if before := k.coder.of(k.claim.Start); before.passed {
		before.opponent = !before.opponent
		occurred[k.coder.id(before)] = true
	}
	why := k.reasons[root]
	if slices.ContainsFunc(why.free, func(id uint32) bool { return occurred[id] }) {
		return k.fail("", "the prover returns to a board of the game")
	}
	if slices.ContainsFunc(why.barred, func(id uint32) bool { return !occurred[id] }) {
		return k.fail("", "a move of the opponent has no entry and repeats no board of the game")
	}
	return true
}
