// Package area holds certificates of Go scores and a checker that is independent of every
// solver.
//
// A certificate proves that one side, the prover, ends with an area larger than the
// other's by at least a goal, under basic ko, without suicide, whatever an endless game
// counts. It lists positions with the prover to move, for each a move and a rank. After
// the move the game is over and won, or enough points are safe, or every reply leads to
// a listed position of lower rank. Ranks fall, so no play by a certificate is endless.
// Rooms, parts of the board that can be judged alone, are listed too.
//
// The package makes certificates from any Oracle, writes and reads them, and checks them
// with the rules of Go and unconditional life alone. It searches nothing.
package area

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// MaxPoints is the largest board of a certificate: codes of positions are 64 bits.
const MaxPoints = 36

// Claim is the statement of a certificate: the prover's area will be larger than the
// other side's by at least the goal.
type Claim struct {
	Root   weiqi.Position
	Prover board.Colour
	Goal   int
}

func (c Claim) String() string {
	return fmt.Sprintf("%s scores at least %d from %s, %s to play", c.Prover, c.Goal, c.Root, c.Root.ToPlay)
}

// Check refuses claims that no certificate can be about.
func (c Claim) Check() error {
	size := c.Root.Size
	if _, err := board.NewSize(size.Rows, size.Cols); err != nil {
		return err
	}
	switch {
	case size.Points() > MaxPoints || !size.Small():
		return fmt.Errorf("a %s board is too large for a certificate of Go: the limit is %d points", size, MaxPoints)
	case c.Prover > board.White || c.Root.ToPlay > board.White:
		return errors.New("the prover and the side to play must be black or white")
	case c.Goal < -size.Points() || c.Goal > size.Points():
		return fmt.Errorf("a score of %d does not exist on %s", c.Goal, size)
	case c.Root.Over():
		return errors.New("the game is over at the root: there is nothing to prove")
	}
	return c.Root.Validate()
}

// Certificate is a claim and its proof. It does not change once made.
type Certificate struct {
	claim   Claim
	coder   *coder
	entries []entry  // by code
	starts  []uint32 // where entries of the same leading bits begin; nil for no index
	shift   int      // of codes, which leaves these bits

	// Of the file that it was read from.
	bytes    int64
	checksum string
}

// entry is a position with the prover to move.
type entry struct {
	code uint64
	move uint8 // index of the point, or their number for a pass
	rank uint8
}

// Claim is the statement that the certificate proves.
func (c *Certificate) Claim() Claim { return c.claim }

// Len is the number of positions, rooms included.
func (c *Certificate) Len() int { return len(c.entries) }

// Entries yields the positions in ascending order of their codes, each with its move and
// its rank. It leaves out rooms.
func (c *Certificate) Entries() iter.Seq2[weiqi.Position, Step] {
	return func(yield func(weiqi.Position, Step) bool) {
		for _, e := range c.entries {
			if kindOf(e.code) == whole && !yield(c.position(e.code), Step{c.coder.move(e.move), int(e.rank)}) {
				return
			}
		}
	}
}

// Step is the prover's move in a position, and its rank: an upper bound on the plies until
// the goal is reached.
type Step struct {
	Move board.Point // or weiqi.Pass
	Rank int
}

// Lookup finds the move of a position in any orientation.
func (c *Certificate) Lookup(p weiqi.Position) (Step, bool) {
	if p.Size != c.claim.Root.Size || p.ToPlay != c.claim.Prover || p.Over() || p.Ko != board.NoPoint && !p.Size.Contains(p.Ko) {
		return Step{}, false
	}
	return c.lookup(p, whole)
}

func (c *Certificate) lookup(p weiqi.Position, k kind) (Step, bool) {
	code, sym := c.coder.canonical(p, c.claim.Prover, k)
	i, ok := c.find(code)
	if !ok {
		return Step{}, false
	}
	move := c.coder.move(c.entries[i].move)
	if move != weiqi.Pass {
		move = p.Size.Map(p.Size.Inverse(sym), move)
	}
	return Step{move, int(c.entries[i].rank)}, true
}

