package area

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"tengen/board"
	"tengen/weiqi"
)

// A valid certificate holds under superko too if the prover never recreates a board: the
// other side only has fewer moves than under basic ko. docs/go-certificate-format.md has
// the argument, also for safe points and rooms. Superko looks for such boards in
// sweeps over the entries that a play from the root can reach.
//
// The first sweep goes down the ranks. It notes for every entry the stones that the prover
// had on boards from which it has lost a stone since, on any line: its lost set. Only
// boards within that set can come again, so few moves are suspects. The second sweep goes
// up the ranks, and looks for the boards that suspects may recreate on the lines to them. A
// third one compares the boards with which rooms begin.

// SuperkoOptions say what Superko is asked about.
type SuperkoOptions struct {
	Ko weiqi.Ko // weiqi.Positional or weiqi.Situational
	// Before are the positions of the game before the root.
	Before []weiqi.Position
	// Progress is called with the number of entries done, one call at a time, unless nil.
	Progress func(done, total int)
}

// past describes boards that must not have been on a line. The prover has stones on all
// points of need and on one of some at least, exactly the stones own on the points of mask,
// and the other side exactly the stones other on the points of others.
type past struct {
	need, some, mask, own, others, other uint64
	kept                                 bool   // it is about a room that is kept
	entry                                uint32 // after whose move such a board may be recreated
}

func (b past) matches(own, other uint64) bool {
	return b.need&^own == 0 && b.some&own != 0 && own&b.mask == b.own && other&b.others == b.other
}

// What the first sweep notes of an entry.
const (
	again    uint8 = 1 << iota // the move may recreate a board
	late                       // the strategy for safe points may do so after it
	branches                   // the replies are entries
	roomed                     // boards before the move may come again in rooms after it
)

// reached marks the lost set of an entry that a play can reach. It is no point.
const reached = 1 << 63

// repeats is a look for repetitions under way.
type repeats struct {
	SuperkoOptions
	c     *Certificate
	grid  weiqi.Grid
	turns map[board.Symmetry]*board.Permuter
	lost  []uint64 // by entry
	notes []uint8  // by entry
	order []uint32 // entries: positions and then rooms, each by falling rank
	ends  []int    // of the parts of order with one rank
	pasts map[uint32][]past

	mu    sync.Mutex
	done  int
	fresh []note            // for pasts, of the present rank
	found map[uint32]repeat // by the entry that recreates
}

// note is a past of an entry.
type note struct {
	entry uint32
	past
}

// repeat is a past that matches a board: that of an entry, or the one after its move.
type repeat struct {
	past
	at    uint32
	after bool
	begun bool // it was on the board when the play began, and at says nothing
}

// Superko finds out whether a certificate that Verify accepts also holds under superko, in a
// game that goes through Before and then begins with the root. The result is nil if it
// holds. A certificate that holds may fail.
func Superko(ctx context.Context, c *Certificate, o SuperkoOptions) (*Repetition, error) {
	if c.claim.Root.Ko != board.NoPoint && c.claim.Root.ToPlay != c.claim.Prover {
		return &Repetition{}, nil // the game before the root is to say whether that move is forbidden
	}
	s, err := findRepeats(ctx, c, o)
	if err != nil {
		return nil, err
	}
	return s.repetition(), nil
}

func findRepeats(ctx context.Context, c *Certificate, o SuperkoOptions) (*repeats, error) {
	if o.Ko != weiqi.Positional && o.Ko != weiqi.Situational {
		return nil, fmt.Errorf("boards may repeat under %s: choose positional or situational superko", o.Ko)
	}
	s := newRepeats(c, o)
	begin := s.begin()
	for n, visit := range []func(uint32){s.down, s.up, s.starts} {
		if err := s.sweep(ctx, visit, n == 1); err != nil {
			return nil, err
		}
	}
	s.end(begin)
	return s, nil
}

