package gosearch

import (
	"math/bits"

	"tengen/board"
	"tengen/weiqi"
)

// A block of a side, the wall, may cut the board into rooms. The side keeps the wall and
// those rooms that it keeps moving second in each, if the wall has two eyes in them. A room
// is searched alone, with stones of the wall on all points outside of it, so that a result
// holds for every board with this room. docs/go-search.md has the rules of the game in a
// room and the argument.
const (
	roomGoal  = 63 // stands for the goal of a room in the table
	twoEyes   = 62 // and of one in which the wall has two eyes
	roomRound = 1  // rooms have no stages
	roomPlies = 8  // within which a room must be kept
	roomNeed  = 6  // stones that the prover lacks at most for a look at rooms
)

// byRooms reports whether rooms give the prover the points that it claims: the other side
// is to move and cannot end the game by a pass.
func (w *worker) byRooms(k *child) bool {
	if !w.on.rooms || w.stones == nil && w.goal < w.geo.points || !k.reply || k.passed {
		return false
	}
	w.number(k)
	slot := &w.settled[k.key>>(64-settledBits)]
	if *slot>>1 != k.key<<1>>1 {
		*slot = k.key << 1
		if w.rooms(k.own, k.other, w.wanted()) {
			*slot |= 1
		}
	}
	return *slot&1 != 0
}

// settledBits is the logarithm of the number of states of which a worker remembers
// whether rooms settle them.
const settledBits = 16

// wanted is the number of points that the prover needs for its goal.
func (w *worker) wanted() int { return w.geo.wanted(w.goal) }

// rooms reports whether own keeps a number of points behind one of its walls. The other
// side is to move.
func (w *worker) rooms(own, other uint64, want int) bool {
	for rest := own; rest != 0; {
		wall := w.geo.grid.Flood(rest&-rest, own)
		rest &^= wall
		if w.keepsBehind(own, other, wall, want) {
			return true
		}
	}
	return false
}

// keepsBehind reports whether own keeps a number of points: a wall and rooms of it, none
// larger than half of the board, in which the wall has two eyes.
func (w *worker) keepsBehind(own, other, wall uint64, want int) bool {
	grid := &w.geo.grid
	var rooms [maxParts]uint64
	n, most := 0, bits.OnesCount64(wall)
	for rest := grid.Mask &^ wall; rest != 0; {
		room := grid.Flood(rest&-rest, rest)
		rest &^= room
		if w.safety.half(room) && n < maxParts {
			rooms[n] = room
			most += bits.OnesCount64(room)
			n++
		}
	}
	liberties := grid.Around(wall) &^ (own | other)
	eyes := 0
	var last state
	for _, room := range rooms[:n] {
		if most < want {
			return false
		}
		k := state{own: own | grid.Mask&^room, other: other & room, reply: true}
		if room&liberties != 0 && w.room(&k, wall&-wall, roomGoal) {
			eyes++
			last = k
			continue
		}
		outside := w.safety.alive(grid.Mask &^ room)
		if k.own = own&room | outside; outside == 0 || !w.room(&k, outside&-outside, roomGoal) {
			most -= bits.OnesCount64(room)
		}
	}
	return most >= want && (eyes > 1 || eyes == 1 && w.room(&last, wall&-wall, twoEyes))
}

// visited is a room that a worker remembers. The high bits of own say whether the wall needs
// two eyes in it, and whether the prover keeps it.
type visited struct{ own, other uint64 }

const (
	visitedBits = 16
	visitedTwo  = 1 << 62
	visitedKept = 1 << 63
)

// room is keeps for a whole room with the other side to move. The same few rooms come up
// again and again near the end of a line, so each worker remembers some.
func (w *worker) room(s *state, wall uint64, goal int) bool {
	own := s.own
	if goal == twoEyes {
		own |= visitedTwo
	}
	slot := &w.visited[mix(own^s.other<<21)>>(64-visitedBits)]
	if slot.own&^visitedKept != own || slot.other != s.other {
		*slot = visited{own, s.other}
		if w.keeps(s, wall, goal, roomPlies) {
			slot.own |= visitedKept
		}
	}
	return slot.own&visitedKept != 0
}

