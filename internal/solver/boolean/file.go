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

// A file is a header, one or two lists of entries, and the SHA-256 of
// everything before. A solution is one list in ascending order of code. A
// saved search is its one or two tables, each in its own order. That order
// depends on whether codes are spread.
type header struct {
	Magic      [8]byte
	Version    uint8
	Kind       uint8
	Lists      uint8
	Rows, Cols uint8
	Spread     bool
	Marked     bool
	Lead       int8
	Deadline   int8
}

const (
	fileVersion  = 1
	kindTables   = 'T'
	kindSolution = 'S'
)

var fileMagic = [8]byte{'t', 'e', 'n', 'g', 'e', 'n', 'S', 'B'}

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
	tables := s.tables()
	return s.writeFile(w, kindTables, len(tables), func(out *bufio.Writer) error {
		for _, t := range tables {
			if err := t.Save(out); err != nil {
				return err
			}
		}
		return nil
	})
}

// Load reads what Save wrote into an empty solver.
func (s *Solver) Load(r io.Reader) error {
	return s.load(r, kindTables, func(in *bucket.Reader, lists int) error {
		if lists == 2 {
			if err := s.openLimited(); err != nil {
				return err
			}
		}
		for _, t := range s.tables() {
			if err := t.Load(in); err != nil {
				return err
			}
		}
		return nil
	})
}

// WriteSolution writes the marked positions.
func (s *Solver) WriteSolution(w io.Writer) error {
	<-s.token
	defer func() { s.token <- struct{}{} }()
	if !s.marked.present {
		return errors.New("no solution is marked")
	}
	t, offset := s.solutionTable()
	return s.writeFile(w, kindSolution, 1, func(out *bufio.Writer) error {
		return bucket.WriteEntries(out, t.Marked(), func(yield func(bucket.Entry) bool) {
			for r := range t.Ascend() {
				r.Code -= offset
				if !yield(r) {
					return
				}
			}
		})
	})
}

// LoadSolution reads what WriteSolution wrote into an empty solver. The
// solver then knows every position of the solution and can continue from
// there.
func (s *Solver) LoadSolution(r io.Reader) error {
	return s.load(r, kindSolution, func(in *bucket.Reader, _ int) error {
		if s.marked.deadline < len(s.points) {
			if err := s.openLimited(); err != nil {
				return err
			}
		}
		t, offset := s.solutionTable()
		return in.Entries(func(e bucket.Entry) error {
			if err := s.checkEntry(e); err != nil {
				return err
			}
			e.Code += offset
			e.Flag = true
			return t.Add(e)
		})
	})
}

func (s *Solver) writeFile(w io.Writer, kind uint8, lists int, body func(*bufio.Writer) error) error {
	digest := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, digest), 64<<10)
	h := header{
		Magic: fileMagic, Version: fileVersion, Kind: kind, Lists: uint8(lists),
		Rows: uint8(s.size.Rows), Cols: uint8(s.size.Cols), Spread: kind == kindTables && s.options.Spread,
		Marked: s.marked.present, Lead: int8(s.marked.lead), Deadline: int8(s.marked.deadline),
	}
	if err := binary.Write(out, binary.LittleEndian, h); err != nil {
		return err
	}
	if err := body(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(digest.Sum(nil))
	return err
}

// load reads a file. After an error the solver is empty again.
func (s *Solver) load(r io.Reader, kind uint8, body func(in *bucket.Reader, lists int) error) error {
	<-s.token
	defer func() { s.token <- struct{}{} }()
	if s.plain == nil {
		return errNoTable
	}
	if s.plain.Len() != 0 || s.limited != nil {
		return errors.New("only a solver that has not solved anything yet can load a file")
	}
	err := s.read(r, kind, body)
	if err != nil {
		err = errors.Join(fmt.Errorf("loading a %s file: %w", s.size, err), s.clear())
	}
	s.publish()
	return err
}

func (s *Solver) read(r io.Reader, kind uint8, body func(in *bucket.Reader, lists int) error) error {
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
	if err := s.accept(h, kind); err != nil {
		return err
	}
	s.marked = marking{h.Marked, int(h.Lead), int(h.Deadline)}
	if err := body(in, int(h.Lists)); err != nil {
		return err
	}
	return checkDigest(in, digest)
}

// accept checks that this solver can read a file with this header.
func (s *Solver) accept(h header, kind uint8) error {
	written := board.Size{Rows: int(h.Rows), Cols: int(h.Cols)}
	switch {
	case h.Magic != fileMagic:
		return errors.New("this is not a file of the sbh method")
	case h.Version != fileVersion:
		return fmt.Errorf("the file has version %d, this program reads version %d", h.Version, fileVersion)
	case h.Kind != kind && kind == kindSolution:
		return errors.New("the file holds a saved search, not a solution")
	case h.Kind != kind:
		return errors.New("the file holds a solution, not a saved search")
	case written != s.size:
		return fmt.Errorf("the file is for %s boards", written)
	case h.Lists < 1 || h.Lists > 2:
		return fmt.Errorf("the file holds %d lists of positions instead of one or two", h.Lists)
	case kind == kindTables && h.Spread != s.options.Spread:
		return errors.New(`the file was saved with a different setting of the part "spread"`)
	case kind == kindSolution && !h.Marked:
		return errors.New("the file holds no solution")
	case h.Marked && (h.Deadline < 0 || int(h.Deadline) > len(s.points)):
		return fmt.Errorf("the file's limit of %d stones does not fit the board", h.Deadline)
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
	s.marked = marking{}
	err := s.closeTables()
	if err != nil {
		return err
	}
	s.plain, err = bucket.New(s.options)
	return err
}
