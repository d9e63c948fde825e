package job

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"tengen/internal/wholefile"
)

// envelope is the form of a checkpoint. Its header is the question and the options that
// give the payload its meaning; the payload is from Saver.Save. A search locks its file
// before it reads it, so that no other search replaces it meanwhile.
var envelope = wholefile.Envelope{Magic: "tengenCP", Version: 2}

// Cost is the cost of an answer, over all runs that led to it.
type Cost struct {
	Nodes      uint64  `json:"nodes"`
	Seconds    float64 `json:"seconds"`
	ErrorBound float64 `json:"error_bound"`
}

// Saver is a search with a table that a checkpoint keeps.
type Saver interface {
	Save(w io.Writer) error
	Load(r io.Reader) error
}

// Header describes the question that a checkpoint belongs to.
type Header interface {
	// With is the header in JSON, with the cost so far in a field "work".
	With(spent Cost) any
	// Differs names the first difference from a header in JSON that forbids to resume its
	// checkpoint, or is "".
	Differs(from []byte) string
}

// Files writes whole files, or none. It is there for tests with a faulty disk.
type Files interface {
	Check(what, path string, replaces func(path string) error) error
	Stream(path string, write func(w io.Writer) error) error
	Clean(path string)
}

// Checkpoint is a file in which a search is saved and from which it is resumed. It is locked
// until Release. A nil Checkpoint is no file.
type Checkpoint struct {
	path   string
	header Header
	files  Files
	lock   *wholefile.Lock
	saved  atomic.Bool
}

// OpenCheckpoint locks a file; "" is none. Without files the disk is used.
func OpenCheckpoint(path string, header Header, files Files) (*Checkpoint, error) {
	if path == "" {
		return nil, nil
	}
	if files == nil {
		files = wholefile.Disk{}
	}
	if err := files.Check("checkpoint", path, nil); err != nil {
		return nil, err
	}
	lock, err := wholefile.Acquire(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	files.Clean(path)
	return &Checkpoint{path: path, header: header, files: files, lock: lock}, nil
}

// Release unlocks the file.
func (c *Checkpoint) Release() {
	if c != nil {
		c.lock.Release()
	}
}

// Saved is the path if the file has been written, and else "".
func (c *Checkpoint) Saved() string {
	if c == nil || !c.saved.Load() {
		return ""
	}
	return c.path
}

// Resume opens a search with the cost of earlier runs and loads what they saved. If the file is
// not an intact checkpoint of the same question, it returns an error, opens nothing and does
// not change the file.
func (c *Checkpoint) Resume(open func(resumed bool, spent Cost) (Saver, error)) error {
	if c == nil {
		_, err := open(false, Cost{})
		return err
	}
	file, err := os.Open(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := open(false, Cost{})
		return err
	}
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	defer file.Close()
	payload, spent, err := c.read(file)
	if err != nil {
		return fmt.Errorf("checkpoint %s cannot be resumed: %w", c.path, err)
	}
	s, err := open(true, spent)
	if err != nil {
		return err
	}
	if err := s.Load(bufio.NewReaderSize(payload, 1<<20)); err != nil {
		return fmt.Errorf("checkpoint %s: %w", c.path, err)
	}
	return nil
}

// read checks the whole file before it uses any of it.
func (c *Checkpoint) read(file *os.File) (io.Reader, Cost, error) {
	header, payload, err := envelope.Read(file)
	if err != nil {
		return nil, Cost{}, err
	}
	spent, err := costOf(header)
	if err != nil {
		return nil, Cost{}, err
	}
	if difference := c.header.Differs(header); difference != "" {
		return nil, Cost{}, fmt.Errorf("it belongs to another question: %s", difference)
	}
	return payload, spent, nil
}

func costOf(header []byte) (Cost, error) {
	var work struct{ Work Cost }
	if json.Unmarshal(header, &work) != nil {
		return Cost{}, wholefile.ErrAltered
	}
	return work.Work, nil
}

// Save writes the checkpoint. It does not replace one that appeared meanwhile and is of another
// question or has cost more.
func (c *Checkpoint) Save(spent Cost, s Saver) error {
	if c == nil {
		return nil
	}
	if err := c.moreWork(spent); err != nil {
		return err
	}
	err := c.files.Stream(c.path, func(w io.Writer) error { return envelope.Write(w, c.header.With(spent), s.Save) })
	if err == nil {
		c.saved.Store(true)
	}
	return err
}

func (c *Checkpoint) moreWork(spent Cost) error {
	file, err := os.Open(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	header, err := envelope.ReadHeader(file)
	if err != nil {
		return fmt.Errorf("%s has been replaced by another file", c.path)
	}
	if there, err := costOf(header); err != nil || c.header.Differs(header) != "" || there.Nodes > spent.Nodes {
		return fmt.Errorf("%s has been replaced by a checkpoint with other or more work", c.path)
	}
	return nil
}
