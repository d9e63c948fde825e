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

// Bounds counts the moves that nobody can take from a colour.
//
// Suppose c has s sure moves on points closed to the opponent, and f firm points,
// open to both, that c can play for as long as they are empty. The opponent has
// at most m moves if c leaves him everything. While there are firm points, c
// answers every move on one of them. Each is one move more for c and one less for
// the opponent. So c is ahead by at least s + 2⌊f/2⌋ − m moves. If c moves first
// and f is odd, c is ahead by at least s + f − m. If f is even and c can start on
// a contested point that is not firm, c is ahead by at least s + f − m + 1.
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
// Opposing blocks: consider a mortal block that has p as a liberty, or that comes
// to have it through a loose point of the opponent next to p. The block must also
// touch a kept point. If it touches none yet, c keeps one of the points to be
// filled.
//
// Liberty: p is safe, or stones of c and points closed to the opponent connect it
// to a kept point. A component without a kept point keeps one of its points.
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

// firm finds the points that are open to both and that c can play at any time:
// the stone is safe or joins sound ground, and no opposing block can come to
// depend on them.
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

// room holds the points where a colour may play and bounds its number of moves.
type room struct {
	open  uint64
	moves int
	whole bool // a point of the whole region stays empty if he gets to fill it
	block bool // he has a mortal block
}

// room bounds the moves of c. It starts from the points open to c. It subtracts
// one for every set, of disjoint sets, in which a point must stay empty. One kind
// of set is the liberties of an opposing block that its owner cannot extend. The
// other is the whole region, if all of it is open to c and no stone of c there
// would be safe from outside.
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

// most bounds the moves if the opponent takes all points of taken but one. The
// caller subtracts one move for each point taken. The opponent might take the
// very points that stay empty. Therefore the whole region counts only if it has a
// block of c or two points besides.
func (m *room) most(taken uint64) int {
	if left := m.open &^ taken; m.whole && (m.block || left&(left-1) != 0) {
		return m.moves - 1
	}
	return m.moves
}
