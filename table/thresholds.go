package table

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"sync/atomic"

	"tengen/internal/bigmem"
)

// Thresholds is a table of fixed size for questions that are monotone in a small
// integer: for each key, from which integer on the answer is yes and up to which
// it is no. Any number of goroutines may read and write it without locks.
//
// An entry is two words, and four entries share a cache line:
//
//	word 0   first half of the key, exclusive-or word 1
//	word 1   63……32 high half of the second key word
//	         31……24 least integer known to be yes, + 128
//	         23……16 greatest integer known to be no, + 128
//	         15……10 effort: logarithm of the nodes the entry cost
//	          9…… 1 zero
//	          0     one: the entry is in use
//
// The low half of the second key word chooses the line. A torn pair of words
// fails the comparison with the key, so it is a miss and never a wrong answer.
type Thresholds struct {
	memory *bigmem.Words
	words  []uint64
	lines  uint64
	stored atomic.Uint64
}

// Key is a 128-bit hash.
type Key = [2]uint64

// Limits of the integers an entry can hold: they mean that nothing is known.
const (
	NeverYes = 127
	NeverNo  = -128
)

const (
	lineWords  = 8
	checkBits  = 64 + 32
	used       = 1
	effortAt   = 10
	effortMask = 63
)

// Bounds is what an entry knows.
type Bounds struct {
	Yes, No int
	Effort  int
}

// NewThresholds takes at most the given number of bytes.
func NewThresholds(bytes int64) (*Thresholds, error) {
	lines := max(bytes/(lineWords*8), 1)
	if lines > 1<<32 {
		return nil, fmt.Errorf("a table of %d bytes is beyond the limit of 256 GiB", bytes)
	}
	memory, err := bigmem.Alloc(int(lines)*lineWords, "thresholds")
	if err != nil {
		return nil, err
	}
	return &Thresholds{memory: memory, words: memory.Data, lines: uint64(lines)}, nil
}

// Close frees the memory.
func (t *Thresholds) Close() {
	t.memory.Free()
	t.words = nil
}

// Capacity is the number of entries there is room for.
func (t *Thresholds) Capacity() uint64 { return t.lines * lineWords / 2 }

// Stored is the number of entries in use.
func (t *Thresholds) Stored() uint64 { return t.stored.Load() }

// Bytes is the memory taken.
func (t *Thresholds) Bytes() int64 { return int64(t.lines) * lineWords * 8 }

// FalseMatch bounds the probability that one probe takes one key for another,
// if keys are random: up to four entries are compared in all bits not implied
// by their place.
func (t *Thresholds) FalseMatch() float64 {
	return float64(lineWords/2) * math.Pow(2, -checkBits)
}

func (t *Thresholds) line(k Key) []uint64 {
	hi, _ := bits.Mul64(k[1]<<32, t.lines)
	at := hi * lineWords
	return t.words[at : at+lineWords : at+lineWords]
}

// Touch starts to bring the key's line into the cache.
func (t *Thresholds) Touch(k Key) uint64 {
	hi, _ := bits.Mul64(k[1]<<32, t.lines)
	return atomic.LoadUint64(&t.words[hi*lineWords])
}

// Get returns what is known of a key.
func (t *Thresholds) Get(k Key) (Bounds, bool) {
	line := t.line(k)
	for i := 0; i < lineWords; i += 2 {
		data := atomic.LoadUint64(&line[i+1])
		if atomic.LoadUint64(&line[i])^data == k[0] && data&used != 0 && data>>32 == k[1]>>32 {
			return unpackBounds(data), true
		}
	}
	return Bounds{Yes: NeverYes, No: NeverNo}, false
}

func unpackBounds(data uint64) Bounds {
	return Bounds{
		Yes:    int(data>>24&255) - 128,
		No:     int(data>>16&255) - 128,
		Effort: int(data >> effortAt & effortMask),
	}
}