func (c *Certificate) find(code uint64) (int, bool) {
	from, to := 0, len(c.entries)
	if c.starts != nil {
		lead := code >> c.shift
		if lead+1 >= uint64(len(c.starts)) {
			return to, false
		}
		from, to = int(c.starts[lead]), int(c.starts[lead+1])
	}
	i, ok := slices.BinarySearchFunc(c.entries[from:to], code, func(e entry, code uint64) int { return cmp.Compare(e.code, code) })
	return from + i, ok
}

// indexed is the certificate with an index, about a byte for each entry. Without it, a
// lookup among millions reads memory in many places.
func (c *Certificate) indexed() *Certificate {
	x := *c
	if len(c.entries) == 0 {
		return &x
	}
	last := c.entries[len(c.entries)-1].code
	x.shift = max(0, bits.Len64(last)-bits.Len(uint(len(c.entries)))+2)
	x.starts = make([]uint32, last>>x.shift+2)
	i := 0
	for lead := range x.starts {
		for i < len(c.entries) && c.entries[i].code>>x.shift < uint64(lead) {
			i++
		}
		x.starts[lead] = uint32(i)
	}
	return &x
}

func (c *Certificate) position(code uint64) weiqi.Position {
	return c.coder.position(code, c.claim.Prover)
}

// settled reports whether a position with the other side to move is settled, at once or
// by rooms.
func (c *Certificate) settled(p weiqi.Position) bool { return settled(p, c.claim) || c.byRooms(p) }

// Oracle finds proofs. Winning gets a position with the prover to move. It returns a move
// and the number of plies within which it reaches the goal, at most limit.
type Oracle interface {
	Winning(ctx context.Context, c Claim, limit int) (move board.Point, plies int, err error)
}

// RoomOracle is an Oracle that also knows rooms. Keeping is asked about a room in which
// the wall needs one or two eyes: whether the prover keeps it within a number of plies,
// that number, and if the prover is to move a move.
type RoomOracle interface {
	Oracle
	Keeping(room weiqi.Position, prover board.Colour, eyes int) (move board.Point, plies int, ok bool)
}

// OtherOracle is an Oracle that also finds other moves. Other is Winning without the moves
// to avoid; there may be none.
type OtherOracle interface {
	Oracle
	Other(ctx context.Context, c Claim, limit int, avoid []board.Point) (move board.Point, plies int, err error)
}

// MaxRank bounds the ranks of a certificate.
const MaxRank = 254

// Extract asks the oracle for a move in every position that the proof needs. It calls
// progress, unless nil, with the number of positions so far.
func Extract(ctx context.Context, claim Claim, o Oracle, progress func(positions int)) (*Certificate, error) {
	return extract(ctx, claim, o, nil, progress)
}

func extract(ctx context.Context, claim Claim, o Oracle, avoid avoidance, progress func(positions int)) (*Certificate, error) {
	if err := claim.Check(); err != nil {
		return nil, err
	}
	x := &extraction{oracle: o, avoid: avoid, c: &Certificate{claim: claim, coder: newCoder(claim.Root.Size)}, found: map[uint64]answer{}}
	if err := x.want(claim.Root, MaxRank); err != nil {
		return nil, err
	}
	for len(x.todo) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		if x.known(next) {
			continue
		}
		if err := x.answer(ctx, next); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(len(x.found))
		}
	}
	x.c.entries = make([]entry, 0, len(x.found))
	for code, a := range x.found {
		x.c.entries = append(x.c.entries, entry{code, a.move, a.rank})
	}
	x.found = nil
	slices.SortFunc(x.c.entries, func(a, b entry) int { return cmp.Compare(a.code, b.code) })
	return x.c, nil
}

type extraction struct {
	c      *Certificate
	oracle Oracle
	avoid  avoidance
	found  map[uint64]answer // by codes
	todo   []task
}

// answer is an entry without its code.
type answer struct{ move, rank uint8 }

// known reports whether a task is done.
func (x *extraction) known(t task) bool {
	a, ok := x.found[t.code]
	return ok && (int(a.rank) <= t.limit || x.avoid.longer(t.code))
}

// add notes a task, unless it is done.
func (x *extraction) add(t task) {
	if !x.known(t) {
		x.todo = append(x.todo, t)
	}
}

// task is a position that needs a move of at most a rank.
type task struct {
	code  uint64
	limit int
}

