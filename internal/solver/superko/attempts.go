package superko

import (
	"math/bits"
	"sync/atomic"
)

// attempts remembers searches of the present iteration that found no proof, so
// that no worker repeats one at the same depth or less. A search that fails
// after one history may succeed after another. But giving up is not a proof:
// it costs at most a deeper iteration, and saves most of this one.
//
// Attempts of earlier iterations do not count, because two states could then
// cause each other to be given up forever. An attempt is one word,
//
//	63……38 key
//	37……32 threshold, + maxPoints
//	31……16 iteration
//	15…… 1 depth
//	 0     one: hopeful
//
// and attempts that share a place replace one another.
type attempts struct {
	words []atomic.Uint64
}

const (
	// attemptBits bounds the table to 32 MiB.
	attemptBits = 22
	golden      = 0x9e3779b97f4a7c15
)

func newAttempts(keys int) *attempts {
	return &attempts{make([]atomic.Uint64, attemptsOf(keys))}
}

// attemptsOf is the size of the table: the power of two above 16 for each key.
func attemptsOf(keys int) int { return 1 << min(bits.Len(uint(16*keys)), attemptBits) }

// subject is the word of an attempt without depth and verdict.
func subject(k key, t int, round uint16) uint64 {
	return uint64(k)<<38 | uint64(t+maxPoints)<<32 | uint64(round)<<16
}

func (a *attempts) place(subject uint64) *atomic.Uint64 {
	return &a.words[(subject>>32)*golden>>32&uint64(len(a.words)-1)]
}

// recall returns the verdict of an attempt of at least the depth, or open.
func (a *attempts) recall(k key, t, depth int, round uint16) verdict {
	s := subject(k, t, round)
	word := a.place(s).Load()
	switch {
	case word>>16 != s>>16, int(word&0xffff>>1) < depth:
		return open
	case word&1 != 0:
		return hopeful
	}
	return doubtful
}

func (a *attempts) keep(k key, t, depth int, round uint16, v verdict) {
	word := subject(k, t, round) | uint64(depth)<<1
	if v == hopeful {
		word |= 1
	}
	a.place(word).Store(word)
}
