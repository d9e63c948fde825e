package retro

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"tengen/internal/wholefile"
)

// envelope is the form of a checkpoint. Its header says what is built, how far it is and
// what it has cost. The payload is the values and the marks, compressed.
var envelope = wholefile.Envelope{Magic: "tengenRC", Version: 3}

// checkpointHeader has the fields that must match, then those that are resumed.
type checkpointHeader struct {
	Size     string  `json:"size"`
	Loops    string  `json:"loops"`
	Distance bool    `json:"distance"`
	Boards   uint64  `json:"boards"`
	Stage    int     `json:"stage"`
	Stages   int     `json:"stages"`
	Visits   uint64  `json:"visits"`
	Changes  uint64  `json:"changes"`
	Sweeps   int     `json:"sweeps"`
	Seconds  float64 `json:"seconds"`
}

func (s *solver) header() checkpointHeader {
	r := s.work()
	return checkpointHeader{
		Size: s.options.Size.String(), Loops: s.options.Loops.String(), Distance: s.options.Distance,
		Boards: s.index.boards, Stage: s.stage, Stages: len(s.stages),
		Visits: r.Visits, Changes: r.Changes, Sweeps: r.Sweeps, Seconds: r.Seconds,
	}
}

// kept lists what is in a checkpoint, in order.
func (s *solver) kept() []*array {
	list := []*array{&s.values.array, &s.koValues.array, &s.marked.array, &s.late.array}
	if s.options.Distance {
		list = append(list, &s.far.array, &s.koFar.array)
	}
	return list
}

// save writes a checkpoint.
func (s *solver) save() error {
	err := s.options.Disk.Stream(s.options.Checkpoint, func(out io.Writer) error { return envelope.Write(out, s.header(), s.saveTo) })
	if err != nil {
		return fmt.Errorf("cannot save the work: %w", err)
	}
	return nil
}

func (s *solver) saveTo(out io.Writer) error {
	// The window is small to save memory. Similar data lies close together.
	zip, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<17), zstd.WithEncoderConcurrency(s.options.Threads))
	if err != nil {
		return err
	}
	for _, a := range s.kept() {
		if err := writeWords(zip, a); err != nil {
			_ = zip.Close()
			return err
		}
	}
	return zip.Close()
}

// wordsAtOnce is the number of words that a buffer holds.
const wordsAtOnce = 1 << 10

func writeWords(out io.Writer, a *array) error {
	buffer := make([]byte, 0, 8*wordsAtOnce)
	for i := uint64(0); i < a.len; {
		buffer = buffer[:0]
		for end := min(i+wordsAtOnce, a.len); i < end; i++ {
			buffer = binary.LittleEndian.AppendUint64(buffer, a.load(i))
		}
		if _, err := out.Write(buffer); err != nil {
			return err
		}
	}
	return nil
}

func readWords(in io.Reader, a *array) error {
	buffer := make([]byte, 8*wordsAtOnce)
	for i := uint64(0); i < a.len; {
		end := min(i+wordsAtOnce, a.len)
		rest := buffer[:8*(end-i)]
		if _, err := io.ReadFull(in, rest); err != nil {
			return err
		}
		for ; i < end; i++ {
			a.put(i, binary.LittleEndian.Uint64(rest))
			rest = rest[8:]
		}
	}
	return nil
}

// load resumes from a checkpoint if there is one. It refuses a checkpoint that
// is damaged or belongs to another build, and does not change the file.
func (s *solver) load() error {
	_, err := s.options.withCheckpoint(s.loadFrom)
	return err
}

// Resumes reports whether there is a checkpoint to resume from. It returns an
// error if the header shows that the checkpoint belongs to another build.
func (o Options) Resumes() (bool, error) {
	return o.withCheckpoint(func(file *os.File) error {
		raw, err := envelope.ReadHeader(file)
		if err != nil {
			return err
		}
		h, err := parseHeader(raw)
		if err != nil {
			return err
		}
		return h.matches(o)
	})
}

// withCheckpoint calls read with the checkpoint if there is one, and reports
// whether there is.
func (o Options) withCheckpoint(read func(*os.File) error) (bool, error) {
	file, err := os.Open(o.Checkpoint)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		defer file.Close()
		err = read(file)
	}
	if err != nil {
		return true, fmt.Errorf("cannot resume from %s: %w; remove it to begin anew", o.Checkpoint, err)
	}
	return true, nil
}

func (s *solver) loadFrom(file *os.File) error {
	header, payload, err := envelope.Read(file)
	if err != nil {
		return err
	}
	if err := s.loadHeader(header); err != nil {
		return err
	}
	zip, err := zstd.NewReader(payload, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return wholefile.ErrAltered
	}
	defer zip.Close()
	for _, a := range s.kept() {
		if err := readWords(zip, a); err != nil {
			return wholefile.ErrAltered
		}
	}
	return nil
}

func parseHeader(raw []byte) (h checkpointHeader, err error) {
	if json.Unmarshal(raw, &h) != nil {
		return h, wholefile.ErrAltered
	}
	return h, nil
}

// matches returns an error for a checkpoint of another build.
func (h checkpointHeader) matches(o Options) error {
	if h.Size != o.Size.String() || h.Loops != o.Loops.String() || h.Distance != o.Distance {
		return fmt.Errorf("it is a build of %s, loops %s, distances %v, not of %s, loops %s, distances %v",
			h.Size, h.Loops, h.Distance, o.Size, o.Loops, o.Distance)
	}
	return nil
}

// loadHeader restores the progress from the header.
func (s *solver) loadHeader(raw []byte) error {
	h, err := parseHeader(raw)
	if err != nil {
		return err
	}
	if err := h.matches(s.options); err != nil {
		return err
	}
	if h.Boards != s.index.boards || h.Stages != len(s.stages) || h.Stage < 0 || h.Stage > h.Stages {
		return wholefile.ErrAltered
	}
	s.stage = h.Stage
	s.past = Report{Visits: h.Visits, Changes: h.Changes, Sweeps: h.Sweeps, Seconds: h.Seconds, Resumed: true}
	return nil
}
