package superko

import (
	"context"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/weiqi"
)

// Claim is a part of a proof: one side, the prover, reaches its goal from this position,
// after every history that meets the reason of the claim.
type Claim struct {
	Stones board.Stones
	ToPlay board.Colour
	Passed bool // the last move was a pass
	// Moves is one move if the prover is to play, and otherwise all moves of the opponent that
	// are no suicide. After has for each the number of an earlier claim that follows, from 0. It
	// is −1 where the move ends the game, where the prover then ends it by a second pass, and
	// where the move of the opponent repeats an earlier board.
	Moves []board.Point
	After []int
}

// Prove asks whether Black scores at least a number. If add is not nil, it is called with
// the claims that prove this, or the contrary; the last is about the question itself. That
// takes a solver that records proofs. add must not keep the lists of a claim.
func (s *Solver) Prove(ctx context.Context, q Question, black int, add func(Claim)) (bool, error) {
	s.solving.Lock()
	defer s.solving.Unlock()
	r, err := s.root(q)
	if err != nil {
		return false, err
	}
	if r.over {
		return int(s.graph.scores[r.key.state()>>1]) >= black, nil
	}
	t := black // of the side to play: White is asked for the contrary
	if r.key.own() == board.White {
		t = 1 - black
	}
	b := s.newBounds(r)
	// Bounds that need no search have no claims.
	b.sure = Answer{Low: t - 1, High: t}
	b.low, b.high = t-1, t
	s.run(ctx, r, b)
	low, high := b.proven()
	if low < high {
		return false, solver.Interrupted(ctx)
	}
	if add != nil {
		err = s.list(ctx, r, b.claim, add)
	}
	return (low == t) == (r.key.own() == board.Black), err
}

// list lists the claims of a proof of a root.
func (s *Solver) list(ctx context.Context, r root, claim ref, add func(Claim)) error {
	if claim == 0 {
		add(s.outside(r.key, []board.Point{weiqi.Pass}, []int{-1})) // a second pass is enough
		return nil
	}
	w := walk{Solver: s, ctx: ctx, add: add, numbers: map[ref]int{}}
	_, err := w.visit(claim)
	return err
}

// walk goes through the claims that a claim rests on.
type walk struct {
	*Solver
	ctx     context.Context
	add     func(Claim)
	numbers map[ref]int // of the claims that were added
}

// visit adds a claim after those that it rests on, and returns its number.
func (w *walk) visit(r ref) (int, error) {
	if r == 0 {
		return -1, nil
	}
	if n, ok := w.numbers[r]; ok {
		return n, nil
	}
	if len(w.numbers)%watchNodes == 0 && w.ctx.Err() != nil {
		return 0, w.ctx.Err()
	}
	turn := &w.graph.images[r.image()]
	claim := w.record.read(r, w.graph)
	var moves [slots]board.Point
	var after [slots]int
	for i, follows := range claim.after {
		slot := claim.first + i
		moves[i] = weiqi.Pass
		if slot > 0 {
			cell := w.graph.moves(claim.key.state())[slot-1].point
			moves[i] = w.point(turn.cells.Map(1 << cell))
		}
		var err error
		if after[i], err = w.visit(follows); err != nil {
			return 0, err
		}
	}
	n := len(claim.after)
	w.add(w.outside(claim.key.image(turn), moves[:n], after[:n]))
	w.numbers[r] = len(w.numbers)
	return len(w.numbers) - 1, nil
}

// point is a cell of the graph as a point of the board, which may be a column.
func (s *Solver) point(cell uint64) board.Point {
	return s.size.All()[slices.Index(s.graph.size.All(), board.Point(bits.TrailingZeros64(cell)))]
}

// outside is a claim on the board of the question.
func (s *Solver) outside(k key, moves []board.Point, after []int) Claim {
	c := Claim{ToPlay: k.own(), Passed: k.passed(), Moves: moves, After: after}
	for colour, set := range s.graph.boards[k.state()>>1] {
		for ; set != 0; set &= set - 1 {
			c.Stones[colour].Add(s.point(set & -set))
		}
	}
	return c
}
