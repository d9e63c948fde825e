package area

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tengen/board"
	"tengen/weiqi"
)

// Repetition is why a certificate was not shown to hold under superko.
type Repetition struct {
	// Moves is the number of moves of the certificate that may recreate a board, or after
	// which one may.
	Moves int
	// Line leads from the root to a move of the prover. It is nil if none was found in time.
	Line []string
	// Sure says that the last move of the line recreates a board. Otherwise a later move
	// may do so.
	Sure bool
	// Room is the room in which a board may come again, "" if that is not in a room.
	Room string
}

// Error says it in one sentence.
func (r *Repetition) Error() string {
	line := strings.Join(r.Line, " ")
	text := fmt.Sprintf("%d moves of the proof may repeat a board", r.Moves)
	if r.Moves == 1 {
		text = "one move of the proof may repeat a board"
	}
	switch {
	case r.Moves == 0:
		return "the ban of the root says too little of the game before"
	case r.Room != "":
		return text + ", as in the room " + r.Room
	case line == "":
		return text
	case r.Sure:
		return text + ", as the last of " + line
	}
	return text + ", as one after " + line
}

// list is what was found. Repetitions that are sure come first.
func (s *repeats) list() []repeat {
	sure := func(r repeat) int {
		if r.mask == s.grid.Mask && kindOf(s.c.entries[r.entry].code) == whole {
			return 1
		}
		return 0
	}
	return slices.SortedFunc(maps.Values(s.found), func(a, b repeat) int {
		return cmp.Or(cmp.Compare(sure(b), sure(a)), cmp.Compare(b.entry, a.entry))
	})
}

// repetition says what was found, and shows one of the moves. It is nil if nothing was.
func (s *repeats) repetition() *Repetition {
	if len(s.found) == 0 {
		return nil
	}
	found := s.list()[0]
	r := &Repetition{Moves: len(s.found)}
	if found.entry == none {
		return r
	}
	if target := s.c.entries[found.entry]; kindOf(target.code) != whole {
		r.Room = s.c.position(target.code).String()
		return r
	}
	r.Sure = found.mask == s.grid.Mask
	w := way{s: s, target: found.entry, seen: map[weiqi.Position]bool{}}
	line, p, ok := []board.Point(nil), s.c.claim.Root, true
	if !found.begun {
		line, p, ok = s.route(found.at)
	}
	if !ok {
		return r
	}
	if r.Sure {
		w.boards = []board.Stones{p.Stones}
		for _, before := range s.Before {
			w.boards = append(w.boards, before.Stones)
		}
		w.fromMove = found.after
	}
	if rest, ok := w.from(p); ok {
		for _, move := range append(line, rest...) {
			r.Line = append(r.Line, moveName(p.Size, move))
		}
	}
	return r
}

// route leads from the root to an entry.
func (s *repeats) route(target uint32) (line []board.Point, p weiqi.Position, ok bool) {
	from := make([]uint32, len(s.c.entries)) // 1 plus the entry before, none for the root
	var queue []uint32
	visit := func(p weiqi.Position, before uint32) {
		if i, _ := s.answers(p); i != none && from[i] == 0 {
			from[i] = before
			queue = append(queue, i)
		}
	}
	root := s.c.claim.Root
	if root.ToPlay == s.c.claim.Prover {
		visit(root, none)
	} else {
		for _, next := range replies(root) {
			visit(next, none)
		}
	}
	for len(queue) > 0 && from[target] == 0 {
		i := queue[0]
		queue = queue[1:]
		if s.notes[i]&branches != 0 {
			_, next, _, _ := s.play(i)
			for _, reply := range replies(next) {
				visit(reply, i+1)
			}
		}
	}
	if from[target] == 0 {
		return nil, root, false
	}
	chain := []uint32{target}
	for from[chain[0]] != none {
		chain = slices.Insert(chain, 0, from[chain[0]]-1)
	}
	p = root
	for n, i := range chain {
		if n > 0 {
			_, moves := s.answers(p)
			line = append(line, moves[0])
			p, _ = weiqi.Rules{}.Play(p, moves[0])
		}
		if p.ToPlay == s.c.claim.Prover {
			continue // the root
		}
		for _, move := range allMoves(p) {
			next, _ := weiqi.Rules{}.Play(p, move)
			if j, _ := s.answers(next); j == i {
				line = append(line, move)
				p = next
				break
			}
		}
	}
	return line, p, true
}

// answers is the entry of a position and its move, in all images that the symmetries of the
// position give.
func (s *repeats) answers(p weiqi.Position) (i uint32, moves []board.Point) {
	if p.Over() {
		return none, nil
	}
	code, syms := s.symmetries(p, whole)
	at, ok := s.c.find(code)
	if !ok {
		return none, nil
	}
	move := s.c.coder.move(s.c.entries[at].move)
	for _, sym := range syms {
		image := mapMove(p.Size, p.Size.Inverse(sym), move)
		if !slices.Contains(moves, image) {
			moves = append(moves, image)
		}
	}
	return uint32(at), moves
}

func allMoves(p weiqi.Position) []board.Point {
	return append(slices.Collect(weiqi.Rules{}.Legal(p).Points()), weiqi.Pass)
}

// way is a search for a line from a board to the move that recreates it.
type way struct {
	s        *repeats
	target   uint32         // the entry that recreates
	boards   []board.Stones // one of which the move recreates; none if any end will do
	fromMove bool           // the board is the one after the first move
	seen     map[weiqi.Position]bool
}

// mostWays bounds the search.
const mostWays = 1_000_000

// from follows all lines from a position. The prover is to move, unless it is the root.
func (w *way) from(p weiqi.Position) ([]board.Point, bool) {
	if p.ToPlay != w.s.c.claim.Prover {
		return w.reply(p)
	}
	i, moves := w.s.answers(p)
	if i == none || w.seen[p] || len(w.seen) >= mostWays || w.s.c.entries[i].rank < w.s.c.entries[w.target].rank {
		return nil, false
	}
	w.seen[p] = true
	for _, move := range moves {
		next, err := weiqi.Rules{}.Play(p, move)
		if err != nil {
			continue
		}
		if i == w.target && (w.boards == nil || slices.Contains(w.boards, next.Stones)) {
			return []board.Point{move}, true
		}
		if w.fromMove {
			w.boards, w.fromMove = []board.Stones{next.Stones}, false
			clear(w.seen)
			rest, ok := w.reply(next)
			if ok {
				return append([]board.Point{move}, rest...), true
			}
			w.fromMove = true
			continue
		}
		if rest, ok := w.reply(next); ok {
			return append([]board.Point{move}, rest...), true
		}
	}
	return nil, false
}

// reply follows all replies.
func (w *way) reply(p weiqi.Position) ([]board.Point, bool) {
	if p.Over() || settled(p, w.s.c.claim) {
		return nil, false
	}
	for _, move := range allMoves(p) {
		next, err := weiqi.Rules{}.Play(p, move)
		if err != nil || next.Over() {
			continue
		}
		if rest, ok := w.from(next); ok {
			return append([]board.Point{move}, rest...), true
		}
	}
	return nil, false
}
