// Package tree is the upper tree of a job-level search: a few thousand positions, whose
// leaves are sent to workers. It knows no game and no network. Positions are keys, and the
// worker that gives a position up lists its moves.
//
// The leaf whose answer is most likely needed is sent first. Every open position has a chance
// that its side to move wins, and a move is needed if all moves ranked before it fail. So one
// worker takes the line of a plain search. Further workers take leaves that this line needs
// anyway, and only then leaves that it may need.
//
// Chances follow Bayes' rule in a simple model: in a won position exactly one move wins, most
// likely the one ranked first, and in a lost position none does. What is found below a move
// makes it more or less likely that this move wins, and so that the position is won.
package tree

import (
	"iter"
	"math"
	"slices"
)

// Outcome is that of a position for its side to move.
type Outcome int8

// An open position is unknown.
const (
	Lost    Outcome = -1
	Unknown Outcome = 0
	Won     Outcome = 1
)

// Branch is a move: the position it leads to, and what is known of that.
type Branch[K comparable] struct {
	Key     K
	Outcome Outcome
}

// Tree holds positions that are reached in several ways once.
type Tree[K comparable] struct {
	root  *node[K]
	nodes map[K]*node[K]
	stale []*node[K] // changed since their parents were refreshed
	freed int        // counts decisions that may have made other positions unnecessary
}

type node[K comparable] struct {
	key      K
	parents  []*node[K]
	children []*node[K] // best first, as they were ranked; none of a leaf
	outcome  Outcome
	chance   float64 // that the side to move wins
	fresh    float64 // that chance when it was put into the tree
	opened   float64 // that chance when its moves were put below it
	worth    float64 // chance that the most useful open leaf below is needed, if this position is
	out      bool    // with a worker
	waiting  bool    // in stale
}

const (
	// firstShare is the chance that the move ranked first wins, if the position is won. The
	// next move has the same share of the rest, and so on. Measured on 4x5 and 5x5: 0.48.
	firstShare = 0.5
	// rootChance is the chance of the root. The side to move on an empty board is more
	// likely to win than not.
	rootChance = 0.8
	// surest keeps chances of open positions away from 0 and 1.
	surest = 1e-6
)

// New is a tree of one leaf.
func New[K comparable](root K) *Tree[K] {
	t := &Tree[K]{nodes: map[K]*node[K]{}}
	t.root = t.leaf(root, rootChance)
	return t
}

func (t *Tree[K]) leaf(key K, chance float64) *node[K] {
	n := &node[K]{key: key, chance: chance, fresh: chance, worth: 1}
	t.nodes[key] = n
	return n
}

// Len is the number of positions.
func (t *Tree[K]) Len() int { return len(t.nodes) }

// Outcome is what is known of the root.
func (t *Tree[K]) Outcome() Outcome { return t.root.outcome }

// Chance is how likely the side to move at the root is to win.
func (t *Tree[K]) Chance() float64 { return t.root.chance }

// Known is what is known of a position.
func (t *Tree[K]) Known(key K) Outcome {
	if n := t.nodes[key]; n != nil {
		return n.outcome
	}
	return Unknown
}

// Undecided reports whether a position is in the tree and its outcome is not known.
func (t *Tree[K]) Undecided(key K) bool {
	n := t.nodes[key]
	return n != nil && n.outcome == Unknown
}

// Open reports whether a position is a leaf of the tree that is not decided.
func (t *Tree[K]) Open(key K) bool {
	return t.Undecided(key) && t.nodes[key].children == nil
}

// Take takes the leaf that is most likely needed, and returns that chance.
func (t *Tree[K]) Take() (key K, worth float64, ok bool) {
	worth = t.root.worth
	if t.root.outcome != Unknown || worth == 0 {
		return key, 0, false
	}
	n := t.root
	for n.children != nil {
		n = n.best()
	}
	n.out, n.worth = true, 0
	t.changed(n)
	t.settle()
	return n.key, worth, true
}

// Return makes a leaf that was taken open again.
func (t *Tree[K]) Return(key K) {
	if n := t.nodes[key]; n != nil && n.out {
		n.back()
		t.changed(n)
		t.settle()
	}
}

// back marks a leaf as no longer with a worker.
func (n *node[K]) back() {
	if n.out {
		n.out, n.worth = false, 1
	}
}

// Decide enters the outcome of a position. It ignores positions that are not in the tree.
func (t *Tree[K]) Decide(key K, outcome Outcome) {
	if n := t.nodes[key]; n != nil && n.outcome == Unknown && outcome != Unknown {
		n.back()
		t.decide(n, outcome)
		t.settle()
	}
}

func (t *Tree[K]) decide(n *node[K], outcome Outcome) {
	if n.children != nil || n.out {
		t.freed++
	}
	n.outcome, n.worth, n.out = outcome, 0, false
	n.chance = float64(1+outcome) / 2
	t.changed(n)
}

