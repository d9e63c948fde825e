package gosearch

import (
	"math/bits"

	"tengen/board"
	"tengen/weiqi"
)

// A block of the prover, the wall, may cut the board into rooms. The prover keeps the
// whole board if it keeps every room, moving second in each, with an eye of the wall in
// it. A room is searched alone, with stones of the wall on all points outside of it, so
// that a result holds for every board with this room. docs/go-search.md has the rules of
// the game in a room and the argument.
const (
	roomGoal  = 63 // stands for the goal of a room in the table
	roomRound = 1  // rooms have no stages
	roomPlies = 8  // within which a room must be kept
	roomNeed  = 6  // stones that the prover lacks at most for a look at rooms
)

// byRooms reports whether rooms settle a state: all points are claimed, and the other side
// is to move and cannot end the game by a pass.
func (w *worker) byRooms(s *state) bool {
	return w.on.rooms && w.goal == w.geo.points && s.reply && !s.passed &&
		(w.stones == nil || w.stones.of(s.own) <= roomNeed) && w.rooms(s)
}

// rooms reports whether some wall of the prover keeps the board. The other side is to
// move.
func (w *worker) rooms(s *state) bool {
	grid := &w.geo.grid
	for rest := s.own; rest != 0; {
		wall := grid.Flood(rest&-rest, s.own)
		rest &^= wall
		if bits.OnesCount64(wall) >= w.wall && w.keepsBehind(s, wall) {
			return true
		}
	}
	return false
}

// keepsBehind reports whether the prover keeps all rooms of a wall. The wall must have a
// liberty in each.
func (w *worker) keepsBehind(s *state, wall uint64) bool {
	grid := &w.geo.grid
	liberties := grid.Around(wall) &^ (s.own | s.other)
	var list [maxParts]uint64
	n := 0
	for rest := grid.Mask &^ wall; rest != 0; n++ {
		room := grid.Flood(rest&-rest, rest)
		if n == maxParts || 2*bits.OnesCount64(room) > w.geo.points || room&liberties == 0 {
			return false
		}
		list[n] = room
		rest &^= room
	}
	if n < 2 {
		return false
	}
	for _, room := range list[:n] {
		k := state{own: s.own | grid.Mask&^room, other: s.other & room, reply: true}
		if !w.keeps(&k, wall&-wall, roomPlies) {
			return false
		}
	}
	return true
}

// keeps reports whether the prover keeps a room within a number of plies. Wall is a
// stone of the wall.
func (w *worker) keeps(s *state, wall uint64, d int) bool {
	if s.reply && w.safety.keeps(s.own, s.other, wall) {
		return true
	}
	if d < 1 || s.reply && d < 2 {
		return false
	}
	key, sym := w.geo.key(s)
	known, _ := w.table.get(key, roomGoal, roomRound)
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
	result, best := w.roomMoves(s, wall, first, d)
	known, _ = w.table.get(key, roomGoal, roomRound)
	if result {
		known.win = min(known.win, d)
	} else {
		known.fail = max(known.fail, d)
	}
	if best < pass {
		known.move = w.geo.image[sym][best]
	}
	w.table.put(key, roomGoal, roomRound, known, 1)
	return result
}

// roomMoves tries the moves in a room, and a pass of the other side. It ends with the
// first that decides.
func (w *worker) roomMoves(s *state, wall uint64, first uint8, d int) (bool, uint8) {
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
		if m.Point == s.ko {
			continue
		}
		k := s.after(m)
		if k.reply {
			k.ko = 0 // the other side may play elsewhere first
		}
		if v := m.Taken&wall == 0 && w.keeps(&k, wall, d-1); v != s.reply {
			return v, uint8(bits.TrailingZeros64(m.Point))
		}
	}
	if s.reply {
		k := state{own: s.own, other: s.other}
		return w.keeps(&k, wall, d-1), noMove
	}
	return false, noMove
}

// Keeping answers for a room, as docs/go-search.md defines it: within how many plies the
// prover keeps it, and its move if it is to move.
func (s *Solver) Keeping(room weiqi.Position, prover board.Colour) (move board.Point, plies int, ok bool) {
	x, err := s.query(Question{Position: room, Prover: prover})
	if err != nil {
		return board.NoPoint, 0, false
	}
	w := s.workers[0]
	wall := w.largest(x.own)
	for d := 0; d <= roomPlies; d++ {
		if !w.keeps(&x.state, wall, d) {
			continue
		}
		move := board.NoPoint
		if !x.reply {
			_, point := w.roomMoves(&x.state, wall, noMove, d)
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
