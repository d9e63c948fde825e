package cgt

import (
	"fmt"
	"slices"
)

// Make returns the value of {left|right}. The options may be in any order and
// occur more than once.
func (a *Arena) Make(left, right []Game) (Game, error) {
	if err := a.check(left); err != nil {
		return 0, err
	}
	if err := a.check(right); err != nil {
		return 0, err
	}
	return a.form.value(left, right)
}

// Restore returns the game with these options. The caller knows that they are the
// options of a canonical form, in ascending order. Restore refuses some lists that no
// canonical form has, but it does not look for dominated and reversible options. Use
// Make where the form may not be canonical.
func (a *Arena) Restore(left, right []Game) (Game, error) {
	for _, side := range [][]Game{left, right} {
		if err := a.check(side); err != nil {
			return 0, err
		}
		if len(side) > mostOptions {
			return 0, fmt.Errorf("%w: %d options of one player", ErrForm, len(side))
		}
		for i := 1; i < len(side); i++ {
			if side[i-1] >= side[i] {
				return 0, fmt.Errorf("%w: option %d comes before option %d", ErrForm, side[i-1], side[i])
			}
		}
	}
	f := &a.form
	f.load(left, right)
	if !f.isNumber() {
		return a.intern(left, right)
	}
	g, err := f.number()
	if err != nil {
		return 0, err
	}
	if !slices.Equal(a.Left(g), left) || !slices.Equal(a.Right(g), right) {
		return 0, fmt.Errorf("%w: they are options of a number, but not its canonical ones", ErrForm)
	}
	return g, nil
}

// player is Left or Right, for code that treats both alike.
type player uint8

const (
	left player = iota
	right
)

// form is {left|right} while it is brought to canonical form. Its value never
// changes, so facts about the value stay true while the options change.
type form struct {
	arena   *Arena
	options [2][]Game
	spare   []Game
	between interval // the numbers x with left ⧏ x ⧏ right
	stops   node     // the stops, if it is not a number

	known []mark // by game; only marks of this epoch count
	epoch mark
}

// mark says how a game compares with the form of an epoch. Two bits say whether the
// game is at most the form, two more whether it is at least the form.
type mark uint32

const (
	asked     mark = 1
	yes       mark = 2
	markBits       = 2
	epochStep      = 1 << (2 * markBits)
)

// value brings the form to canonical form. A number is found by the simplicity
// theorem. In other forms dominated options are deleted and reversible ones bypassed
// until none is left.
func (f *form) value(l, r []Game) (Game, error) {
	f.load(l, r)
	if err := f.checkSize(); err != nil {
		return 0, err
	}
	if f.isNumber() {
		return f.number()
	}
	f.nextEpoch()
	f.dominate(left)
	f.dominate(right)
	for f.bypass(left) || f.bypass(right) {
		if err := f.checkSize(); err != nil {
			return 0, err
		}
	}
	if f.arena.halted {
		return 0, ErrStopped
	}
	slices.Sort(f.options[left])
	slices.Sort(f.options[right])
	return f.arena.intern(f.options[left], f.options[right])
}

// load copies the options, sorted and without duplicates.
func (f *form) load(l, r []Game) {
	f.options[left] = compact(append(f.options[left][:0], l...))
	f.options[right] = compact(append(f.options[right][:0], r...))
}

func compact(games []Game) []Game {
	slices.Sort(games)
	return slices.Compact(games)
}

func (f *form) checkSize() error {
	if most := f.arena.limits.Options; max(len(f.options[left]), len(f.options[right])) > most {
		return fmt.Errorf("%w: more than %d options of one player", ErrLimit, most)
	}
	return nil
}

