package retro

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"os"

	"tengen/board"
	"tengen/internal/wholefile"
	"tengen/tablebase"
)

// A file of values, found by a program for graphics cards, has this magic, a byte for each
// of version, rows and columns, and a zero. Then follow the values of all boards that are
// kept, two bytes each, and those of all bans, a byte each, in the order of the solver. A
// byte is the value of the best stone plus offset. FNV-1a of all this, in eight bytes, ends
// the file.
const (
	givenMagic   = "tengenGV"
	givenVersion = 1
	givenHeader  = len(givenMagic) + 4
	givenSum     = 8
)

// CheckValues returns an error unless the options can take their values from the file that
// they name: it says that it is for the same board.
func (o Options) CheckValues() error {
	if o.Loops != tablebase.Drawn || o.Distance {
		return errors.New("a file of values has scores with endless games drawn and no distances: build the table with loops drawn and without distances")
	}
	file, err := wholefile.Open(o.Values)
	if err != nil {
		return err
	}
	defer file.Close()
	return o.checkHeader(file)
}

func (o Options) checkHeader(in io.Reader) error {
	var header [givenHeader]byte
	if _, err := io.ReadFull(in, header[:]); err != nil || !bytes.HasPrefix(header[:], []byte(givenMagic)) {
		return fmt.Errorf("%s is not a file of values", o.Values)
	}
	rest := header[len(givenMagic):]
	if rest[0] != givenVersion {
		return fmt.Errorf("%s is of version %d, this program reads version %d", o.Values, rest[0], givenVersion)
	}
	if size := (board.Size{Rows: int(rest[1]), Cols: int(rest[2])}); size != o.Size {
		return fmt.Errorf("%s has the values of %s, not of %s", o.Values, size, o.Size)
	}
	return nil
}

// take takes the values from a file instead of finding them.
func (s *solver) take() error {
	file, err := wholefile.Open(s.options.Values)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := s.takeFrom(file, info.Size()); err != nil {
		return err
	}
	return s.team.ctx.Err()
}

func (s *solver) takeFrom(file *os.File, length int64) error {
	boards, bans := s.index.boards, uint64(len(s.directory.keys))
	if want := int64(givenHeader) + int64(2*boards+bans) + givenSum; length != want {
		return fmt.Errorf("%s has %d bytes, the values of %s are %d", s.options.Values, length, s.options.Size, want)
	}
	in := &given{in: bufio.NewReaderSize(file, 1<<20), sum: fnv.New64a(), points: s.points}
	if err := s.options.checkHeader(io.TeeReader(in.in, in.sum)); err != nil {
		return err
	}
	for rank := uint64(0); rank < boards && in.next(2) && s.going(rank, boards); rank++ {
		old := s.values.field(rank)
		e := entry(old).with(0, 0, in.value(0)).with(0, 1, in.value(1))
		s.values.replace(rank, old, uint32(e))
	}
	for slot := uint64(0); slot < bans && in.next(1); slot++ {
		s.koValues.replace(slot, s.koValues.field(slot), uint32(koEntry(0).with(0, in.value(0))))
	}
	sum := in.sum.Sum64()
	if s.team.ctx.Err() == nil && (!in.next(givenSum) || in.wrong || binary.LittleEndian.Uint64(in.bytes[:]) != sum) {
		return fmt.Errorf("cannot take the values from %s: %w", s.options.Values, wholefile.ErrAltered)
	}
	return nil
}

// going reports progress from time to time, and whether the build goes on.
func (s *solver) going(rank, boards uint64) bool {
	if rank%reportBoards != 0 {
		return true
	}
	s.report("values", float64(rank)/float64(boards))
	return s.team.ctx.Err() == nil
}

// given reads values.
type given struct {
	in     *bufio.Reader
	sum    hash.Hash64
	points int
	bytes  [givenSum]byte
	wrong  bool // a value is impossible on the board
}

// next reads the next bytes, and reports whether there are any.
func (g *given) next(n int) bool {
	if _, err := io.ReadFull(g.in, g.bytes[:n]); err != nil {
		g.wrong = true
		return false
	}
	_, _ = g.sum.Write(g.bytes[:n])
	return true
}

// value is that of a byte.
func (g *given) value(i int) int {
	v := int(g.bytes[i]) - offset
	if v < -g.points || v > g.points {
		g.wrong = true
		return 0
	}
	return v
}
