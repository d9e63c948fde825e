package region

import (
	"math/bits"

	"tengen/nogo"
)

// Bounds encloses a game G, seen by Black, between integers.
type Bounds struct {
	Low, High int // Low ≤ G ≤ High
	First     int // Black, moving first, wins G − First
	Reply     int // White, moving first, wins G − Reply

	Sure [2]int // moves that Black, White can make here whatever happens
	Most [2]int // moves that they can make at most
}

// Bounds follows from counting moves that cannot be taken from a colour.
//
// Suppose c has s sure moves on points closed to the opponent and can play f
// firm points, open to both, for as long as they are empty, while the opponent
// has at most m moves if c leaves him everything. As long as there are firm
// points c answers every move with one of them, and each is a move more for c
// and one less for the opponent. So c is ahead by s + 2⌊f/2⌋ − m moves at least,
// and moving first by s + f − m if f is odd; if f is even he does as well as
// that and one better by starting on a contested point that is not firm.
func (r *Region) Bounds(g nogo.Grid) Bounds {
	var b Bounds
	rooms := [2]room{r.room(0), r.room(1)}
	b.Low, b.First = r.ahead(g, 0, &rooms, &b)
	high, reply := r.ahead(g, 1, &rooms, &b)
	b.High, b.Reply = -high, -reply
	return b
}

func (r *Region) ahead(g nogo.Grid, c int, rooms *[2]room, b *Bounds) (second, first int) {
	sure, firm := r.assets(g, c)
	f := bits.OnesCount64(firm)
	b.Sure[c] = sure + f/2
	b.Most[c] = rooms[c].most(0)
	base := sure - rooms[c^1].most(firm)
	second = base + f&^1
	first = second - 1
	if f&1 != 0 || r.Open[0]&r.Open[1]&^firm != 0 {
		first = second + 1
	}
	return second, first
}

// assets counts c's sure moves and finds his firm points.
//
// The opponent never plays on the points closed to him. Of those open to c, c
// plans to fill some and to keep the others empty to the end. Filling a point p
// is legal when the time comes if no opposing block depends on p and the stone
// has a liberty.
//
// Opposing blocks: a mortal one that has p as a liberty, or that comes to have
// it through a loose point of the opponent next to p, must also touch a kept
// point; if none does so already, one of the points to be filled is kept.
//
// Liberty: p is safe, or joins, through stones of c and points closed to the
// opponent, a kept point; a component without one keeps one of its points.
func (r *Region) assets(g nogo.Grid, c int) (sure int, firm uint64) {
	o := c ^ 1
	fill := r.Open[c] &^ r.Open[o]
	if fill == 0 {
		return 0, r.firm(g, c, 0, 0)
	}
	loose := r.Open[o] &^ r.Safe[o]
	var keep uint64
	for _, l := range r.Liberties[o][:r.Count[o]] {
		at := l & fill &^ some(l&keep)
		at &= -at
		keep |= at
		fill &^= at
	}
	for open := loose & g.Around(fill) &^ g.Around(keep); open != 0; {
		at := g.Around(open&-open) & fill
		at &= -at
		keep |= at
		fill &^= at
		open &^= g.Around(at)
	}
	ground := fill | keep
	sound := keep | r.Safe[c]&ground
	if sound != 0 && sound != ground {
		sound = r.connect(g, c, sound, ground)
	}
	sure = bits.OnesCount64(fill)
	for rest := fill &^ sound; rest != 0; sure-- {
		part := r.connect(g, c, rest&-rest, ground)
		rest &^= part
		sound |= part
	}
	return sure, r.firm(g, c, keep, sound)
}

// firm points are open to both, and c can play them at any time: the stone is
// safe or joins sound ground, and no opposing block can come to depend on them.
func (r *Region) firm(g nogo.Grid, c int, keep, sound uint64) uint64 {
	o := c ^ 1
	both := r.Open[0] & r.Open[1]
	if both == 0 {
		return 0
	}
	reach := r.Safe[c]
	if sound != 0 {
		reach |= g.Around(sound)
		for _, l := range r.Liberties[c][:r.Count[c]] {
			reach |= l & some(l&sound)
		}
	}
	firm := both & reach
	if firm == 0 {
		return 0
	}
	loose := r.Open[o] &^ r.Safe[o]
	firm &^= g.Around(loose &^ g.Around(keep))
	for _, l := range r.Liberties[o][:r.Count[o]] {
		firm &^= l &^ some(l&keep)
	}
	return firm
}

// connect extends seed within ground by adjacency and through mortal blocks of c.
func (r *Region) connect(g nogo.Grid, c int, seed, ground uint64) uint64 {
	for {
		next := seed | g.Around(seed)&ground
		for _, l := range r.Liberties[c][:r.Count[c]] {
			next |= l & ground & some(l&next)
		}
		if next == seed {
			return seed
		}
		seed = next
	}
}

// room is where a colour may play, and how often at most.
type room struct {
	open  uint64
	moves int
	whole bool // a point of the whole region stays empty if he gets to fill it
	block bool // he has a mortal block
}

// room bounds the moves of c: the points open to him, less one for every set out
// of disjoint ones in which a point must stay empty. Such are the liberties of
// an opposing block that its owner cannot extend, and the whole region if all of
// it is open to c and no stone of his there would be safe from outside.
func (r *Region) room(c int) room {
	o := c ^ 1
	all := bits.OnesCount64(r.Open[c])
	n := all
	if free := r.Open[c] &^ r.Open[o]; free != 0 {
		for _, l := range r.Liberties[o][:r.Count[o]] {
			if l&^free == 0 {
				free &^= l
				n--
			}
		}
	}
	return room{
		open: r.Open[c], moves: n, block: r.Count[c] > 0,
		whole: n == all && r.Safe[c] == 0 && r.Open[o]&^r.Open[c] == 0,
	}
}

// most is the number of moves if the opponent takes the points of taken but for
// one, each of which is one move less. So that he does not take the very points
// that stay empty, the whole region counts only with a block of c in it or two
// points besides.
func (m *room) most(taken uint64) int {
	if left := m.open &^ taken; m.whole && (m.block || left&(left-1) != 0) {
		return m.moves - 1
	}
	return m.moves
}
