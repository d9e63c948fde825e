package retro

import (
	"iter"
	"sort"
)

// directory numbers the boards with a ban: few beside those without, so they are
// kept apart. Those of 256 boards in a row form a bucket; a key is the board's
// place in the bucket, the side to play and the digit of the banned point.
type directory struct {
	keys   []uint16
	starts []uint32 // bucket → its first key; one more at the end
}

const bucketBoards = 256

func koKey(rank uint64, side, digit uint8) uint16 {
	return uint16(rank%bucketBoards)<<6 | uint16(side)<<5 | uint16(digit)
}

func (k koState) side() uint8  { return uint8(k.key >> 5 & 1) }
func (k koState) digit() uint8 { return uint8(k.key & 31) }

// koState is a board with a ban: its number, and what its key says.
type koState struct {
	slot uint64
	key  uint16
}

// newDirectory looks at every board on several threads.
func newDirectory(g *geometry, x *index, team *team) (*directory, error) {
	found := make([][]uint64, x.chunks())
	always := func(from, to uint64) bool { return from < to }
	err := team.run(x.chunks(), func(_, chunk int) {
		var list []uint64 // rank above, key below
		x.descend(chunk, always, func(code, rank uint64) {
			b := g.board(code)
			list = g.appendKos(list, b, rank, 0)
			list = g.appendKos(list, stones{b.other, b.own}, rank, 1)
		})
		sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
		found[chunk] = list
	})
	if err != nil {
		return nil, err
	}
	d := &directory{starts: make([]uint32, 0, x.boards/bucketBoards+2)}
	for _, list := range found {
		for _, e := range list {
			for uint64(len(d.starts)) <= e>>16/bucketBoards {
				d.starts = append(d.starts, uint32(len(d.keys)))
			}
			d.keys = append(d.keys, uint16(e))
		}
	}
	for uint64(len(d.starts)) < x.boards/bucketBoards+2 {
		d.starts = append(d.starts, uint32(len(d.keys)))
	}
	return d, nil
}

// appendKos lists the bans of one side on a board that is kept.
func (g *geometry) appendKos(list []uint64, b stones, rank uint64, side uint8) []uint64 {
	for kos := g.kos(b.own, b.other); kos != 0; kos &= kos - 1 {
		own, other := g.images(b.own), g.images(b.other)
		ban := cellOf(kos)
		// Where symmetry makes several bans one, only the smallest is kept.
		if at, digit := g.canonicalKo(&own, &other, ban); at.side == side && digit == g.digit[ban] {
			list = append(list, rank<<16|uint64(koKey(rank, side, digit)))
		}
	}
	return list
}

// kos is the set of points where own could take a single stone and be retaken:
// exactly these can be banned.
func (g *geometry) kos(own, other uint64) uint64 {
	empty := g.grid.Mask &^ (own | other)
	var found uint64
	for eyes := empty &^ g.grid.Around(empty|own) & g.grid.Around(other); eyes != 0; eyes &= eyes - 1 {
		point := eyes & -eyes
		taken := g.grid.Captures(own, other, point)
		if taken != 0 && taken&(taken-1) == 0 && g.grid.Around(point)&^(other&^taken) == taken {
			found |= point
		}
	}
	return found
}

func (d *directory) bucket(rank uint64) (first uint32, keys []uint16) {
	b := rank / bucketBoards
	return d.starts[b], d.keys[d.starts[b]:d.starts[b+1]]
}

// find is the number of a board with a ban.
func (d *directory) find(rank uint64, side, digit uint8) (uint64, bool) {
	first, keys := d.bucket(rank)
	key := koKey(rank, side, digit)
	for i, k := range keys {
		if k == key {
			return uint64(first) + uint64(i), true
		}
	}
	return 0, false
}

// of lists the bans of a board.
func (d *directory) of(rank uint64, list []koState) []koState {
	first, keys := d.bucket(rank)
	for i, k := range keys {
		if uint64(k>>6) == rank%bucketBoards {
			list = append(list, koState{uint64(first) + uint64(i), k})
		}
	}
	return list
}

// boards yields the ranks of the boards that can have a ban.
func (d *directory) boards() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		last := ^uint64(0)
		for b := range len(d.starts) - 1 {
			for _, key := range d.keys[d.starts[b]:d.starts[b+1]] {
				rank := uint64(b)*bucketBoards + uint64(key>>6)
				if rank != last && !yield(rank) {
					return
				}
				last = rank
			}
		}
	}
}
