package engine

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
	"slices"
	"time"

	"tengen/internal/solver"
	"tengen/internal/text"
	"tengen/internal/wholefile"
)

// A checkpoint is an envelope around what a solver saves:
//
//	8 bytes    magic "tengenCP"
//	4 bytes    version, little endian
//	4 bytes    length of the header, little endian
//	header     JSON: the question and the options that give the payload its meaning
//	payload    from Solver.Save
//	32 bytes   SHA-256 of everything before it
//
// Whoever writes it has a lock on it from before it is read, so that no other search
// replaces it meanwhile.
const (
	checkpointMagic   = "tengenCP"
	checkpointVersion = 1
	maxHeader         = 1 << 16
)

// checkpointHeader must match a request for its checkpoint to be resumed.
// Memory and threads are left out: they change the pace, not the meaning.
type checkpointHeader struct {
	Game     string   `json:"game"`
	Method   Method   `json:"method"`
	Search   string   `json:"search,omitempty"` // which search of the method, if there are several
	Size     string   `json:"size"`
	Position string   `json:"position"`
	ToPlay   string   `json:"to_play"`
	Within   *int     `json:"within,omitempty"`
	Attacker string   `json:"attacker,omitempty"`
	Without  []string `json:"without,omitempty"`

	// What the table has cost so far; it need not match.
	Work work `json:"work"`
}

// work is what an answer has cost, over all runs that led to it.
type work struct {
	Nodes      uint64  `json:"nodes"`
	Seconds    float64 `json:"seconds"`
	ErrorBound float64 `json:"error_bound"`
}

// spent is the work of this run and of those it resumes, proofs not counted.
func (r *run) spent() work {
	stats := r.solver.Stats()
	r.mu.Lock()
	searched := r.searched
	r.mu.Unlock()
	if searched == 0 {
		searched = time.Since(r.start)
	}
	return work{
		Nodes:      r.past.Nodes + stats.Nodes,
		Seconds:    r.past.Seconds + searched.Seconds(),
		ErrorBound: r.past.ErrorBound + stats.ErrorBound,
	}
}

func (r *run) header() checkpointHeader {
	h := checkpointHeader{
		Game:     "nogo",
		Method:   r.plan.Method,
		Size:     r.query.Position.Size.String(),
		Position: r.query.Position.String(),
		ToPlay:   r.query.ToPlay.String(),
		Without:  slices.Compact(slices.Sorted(slices.Values(r.request.Without))),
	}
	if r.plan.Method == Sums && r.request.onRow() {
		h.Search = "rows"
	}
	if r.query.Limited {
		plies := r.query.Plies
		h.Within, h.Attacker = &plies, r.query.Attacker.String()
	}
	return h
}

// mismatch names the first difference that forbids resuming.
func (h checkpointHeader) mismatch(want checkpointHeader) string {
	for _, field := range []struct{ name, have, want string }{
		{"game", h.Game, want.Game},
		{"method", string(h.Method), string(want.Method)},
		{"search", orNone(h.Search), orNone(want.Search)},
		{"size", h.Size, want.Size},
		{"position", h.Position, want.Position},
		{"side to play", h.ToPlay, want.ToPlay},
		{"limit on moves", within(h), within(want)},
		{"list of parts left out", orNone(text.List(h.Without)), orNone(text.List(want.Without))},
	} {
		if field.have != field.want {
			return fmt.Sprintf("its %s is %q, not %q", field.name, field.have, field.want)
		}
	}
	return ""
}

