package retro

import (
	"sync/atomic"

	"tengen/internal/bigmem"
)

// array is a row of words that threads read and change concurrently. It is
// plain memory, or blocks of a pool if there is too little memory. Every
// operation tests for the pool first, and the code for the pool is not
// inlined, so plain memory is no slower for it.
type array struct {
	plain []uint64
	words *bigmem.Words // of plain
	pool  *pool
	first uint64 // word of the pool where the array begins
	len   uint64
}

// newArray takes n zeroed words from the pool, or plain ones without a pool.
func newArray(p *pool, n uint64, purpose string) (array, error) {
	if p != nil {
		return array{pool: p, first: p.take(n), len: n}, nil
	}
	words, err := bigmem.Alloc(int(n), purpose)
	if err != nil {
		return array{}, err
	}
	return array{plain: words.Data, words: words, len: n}, nil
}

func (a *array) load(i uint64) uint64 {
	if a.pool != nil {
		return a.pool.load(a.first + i)
	}
	return atomic.LoadUint64(&a.plain[i])
}

// add changes a word by a difference.
func (a *array) add(i, difference uint64) {
	if a.pool != nil {
		a.pool.update(a.first+i, ^uint64(0), 0, difference)
		return
	}
	atomic.AddUint64(&a.plain[i], difference)
}

// set sets bits of a word. Usually they are set already.
func (a *array) set(i, bits uint64) {
	if a.pool != nil {
		a.pool.update(a.first+i, ^uint64(0), bits, 0)
		return
	}
	if atomic.LoadUint64(&a.plain[i])&bits != bits {
		atomic.OrUint64(&a.plain[i], bits)
	}
}

// clear clears bits of a word and returns what the word held.
func (a *array) clear(i, bits uint64) uint64 {
	if a.pool != nil {
		return a.pool.update(a.first+i, ^bits, 0, 0)
	}
	return atomic.AndUint64(&a.plain[i], ^bits)
}

// put replaces a word, whatever it held.
func (a *array) put(i, word uint64) {
	if a.pool != nil {
		a.pool.update(a.first+i, 0, word, 0)
		return
	}
	atomic.StoreUint64(&a.plain[i], word)
}

func (a *array) free() { a.words.Free() }
