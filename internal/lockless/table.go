// Package lockless is the lossy transposition table of the searches. It has a fixed size,
// and any number of goroutines share it without locks, by the lockless hashing of Hyatt and
// Mann. It keeps thresholds for a 128-bit key: the least integer for which the answer is
// known to be yes, and the greatest for which it is known to be no.
//
// A full line drops the entry that cost least to find. A lookup compares most bits of a key
// but not all, so it may take one key for another; FalseMatch bounds the probability.
// Package bucket is the table that drops nothing and compares whole keys. The package knows
// nothing of games.
package lockless

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"sync/atomic"

	"tengen/internal/bigmem"
)

// Table answers questions that are monotone in a small integer.
//
// An entry is two words, and four entries share a cache line:
//
//	word 0   first word of the key, exclusive-or word 1
//	word 1   63……23 high bits of the second word of the key
//	         22……15 least integer known to be yes, + 128
//	         14…… 7 greatest integer known to be no, + 128
//	          6…… 1 effort: logarithm of the nodes the entry cost
//	          0     one: the entry is in use
//
// The first word of the key chooses the line, so a table can be loaded into one of another
// size. If the two words come from two different writes, the comparison with the key fails:
// the lookup is a miss, never a wrong answer. A writer claims an entry by swapping word 1
// for a mark, so that only one writes it at a time. Nobody waits for a claimed entry: it is
// a miss to readers, and other writers use another entry.
type Table struct {
	memory *bigmem.Words
	words  []uint64
	lines  uint64
	_      [cacheLine]byte // keeps the counter off the cache line that every probe reads
	stored atomic.Uint64
	_      [cacheLine]byte
}

const cacheLine = 64

// Key is a 128-bit hash.
type Key = [2]uint64

// Limits of the integers an entry can hold. A threshold at its limit means that nothing is
// known.
const (
	NeverYes = 127
	NeverNo  = -128
)

const (
	lineWords  = 8
	used       = 1
	claimed    = 2 // word 1 of an entry that a goroutine has claimed: not in use, but not free
	effortAt   = 1
	effortMask = 63
	noAt       = 7
	yesAt      = 15
	checkAt    = 23
	checkBits  = 64 - checkAt
)

// Bounds holds the thresholds of an entry and its effort.
type Bounds struct {
	Yes, No int
	Effort  int
}

// New takes at most the given number of bytes.
func New(bytes int64) (*Table, error) {
	lines := max(bytes/(lineWords*8), 1)
	memory, err := bigmem.Alloc(int(lines)*lineWords, "lockless table")
	if err != nil {
		return nil, err
	}
	return &Table{memory: memory, words: memory.Data, lines: uint64(lines)}, nil
}

// Close frees the memory.
func (t *Table) Close() {
	t.memory.Free()
	t.words = nil
}

// Clear removes all entries. No other goroutine may use the table meanwhile.
func (t *Table) Clear() {
	clear(t.words)
	t.stored.Store(0)
}

// Capacity is the number of entries there is room for.
func (t *Table) Capacity() uint64 { return t.lines * lineWords / 2 }

// Stored is the number of entries in use.
func (t *Table) Stored() uint64 { return t.stored.Load() }

// Bytes is the memory taken.
func (t *Table) Bytes() int64 { return int64(t.lines) * lineWords * 8 }

// FalseMatch bounds the probability that one probe takes one key for another, if keys are
// random. A probe compares up to four entries. Of the bits of the key, those that choose
// the line do not count.
func (t *Table) FalseMatch() float64 {
	return float64(lineWords/2) * float64(t.lines) * math.Pow(2, -64-checkBits)
}

func (t *Table) line(k Key) []uint64 {
	hi, _ := bits.Mul64(k[0], t.lines)
	at := hi * lineWords
	return t.words[at : at+lineWords : at+lineWords]
}

// Prefetch starts to bring the key's line into the cache.
func (t *Table) Prefetch(k Key) {
	hi, _ := bits.Mul64(k[0], t.lines)
	prefetch(&t.words[hi*lineWords])
}

// Get returns what is known of a key.
func (t *Table) Get(k Key) (Bounds, bool) {
	line := t.line(k)
	for i := 0; i < lineWords; i += 2 {
		data := atomic.LoadUint64(&line[i+1])
		if atomic.LoadUint64(&line[i])^data == k[0] && data&used != 0 && data>>checkAt == k[1]>>checkAt {
			return unpackBounds(data), true
		}
	}
	return Bounds{Yes: NeverYes, No: NeverNo}, false
}

func unpackBounds(data uint64) Bounds {
	return Bounds{
		Yes:    int(data>>yesAt&255) - 128,
		No:     int(data>>noAt&255) - 128,
		Effort: int(data >> effortAt & effortMask),
	}
}

func packBounds(k Key, b Bounds) uint64 {
	return k[1]>>checkAt<<checkAt | uint64(b.Yes+128)<<yesAt | uint64(b.No+128)<<noAt | uint64(min(b.Effort, effortMask))<<effortAt | used
}