// want adds a position to the tasks if the prover is to move, and otherwise its replies.
func (x *extraction) want(p weiqi.Position, limit int) error {
	claim := x.c.claim
	if p.ToPlay == claim.Prover {
		code, _ := x.c.coder.canonical(p, claim.Prover, whole)
		x.add(task{code, limit})
		return nil
	}
	if settled(p, claim) || x.wantRooms(p) {
		return nil
	}
	for _, next := range replies(p) {
		if next.Over() {
			continue
		}
		if err := x.want(next, limit); err != nil {
			return err
		}
	}
	return nil
}

// wantRooms reports whether rooms settle a position, and notes what they need.
func (x *extraction) wantRooms(p weiqi.Position) bool {
	o, ok := x.oracle.(RoomOracle)
	if !ok {
		return false
	}
	prover := x.c.claim.Prover
	_, list := x.c.settling(p, func(r room) bool {
		if r.kept(prover) {
			return true
		}
		_, _, ok := o.Keeping(r.Position, prover, r.eyes())
		return ok
	})
	for _, r := range list {
		x.wantRoom(r, MaxRank)
	}
	return list != nil
}

// wantRoom notes what a room with the other side to move needs.
func (x *extraction) wantRoom(r room, limit int) {
	prover := x.c.claim.Prover
	if r.kept(prover) {
		return
	}
	for _, reply := range r.replies(prover) {
		code, _ := x.c.coder.canonical(reply.Position, prover, r.kind)
		x.add(task{code, limit})
	}
}

// answerRoom lists a room with the prover to move.
func (x *extraction) answerRoom(t task) error {
	prover := x.c.claim.Prover
	r := room{Position: x.c.position(t.code), kind: kindOf(t.code)}
	move, plies, ok := x.oracle.(RoomOracle).Keeping(r.Position, prover, r.eyes())
	if !ok || plies > t.limit {
		return fmt.Errorf("room %s: there is no proof within %d plies", r.Position, t.limit)
	}
	var err error
	if r.Position, err = roomMove(r.Position, move); err != nil {
		return err
	}
	x.found[t.code] = answer{x.c.coder.index(move), uint8(plies)}
	x.wantRoom(r, plies-1)
	return nil
}

func (x *extraction) answer(ctx context.Context, t task) error {
	if kindOf(t.code) != whole {
		return x.answerRoom(t)
	}
	claim := x.c.claim
	claim.Root = x.c.position(t.code)
	move, plies, err := x.winning(ctx, claim, t)
	if err != nil {
		return fmt.Errorf("position %s: %w", claim.Root, err)
	}
	if plies > t.limit && !x.avoid.longer(t.code) || plies < 0 {
		return fmt.Errorf("position %s: the proof has %d plies, the limit is %d", claim.Root, plies, t.limit)
	}
	next, err := weiqi.Rules{}.Play(claim.Root, move)
	if err != nil {
		return err
	}
	x.found[t.code] = answer{x.c.coder.index(move), uint8(plies)}
	if next.Over() {
		return nil
	}
	return x.want(next, plies-1)
}

// winning asks the oracle for a move, one that is not to be avoided if there is any.
func (x *extraction) winning(ctx context.Context, claim Claim, t task) (board.Point, int, error) {
	a := x.avoid[t.code]
	if a == nil || a.all {
		return x.oracle.Winning(ctx, claim, t.limit)
	}
	for _, limit := range []int{t.limit, MaxRank} {
		move, plies, err := x.oracle.(OtherOracle).Other(ctx, claim, limit, a.moves)
		if err == nil || ctx.Err() != nil {
			a.longer = a.longer || plies > t.limit
			return move, plies, err
		}
	}
	a.all = true
	return x.oracle.Winning(ctx, claim, t.limit)
}

// replies are the positions after every move, the pass too.
func replies(p weiqi.Position) (list []weiqi.Position) {
	var rules weiqi.Rules
	for q := range rules.Legal(p).Points() {
		if next, err := rules.Play(p, q); err == nil {
			list = append(list, next)
		}
	}
	if next, err := rules.Play(p, weiqi.Pass); err == nil {
		list = append(list, next)
	}
	return list
}