func within(h checkpointHeader) string {
	if h.Within == nil {
		return "none"
	}
	return fmt.Sprintf("%d for %s", *h.Within, h.Attacker)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// checkpoint is an open file whose payload is about to be loaded.
type checkpoint struct {
	path    string
	file    *os.File
	payload io.Reader
	work    work
}

func (c *checkpoint) close() { c.file.Close() }

func (c *checkpoint) load(s solver.Solver) error {
	if err := s.Load(bufio.NewReaderSize(c.payload, 1<<20)); err != nil {
		return fmt.Errorf("checkpoint %s: %w", c.path, err)
	}
	return nil
}

// lockCheckpoint keeps other searches from the file until the lock is released.
func (r *run) lockCheckpoint() (*wholefile.Lock, error) {
	path := r.request.Checkpoint
	if path == "" {
		return nil, nil
	}
	if err := r.request.files.Check("checkpoint", path, nil); err != nil {
		return nil, err
	}
	lock, err := wholefile.Acquire(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	r.request.files.Clean(path)
	return lock, nil
}

// openCheckpoint returns nil if there is nothing to resume. A file that is not
// this request's intact checkpoint is an error, and stays as it is.
func (r *run) openCheckpoint() (*checkpoint, error) {
	path := r.request.Checkpoint
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	payload, work, err := readEnvelope(file, r.header())
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("checkpoint %s cannot be resumed: %w", path, err)
	}
	return &checkpoint{path, file, payload, work}, nil
}

// readEnvelope checks the whole file before any of it is believed.
func readEnvelope(file *os.File, want checkpointHeader) (io.Reader, work, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, work{}, err
	}
	have, err := readHeader(file)
	if err != nil {
		return nil, work{}, err
	}
	begin, err := file.Seek(0, io.SeekCurrent) // of the payload
	if err != nil {
		return nil, work{}, err
	}
	body := info.Size() - sha256.Size
	if begin > body {
		return nil, work{}, errCut
	}
	if err := checkSum(file, body); err != nil {
		return nil, work{}, err
	}
	if difference := have.mismatch(want); difference != "" {
		return nil, work{}, fmt.Errorf("it belongs to another question: %s", difference)
	}
	return io.NewSectionReader(file, begin, body-begin), have.Work, nil
}

var errCut = errors.New("it is cut short or altered")

// readHeader reads up to the payload, and believes the file for now.
func readHeader(file io.Reader) (h checkpointHeader, err error) {
	start := make([]byte, len(checkpointMagic)+8)
	if _, err := io.ReadFull(file, start); err != nil || !bytes.HasPrefix(start, []byte(checkpointMagic)) {
		return h, errors.New("it is not a checkpoint of tengen")
	}
	if v := binary.LittleEndian.Uint32(start[8:]); v != checkpointVersion {
		return h, fmt.Errorf("it has format version %d, this program reads version %d", v, checkpointVersion)
	}
	length := binary.LittleEndian.Uint32(start[12:])
	if length > maxHeader {
		return h, errCut
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(file, text); err != nil {
		return h, errCut
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return h, errCut
	}
	return h, nil
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

// save writes the checkpoint; failing to is a warning, for the search itself is sound.
func (r *run) save() {
	h := r.header()
	h.Work = r.spent()
	err := moreWork(r.request.Checkpoint, h)
	if err == nil {
		err = r.request.files.Stream(r.request.Checkpoint, func(w io.Writer) error { return writeEnvelope(w, h, r.solver) })
	}
	if err != nil {
		r.warn("the checkpoint could not be written: %v", err)
		return
	}
	r.mu.Lock()
	r.saved = true
	r.mu.Unlock()
}

// moreWork refuses to replace a checkpoint that somebody has put there meanwhile, unless
// it is of the same question and no more has been spent on it.
func moreWork(path string, h checkpointHeader) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	there, err := readHeader(file)
	if err != nil {
		return fmt.Errorf("%s has been replaced by another file", path)
	}
	if there.mismatch(h) != "" || there.Work.Nodes > h.Work.Nodes {
		return fmt.Errorf("%s has been replaced by a checkpoint with other or more work", path)
	}
	return nil
}

func writeEnvelope(w io.Writer, h checkpointHeader, s solver.Solver) error {
	text, err := json.Marshal(h)
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
