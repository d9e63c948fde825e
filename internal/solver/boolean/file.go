package boolean

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"

	"tengen/board"
	"tengen/internal/bucket"
)

// A file is a header, the entries of one or two tables, and the SHA-256 of everything
// before. The order of the entries depends on whether codes are spread.
type header struct {
	Magic      [8]byte
	Version    uint8
	Lists      uint8
	Rows, Cols uint8
	Spread     bool
}

const fileVersion = 2

var fileMagic = [8]byte{'t', 'e', 'n', 'g', 'e', 'n', 'S', 'B'}

var errNoTable = errors.New(`the part "tt" is off: there is no table to save or load`)

// saveRequest asks the goroutine of a running search to save.
type saveRequest struct {
	to   io.Writer
	done chan error
}

// Save writes the contents of the tables. While a search runs, the search
// itself writes them between two nodes and then goes on.
func (s *Solver) Save(w io.Writer) error {
	r := saveRequest{w, make(chan error, 1)}
	select {
	case <-s.token:
		defer func() { s.token <- struct{}{} }()
		return s.save(w)
	case s.requests <- r:
		return <-r.done
	}
}

func (s *Solver) save(w io.Writer) error {
	if s.plain == nil {
		return errNoTable
	}
	digest := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, digest), 64<<10)
	tables := s.tables()
	h := header{
		Magic: fileMagic, Version: fileVersion, Lists: uint8(len(tables)),
		Rows: uint8(s.size.Rows), Cols: uint8(s.size.Cols), Spread: s.options.Spread,
	}
	if err := binary.Write(out, binary.LittleEndian, h); err != nil {
		return err
	}
	for _, t := range tables {
		if err := t.Save(out); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(digest.Sum(nil))
	return err
}

// Load reads what Save wrote into an empty solver. After an error the solver is empty
// again.
func (s *Solver) Load(r io.Reader) error {
	<-s.token
	defer func() { s.token <- struct{}{} }()
	if s.plain == nil {
		return errNoTable
	}
	if s.plain.Len() != 0 || s.limited != nil {
		return errors.New("only a solver that has not solved anything yet can load a file")
	}
	err := s.read(r)
	if err != nil {
		err = errors.Join(fmt.Errorf("loading a %s file: %w", s.size, err), s.clear())
	}
	s.publish()
	return err
}

func (s *Solver) read(r io.Reader) error {
	digest := sha256.New()
	in := bucket.NewReader(r, digest)
	var h header
	raw := make([]byte, binary.Size(h))
	if err := in.Read(raw); err != nil {
		return err
	}
	if err := binary.Read(bytes.NewReader(raw), binary.LittleEndian, &h); err != nil {
		return err
	}
	if err := s.accept(h); err != nil {
		return err
	}
	if h.Lists == 2 {
		if err := s.openLimited(); err != nil {
			return err
		}
	}
	for _, t := range s.tables() {
		if err := t.Load(in, func(v bucket.Value) bool { return v == s.loss || int(v) < len(s.points) }); err != nil {
			return err
		}
	}
	return checkDigest(in, digest)
}

// accept checks that this solver can read a file with this header.
func (s *Solver) accept(h header) error {
	written := board.Size{Rows: int(h.Rows), Cols: int(h.Cols)}
	switch {
	case h.Magic != fileMagic:
		return errors.New("this is not a file of the sbh method")
	case h.Version != fileVersion:
		return fmt.Errorf("the file has version %d, this program reads version %d", h.Version, fileVersion)
	case written != s.size:
		return fmt.Errorf("the file is for %s boards", written)
	case h.Lists < 1 || h.Lists > 2:
		return fmt.Errorf("the file holds %d lists of positions instead of one or two", h.Lists)
	case h.Spread != s.options.Spread:
		return errors.New(`the file was saved with a different setting of the part "spread"`)
	}
	return nil
}

func checkDigest(in *bucket.Reader, digest hash.Hash) error {
	want := digest.Sum(nil)
	got := make([]byte, len(want))
	if err := in.Read(got); err != nil {
		return err
	}
	if !bytes.Equal(want, got) {
		return errors.New("the checksum is wrong: the file is damaged")
	}
	if in.More() {
		return errors.New("something follows the end of the file's contents")
	}
	return nil
}

// clear empties the solver.
func (s *Solver) clear() error {
	err := s.closeTables()
	if err != nil {
		return err
	}
	s.plain, err = bucket.New(s.options)
	return err
}
