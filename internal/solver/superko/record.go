package superko

import (
	"encoding/binary"
	"sync"
)

// ref names a claim of the record: its place and, in the low bits, the image of it that is
// meant. It is 0 for no claim: the move is barred, or a second pass of the prover is enough.
type ref uint64

// imageBits is the room for the number of an image: eight symmetries and two colours.
const imageBits = 4

func newRef(place uint64, image int) ref { return ref(place<<imageBits) | ref(image) }

func (r ref) place() uint64 { return uint64(r >> imageBits) }
func (r ref) image() int    { return int(r & (1<<imageBits - 1)) }

// turned is an image of a ref.
func (g *graph) turned(r ref, by int) ref {
	if r == 0 {
		return 0
	}
	return newRef(r.place(), int(g.product[by][r.image()]))
}

// record keeps the proofs of a search, also those that are no longer remembered as facts.
// Each is a claim that rests on claims before it. A nil record keeps nothing.
//
// A claim is its key times two, plus one if the side to play proves it. Then follow the slot
// of the proving move and the claim after it, or the claims after all moves in the order of
// slots. A claim that follows is the distance back to its place, with the image in the low
// bits, or 0. All numbers are varints.
type record struct {
	mu     sync.Mutex
	chunks [][]byte
}

const (
	chunkBytes = 1 << 16
	claimBytes = 2*binary.MaxVarintLen32 + slots*binary.MaxVarintLen64 // at most
)

// recorded is a claim that is read from the record.
type recorded struct {
	key   key
	first int   // slot of the first move
	after []ref // by slots from there on
}

// add records a claim of a key with the claims that follow the moves from a slot on.
func (r *record) add(k key, won bool, first uint8, after ...ref) ref {
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.chunks); n == 0 || len(r.chunks[n-1])+claimBytes > chunkBytes {
		r.chunks = append(r.chunks, make([]byte, 1, chunkBytes)) // place 0 is not used
	}
	n := len(r.chunks) - 1
	chunk := r.chunks[n]
	place := uint64(n*chunkBytes + len(chunk))
	if won {
		chunk = binary.AppendUvarint(chunk, uint64(k)<<1|1)
		chunk = binary.AppendUvarint(chunk, uint64(first))
	} else {
		chunk = binary.AppendUvarint(chunk, uint64(k)<<1)
	}
	for _, follows := range after {
		if follows != 0 {
			follows = newRef(place-follows.place(), follows.image())
		}
		chunk = binary.AppendUvarint(chunk, uint64(follows))
	}
	r.chunks[n] = chunk
	return newRef(place, 0)
}

// read reads a claim. The claims that follow are in the image of the ref, the key is not.
func (r *record) read(at ref, g *graph) recorded {
	rest := r.chunks[at.place()/chunkBytes][at.place()%chunkBytes:]
	next := func() uint64 {
		n, width := binary.Uvarint(rest)
		rest = rest[width:]
		return n
	}
	head := next()
	c := recorded{key: key(head >> 1)}
	n := 1 + len(g.moves(c.key.state()))
	if head&1 != 0 {
		c.first, n = int(next()), 1
	}
	for range n {
		follows := ref(next())
		if follows != 0 {
			follows = g.turned(newRef(at.place()-follows.place(), follows.image()), at.image())
		}
		c.after = append(c.after, follows)
	}
	return c
}