// Expand puts the moves of a leaf below it, best first. Without a move it is lost.
func (t *Tree[K]) Expand(key K, branches []Branch[K]) {
	n := t.nodes[key]
	if n == nil || n.outcome != Unknown || n.children != nil {
		return
	}
	n.back()
	if len(branches) == 0 {
		t.decide(n, Lost)
		t.settle()
		return
	}
	n.opened = n.chance
	for i, b := range branches {
		child := t.nodes[b.Key]
		if child == nil {
			child = t.leaf(b.Key, bounded(1-n.share(i, len(branches))))
		}
		if b.Outcome != Unknown && child.outcome == Unknown {
			t.decide(child, b.Outcome)
		}
		child.parents = append(child.parents, n)
		n.children = append(n.children, child)
	}
	t.changed(n)
	t.refresh(n)
	t.settle()
}

// share was the chance that a move wins when the moves were put below the position.
func (n *node[K]) share(move, moves int) float64 {
	left := n.opened * math.Pow(1-firstShare, float64(move))
	if move == moves-1 {
		return left
	}
	return left * firstShare
}

func bounded(chance float64) float64 { return min(max(chance, surest), 1-surest) }

func (t *Tree[K]) changed(n *node[K]) {
	if !n.waiting {
		n.waiting = true
		t.stale = append(t.stale, n)
	}
}

// settle carries changes up to the root.
func (t *Tree[K]) settle() {
	for len(t.stale) > 0 {
		n := t.stale[0]
		t.stale = t.stale[1:]
		n.waiting = false
		for _, parent := range n.parents {
			t.refresh(parent)
		}
	}
	t.stale = nil
}

// refresh computes outcome, chance and worth of a position from its children.
func (t *Tree[K]) refresh(n *node[K]) {
	if n.outcome != Unknown {
		return
	}
	outcome := Lost
	for _, child := range n.children {
		switch child.outcome {
		case Lost:
			t.decide(n, Won)
			return
		case Unknown:
			outcome = Unknown
		}
	}
	if outcome == Lost {
		t.decide(n, Lost)
		return
	}
	worth, chance, _ := n.next()
	if math.Abs(chance-n.chance) > surest/10 || math.Abs(worth-n.worth) > surest/10 || (worth == 0) != (n.worth == 0) {
		n.chance, n.worth = chance, worth
		t.changed(n)
	}
}

// best is the child to go to for the most useful leaf.
func (n *node[K]) best() *node[K] {
	_, _, child := n.next()
	return child
}

// next goes through the moves in the order of their ranks: a move is needed if those before
// it fail. The order never changes. A search that followed the chances would leave a move
// whenever a reply to it looks good: it would begin everywhere and finish nothing.
//
// It also gives the chance that one of the moves wins.
func (n *node[K]) next() (worth, chance float64, best *node[K]) {
	won := 0.0
	for _, wins := range n.open() {
		won += wins
	}
	all := won + 1 - n.opened
	needed := 1.0
	for child, wins := range n.open() {
		if w := needed * child.worth; w > worth {
			worth, best = w, child
		}
		needed = max(needed-wins/all, surest)
	}
	return worth, bounded(won / all), best
}

// open yields the moves that are not refuted, with the weight of the case that the move
// wins: its share, times how much more likely that is by what was found below it.
func (n *node[K]) open() iter.Seq2[*node[K], float64] {
	return func(yield func(*node[K], float64) bool) {
		for i, child := range n.children {
			if child.outcome != Unknown {
				continue
			}
			more := (1 - child.chance) / child.chance * child.fresh / (1 - child.fresh)
			if !yield(child, n.share(i, len(n.children))*more) {
				return
			}
		}
	}
}

// Needed reports whether the outcome of a position can still matter to the root.
func (t *Tree[K]) Needed(key K) bool {
	n := t.nodes[key]
	return n != nil && t.needed(n, map[*node[K]]bool{})
}

func (t *Tree[K]) needed(n *node[K], seen map[*node[K]]bool) bool {
	if n.outcome != Unknown || seen[n] {
		return false
	}
	seen[n] = true
	return n == t.root || slices.ContainsFunc(n.parents, func(p *node[K]) bool { return t.needed(p, seen) })
}

// Solution goes through the proof of the outcome of the root: one move of the winner and all
// moves of the loser. It calls move for a position where the winner's move is known, with
// the position after it, and leaf for a position that a job decided.
func (t *Tree[K]) Solution(move func(from, to K), leaf func(key K)) {
	seen := map[*node[K]]bool{}
	var walk func(n *node[K])
	walk = func(n *node[K]) {
		if seen[n] {
			return
		}
		seen[n] = true
		if n.children == nil {
			leaf(n.key)
			return
		}
		if n.outcome == Lost {
			for _, child := range n.children {
				if child.outcome != Won { // a job decided the position before all its moves were
					leaf(n.key)
					return
				}
			}
			for _, child := range n.children {
				walk(child)
			}
			return
		}
		for _, child := range n.children {
			if child.outcome == Lost {
				move(n.key, child.key)
				walk(child)
				return
			}
		}
		leaf(n.key)
	}
	if t.root.outcome != Unknown {
		walk(t.root)
	}
}

// Line is the line that looks best: the most promising moves from the root on.
func (t *Tree[K]) Line() (line []K) {
	for n := t.root; n.children != nil && len(line) < 64; line = append(line, n.key) {
		open := slices.IndexFunc(n.children, func(c *node[K]) bool { return c.outcome == Unknown })
		n = n.children[max(open, 0)]
	}
	return line
}