// keeps reports whether the prover keeps a room within a number of plies. Wall is a
// stone of the wall.
func (w *worker) keeps(s *state, wall uint64, goal, d int) bool {
	if s.reply {
		needy := wall
		if goal == twoEyes {
			needy = 0
		}
		if w.safety.keeps(s.own, s.other, needy) {
			return true
		}
	}
	if d < 1 || s.reply && d < 2 {
		return false
	}
	key, sym := w.geo.key(s)
	known, _ := w.table.get(key, goal, roomRound)
	switch {
	case known.win <= d:
		return true
	case known.fail >= d:
		return false
	}
	first := known.move
	if first < pass {
		first = w.geo.from[sym][first]
	}
	result, best := w.roomMoves(s, wall, goal, first, d)
	known, _ = w.table.get(key, goal, roomRound)
	if result {
		known.win = min(known.win, d)
	} else {
		known.fail = max(known.fail, d)
	}
	if best < pass {
		known.move = w.geo.image[sym][best]
	}
	w.table.put(key, goal, roomRound, known, 1)
	return result
}

// roomMoves tries the moves in a room, and a pass of the other side. It ends with the
// first that decides.
func (w *worker) roomMoves(s *state, wall uint64, goal int, first uint8, d int) (bool, uint8) {
	f := &w.cells[d]
	side := 0
	if s.reply {
		side = 1
	}
	f.blocks.Take(w.geo.grid, s.own, s.other)
	f.stones = f.blocks.Moves(side, f.stones[:0])
	for i, m := range f.stones {
		if m.Point == 1<<first {
			f.stones[0], f.stones[i] = f.stones[i], f.stones[0]
		}
	}
	for _, m := range f.stones {
		if m.Point == s.ko || !s.reply && w.geo.grid.Around(m.Point)&^s.own == 0 {
			continue
		}
		k := s.after(m)
		if k.reply {
			k.ko = 0 // the other side may play elsewhere first
		}
		if v := m.Taken&wall == 0 && w.keeps(&k, wall, goal, d-1); v != s.reply {
			return v, uint8(bits.TrailingZeros64(m.Point))
		}
	}
	if s.reply {
		k := state{own: s.own, other: s.other}
		return w.keeps(&k, wall, goal, d-1), noMove
	}
	return false, noMove
}

// Keeping answers for a room in which the wall needs one or two eyes, as docs/go-search.md
// defines it: within how many plies the prover keeps it, and its move if it is to move.
func (s *Solver) Keeping(room weiqi.Position, prover board.Colour, eyes int) (move board.Point, plies int, ok bool) {
	x, err := s.query(Question{Position: room, Prover: prover})
	if err != nil {
		return board.NoPoint, 0, false
	}
	w := s.workers[0]
	wall, goal := w.largest(x.own), roomGoal
	if eyes > 1 {
		goal = twoEyes
	}
	for d := 0; d <= roomPlies; d++ {
		if !w.keeps(&x.state, wall, goal, d) {
			continue
		}
		move := board.NoPoint
		if !x.reply {
			_, point := w.roomMoves(&x.state, wall, goal, noMove, d)
			move = board.Point(point)
		}
		return move, d, true
	}
	return board.NoPoint, 0, false
}

// largest is a stone of the largest block: that of the wall of a room.
func (w *worker) largest(own uint64) (stone uint64) {
	most := 0
	for rest := own; rest != 0; {
		block := w.geo.grid.Flood(rest&-rest, own)
		rest &^= block
		if n := bits.OnesCount64(block); n > most {
			stone, most = block&-block, n
		}
	}
	return stone
}
