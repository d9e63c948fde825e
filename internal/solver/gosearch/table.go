package gosearch

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sync/atomic"

	"tengen/internal/bigmem"
)

// table is the transposition table, for any number of goroutines. For a state and a goal
// it keeps the plies within which the prover reaches the goal, and the plies within which
// he does not. A full line drops the entry that cost least. An entry is two words, and a
// cache line four entries:
//
//	word 0   the key, exclusive-or word 1
//	word 1   63……56 least plies within which the goal is reached, 255 for none
//	         55……48 one more than the most plies within which it was not
//	         47……41 the move, as the image with the key has it
//	         40……33 the goal, + 64
//	         32……17 the stage of the search that found the most plies
//	         12…… 7 effort: logarithm of the nodes the entry cost
//	          1     the goal is never reached
//	          0     one: the entry is in use
//
// Keys are exact, so an entry is never taken for another one. As in package lockless a
// writer claims an entry by swapping word 1 for a mark, so that only one writes it at a time.
// A claimed entry is a miss to readers, and other writers use another entry.
type table struct {
	memory *bigmem.Words
	words  []uint64
	lines  uint64
	stored atomic.Uint64
}

const (
	lineWords = 8
	winAt     = 56
	failAt    = 48
	moveAt    = 41
	goalAt    = 33
	roundAt   = 17
	effortAt  = 7
	maxEffort = 63
	claimed   = 4 // word 1 of an entry that a goroutine has claimed: not in use, but not free
	neverBit  = 2
	usedBit   = 1

	noWin  = 255
	noMove = 127
	pass   = 64
)

// fact is the content of an entry.
type fact struct {
	win   int   // the goal is reached within this many plies; noWin for not known
	fail  int   // and not within this many; -1 for not known
	never bool  // it is not reached at all
	move  uint8 // a good move
}

func newTable(bytes int64) (*table, error) {
	lines := max(bytes/(lineWords*8), 1)
	memory, err := bigmem.Alloc(int(lines)*lineWords, "proofs of Go scores")
	if err != nil {
		return nil, err
	}
	return &table{memory: memory, words: memory.Data, lines: uint64(lines)}, nil
}

func (t *table) capacity() uint64 { return t.lines * lineWords / 2 }

func (t *table) bytes() int64 { return int64(t.lines) * lineWords * 8 }

func (t *table) line(key uint64) []uint64 {
	hi, _ := bits.Mul64(key, t.lines)
	at := hi * lineWords
	return t.words[at : at+lineWords : at+lineWords]
}

func goalOf(data uint64) int { return int(data>>goalAt&255) - 64 }

func unpack(data uint64, round uint16) fact {
	f := fact{win: int(data >> winAt), fail: -1, never: data&neverBit != 0, move: uint8(data >> moveAt & 127)}
	if uint16(data>>roundAt) == round {
		f.fail = int(data>>failAt&255) - 1
	}
	return f
}

// get looks a state up. Failures of another stage do not count: that stage may have left
// out moves that this one tries.
func (t *table) get(key uint64, goal int, round uint16) (fact, bool) {
	line := t.line(key)
	for i := 0; i < lineWords; i += 2 {
		data := atomic.LoadUint64(&line[i+1])
		if atomic.LoadUint64(&line[i])^data == key && data&usedBit != 0 && goalOf(data) == goal {
			return unpack(data, round), true
		}
	}
	return fact{win: noWin, fail: -1, move: noMove}, false
}

// put replaces the entry of a state, but for proofs that it holds. If another goroutine writes
// the same entry at the same time, the new fact is lost.
func (t *table) put(key uint64, goal int, round uint16, f fact, effort int) {
	line := t.line(key)
	victim, least, before := 0, maxEffort+1, uint64(claimed)
	for i := 0; i < lineWords; i += 2 {
		data := atomic.LoadUint64(&line[i+1])
		if data&usedBit == 0 {
			if data == 0 && least >= 0 {
				victim, least, before = i, -1, data
			}
			continue
		}
		old := int(data >> effortAt & maxEffort)
		if atomic.LoadUint64(&line[i])^data == key && goalOf(data) == goal {
			victim, before = i, data
			effort = max(effort, old)
			// Another goroutine may have stored a proof since this one looked.
			f.never = f.never || data&neverBit != 0
			if win := int(data >> winAt); win < f.win {
				f.win, f.move = win, uint8(data>>moveAt&127)
			}
			break
		}
		if old < least {
			victim, least, before = i, old, data
		}
	}
	if before == claimed || !atomic.CompareAndSwapUint64(&line[victim+1], before, claimed) {
		return
	}
	if before == 0 {
		t.stored.Add(1)
	}
	data := uint64(f.win)<<winAt | uint64(f.fail+1)<<failAt | uint64(f.move)<<moveAt | uint64(goal+64)<<goalAt |
		uint64(round)<<roundAt | uint64(min(effort, maxEffort))<<effortAt | usedBit
	if f.never {
		data |= neverBit
	}
	atomic.StoreUint64(&line[victim], key^data)
	atomic.StoreUint64(&line[victim+1], data)
}

// copyTo puts every entry into another table. No search may run meanwhile.
func (t *table) copyTo(to *table) {
	for at := 0; at < len(t.words); at += 2 {
		if data := t.words[at+1]; data&usedBit != 0 {
			round := uint16(data >> roundAt)
			to.put(t.words[at]^data, goalOf(data), round, unpack(data, round), int(data>>effortAt&maxEffort))
		}
	}
}

// save writes the entries that are proofs, of either side, of at least an effort. No
// search may run meanwhile.
func (t *table) save(w io.Writer, effort int) error {
	out := bufio.NewWriter(w)
	var entry [16]byte
	for at := 0; at < len(t.words); at += 2 {
		data := t.words[at+1]
		proof := data>>winAt != noWin || data&neverBit != 0
		if data&usedBit == 0 || !proof || int(data>>effortAt&maxEffort) < effort {
			continue
		}
		binary.LittleEndian.PutUint64(entry[:], t.words[at]^data)
		binary.LittleEndian.PutUint64(entry[8:], data)
		if _, err := out.Write(entry[:]); err != nil {
			return err
		}
	}
	return out.Flush()
}

// load reads what save wrote.
func (t *table) load(r io.Reader) error {
	in := bufio.NewReader(r)
	var entry [16]byte
	for {
		if _, err := io.ReadFull(in, entry[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("the saved proofs are cut short: %w", err)
		}
		key, data := binary.LittleEndian.Uint64(entry[:]), binary.LittleEndian.Uint64(entry[8:])
		if data&usedBit == 0 || key == 0 {
			return errors.New("the saved proofs have an empty entry")
		}
		t.put(key, goalOf(data), 0, unpack(data&^(255<<failAt), 0), int(data>>effortAt&maxEffort))
	}
}
