package bucket

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
)

// A list of entries in a stream is their number followed by the entries. Each
// code is stored relative to the one before, the first relative to 0.

// WriteEntries writes a list of n entries in ascending order of code.
func WriteEntries(w *bufio.Writer, n uint64, entries iter.Seq[Entry]) error {
	buffer := binary.AppendUvarint(make([]byte, 0, maxEntry), n)
	var previous uint64
	for r := range entries {
		if _, err := w.Write(buffer); err != nil {
			return err
		}
		buffer = appendEntry(buffer[:0], previous, r)
		previous = r.Code
		n--
	}
	if n != 0 {
		return errors.New("the table could not be read to its end")
	}
	_, err := w.Write(buffer)
	return err
}

// Reader reads lists of entries. It hashes everything it returns, so that a
// checksum after them can be compared.
type Reader struct {
	in     *bufio.Reader
	digest hash.Hash
}

// NewReader reads from r and writes everything it returns to digest.
func NewReader(r io.Reader, digest hash.Hash) *Reader {
	return &Reader{bufio.NewReaderSize(r, 64<<10), digest}
}

var errTruncated = errors.New("the file ends too early")

// Read fills b.
func (r *Reader) Read(b []byte) error {
	if _, err := io.ReadFull(r.in, b); err != nil {
		return truncated(err)
	}
	r.digest.Write(b)
	return nil
}

// More reports whether anything is left to read.
func (r *Reader) More() bool {
	_, err := r.in.Peek(1)
	return err == nil
}

// truncated turns the end of a file into errTruncated and returns other
// errors unchanged.
func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTruncated
	}
	return err
}

// Entries reads a list and calls each for every entry. It stops at the first
// error of each.
func (r *Reader) Entries(each func(Entry) error) error {
	head, _ := r.in.Peek(binary.MaxVarintLen64)
	n, used := binary.Uvarint(head)
	if used <= 0 {
		return errTruncated
	}
	if err := r.skip(used); err != nil {
		return err
	}
	var previous uint64
	for i := range n {
		entry, err := r.entry(previous)
		if err != nil {
			return fmt.Errorf("entry %d of %d: %w", i+1, n, err)
		}
		if i > 0 && entry.Code == previous {
			return fmt.Errorf("entry %d of %d: the code is there twice", i+1, n)
		}
		if err := each(entry); err != nil {
			return fmt.Errorf("entry %d of %d: %w", i+1, n, err)
		}
		previous = entry.Code
	}
	return nil
}

func (r *Reader) entry(previous uint64) (Entry, error) {
	head, err := r.in.Peek(maxEntry)
	entry, used := decodeEntry(head, previous)
	if used == 0 {
		if err != nil {
			return entry, truncated(err)
		}
		return entry, errors.New("the file is damaged")
	}
	return entry, r.skip(used)
}

func (r *Reader) skip(n int) error {
	head, err := r.in.Peek(n)
	if err != nil {
		return truncated(err)
	}
	r.digest.Write(head)
	_, err = r.in.Discard(n)
	return err
}

// Save writes all entries, in the order in which they lie in the table.
func (t *Table) Save(w *bufio.Writer) error {
	all := t.mergeAll()
	err := WriteEntries(w, t.stored, func(yield func(Entry) bool) {
		for r, ok := all.next(); ok && yield(r); r, ok = all.next() {
		}
	})
	return errors.Join(all.err(), err)
}

// Load adds a list that Save wrote for a table of the same codes and the same
// setting of Spread. It refuses values that are not valid.
func (t *Table) Load(in *Reader, valid func(Value) bool) error {
	return in.Entries(func(r Entry) error {
		if r.Code >= 1<<t.layout.keyBits || !valid(r.Value) {
			return errors.New("the entry does not fit this table")
		}
		r.Code = t.mixer.unmix(r.Code)
		return t.Add(r)
	})
}