func packBounds(k Key, b Bounds) uint64 {
	return k[1]>>32<<32 | uint64(b.Yes+128)<<24 | uint64(b.No+128)<<16 | uint64(min(b.Effort, effortMask))<<effortAt | used
}

// Put records that the answer for k is yes from b.Yes on and no up to b.No, on
// top of what the entry knew. A full line gives up its entry of least effort.
func (t *Thresholds) Put(k Key, b Bounds) {
	line := t.line(k)
	victim, least := 0, effortMask+1
	for i := 0; i < lineWords; i += 2 {
		data := atomic.LoadUint64(&line[i+1])
		if data&used == 0 {
			if least >= 0 {
				victim, least = i, -1
			}
			continue
		}
		old := unpackBounds(data)
		if atomic.LoadUint64(&line[i])^data == k[0] && data>>32 == k[1]>>32 {
			b.Yes, b.No = min(b.Yes, old.Yes), max(b.No, old.No)
			b.Effort = max(b.Effort, old.Effort)
			victim, least = i, effortMask
			break
		}
		if old.Effort < least {
			victim, least = i, old.Effort
		}
	}
	if least < 0 {
		t.stored.Add(1)
	}
	data := packBounds(k, b)
	atomic.StoreUint64(&line[victim+1], data)
	atomic.StoreUint64(&line[victim], k[0]^data)
}

const savedRecord = 24

// Save writes the entries of at least the given effort. Entries written by
// others meanwhile may or may not be among them.
func (t *Thresholds) Save(w io.Writer, effort int) error {
	buffer := binary.LittleEndian.AppendUint64(make([]byte, 0, 1<<16), t.lines)
	for at := uint64(0); at < t.lines; at++ {
		line := t.words[at*lineWords:][:lineWords]
		for i := 0; i < lineWords; i += 2 {
			data, mixed := atomic.LoadUint64(&line[i+1]), atomic.LoadUint64(&line[i])
			if data&used == 0 || unpackBounds(data).Effort < effort || atomic.LoadUint64(&line[i+1]) != data {
				continue
			}
			if len(buffer)+savedRecord > cap(buffer) {
				if _, err := w.Write(buffer); err != nil {
					return err
				}
				buffer = buffer[:0]
			}
			buffer = binary.LittleEndian.AppendUint64(buffer, at)
			buffer = binary.LittleEndian.AppendUint64(buffer, mixed)
			buffer = binary.LittleEndian.AppendUint64(buffer, data)
		}
	}
	_, err := w.Write(buffer)
	return err
}

// Load reads what Save wrote from a table of the same size.
func (t *Thresholds) Load(r io.Reader) error {
	var record [savedRecord]byte
	if _, err := io.ReadFull(r, record[:8]); err != nil {
		return fmt.Errorf("the saved table is cut short: %w", err)
	}
	if lines := binary.LittleEndian.Uint64(record[:]); lines != t.lines {
		return fmt.Errorf("the saved table had %d bytes and this one has %d: give the same --memory", lines*lineWords*8, t.Bytes())
	}
	for {
		if _, err := io.ReadFull(r, record[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("the saved table is cut short: %w", err)
		}
		at := binary.LittleEndian.Uint64(record[:])
		data := binary.LittleEndian.Uint64(record[16:])
		if at >= t.lines || data&used == 0 {
			return fmt.Errorf("the saved table has an entry for line %d of %d", at, t.lines)
		}
		t.insert(at, binary.LittleEndian.Uint64(record[8:]), data)
	}
}

// insert puts a saved entry into the first free place of its line.
func (t *Thresholds) insert(at, mixed, data uint64) {
	line := t.words[at*lineWords:][:lineWords]
	for i := 0; i < lineWords; i += 2 {
		if line[i+1]&used == 0 {
			line[i], line[i+1] = mixed, data
			t.stored.Add(1)
			return
		}
	}
}
