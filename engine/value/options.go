package value

import (
	"errors"

	"tengen/board"
	"tengen/cgt"
)

// Option is a move in a game and its result.
type Option struct {
	Colour    board.Colour
	Move      Move
	Name      string
	Value     string // of the game after the move
	Incentive string // what the move gains: the new value less the old, for White the old less the new

	// Names of moves; "" if there is none.
	SameAs      string // an earlier move of the same colour to the same value
	DominatedBy string // one to a better value
	ReversedBy  string // a reply that leaves the mover no better off than before the move
}

// options lists the moves of both sides in the game whose value is g, Black's first.
func (e *evaluation) options(g cgt.Game) ([]Option, error) {
	list := []Option{}
	for c := range board.Colour(2) {
		moves, err := e.request.Sum.moves(c)
		if err != nil {
			return nil, err
		}
		side := make([]Option, len(moves))
		games := make([]cgt.Game, len(moves))
		for i, m := range moves {
			if side[i], games[i], err = e.option(g, m, c); err != nil {
				return nil, err
			}
		}
		if err := e.mark(side, games, c); err != nil {
			return nil, err
		}
		list = append(list, side...)
	}
	return list, nil
}

// option is one move of c, without comparison with others.
func (e *evaluation) option(g cgt.Game, m Move, c board.Colour) (Option, cgt.Game, error) {
	sum := e.request.Sum
	after := sum.after(m, c)
	h, err := e.ofSum(after)
	if err != nil {
		return Option{}, 0, err
	}
	o := Option{Colour: c, Move: m, Name: sum.Name(m), Value: e.spell(h)}
	more, less := h, g
	if c == board.White {
		more, less = g, h
	}
	gain, err := e.arena.Sub(more, less)
	if err != nil {
		return Option{}, 0, err
	}
	o.Incentive = e.spell(gain)
	o.ReversedBy, err = e.reversal(g, h, after, c)
	return o, h, err
}

// reversal names a reply to h, a game that c has moved to, after which c is no better off
// than with g; "" if there is none. As canonical forms are made, one is looked for in that
// of h first: the boards have many more, through which a move can be traced back in
// circles. The reply that is named is one on the boards, the best of them.
func (e *evaluation) reversal(g, h cgt.Game, after Sum, c board.Colour) (string, error) {
	options := e.arena.Right(h)
	if c == board.White {
		options = e.arena.Left(h)
	}
	for _, reply := range options {
		if no, err := e.noBetter(reply, g, c); err != nil {
			return "", err
		} else if no {
			return e.replyWithin(g, after, c)
		}
	}
	return "", nil
}

// replyWithin names the best reply on the boards to a move of c that leaves c no better off
// than with g; "" if there is none.
func (e *evaluation) replyWithin(g cgt.Game, after Sum, c board.Colour) (name string, err error) {
	moves, err := after.moves(c.Opponent())
	if err != nil {
		return "", err
	}
	for _, m := range moves {
		reply, err := e.ofSum(after.after(m, c.Opponent()))
		if err != nil {
			return "", err
		}
		if name != "" && reply == g {
			continue
		}
		if no, err := e.noBetter(reply, g, c); err != nil {
			return "", err
		} else if no {
			name, g = after.Name(m), reply
		}
	}
	return name, nil
}

// noBetter reports whether g is no better for c than h.
func (e *evaluation) noBetter(g, h cgt.Game, c board.Colour) (bool, error) {
	if c == board.White {
		g, h = h, g
	}
	return e.arena.LessEq(g, h)
}

// mark compares the moves of one side with each other.
func (e *evaluation) mark(side []Option, games []cgt.Game, c board.Colour) error {
	for i := range side {
		best := i
		for j := range side {
			if games[j] == games[best] {
				continue
			}
			if no, err := e.noBetter(games[best], games[j], c); err != nil {
				return err
			} else if no {
				best = j
			}
		}
		if best != i {
			side[i].DominatedBy = side[best].Name
		}
		for j := range i {
			if games[j] == games[i] {
				side[i].SameAs = side[j].Name
				break
			}
		}
	}
	return nil
}

// spell writes a game in the notation that was asked for.
func (e *evaluation) spell(g cgt.Game) string {
	if e.request.CGSuite {
		return e.arena.CGSuite(g)
	}
	return e.arena.String(g)
}

// addAtomicWeight finds the atomic weight where it is defined and not too large.
func (e *evaluation) addAtomicWeight(g cgt.Game, v *Value) error {
	weight, ok, err := e.arena.AtomicWeight(g)
	if ok && err == nil {
		v.AtomicWeight = e.spell(weight)
	}
	if errors.Is(err, cgt.ErrLimit) {
		return nil
	}
	return err
}
