package book

import (
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"slices"

	"tengen/board"
	"tengen/game"
	"tengen/internal/solver/gosearch"
	"tengen/proof/area"
	"tengen/weiqi"
)

// list has positions of certificates in which the side to play, the prover, reaches a goal
// by the move of each, whatever an endless game counts.
type list struct {
	goal int
	entries
}

// Bounds are what the lists of a book prove of Black's score.
type Bounds struct {
	Low, High int
	Move      board.Point // a move by which the side to play reaches its bound, if Leads
	Leads     bool
}

// Exact reports whether the bounds meet.
func (v Bounds) Exact() bool { return v.Low == v.High }

// Bounds looks a position up. It is not known if the lists prove nothing about it.
func (b *Go) Bounds(p game.Position) (v Bounds, known bool) {
	points := p.Size.Points()
	v = Bounds{Low: -points, High: points}
	if b == nil || p.Size.Lying() != b.Size || p.Over() || stonesOf(p) > b.Stones+1 {
		return v, false
	}
	own, other := -points, -points
	for _, l := range b.lists {
		if move, ok := l.reaches(p); ok {
			own, v.Move, v.Leads = l.goal, move, true
			break
		}
	}
	for _, l := range b.lists {
		if l.holds(p) {
			other = l.goal
			break
		}
	}
	v.Low, v.High = own, -other
	if p.ToPlay == board.White {
		v.Low, v.High = other, -own
	}
	return v, own > -points || other > -points
}

// reaches finds a move by which the side to play reaches the goal: the one that is listed, or
// one that leads to a position in which the goal holds.
func (l list) reaches(p game.Position) (move board.Point, ok bool) {
	if move, ok := l.find(p); ok {
		return move, true
	}
	for move, next := range after(p) {
		if l.holds(next) {
			return move, true
		}
	}
	return board.NoPoint, false
}

// holds reports whether the side that is not to play reaches the goal: at the end of the
// game, after a listed move, or if every move leads to a listed position.
func (l list) holds(p game.Position) bool {
	prover := p.ToPlay.Opponent()
	switch {
	case p.Over() && prover == board.White:
		return -p.Score() >= l.goal
	case p.Over():
		return p.Score() >= l.goal
	case l.follows(p, prover):
		return true
	}
	for _, next := range after(p) {
		if next.Over() {
			if !l.holds(next) {
				return false
			}
		} else if _, ok := l.find(next); !ok {
			return false
		}
	}
	return true
}

// follows reports whether a listed move that takes nothing leads to a position.
func (l list) follows(p game.Position, prover board.Colour) bool {
	here, _ := code(p)
	leads := func(before game.Position) bool {
		move, ok := l.find(before)
		if !ok {
			return false
		}
		next, err := weiqi.Rules{}.Play(before, move)
		there, _ := code(next)
		return err == nil && there == here
	}
	before := game.Start(p.Size, p.Stones, prover)
	if p.Passes > 0 {
		return leads(before)
	}
	for stone := range p.Stones[prover].Points() {
		before.Stones = p.Stones
		before.Stones[prover].Remove(stone)
		for before.Passes = range uint8(2) {
			if leads(before) {
				return true
			}
		}
	}
	return false
}

// after yields every move, the pass last, and the position after it.
func after(p game.Position) iter.Seq2[board.Point, game.Position] {
	return func(yield func(board.Point, game.Position) bool) {
		var rules weiqi.Rules
		for move := range rules.Legal(p).Points() {
			if next, err := rules.Play(p, move); err == nil && !yield(move, next) {
				return
			}
		}
		if next, err := rules.Play(p, weiqi.Pass); err == nil {
			yield(weiqi.Pass, next)
		}
	}
}

// Line is play that keeps an exact score, as far as the book goes. A side that gets nothing
// whatever it plays makes the move that a player would guess.
func (b *Go) Line(p game.Position) (line []board.Point) {
	for range b.Stones + 1 {
		v, known := b.Bounds(p)
		move := v.Move
		switch {
		case !known || !v.Exact():
			return line
		case !v.Leads:
			move = gosearch.Guess(p)
		}
		next, err := weiqi.Rules{}.Play(p, move)
		if err != nil {
			return line
		}
		line, p = append(line, move), next
	}
	return line
}

// The content of a file of Go from certificates is the number of lists, and for each the goal
// and its entries, the highest goal first. Numbers are varints, goals signed ones.
func parseLists(h Header, content []byte) (*Go, error) {
	b := &Go{Header: h}
	count, n := binary.Uvarint(content)
	if n <= 0 || h.Size.Points() > area.MaxPoints {
		return nil, errDamaged
	}
	content = content[n:]
	for range count {
		goal, n := binary.Varint(content)
		points := int64(h.Size.Points())
		if n <= 0 || goal < -points || goal > points || len(b.lists) > 0 && int(goal) >= b.lists[len(b.lists)-1].goal {
			return nil, errDamaged
		}
		l := list{goal: int(goal)}
		var err error
		if l.entries, content, err = parseEntries(h.Size, content[n:]); err != nil {
			return nil, err
		}
		b.lists = append(b.lists, l)
	}
	if len(content) > 0 {
		return nil, errDamaged
	}
	return b, nil
}

// GoWriter gathers the lists of a book of Go from certificates.
type GoWriter struct {
	Header
	lists map[int]gathered // by goals
}

// NewGoWriter begins a book of positions with up to a number of stones.
func NewGoWriter(size board.Size, stones int) (*GoWriter, error) {
	if size.Points() > area.MaxPoints {
		return nil, fmt.Errorf("a book of Go is of at most %d points, %s has more", area.MaxPoints, size)
	}
	return &GoWriter{Header{Game: game.Go{}.Name(), Size: size.Lying(), Stones: stones, Certified: true}, map[int]gathered{}}, nil
}

// Add lists what play by a certificate comes to from its root, up to a number of stones, which
// is at most that of the book. A position that is listed keeps its move.
func (w *GoWriter) Add(c *area.Certificate, stones int) {
	claim := c.Claim()
	if w.lists[claim.Goal] == nil {
		w.lists[claim.Goal] = gathered{}
	}
	listed := w.lists[claim.Goal]
	seen := map[uint64]bool{}
	for todo := []game.Position{claim.Root}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.ToPlay != claim.Prover {
			for _, next := range after(p) {
				todo = append(todo, next)
			}
			continue
		}
		key, _ := code(p)
		step, ok := c.Lookup(p)
		if !ok || seen[key] || stonesOf(p) > min(stones, w.Stones) { // not listed: it is settled, or the game is over
			continue
		}
		seen[key] = true
		listed.add(p, step.Move)
		if next, err := (weiqi.Rules{}).Play(p, step.Move); err == nil && !next.Over() {
			todo = append(todo, next)
		}
	}
}

// File is the book.
func (w *GoWriter) File() ([]byte, error) {
	content := binary.AppendUvarint(nil, uint64(len(w.lists)))
	for _, goal := range slices.Backward(slices.Sorted(maps.Keys(w.lists))) {
		content = w.lists[goal].appendTo(binary.AppendVarint(content, int64(goal)))
	}
	return pack(w.Header, content)
}
