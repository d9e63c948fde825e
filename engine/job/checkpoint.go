package job

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"tengen/internal/wholefile"
)

// A checkpoint is an envelope around what a solver saves:
//
//	8 bytes    magic "tengenCP"
//	4 bytes    version, little endian
//	4 bytes    length of the header, little endian
//	header     JSON: the question and the options that give the payload its meaning
//	payload    from Saver.Save
//	32 bytes   SHA-256 of everything before it
//
// A search locks its file before it reads it, so that no other search replaces it meanwhile.
const (
	checkpointMagic   = "tengenCP"
	checkpointVersion = 1
	maxHeader         = 1 << 16
)

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

// Files writes whole files, or none; package wholefile has the one that does.
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

// OpenCheckpoint locks a file; "" is none.
func OpenCheckpoint(path string, header Header, files Files) (*Checkpoint, error) {
	if path == "" {
		return nil, nil
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
	info, err := file.Stat()
	if err != nil {
		return nil, Cost{}, err
	}
	header, spent, err := readHeader(file)
	if err != nil {
		return nil, Cost{}, err
	}
	begin, err := file.Seek(0, io.SeekCurrent) // of the payload
	if err != nil {
		return nil, Cost{}, err
	}
	body := info.Size() - sha256.Size
	if begin > body {
		return nil, Cost{}, errCut
	}
	if err := checkSum(file, body); err != nil {
		return nil, Cost{}, err
	}
	if difference := c.header.Differs(header); difference != "" {
		return nil, Cost{}, fmt.Errorf("it belongs to another question: %s", difference)
	}
	return io.NewSectionReader(file, begin, body-begin), spent, nil
}

var errCut = errors.New("it is cut short or altered")

// readHeader reads up to the payload. The checksum is not checked yet.
func readHeader(file io.Reader) (header []byte, spent Cost, err error) {
	start := make([]byte, len(checkpointMagic)+8)
	if _, err := io.ReadFull(file, start); err != nil || !bytes.HasPrefix(start, []byte(checkpointMagic)) {
		return nil, spent, errors.New("it is not a checkpoint of tengen")
	}
	if v := binary.LittleEndian.Uint32(start[8:]); v != checkpointVersion {
		return nil, spent, fmt.Errorf("it has format version %d, this program reads version %d", v, checkpointVersion)
	}
	length := binary.LittleEndian.Uint32(start[12:])
	if length > maxHeader {
		return nil, spent, errCut
	}
	header = make([]byte, length)
	if _, err := io.ReadFull(file, header); err != nil {
		return nil, spent, errCut
	}
	var work struct{ Work Cost }
	if err := json.Unmarshal(header, &work); err != nil {
		return nil, spent, errCut
	}
	return header, work.Work, nil
}

func checkSum(file *os.File, body int64) error {
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, body)); err != nil {
		return err
	}
	var trailer [sha256.Size]byte
	if _, err := file.ReadAt(trailer[:], body); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), trailer[:]) {
		return errors.New("it is cut short or altered: its checksum does not match")
	}
	return nil
}

// Save writes the checkpoint. It does not replace one that appeared meanwhile and is of another
// question or has cost more.
func (c *Checkpoint) Save(spent Cost, s Saver) error {
	if err := c.moreWork(spent); err != nil {
		return err
	}
	err := c.files.Stream(c.path, func(w io.Writer) error { return writeEnvelope(w, c.header.With(spent), s) })
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
	header, there, err := readHeader(file)
	if err != nil {
		return fmt.Errorf("%s has been replaced by another file", c.path)
	}
	if c.header.Differs(header) != "" || there.Nodes > spent.Nodes {
		return fmt.Errorf("%s has been replaced by a checkpoint with other or more work", c.path)
	}
	return nil
}

func writeEnvelope(w io.Writer, header any, s Saver) error {
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	summed := &summer{w, sha256.New()}
	start := []byte(checkpointMagic)
	start = binary.LittleEndian.AppendUint32(start, checkpointVersion)
	start = binary.LittleEndian.AppendUint32(start, uint32(len(text)))
	if _, err := summed.Write(append(start, text...)); err != nil {
		return err
	}
	if err := s.Save(summed); err != nil {
		return err
	}
	_, err = w.Write(summed.hash.Sum(nil))
	return err
}

type summer struct {
	io.Writer
	hash hash.Hash
}

func (s *summer) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	s.hash.Write(p[:n])
	return n, err
}
