// Package cgt computes with the values of short combinatorial games: games of
// two players, Left and Right, that end after finitely many moves and are lost
// by whoever cannot move. It knows no board and no rules of any game.
//
// An Arena holds games in canonical form and holds each value once. So two games
// are equal if and only if their handles are equal. It orders and adds games,
// classifies and prints them, and finds their stops, means, temperatures and
// thermographs. An operation that would exceed the Limits of its arena fails with
// an error that wraps ErrLimit. docs/cgt.md describes the notation and the methods.
package cgt

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"
)

// Game is the handle of a game in an arena. The zero value is the game 0 in every
// arena. Every other handle is valid in its own arena only.
type Game uint32

// Limits bound what an arena may hold. A zero field stands for its default.
type Limits struct {
	Games    int   // games in the arena; default 4 Mi, at most 2 Gi
	Options  int   // options of one player before a form is simplified; default 4096, at most 65535
	Birthday int   // moves in the longest play of a game; default 4096, at most 8000
	Memory   int64 // bytes, half for the games and half for remembered results; default 1 GiB
}

const (
	mostGames    = 1<<31 - 1
	mostOptions  = 1<<16 - 1
	mostBirthday = 8000
)

var (
	// ErrLimit is wrapped by the errors of operations that would exceed a limit.
	ErrLimit = errors.New("the game is too large")
	// ErrMemory wraps ErrLimit. It means that more memory would help.
	ErrMemory = fmt.Errorf("%w", ErrLimit)
	// ErrStopped is returned by operations that Stop ended.
	ErrStopped = errors.New("the calculation was stopped")
	// ErrForm is wrapped by errors about options from which no game can be made.
	ErrForm = errors.New("these options make no game")
)

func (l Limits) orDefaults() Limits {
	set := func(field *int, usual, most int) {
		if *field <= 0 {
			*field = usual
		}
		*field = min(*field, most)
	}
	set(&l.Games, 4<<20, mostGames)
	set(&l.Options, 4096, mostOptions)
	set(&l.Birthday, 4096, mostBirthday)
	if l.Memory <= 0 {
		l.Memory = 1 << 30
	}
	return l
}

// node is a game in canonical form with the facts that are needed most often.
type node struct {
	leftStop, rightStop Dyadic
	at                  uint32 // where its options begin: Left's, then Right's
	lefts, rights       uint16
	birthday            uint16
	up                  int16  // if simple: the multiple of ^
	star                uint16 // if simple: the nimber
	kind                kind
	depth               uint8 // its mean and temperature are multiples of 2^-depth
}

// kind is a set of facts about a game.
type kind uint8

const (
	simple    kind = 1 << iota // the sum of a number, a multiple of ^ and a nimber
	number                     // a number, and simple
	leftWins                   // Left wins moving first
	rightWins                  // Right wins moving first
)

// Arena holds games. It is for one goroutine at a time, except that Stop may be
// called from others.
type Arena struct {
	limits  Limits
	nodes   []node
	options []Game
	unique  unique
	numbers map[Dyadic]Game

	orders    memo   // g ≤ h, by pair
	sums      memo   // g + h, by pair
	negatives []Game // by game; 0 while unknown

	form  form   // the form being simplified
	stack []Game // options of the sums being made

	drawn   map[Game]Thermograph
	corners int64 // in drawn

	stop   atomic.Bool
	halted bool
}

// New returns an arena that holds the game 0.
func New(l Limits) *Arena {
	l = l.orDefaults()
	a := &Arena{
		limits:    l,
		nodes:     []node{{kind: simple | number}},
		negatives: []Game{0},
		numbers:   map[Dyadic]Game{0: 0},
		orders:    newMemo(l.Memory/4, false),
		sums:      newMemo(l.Memory/4, true),
		drawn:     make(map[Game]Thermograph),
	}
	a.unique.init()
	a.form.arena = a
	a.form.known = []mark{0}
	return a
}

// Stop ends the running operation, and every later one that has work to do, with
// ErrStopped. It may be called from any goroutine.
func (a *Arena) Stop() { a.stop.Store(true) }

