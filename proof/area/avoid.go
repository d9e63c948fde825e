package area

import (
	"context"
	"errors"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// ExtractSuperko is Extract for a proof that is to hold under superko. Where a move may
// recreate a board it asks the oracle for another one, if that is an OtherOracle. The
// Repetition is that of the last certificate, nil if it holds.
func ExtractSuperko(ctx context.Context, claim Claim, oracle Oracle, o SuperkoOptions, progress func(positions int)) (*Certificate, *Repetition, error) {
	if claim.Root.Ko != board.NoPoint {
		return nil, nil, errors.New("a ban says too little of the history for superko: give the moves that led to it")
	}
	avoid := avoidance{}
	for round := 1; ; round++ {
		c, err := extract(ctx, claim, oracle, avoid, progress)
		if err != nil {
			return nil, nil, err
		}
		if !avoid.rank(c) {
			continue
		}
		s, err := findRepeats(ctx, c, o)
		if err != nil {
			return nil, nil, err
		}
		if _, able := oracle.(OtherOracle); !able || round == mostRounds || !avoid.add(c, s.list()) {
			return c, s.repetition(), nil
		}
	}
}

// avoidance are moves that a certificate is to do without, by the code of their position.
type avoidance map[uint64]*avoided

type avoided struct {
	moves  []board.Point
	all    bool // there is no other move
	longer bool // the proof by another one may take more plies than the ranks leave
}

// longer reports whether the rank of a position is not yet that of the certificate.
func (a avoidance) longer(code uint64) bool { return a[code] != nil && a[code].longer }

const (
	mostRounds  = 32 // certificates that are made
	mostAvoided = 8  // moves of a position that are given up
)

// add gives up the moves that may recreate boards, or if there is no other the moves after
// which these boards came about. It reports whether there is anything new to try.
func (a avoidance) add(c *Certificate, list []repeat) (more bool) {
	for _, r := range list {
		more = a.avoid(c, r.entry) || !r.begun && a.avoid(c, r.at) || more
	}
	return more
}

// avoid gives up the move of an entry and its images.
func (a avoidance) avoid(c *Certificate, i uint32) bool {
	if i == none || kindOf(c.entries[i].code) != whole {
		return false
	}
	e := c.entries[i]
	had := a[e.code]
	if had == nil {
		had = &avoided{}
		a[e.code] = had
	}
	if had.all || len(had.moves) >= mostAvoided {
		return false
	}
	p, move := c.position(e.code), c.coder.move(e.move)
	for _, sym := range p.Size.Symmetries() {
		if image := mapMove(p.Size, sym, move); p.Map(sym) == p && !slices.Contains(had.moves, image) {
			had.moves = append(had.moves, image)
		}
	}
	return true
}

// rank makes the length of the longest line from a position its rank, if some proofs are longer
// than the ranks leave, and drops positions that no line reaches. If a line is endless or too
// long it gives up the longer proofs and returns false.
func (a avoidance) rank(c *Certificate) bool {
	var long []*avoided
	for _, had := range a {
		if had.longer {
			long = append(long, had)
		}
	}
	if len(long) == 0 {
		return true
	}
	r := ranking{c: c.indexed(), ranks: make([]uint8, len(c.entries)), open: make([]bool, len(c.entries))}
	if !r.position(c.claim.Root) {
		for _, had := range long {
			had.longer, had.all = false, true
		}
		return false
	}
	kept := c.entries[:0]
	for i, e := range c.entries {
		if kindOf(e.code) == whole {
			e.rank = r.ranks[i]
		}
		if kindOf(e.code) != whole || r.ranks[i] > 0 {
			kept = append(kept, e)
		}
	}
	c.entries = kept
	return true
}

// ranking finds the longest lines of a certificate.
type ranking struct {
	c     *Certificate
	ranks []uint8 // by entry; 0 if it is not known yet
	open  []bool  // by entry: on the present line
}

// position ranks all that follows a position, and reports whether that was possible.
func (r *ranking) position(p weiqi.Position) bool {
	if p.ToPlay == r.c.claim.Prover {
		_, ok := r.entry(p)
		return ok
	}
	_, ok := r.replies(p)
	return ok
}

// replies is the highest rank that follows a position with the other side to move.
func (r *ranking) replies(p weiqi.Position) (most int, ok bool) {
	if p.Over() || r.c.settled(p) {
		return 0, true
	}
	for _, next := range replies(p) {
		if next.Over() {
			continue
		}
		rank, ok := r.entry(next)
		if !ok {
			return 0, false
		}
		most = max(most, rank)
	}
	return most, true
}

// entry is the rank of a position with the prover to move.
func (r *ranking) entry(p weiqi.Position) (rank int, ok bool) {
	code, _ := r.c.coder.canonical(p, r.c.claim.Prover, whole)
	i, ok := r.c.find(code)
	if !ok || r.open[i] {
		return 0, false
	}
	if r.ranks[i] > 0 {
		return int(r.ranks[i]), true
	}
	r.open[i] = true
	defer func() { r.open[i] = false }()
	next, err := weiqi.Rules{}.Play(r.c.position(code), r.c.coder.move(r.c.entries[i].move))
	if err != nil {
		return 0, false
	}
	most, ok := r.replies(next)
	if !ok || most >= MaxRank {
		return 0, false
	}
	r.ranks[i] = uint8(most + 1)
	return most + 1, true
}

func mapMove(size board.Size, sym board.Symmetry, move board.Point) board.Point {
	if move == weiqi.Pass {
		return move
	}
	return size.Map(sym, move)
}