// Put records that the answer for k is yes from b.Yes on and no up to b.No, and keeps the
// tighter thresholds if the entry is there. A full line drops its entry of least effort. If
// another goroutine writes the same entry at the same time, the new fact is lost.
func (t *Table) Put(k Key, b Bounds) {
	line := t.line(k)
	victim, least, before := 0, effortMask+1, uint64(claimed)
	for i := 0; i < lineWords; i += 2 {
		data := atomic.LoadUint64(&line[i+1])
		if data&used == 0 {
			if data == 0 && least >= 0 {
				victim, least, before = i, -1, data
			}
			continue
		}
		old := unpackBounds(data)
		if atomic.LoadUint64(&line[i])^data == k[0] && data>>checkAt == k[1]>>checkAt {
			b.Yes, b.No = min(b.Yes, old.Yes), max(b.No, old.No)
			b.Effort = max(b.Effort, old.Effort)
			victim, before = i, data
			break
		}
		if old.Effort < least {
			victim, least, before = i, old.Effort, data
		}
	}
	if before == claimed || !atomic.CompareAndSwapUint64(&line[victim+1], before, claimed) {
		return
	}
	if before == 0 {
		t.stored.Add(1)
	}
	data := packBounds(k, b)
	atomic.StoreUint64(&line[victim], k[0]^data)
	atomic.StoreUint64(&line[victim+1], data)
}

// EntryBytes is the length of an entry in the form of Save.
const EntryBytes = 16

// Save writes the entries of at least the given effort. Entries written by
// others meanwhile may or may not be among them.
//
// A probe knows its key, so words of two different writes are a miss. Save knows no keys
// and would take such words for an entry. So it claims every entry while it reads it.
func (t *Table) Save(w io.Writer, effort int) error {
	buffer := make([]byte, 0, 1<<16)
	for at := 0; at < len(t.words); at += 2 {
		data := atomic.LoadUint64(&t.words[at+1])
		if data&used == 0 || unpackBounds(data).Effort < effort || !atomic.CompareAndSwapUint64(&t.words[at+1], data, claimed) {
			continue
		}
		mixed := atomic.LoadUint64(&t.words[at])
		atomic.StoreUint64(&t.words[at+1], data)
		buffer = binary.LittleEndian.AppendUint64(buffer, mixed^data)
		buffer = binary.LittleEndian.AppendUint64(buffer, data)
		if len(buffer)+EntryBytes > cap(buffer) {
			if _, err := w.Write(buffer); err != nil {
				return err
			}
			buffer = buffer[:0]
		}
	}
	_, err := w.Write(buffer)
	return err
}

// Append adds an entry to a list in the form of Save.
func Append(list []byte, k Key, b Bounds) []byte {
	list = binary.LittleEndian.AppendUint64(list, k[0])
	return binary.LittleEndian.AppendUint64(list, packBounds(k, b))
}

// Take puts every entry of a list, while other goroutines may use the table. A damaged list
// is refused as a whole.
func (t *Table) Take(list []byte) error {
	if len(list)%EntryBytes != 0 {
		return fmt.Errorf("a list of entries is cut short: it has %d bytes", len(list))
	}
	for at := 0; at < len(list); at += EntryBytes {
		if _, b, ok := readEntry(list[at:]); !ok || b.Yes <= b.No {
			return fmt.Errorf("entry %d of a list is damaged", at/EntryBytes)
		}
	}
	for at := 0; at < len(list); at += EntryBytes {
		k, b, _ := readEntry(list[at:])
		t.Put(k, b)
	}
	return nil
}

// Disputes reports whether an entry of a list says yes where the table says no, or no where
// it says yes. It may be called while other goroutines use the table.
func (t *Table) Disputes(list []byte) bool {
	for ; len(list) >= EntryBytes; list = list[EntryBytes:] {
		k, theirs, ok := readEntry(list)
		if !ok {
			continue
		}
		if ours, known := t.Get(k); known && (ours.Yes <= theirs.No || ours.No >= theirs.Yes) {
			return true
		}
	}
	return false
}

// readEntry reads an entry that Append wrote. ok is false if the entry is not in use.
func readEntry(from []byte) (k Key, b Bounds, ok bool) {
	data := binary.LittleEndian.Uint64(from[8:])
	return Key{binary.LittleEndian.Uint64(from), data >> checkAt << checkAt}, unpackBounds(data), data&used != 0
}

// Load puts the entries that Save wrote, from a table of any size.
func (t *Table) Load(r io.Reader) error {
	var entry [EntryBytes]byte
	for {
		if _, err := io.ReadFull(r, entry[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("the saved table is cut short: %w", err)
		}
		k, b, ok := readEntry(entry[:])
		if !ok {
			return fmt.Errorf("the saved table has an empty entry")
		}
		t.Put(k, b)
	}
}
