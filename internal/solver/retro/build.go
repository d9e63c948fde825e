// Package retro solves Go on small boards strongly: it finds the value of every
// position under basic ko by retrograde analysis and writes a table of them.
//
// It keeps every board once with all its images and inverses. Each takes one byte per
// side to play and loop rule in memory, beside an index of one bit per code. Only the
// value of the best stone is stored: the value of a pass follows from it. Values start
// at the result of an endless game and move until nothing changes. A board is evaluated
// again only if a value that it may depend on has changed. docs/retrograde.md proves
// every step.
package retro

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"tengen/board"
	"tengen/internal/wholefile"
	"tengen/tablebase"
)

// Options choose what is built and how.
type Options struct {
	Size     board.Size
	Loops    tablebase.Loops
	Distance bool
	// Threads is the number of threads; 0 means one for each core.
	Threads int
	// Memory is the limit in bytes for the whole process; 0 means none. If the values
	// do not fit, they are packed.
	Memory int64
	// Checkpoint is a file to which the work is saved and from which it is resumed. It
	// is saved first after a few seconds, then at intervals of Every, and when the
	// context ends. It is removed at the end.
	Checkpoint string
	Every      time.Duration
	// Values, if set, is a file from which the values are taken instead of finding them, as
	// docs/checker/area.cu writes it. Checkpoint is for values that are found.
	Values string
	// Disk is the disk to which the table and the checkpoint are written.
	Disk wholefile.Disk
	// Progress, if set, is called several times a second while values are found.
	Progress func(Progress)
}

// Report is the cost of a build, over all runs that led to it.
type Report struct {
	Boards  uint64 // kept: one of each set of images and inverses
	Bans    uint64 // boards with a ban
	Visits  uint64 // evaluations of one side of a board
	Changes uint64 // evaluations that changed something
	Sweeps  int
	Seconds float64
	Memory  int64 // bytes held at once
	Packed  bool  // values were packed to fit
	Resumed bool  // from a checkpoint
}

// Progress is the state of a running build.
type Progress struct {
	Phase         string  // boards, bans, values, distances, writing
	Stage, Stages int     // stages done, and their total number
	Swept         float64 // share of the present sweep that is done
	Report
}

// firstSave is the time to the first save. defaultEvery is the time between later saves
// if the options do not set it. Saves that take long come less often: all threads wait
// for them, for at most one part in saveShare of the time.
const (
	firstSave    = 5 * time.Second
	defaultEvery = 30 * time.Second
	saveShare    = 10
)

// Build solves a board and writes the table to path. If the context ends first, it
// saves its work if there is a checkpoint, and returns the context's error. It does the
// same with ErrMemory if the values take more packed memory than Need expects.
func Build(ctx context.Context, path string, o Options) (Report, error) {
	if err := o.prepare(); err != nil {
		return Report{}, err
	}
	for _, file := range []string{path, o.Checkpoint} {
		if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
			return Report{}, fmt.Errorf("cannot write %s: there is no directory %s", file, filepath.Dir(file))
		}
	}
	report, err := o.run(ctx, func(s *solver) error { return s.finish(path) })
	if err == nil && o.Checkpoint != "" {
		if err := o.Disk.Remove(o.Checkpoint); err != nil && !errors.Is(err, os.ErrNotExist) {
			return report, fmt.Errorf("the table is written, but its checkpoint cannot be removed: %w", err)
		}
	}
	return report, err
}

// Write solves a board and writes the table, without a checkpoint.
func Write(ctx context.Context, out io.Writer, o Options) (Report, error) {
	o.Checkpoint = ""
	if err := o.prepare(); err != nil {
		return Report{}, err
	}
	return o.run(ctx, func(s *solver) error { return s.write(out) })
}

// run solves the board and calls write for the result.
func (o Options) run(ctx context.Context, write func(*solver) error) (Report, error) {
	s, err := newSolver(ctx, o)
	defer s.free()
	if err == nil {
		err = s.fill()
	}
	if err == nil {
		err = write(s)
	}
	return s.work(), err
}

// fill takes the values from a file, or finds them, from the checkpoint if there is one.
func (s *solver) fill() error {
	if s.options.Values != "" {
		return s.take()
	}
	if s.options.Checkpoint != "" {
		if err := s.load(); err != nil {
			return err
		}
	}
	return s.solve()
}

// prepare fills in defaults and returns an error for options that cannot be built.
func (o *Options) prepare() error {
	if err := (tablebase.Header{Size: o.Size}).Validate(); err != nil {
		return err
	}
	if o.Values != "" {
		if err := o.CheckValues(); err != nil {
			return err
		}
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Every == 0 {
		o.Every = defaultEvery
	}
	if need := Need(*o).Least; o.Memory > 0 && need > o.Memory {
		return tooMuch(*o, need)
	}
	return nil
}

// finish writes the table, or saves the work if that fails.
func (s *solver) finish(path string) error {
	err := s.options.Disk.Stream(path, s.write)
	if err != nil && s.team.ctx.Err() == nil {
		err = fmt.Errorf("cannot write the table: %w", err)
	}
	if err == nil || s.options.Checkpoint == "" {
		return err
	}
	if lost := s.save(); lost != nil {
		return stopped(err, lost)
	}
	return fmt.Errorf("%w; the work is saved in %s, from which the same build goes on", err, s.options.Checkpoint)
}

// reportBoards is the number of boards between reports while they are read or written.
const reportBoards = 1 << 20

// write writes every board to the table in ascending order.
func (s *solver) write(out io.Writer) error {
	w, err := tablebase.NewWriter(out, tablebase.Header{
		Size: s.options.Size, Loops: s.options.Loops, Distance: s.options.Distance,
		Boards: s.index.boards, Bans: uint64(len(s.directory.keys)),
	})
	if err != nil {
		return err
	}
	var kos []koState
	for code, rank := range s.index.all() {
		if rank%reportBoards == 0 {
			s.report("writing", float64(rank)/float64(s.index.boards))
		}
		kos = s.directory.of(rank, kos[:0])
		if err := cmp.Or(s.team.ctx.Err(), s.writeBoard(w, code, rank, kos)); err != nil {
			return err
		}
	}
	return w.Close()
}

func (s *solver) writeBoard(w *tablebase.Writer, code, rank uint64, kos []koState) error {
	b := tablebase.Board{Code: code}
	e := entry(s.values.field(rank))
	for plane := range s.planes {
		b.Values[plane] = [2]int8{int8(e.value(plane, 0)), int8(e.value(plane, 1))}
	}
	if s.options.Distance {
		far := farEntry(s.far.field(rank))
		for plane := range s.planes {
			b.Distance[plane] = [2]uint8{far.at(farPlace(plane, 0)), far.at(farPlace(plane, 1))}
		}
	}
	if err := w.Add(b); err != nil {
		return err
	}
	for _, k := range kos {
		ban := tablebase.Ban{Code: code, Side: k.side(), Digit: k.digit()}
		e := koEntry(s.koValues.field(k.slot))
		for plane := range s.planes {
			ban.Values[plane] = int8(e.value(plane))
		}
		if s.options.Distance {
			far := farEntry(s.koFar.field(k.slot))
			ban.Distance = [2]uint8{far.at(0), far.at(1)}
		}
		if err := w.AddBan(ban); err != nil {
			return err
		}
	}
	return nil
}