func newRepeats(c *Certificate, o SuperkoOptions) *repeats {
	root := c.claim.Root
	if root.Passes > 0 {
		passed := root
		passed.ToPlay = root.ToPlay.Opponent()
		o.Before = append(slices.Clip(o.Before), passed)
	}
	s := &repeats{
		SuperkoOptions: o, c: c.indexed(), grid: weiqi.NewGrid(root.Size), turns: map[board.Symmetry]*board.Permuter{},
		lost: make([]uint64, len(c.entries)), notes: make([]uint8, len(c.entries)), pasts: map[uint32][]past{}, found: map[uint32]repeat{},
	}
	for _, sym := range c.coder.syms {
		s.turns[sym] = board.NewPermuter(root.Size, sym)
	}
	s.sort()
	return s
}

// sort lists the entries by rank.
func (s *repeats) sort() {
	key := func(e entry) int {
		if kindOf(e.code) == whole {
			return MaxRank - int(e.rank)
		}
		return 2*MaxRank + 1 - int(e.rank)
	}
	s.ends = make([]int, 2*MaxRank+2)
	for _, e := range s.c.entries {
		s.ends[key(e)]++
	}
	total := 0
	for k, n := range s.ends {
		s.ends[k] = total
		total += n
	}
	s.order = make([]uint32, total)
	for i, e := range s.c.entries {
		k := key(e)
		s.order[s.ends[k]] = uint32(i)
		s.ends[k]++
	}
}

