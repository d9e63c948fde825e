package gosearch

import (
	"context"
	"errors"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// Answer bounds the score of a position, Black minus White. Both bounds hold under every
// rule for endless games.
type Answer struct {
	Low, High int
	// Black cannot be sure of more than Low, and White not of less than High: the other side
	// can keep the game going for ever. A score that is exact is not held.
	LowHeld, HighHeld bool
}

// Exact reports whether the score is known, whatever an endless game counts.
func (a Answer) Exact() bool { return a.Low == a.High }

// Held reports that the bounds are the scores if Black loses endless games and if he wins
// them. No better ones can be proven.
func (a Answer) Held() bool { return a.LowHeld && a.HighHeld }

// firstNodes is the budget of the first attempt at a bound. Each later attempt has twice
// the budget of the one before.
const firstNodes = 2000

// wholeNodes is the least budget of an attempt at all points. The stones must be counted
// for it, which takes seconds.
const wholeNodes = 8 * firstNodes

// Solve narrows the bounds of a score. It starts from known bounds and ends when they
// meet, the context ends, the nodes are used up (0 means no limit), or nothing more can
// be proven.
func (s *Solver) Solve(ctx context.Context, p weiqi.Position, known Answer, nodes uint64) (Answer, error) {
	return s.SolveFor(ctx, p, known, board.Empty, nodes)
}

// SolveFor is Solve with nearly all of the nodes for proofs of one side, or the same for
// both if the side is board.Empty.
func (s *Solver) SolveFor(ctx context.Context, p weiqi.Position, known Answer, side board.Colour, nodes uint64) (Answer, error) {
	b := bounds{s: s, p: p, Answer: known, nodes: nodes, above: known.High + 1, below: known.Low - 1, side: side}
	b.unlimited = nodes == 0
	b.heldAbove, b.heldBelow = b.above+1, b.below-1
	s.note(known)
	for !b.Exact() {
		more, err := b.narrow(ctx)
		s.note(b.Answer)
		if err != nil || !more {
			return b.Answer, err
		}
	}
	return b.Answer, nil
}

// Claims have shares of a budget. One side's claim of all points gets four times as much
// as each of the others, since there are stronger tests for it. In SolveFor proofs of the
// other side get a small share, and budgets grow faster: a search that is stopped repeats
// a part of its work when it goes on.
const (
	otherShare    = 4
	contraryShare = 16
	sidedGrowth   = 8
)

// note keeps bounds for Stats.
func (s *Solver) note(a Answer) { s.proven.Store(&a) }

// All are the trivial bounds of a board.
func All(size board.Size) Answer { return Answer{Low: -size.Points(), High: size.Points()} }

// bounds are the work of one Solve.
type bounds struct {
	s *Solver
	p weiqi.Position
	Answer
	above, below int // lowest score that Black gave up to prove, highest that White did
	// The same, of those that the other side holds.
	heldAbove, heldBelow int
	nodes                uint64
	unlimited            bool
	side                 board.Colour // that gets nearly all of the nodes, or board.Empty
}

// narrow improves one bound: it tries the claims of both sides in turns, each time with
// a larger budget.
func (b *bounds) narrow(ctx context.Context) (more bool, err error) {
	budget, growth := uint64(firstNodes), uint64(2)
	if b.side != board.Empty {
		growth = sidedGrowth
	}
	if claims := b.claims(wholeNodes); len(claims) > 0 {
		budget = max(budget, b.s.spent(claims[0]))
		if after, ok := b.afterFirst(claims[0]); ok {
			budget = max(budget, b.s.spent(after))
		}
	}
	for ; ; budget *= growth {
		claims := b.claims(budget)
		if len(claims) == 0 {
			return false, nil
		}
		for _, q := range claims {
			v, err := b.ask(ctx, q, b.share(budget, q, claims[0]))
			if err != nil {
				return false, err
			}
			if b.learn(q, v) {
				return v != Held || q.Prover != b.side, nil
			}
		}
	}
}

// claims are what is tried next: for each side all points, if it may still reach them, and
// the middle of what it may reach.
func (b *bounds) claims(budget uint64) (list []Question) {
	whole := budget >= wholeNodes || b.s.whole() != nil
	first := b.favourite()
	for _, c := range []board.Colour{first, first.Opponent()} {
		low, high := b.Low, min(b.High, b.above-1)
		if c == board.White {
			low, high = -b.High, -max(b.Low, b.below+1)
		}
		middle := (low + high + 1) >> 1
		if whole && middle < high && high == b.s.geo.points {
			list = append(list, Question{b.p, c, high})
		}
		if low < high {
			list = append(list, Question{b.p, c, middle})
		}
	}
	return list
}

// Where the prover is to move and the budget of a claim is at least firstMoveNodes, its first
// move alone gets that budget, and the claim itself one part of firstMoveShare.
const (
	firstMoveNodes = 1 << 13
	firstMoveShare = 4
)

// afterFirst is a claim after the first move of the prover, if the prover is to play. A round
// that fails goes through all the other moves before the first one is searched deeper, so that
// one is tried alone too. The claim itself takes no search then.
func (b *bounds) afterFirst(q Question) (after Question, ok bool) {
	if q.Position.ToPlay != q.Prover {
		return q, false
	}
	next, err := weiqi.Rules{}.Play(q.Position, b.s.first(q))
	if err != nil || next.Over() {
		return q, false
	}
	q.Position = next
	return q, true
}

// favourite is the side whose claims are tried first: the one asked for, or the one that
// lacks fewer stones for all points, or the side to play.
func (b *bounds) favourite() board.Colour {
	if b.side != board.Empty {
		return b.side
	}
	own, other := b.p.ToPlay, b.p.ToPlay.Opponent()
	if t := b.s.whole(); t != nil && t.of(b.p.Stones[other][0]) < t.of(b.p.Stones[own][0]) {
		return other
	}
	return own
}

// share is the part of a budget that a claim gets.
func (b *bounds) share(budget uint64, q, favourite Question) uint64 {
	part := uint64(1)
	switch {
	case b.side != board.Empty && q.Prover != b.side:
		part = contraryShare
	case q != favourite && favourite.Goal == b.s.geo.points:
		part = otherShare
	}
	return max(budget/part, firstNodes)
}

// learn takes in a verdict, and reports whether a bound is better for it.
func (b *bounds) learn(q Question, v Verdict) bool {
	low, high := q.Goal, q.Goal-1 // if it is proven, if it is refuted
	if q.Prover == board.White {
		low, high = 1-q.Goal, -q.Goal
		v = -v
	}
	switch v {
	case Proven:
		b.Low = low
	case Refuted:
		b.High = high
	case Held, -Held:
		b.giveUp(q)
		if q.Prover == board.Black {
			b.heldAbove = min(b.heldAbove, q.Goal)
		} else {
			b.heldBelow = max(b.heldBelow, -q.Goal)
		}
	}
	b.LowHeld = !b.Exact() && b.heldAbove == b.Low+1
	b.HighHeld = !b.Exact() && b.heldBelow == b.High-1
	return v != Open
}

// giveUp notes that a claim cannot be proven.
func (b *bounds) giveUp(q Question) {
	if q.Prover == board.Black {
		b.above = min(b.above, q.Goal)
	} else {
		b.below = max(b.below, -q.Goal)
	}
}

// ask tries a claim within a budget, its first move alone before that. It notes a claim for
// which no proof is short enough.
func (b *bounds) ask(ctx context.Context, q Question, budget uint64) (Verdict, error) {
	if budget >= firstMoveNodes {
		if after, ok := b.afterFirst(q); ok {
			if _, _, err := b.prove(ctx, after, budget); err != nil {
				return Open, err
			}
			budget /= firstMoveShare
		}
	}
	v, spent, err := b.prove(ctx, q, budget)
	if err == nil && v == Open && !spent {
		b.giveUp(q)
	}
	return v, err
}

// prove tries a claim within a budget, and reports whether that was spent.
func (b *bounds) prove(ctx context.Context, q Question, budget uint64) (v Verdict, spent bool, err error) {
	if !b.unlimited {
		if b.nodes == 0 {
			return Open, true, ErrNodes
		}
		budget = min(budget, b.nodes)
	}
	before := b.s.nodes()
	v, err = b.s.Prove(ctx, q, budget)
	if !b.unlimited {
		b.nodes -= min(b.nodes, max(b.s.nodes()-before, 1))
	}
	if errors.Is(err, ErrNodes) {
		return Open, true, nil
	}
	return v, false, err
}

// Move is a move and the score it leads to.
type Move struct {
	Point board.Point // or weiqi.Pass
	Answer
}

// EachMove solves every move, in the order of the board, the pass last. If it is
// stopped, the remaining moves have trivial bounds.
func (s *Solver) EachMove(ctx context.Context, p weiqi.Position, nodes uint64) ([]Move, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Over() {
		return nil, nil
	}
	var rules weiqi.Rules
	points := slices.Collect(rules.Legal(p).Points())
	var moves []Move
	var first error
	for _, q := range append(points, weiqi.Pass) {
		next, err := rules.Play(p, q)
		if err != nil {
			return nil, err
		}
		a, err := s.Solve(ctx, next, All(p.Size), nodes)
		if err != nil && first == nil {
			first = err
		}
		moves = append(moves, Move{q, a})
	}
	return moves, first
}

// Line is best play from a position with a known score. Each side plays by its proof,
// until the score is settled.
func (s *Solver) Line(ctx context.Context, p weiqi.Position, score int) ([]board.Point, error) {
	var line []board.Point
	seen := map[weiqi.Position]bool{}
	for !p.Over() && !seen[p] && len(line) < MaxPlies {
		seen[p] = true
		goal := score
		if p.ToPlay == board.White {
			goal = -score
		}
		own := Question{p, p.ToPlay, goal}
		other := Question{p, p.ToPlay.Opponent(), -goal}
		if s.settled(own) && s.settled(other) {
			break
		}
		if v, err := s.Prove(ctx, own, 0); err != nil || v != Proven {
			return line, err
		}
		move, _, err := s.Winning(ctx, own, s.plies)
		if err != nil {
			return line, err
		}
		if p, err = (weiqi.Rules{}).Play(p, move); err != nil {
			return line, err
		}
		line = append(line, move)
	}
	return line, nil
}

// settled reports whether a claim is true by safe points alone, even if the other side
// moves next.
func (s *Solver) settled(q Question) bool {
	x, err := s.query(q)
	if err != nil {
		return false
	}
	w := s.workers[0]
	w.aim(q.Goal)
	return w.secure(&x.state)
}
