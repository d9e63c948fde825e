package retro

import (
	"iter"
	"slices"
)

// directory numbers the boards with a ban. They are few compared with those
// without, so they are kept apart. The bans of 256 consecutive boards form a
// bucket. A key is the board's place in the bucket, the side to play and the
// digit of the banned point.
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

// koState is a board with a ban: its number, and the fields of its key.
type koState struct {
	slot uint64
	key  uint16
}

// newDirectory looks at every board on several threads.
func newDirectory(g *geometry, x *index, team *team) (*directory, error) {
	found := make([][]uint32, len(x.spans)) // of each span: board within the span, and the lower part of the key
	err := team.run(len(x.spans), func(_, span int) {
		var list []uint32
		first := x.base(span)
		x.descend(span, inhabited, func(code, rank uint64) {
			b := g.board(code)
			list = g.appendKos(list, b, uint32(rank-first), 0)
			list = g.appendKos(list, stones{b.other, b.own}, uint32(rank-first), 1)
		})
		slices.Sort(list)
		found[span] = list
	})
	if err != nil {
		return nil, err
	}
	total := 0
	for _, list := range found {
		total += len(list)
	}
	d := &directory{keys: make([]uint16, 0, total), starts: make([]uint32, 0, x.boards/bucketBoards+2)}
	for span, list := range found {
		first := x.base(span)
		for _, e := range list {
			rank := first + uint64(e>>6)
			d.startUpTo(rank / bucketBoards)
			d.keys = append(d.keys, uint16(rank%bucketBoards)<<6|uint16(e&63))
		}
		found[span] = nil
	}
	d.startUpTo(x.boards/bucketBoards + 1)
	return d, nil
}

// startUpTo sets the start of every bucket up to this one that has no start
// yet.
func (d *directory) startUpTo(bucket uint64) {
	for uint64(len(d.starts)) <= bucket {
		d.starts = append(d.starts, uint32(len(d.keys)))
	}
}

// appendKos lists the bans of one side on a board that is kept.
func (g *geometry) appendKos(list []uint32, b stones, at uint32, side uint8) []uint32 {
	for kos := g.kos(b.own, b.other); kos != 0; kos &= kos - 1 {
		same, inverse := g.faces(b)
		ban := cellOf(kos)
		// Where symmetry makes several bans equal, only the smallest is kept.
		if place, digit := g.canonicalKo(&same, &inverse, ban); place.side == side && digit == g.digit[ban] {
			list = append(list, at<<6|uint32(side)<<5|uint32(digit))
		}
	}
	return list
}

// kos is the set of points where own could take a single stone and be retaken.
// Only these points can be banned.
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
	at, _ := slices.BinarySearch(keys, koKey(rank, 0, 0))
	for ; at < len(keys) && uint64(keys[at]>>6) == rank%bucketBoards; at++ {
		list = append(list, koState{uint64(first) + uint64(at), keys[at]})
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