// sweep visits the entries rank by rank, from the first to the last or back. Those of one
// rank are independent of each other, and all processors share them.
func (s *repeats) sweep(ctx context.Context, visit func(uint32), back bool) error {
	for k := range s.ends {
		if back {
			k = len(s.ends) - 1 - k
		}
		from := 0
		if k > 0 {
			from = s.ends[k-1]
		}
		s.share(ctx, s.order[from:s.ends[k]], visit)
		for _, n := range s.fresh {
			s.pasts[n.entry] = append(s.pasts[n.entry], n.past)
		}
		s.fresh = s.fresh[:0]
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// share visits entries in any order.
func (s *repeats) share(ctx context.Context, list []uint32, visit func(uint32)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (len(list)+taken-1)/taken) {
		group.Go(func() {
			for ctx.Err() == nil {
				to := int(next.Add(taken))
				from := to - taken
				if from >= len(list) {
					return
				}
				to = min(to, len(list))
				for _, i := range list[from:to] {
					if s.lost[i] != 0 {
						visit(i)
					}
				}
				s.mu.Lock()
				s.done += to - from
				if s.Progress != nil {
					s.Progress(s.done, 3*len(s.order))
				}
				s.mu.Unlock()
			}
		})
	}
	group.Wait()
}

// sides are the stones of the prover and of the other side.
func (s *repeats) sides(p weiqi.Position) (own, other uint64) {
	prover := s.c.claim.Prover
	return p.Stones[prover][0], p.Stones[prover.Opponent()][0]
}

// symmetries are all that lead a position to its code. An answer may use any of them.
func (s *repeats) symmetries(p weiqi.Position, k kind) (code uint64, list []board.Symmetry) {
	code, first := s.c.coder.canonical(p, s.c.claim.Prover, k)
	image := p.Map(first)
	for _, sym := range s.c.coder.syms {
		if p.Map(sym) == image {
			list = append(list, sym)
		}
	}
	return code, list
}

// images unites the images of a set.
func (s *repeats) images(set uint64, syms []board.Symmetry) (all uint64) {
	if set == 0 {
		return 0
	}
	for _, sym := range syms {
		all |= s.turns[sym].Map(set)
	}
	return all
}

// begin is the start of the first sweep. The notes are those of a root with the other side to
// move.
func (s *repeats) begin() (notes uint8) {
	root := s.c.claim.Root
	lost := s.lostBefore()
	if root.ToPlay == s.c.claim.Prover {
		s.reach(root, whole, lost)
		return 0
	}
	return s.follow(root, MaxRank+1, weiqi.Pass, lost)
}

// lostBefore is the lost set of the root.
func (s *repeats) lostBefore() (lost uint64) {
	present, _ := s.sides(s.c.claim.Root)
	for _, p := range s.Before {
		if own, _ := s.sides(p); own&^present != 0 {
			lost |= own
		}
	}
	return lost
}

// reach adds to the lost set of an entry, and reports whether there is one.
func (s *repeats) reach(p weiqi.Position, k kind, lost uint64) bool {
	code, sym := s.c.coder.canonical(p, s.c.claim.Prover, k)
	i, ok := s.c.find(code)
	if ok {
		if lost != 0 {
			lost = s.turns[sym].Map(lost)
		}
		atomic.OrUint64(&s.lost[i], lost|reached)
	}
	return ok
}

// play makes the move of an entry.
func (s *repeats) play(i uint32) (p, next weiqi.Position, move board.Point, k kind) {
	e := s.c.entries[i]
	p, move, k = s.c.position(e.code), s.c.coder.move(e.move), kindOf(e.code)
	if k == whole {
		next, _ = weiqi.Rules{}.Play(p, move) // Verify has seen that it is legal
	} else {
		next, _ = roomMove(p, move)
	}
	return p, next, move, k
}

// down is the visit of the first sweep.
func (s *repeats) down(i uint32) {
	p, next, move, k := s.play(i)
	lost := s.lost[i] &^ reached
	if lost != 0 {
		_, own := s.symmetries(p, k)
		lost = s.images(lost, own)
		s.lost[i] = lost | reached
	}
	notes := uint8(0)
	if own, _ := s.sides(next); move != weiqi.Pass && own&^lost == 0 {
		notes = again
	}
	switch {
	case k != whole:
		s.followRoom(room{Position: next, kind: k}, lost)
	case !next.Over():
		notes |= s.follow(next, int(s.c.entries[i].rank), move, lost)
	}
	s.notes[i] = notes
}

// follow hands the lost set on to all that may follow a position with the other side to move,
// after a move of the prover in an entry of a rank.
func (s *repeats) follow(p weiqi.Position, rank int, move board.Point, lost uint64) (notes uint8) {
	own, _ := s.sides(p)
	if settled(p, s.c.claim) {
		if lost == 0 {
			return 0
		}
		if area := safe(p, s.c.claim.Prover, 0); area&own&^lost == 0 && area&^own&lost != 0 {
			return late
		}
		return 0
	}
	if list, ok := s.listed(p, rank); ok {
		for _, next := range list {
			s.reach(next, whole, s.lose(own, next, lost))
		}
		return branches
	}
	hall := s.rooms(p)
	fresh := hall.fresh(s, move, lost)
	lost = s.images(lost, hall.syms)
	for _, r := range hall.rooms {
		begin := lost & r.part
		if begin != 0 {
			begin |= s.grid.Mask &^ r.part
		}
		if fresh != 0 && fresh&r.part == 0 {
			begin = 0
		} else {
			notes = roomed
		}
		s.followRoom(r, begin)
	}
	return notes
}

// listed are the replies that do not end the game, if all of them are entries of lower rank.
func (s *repeats) listed(p weiqi.Position, rank int) ([]weiqi.Position, bool) {
	list := slices.DeleteFunc(replies(p), weiqi.Position.Over)
	for _, next := range list {
		if step, ok := s.c.Lookup(next); !ok || step.Rank >= rank {
			return nil, false
		}
	}
	return list, true
}

// hall is the rooms that settle a position, their wall, and the symmetries that lead the
// position to the image in which they are.
type hall struct {
	wall  uint64
	rooms []room
	syms  []board.Symmetry
}

func (s *repeats) rooms(p weiqi.Position) hall {
	wall, list := s.c.settlingListed(p)
	p.Ko = board.NoPoint
	_, syms := s.symmetries(p, whole)
	return hall{wall, list, syms}
}

// fresh is the image of the prover's last stone, if no board before had it and it must be
// taken in a room before such a board can come again, or cannot be taken at all. A stone in a
// room that is not kept may be taken without that, and counts for nothing.
func (h hall) fresh(s *repeats, move board.Point, lost uint64) uint64 {
	if move == weiqi.Pass || lost>>move&1 != 0 {
		return 0
	}
	stone, kept := s.images(1<<move, h.syms), h.wall
	for _, r := range h.rooms {
		kept |= r.part
	}
	if stone&^kept != 0 {
		return 0
	}
	return stone
}

// lose is the lost set after a reply.
func (s *repeats) lose(own uint64, next weiqi.Position, lost uint64) uint64 {
	if left, _ := s.sides(next); own&^left != 0 {
		lost |= own
	}
	return lost
}

func (s *repeats) followRoom(r room, lost uint64) {
	if r.kept(s.c.claim.Prover) {
		return
	}
	own, _ := s.sides(r.Position)
	for _, reply := range r.replies(s.c.claim.Prover) {
		s.reach(reply.Position, r.kind, s.lose(own, reply.Position, lost))
	}
}

// up is the visit of the second sweep. An entry gets the pasts of all that may follow it, and
// its own.
func (s *repeats) up(i uint32) {
	notes := s.notes[i]
	k := kindOf(s.c.entries[i].code)
	if notes == 0 && k == whole || len(s.pasts)+int(notes&(again|late)) == 0 {
		return
	}
	p, next, move, _ := s.play(i)
	own, other := s.sides(next)
	lost := s.lost[i] &^ reached
	var list []past
	if k == whole {
		list = s.pastsOf(i, next, move, lost, notes)
	} else {
		list = s.pastsOfRoom(room{Position: next, kind: k})
	}
	if notes&roomed == 0 { // a board of rooms is compared with those in its room
		list = s.compare(list, own, other, repeat{at: i, after: true})
	}
	list = append(list, s.suspicions(i, next, k, notes)...)
	had, against := s.sides(p)
	list = s.possible(list, had, lost)
	list = s.turned(list, p, k)
	if s.Ko == weiqi.Positional {
		list = s.compare(list, had, against, repeat{at: i})
	}
	if len(list) > 0 {
		s.mu.Lock()
		for _, b := range list {
			s.fresh = append(s.fresh, note{i, b})
		}
		s.mu.Unlock()
	}
}

// starts compares the boards with which rooms begin. A pass leads from such a board to an
// entry, so the boards of all entries are taken, with the other side to move.
func (s *repeats) starts(i uint32) {
	k := kindOf(s.c.entries[i].code)
	if k == whole || len(s.pasts) == 0 {
		return
	}
	start := room{Position: s.c.position(s.c.entries[i].code), kind: k}
	start.ToPlay, start.Ko = start.ToPlay.Opponent(), board.NoPoint
	own, other := s.sides(start.Position)
	s.compare(s.pastsOfRoom(start), own, other, repeat{at: i})
}

// suspicions are the boards that the move of an entry, or the strategy for safe points after
// it, may recreate.
func (s *repeats) suspicions(i uint32, next weiqi.Position, k kind, notes uint8) (list []past) {
	own, other := s.sides(next)
	if notes&again != 0 {
		kept := k != whole && (room{Position: next, kind: k}).kept(s.c.claim.Prover)
		list = append(list, past{need: own, some: own, mask: s.grid.Mask, own: own, others: s.grid.Mask, other: other, kept: kept, entry: i})
		if kept { // in time all rooms are, and then safe points add stones
			list = append(list, past{need: own, some: s.grid.Mask &^ own, kept: true, entry: i})
		}
	}
	if notes&late != 0 {
		area := safe(next, s.c.claim.Prover, 0)
		list = append(list, past{need: area & own, some: area &^ own, entry: i})
	}
	return list
}

// pastsOf unites those of all entries that may follow a position with the other side to move,
// after the move of an entry.
func (s *repeats) pastsOf(i uint32, p weiqi.Position, move board.Point, lost uint64, notes uint8) (list []past) {
	if notes&branches != 0 {
		for _, next := range replies(p) {
			if !next.Over() {
				list = s.pull(list, next, whole)
			}
		}
	}
	if notes&roomed == 0 {
		return list
	}
	hall := s.rooms(p)
	fresh := hall.fresh(s, move, lost)
	for _, r := range hall.rooms {
		if fresh != 0 && fresh&r.part == 0 {
			continue
		}
		for _, b := range s.pastsOfRoom(r) {
			b.entry, b.need = i, hall.wall|b.need&r.part
			if b.mask == 0 {
				b.some = s.grid.Mask &^ b.need
			} else {
				b.some, b.mask, b.own, b.other = b.need, r.part, b.own&r.part, b.other&r.part
				if b.others = r.part; b.kept { // the other side may have added stones
					b.others = b.other
				}
			}
			for _, sym := range hall.syms {
				list = append(list, s.turn(b, p.Size.Inverse(sym)))
			}
		}
	}
	return list
}

func (s *repeats) pastsOfRoom(r room) (list []past) {
	if r.kept(s.c.claim.Prover) {
		return nil
	}
	for _, reply := range r.replies(s.c.claim.Prover) {
		list = s.pull(list, reply.Position, r.kind)
	}
	return list
}

// pull adds the pasts of an entry in the orientation of a position.
func (s *repeats) pull(list []past, p weiqi.Position, k kind) []past {
	code, sym := s.c.coder.canonical(p, s.c.claim.Prover, k)
	i, ok := s.c.find(code)
	if !ok {
		return list
	}
	for _, b := range s.pasts[uint32(i)] {
		list = append(list, s.turn(b, p.Size.Inverse(sym)))
	}
	return list
}

func (s *repeats) turn(b past, sym board.Symmetry) past {
	t := s.turns[sym]
	return past{t.Map(b.need), t.Map(b.some), t.Map(b.mask), t.Map(b.own), t.Map(b.others), t.Map(b.other), b.kept, b.entry}
}

// possible drops boards that cannot have been before a position: all stones of the prover on
// such a board are there now, or lost.
func (s *repeats) possible(list []past, own, lost uint64) []past {
	return slices.DeleteFunc(list, func(b past) bool { return b.need&^own != 0 && b.need&^lost != 0 })
}

// turned adds the images under the symmetries of a position of an entry, and drops boards
// that are there twice.
func (s *repeats) turned(list []past, p weiqi.Position, k kind) (all []past) {
	if len(list) == 0 {
		return nil
	}
	_, syms := s.symmetries(p, k)
	seen := map[past]bool{}
	for _, b := range list {
		for _, sym := range syms {
			image := s.turn(b, sym)
			like := image
			like.entry = 0
			if !seen[like] {
				seen[like] = true
				all = append(all, image)
			}
		}
	}
	return all
}

// compare looks for a board among pasts. It notes those that match and returns the others.
func (s *repeats) compare(list []past, own, other uint64, at repeat) []past {
	return slices.DeleteFunc(list, func(b past) bool {
		if !b.matches(own, other) {
			return false
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if _, ok := s.found[b.entry]; !ok {
			at.past = b
			s.found[b.entry] = at
		}
		return true
	})
}

// end compares what is left with the root and with the positions before it.
func (s *repeats) end(notes uint8) {
	root, prover := s.c.claim.Root, s.c.claim.Prover
	own, other := s.sides(root)
	var list []past
	if root.ToPlay == prover {
		list = s.pull(nil, root, whole)
	} else {
		lost := s.lostBefore()
		list = s.pastsOf(none, root, weiqi.Pass, lost, notes)
		if notes&roomed == 0 {
			list = s.compare(list, own, other, repeat{begun: true})
		}
		list = s.possible(append(list, s.suspicions(none, root, whole, notes)...), own, lost)
	}
	for _, p := range s.Before {
		if s.Ko == weiqi.Positional || p.ToPlay != prover {
			own, other := s.sides(p)
			list = s.compare(list, own, other, repeat{begun: true})
		}
	}
}

// none is no entry.
const none = math.MaxUint32
