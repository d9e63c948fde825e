package cgt

import "iter"

// unique finds games by the hash of their options: open addressing with linear
// probing, at most three quarters full. A slot holds the hash in its high bits
// and the game in its low bits. The game 0 is never inserted, so 0 is an empty
// slot.
type unique struct {
	slots []uint64
	count int
}

func (u *unique) init() { u.slots = make([]uint64, 1<<10) }

// candidates are the games inserted with this hash.
func (u *unique) candidates(hash uint32) iter.Seq[Game] {
	return func(yield func(Game) bool) {
		mask := len(u.slots) - 1
		for i := int(hash) & mask; u.slots[i] != 0; i = (i + 1) & mask {
			if s := u.slots[i]; uint32(s>>32) == hash && !yield(Game(s)) {
				return
			}
		}
	}
}

func (u *unique) insert(hash uint32, g Game) {
	if u.count++; u.count > len(u.slots)/4*3 {
		old := u.slots
		u.slots = make([]uint64, 2*len(old))
		for _, s := range old {
			if s != 0 {
				u.place(s)
			}
		}
	}
	u.place(uint64(hash)<<32 | uint64(g))
}

func (u *unique) place(s uint64) {
	mask := len(u.slots) - 1
	i := int(s>>32) & mask
	for u.slots[i] != 0 {
		i = (i + 1) & mask
	}
	u.slots[i] = s
}

// hashForm is the same for the same options in the same order.
func hashForm(l, r []Game) uint32 {
	h := uint64(len(l))<<32 | uint64(len(r))
	for _, g := range l {
		h = mix(h ^ uint64(g))
	}
	for _, g := range r {
		h = mix(h ^ uint64(g))
	}
	return uint32(mix(h))
}

// mix spreads the bits of x over the whole result.
func mix(x uint64) uint64 {
	x ^= x >> 32
	x *= 0x9fb21c651e98df25
	x ^= x >> 29
	x *= 0xd6e8feb86659fd93
	return x ^ x>>32
}