// isNumber finds the numbers between the options. The form is a number if and only if
// there are any. The stop of an option is a bound. The bound itself belongs to the
// interval if no option is at least as good as that number for the player who moves
// to it.
func (f *form) isNumber() bool {
	a := f.arena
	var b interval
	for _, g := range f.options[left] {
		if stop := a.nodes[g].rightStop; !b.hasLow || stop > b.low {
			b.low, b.hasLow = stop, true
		}
	}
	for _, g := range f.options[right] {
		if stop := a.nodes[g].leftStop; !b.hasHigh || stop < b.high {
			b.high, b.hasHigh = stop, true
		}
	}
	if b.hasLow && b.hasHigh {
		f.stops = node{leftStop: b.low, rightStop: b.high}
		if b.low > b.high {
			return false
		}
	}
	b.withLow = b.hasLow && !f.reach(left, b.low)
	b.withHigh = b.hasHigh && !f.reach(right, b.high)
	f.between = b
	return !b.hasLow || !b.hasHigh || b.low < b.high || b.withLow && b.withHigh
}

// reach reports whether an option of p is at least as good for p as the number stop,
// which is the best stop that p can move to. That number is in the arena, since it is
// a position of some option.
func (f *form) reach(p player, stop Dyadic) bool {
	x := f.arena.numbers[stop]
	return slices.ContainsFunc(f.options[p], func(g Game) bool { return f.arena.noBetter(p, x, g) })
}

// number is the value of a form that is a number.
func (f *form) number() (Game, error) {
	x, ok := f.between.simplest()
	if !ok {
		return 0, fmt.Errorf("%w: a number with a denominator of more than 2^%d", ErrLimit, dyadicBits)
	}
	return f.arena.Dyadic(x)
}

func (f *form) nextEpoch() {
	f.epoch += epochStep
	if f.epoch == 0 {
		clear(f.known)
		f.epoch = epochStep
	}
}

// dominate deletes the options of p that are no better for p than another.
func (f *form) dominate(p player) {
	a := f.arena
	kept := f.options[p][:0]
	for _, g := range f.options[p] {
		if slices.ContainsFunc(kept, func(h Game) bool { return a.noBetter(p, g, h) }) {
			continue
		}
		kept = slices.DeleteFunc(kept, func(h Game) bool { return a.noBetter(p, h, g) })
		kept = append(kept, g)
	}
	f.options[p] = kept
}

// bypass replaces the reversible options of p once and reports whether there were
// any. A reversible option is replaced by p's options after the reply to it.
func (f *form) bypass(p player) bool {
	a := f.arena
	next := f.spare[:0]
	changed := false
	for _, g := range f.options[p] {
		if reply, ok := f.reversal(p, g); ok {
			next = append(next, a.moves(p, reply)...)
			changed = true
		} else {
			next = append(next, g)
		}
	}
	f.spare = next
	if changed {
		f.spare, f.options[p] = f.options[p], compact(next)
		f.dominate(p)
	}
	return changed
}

// reversal is a reply to the option that leaves p no better off than before. An
// option that is a number and not dominated has none: the reply would be another
// number, beyond the stop of the form.
func (f *form) reversal(p player, option Game) (Game, bool) {
	if f.arena.IsNumber(option) {
		return 0, false
	}
	for _, reply := range f.arena.moves(1-p, option) {
		if f.noBetter(p, reply) {
			return reply, true
		}
	}
	return 0, false
}

// noBetter reports whether g is no better for p than the form, which is not a
// number.
func (f *form) noBetter(p player, g Game) bool {
	a := f.arena
	low, high := &a.nodes[g], &f.stops
	if p == right {
		low, high = high, low
	}
	if le, decided := compareNodes(low, high); decided {
		return le
	}
	shift := markBits * p
	if m := f.known[g]; m&^(epochStep-1) == f.epoch && m>>shift&asked != 0 {
		return m>>shift&yes != 0
	}
	answer := asked
	if f.searchOrder(p, g) {
		answer |= yes
	}
	if f.known[g]&^(epochStep-1) != f.epoch {
		f.known[g] = f.epoch
	}
	f.known[g] |= answer << shift
	return answer&yes != 0
}

// searchOrder applies the definition: g is no better unless the opponent has a
// move in the form that is no better for p than g, or p has one in g that is no
// better for the opponent than the form.
func (f *form) searchOrder(p player, g Game) bool {
	a := f.arena
	for _, option := range f.options[1-p] {
		if a.noBetter(p, option, g) {
			return false
		}
	}
	if !a.IsNumber(g) {
		for _, option := range a.moves(p, g) {
			if f.noBetter(1-p, option) {
				return false
			}
		}
	}
	return true
}