// Len is the number of games in the arena. Their handles are 0 to Len()-1, and
// the options of a game have smaller handles than the game.
func (a *Arena) Len() int { return len(a.nodes) }

// Left lists the options of Left in ascending order. The caller must not change the
// list.
func (a *Arena) Left(g Game) []Game {
	n := &a.nodes[g]
	end := n.at + uint32(n.lefts)
	return a.options[n.at:end:end]
}

// Right lists the options of Right in ascending order. The caller must not change
// the list.
func (a *Arena) Right(g Game) []Game {
	n := &a.nodes[g]
	begin := n.at + uint32(n.lefts)
	end := begin + uint32(n.rights)
	return a.options[begin:end:end]
}

func (a *Arena) moves(p player, g Game) []Game {
	if p == left {
		return a.Left(g)
	}
	return a.Right(g)
}

// Birthday is the number of moves in the longest play of g, whoever makes them.
func (a *Arena) Birthday(g Game) int { return int(a.nodes[g].birthday) }

// IsNumber reports whether g is a number.
func (a *Arena) IsNumber(g Game) bool { return a.nodes[g].kind&number != 0 }

// Number is g as a number, if it is one.
func (a *Arena) Number(g Game) (Dyadic, bool) {
	n := &a.nodes[g]
	return n.leftStop, n.kind&number != 0
}

// Stops are the left stop and the right stop of g: the numbers that best play
// reaches when Left and when Right begins.
func (a *Arena) Stops(g Game) (left, right Dyadic) {
	n := &a.nodes[g]
	return n.leftStop, n.rightStop
}

// check refuses handles that the arena has not given out.
func (a *Arena) check(games []Game) error {
	for _, g := range games {
		if int(g) >= len(a.nodes) {
			return fmt.Errorf("%w: option %d is not among the %d games known", ErrForm, g, len(a.nodes))
		}
	}
	return nil
}

// intern returns the game with these options, which are canonical and ascending.
func (a *Arena) intern(l, r []Game) (Game, error) {
	if len(l)+len(r) == 0 {
		return 0, nil
	}
	hash := hashForm(l, r)
	if g, ok := a.find(hash, l, r); ok {
		return g, nil
	}
	return a.add(hash, a.describe(l, r), l, r)
}

// find looks for the game with these options.
func (a *Arena) find(hash uint32, l, r []Game) (Game, bool) {
	for g := range a.unique.candidates(hash) {
		if slices.Equal(a.Left(g), l) && slices.Equal(a.Right(g), r) {
			return g, true
		}
	}
	return 0, false
}

// perGame is the memory in bytes that a game takes in addition to its options: the
// node, the negative, the mark, and its share of the unique table.
const perGame = int64(unsafe.Sizeof(node{})) + 4 + 4 + 16

// add appends a game that is not in the arena yet.
func (a *Arena) add(hash uint32, n node, l, r []Game) (Game, error) {
	switch {
	case len(a.nodes) >= a.limits.Games:
		return 0, fmt.Errorf("%w: more than %d games", ErrLimit, a.limits.Games)
	case perGame*int64(len(a.nodes))+4*int64(len(a.options)) >= a.limits.Memory/2:
		return 0, fmt.Errorf("%w: %d games fill half of the memory of %d MiB", ErrMemory, len(a.nodes), a.limits.Memory>>20)
	case int(n.birthday) > a.limits.Birthday:
		return 0, fmt.Errorf("%w: a play of more than %d moves", ErrLimit, a.limits.Birthday)
	case n.depth > dyadicBits:
		return 0, fmt.Errorf("%w: a mean or temperature may need a denominator of more than 2^%d", ErrLimit, dyadicBits)
	}
	g := Game(len(a.nodes))
	n.at = uint32(len(a.options))
	a.options = append(append(a.options, l...), r...)
	a.nodes = append(a.nodes, n)
	a.negatives = append(a.negatives, 0)
	a.form.known = append(a.form.known, 0)
	a.unique.insert(hash, g)
	return g, nil
}
