package weiqi

import (
	"fmt"

	"tengen/board"
)

// History is a game: the moves made and every position they led to. Superko
// needs it.
type History struct {
	rules     Rules
	positions []Position
	moves     []board.Point
	seen      map[situation]int
}

// situation is what superko forbids to repeat: a board and, under situational
// superko, the side to play.
type situation struct {
	stones board.Stones
	toPlay board.Colour
}

// NewHistory starts a game from a position, which counts as seen. If a pass led
// to the position, the same board with the other side to play counts as seen
// too.
func NewHistory(rules Rules, start Position) *History {
	h := &History{rules: rules, positions: []Position{start}, seen: map[situation]int{}}
	h.seen[h.situation(start)]++
	if start.Passes > 0 {
		before := start
		before.ToPlay = start.ToPlay.Opponent()
		h.seen[h.situation(before)]++
	}
	return h
}

func (h *History) situation(p Position) situation {
	s := situation{p.Stones, board.Black}
	if h.rules.Ko == Situational {
		s.toPlay = p.ToPlay
	}
	return s
}

// Position is the present position.
func (h *History) Position() Position { return h.positions[len(h.positions)-1] }

// Moves lists the moves made; the caller must not change it.
func (h *History) Moves() []board.Point { return h.moves }

// Legal is the set of points where the side to play may put a stone.
func (h *History) Legal() board.Set {
	p := h.Position()
	legal := h.rules.Legal(p)
	if h.rules.Ko == Basic {
		return legal
	}
	for q := range legal.Points() {
		if next, err := h.rules.Play(p, q); err != nil || h.repeats(next) {
			legal.Remove(q)
		}
	}
	return legal
}

func (h *History) repeats(next Position) bool {
	return h.rules.Ko != Basic && h.seen[h.situation(next)] > 0
}

// Push makes a move, a point or Pass, or says why it may not be made. A pass
// never repeats.
func (h *History) Push(q board.Point) error {
	p := h.Position()
	next, err := h.rules.Play(p, q)
	if err != nil {
		return err
	}
	if q != Pass && h.repeats(next) {
		return fmt.Errorf("%s may not play %s: the board would repeat an earlier one", p.ToPlay, p.Size.Name(q))
	}
	h.positions = append(h.positions, next)
	h.moves = append(h.moves, q)
	h.seen[h.situation(next)]++
	return nil
}

// Pop takes the last move back and reports whether there was one.
func (h *History) Pop() bool {
	if len(h.moves) == 0 {
		return false
	}
	s := h.situation(h.Position())
	if h.seen[s]--; h.seen[s] == 0 {
		delete(h.seen, s)
	}
	h.positions = h.positions[:len(h.positions)-1]
	h.moves = h.moves[:len(h.moves)-1]
	return true
}
