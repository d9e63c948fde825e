package bucket

import (
	"bufio"
	"fmt"
	"io"
	"sort"

	"tengen/internal/wholefile"
)

// run is a file of entries in ascending order, never changed once written. It
// consists of blocks of equal length; the first code of every block is kept in
// memory, so a lookup reads one block.
type run struct {
	file   *wholefile.Nameless
	fences []uint64
	count  uint64
	size   int64
	filter *filter
	budget *Budget
}

// blockSize is small enough for a quick scan of a block, and large enough that
// one code per block takes little memory.
const blockSize = 1 << 10

// writeRun writes the entries of a cursor to a new file.
func writeRun(dir string, from cursor, b *Budget) (*run, error) {
	file, err := wholefile.NewNameless(dir)
	if err != nil {
		return nil, fmt.Errorf("spilling the table to disk: %w", err)
	}
	r := &run{file: file, budget: b}
	if err := r.fill(from); err != nil {
		r.close()
		return nil, fmt.Errorf("spilling the table to disk: %w", err)
	}
	return r, nil
}

func (r *run) fill(from cursor) error {
	out := bufio.NewWriterSize(r.file, 256<<10)
	block := make([]byte, 0, blockSize)
	var previous uint64
	for entry, ok := from.next(); ok; entry, ok = from.next() {
		if len(block)+maxEntry > blockSize {
			if err := r.writeBlock(out, block); err != nil {
				return err
			}
			block = block[:0]
		}
		if len(block) == 0 {
			r.budget.charge(8)
			r.fences = append(r.fences, entry.Code)
			previous = entry.Code
		}
		block = appendEntry(block, previous, entry)
		previous = entry.Code
		r.count++
	}
	if err := from.err(); err != nil {
		return err
	}
	if err := r.writeBlock(out, block); err != nil {
		return err
	}
	return out.Flush()
}

func (r *run) writeBlock(out io.Writer, block []byte) error {
	if len(block) == 0 {
		return nil
	}
	full := block[:blockSize]
	for i := len(block); i < blockSize; i++ {
		full[i] = endMark
	}
	_, err := out.Write(full)
	r.size += blockSize
	return err
}

// buildFilter reads the file again. It cannot be built earlier, since its
// memory is free only after the spilled buckets are dropped.
func (r *run) buildFilter(allowed int64) error {
	f := newFilter(r.count, allowed, r.budget)
	if f == nil {
		return nil
	}
	r.filter = f
	c := r.cursor()
	for entry, ok := c.next(); ok; entry, ok = c.next() {
		f.add(entry.Code)
	}
	if c.err() != nil {
		// A filter without some of the codes would hide their entries.
		r.filter.close()
		r.filter = nil
	}
	return c.err()
}

// get finds a code with at most one read.
func (r *run) get(code uint64, block *[blockSize]byte) (Entry, bool, error) {
	if !r.filter.mayHave(code) {
		return Entry{}, false, nil
	}
	i := sort.Search(len(r.fences), func(i int) bool { return r.fences[i] > code }) - 1
	if i < 0 {
		return Entry{}, false, nil
	}
	if _, err := r.file.ReadAt(block[:], int64(i)*blockSize); err != nil {
		return Entry{}, false, fmt.Errorf("reading the table from disk: %w", err)
	}
	previous, rest := r.fences[i], block[:]
	for len(rest) > 0 {
		entry, n := decodeEntry(rest, previous)
		if n == 0 || entry.Code > code {
			break
		}
		if entry.Code == code {
			return entry, true, nil
		}
		previous, rest = entry.Code, rest[n:]
	}
	return Entry{}, false, nil
}

func (r *run) bytes() int64 { return int64(len(r.fences))*8 + r.filter.bytes() }

// close removes the file.
func (r *run) close() error {
	r.filter.close()
	r.budget.give(int64(len(r.fences)) * 8)
	return r.file.Close()
}

// runCursor walks a run from its beginning.
type runCursor struct {
	run      *run
	in       *bufio.Reader
	block    [blockSize]byte
	rest     []byte
	previous uint64
	blocks   int // read so far
	failed   error
}

func (r *run) cursor() cursor {
	return &runCursor{run: r, in: bufio.NewReaderSize(io.NewSectionReader(r.file, 0, r.size), 128<<10)}
}

func (c *runCursor) next() (Entry, bool) {
	entry, n := decodeEntry(c.rest, c.previous)
	if n == 0 {
		if !c.nextBlock() {
			return Entry{}, false
		}
		entry, n = decodeEntry(c.rest, c.previous)
	}
	c.previous, c.rest = entry.Code, c.rest[n:]
	return entry, true
}

func (c *runCursor) nextBlock() bool {
	if c.failed != nil || c.blocks == len(c.run.fences) {
		return false
	}
	if _, err := io.ReadFull(c.in, c.block[:]); err != nil {
		c.failed = fmt.Errorf("reading the table from disk: %w", err)
		return false
	}
	c.rest, c.previous = c.block[:], c.run.fences[c.blocks]
	c.blocks++
	return true
}

func (c *runCursor) err() error { return c.failed }
