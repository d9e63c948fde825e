// Package table builds, finds and probes tables of Go: strong solutions of small boards
// under basic ko, with the score of every position. Package tablebase reads, checks and
// counts what is in the files.
package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/solver/retro"
	"tengen/internal/text"
	"tengen/internal/wholefile"
	"tengen/tablebase"
	"tengen/weiqi"
)

// Request asks for a table of all positions of Go on a board.
type Request struct {
	Size     board.Size
	Loops    tablebase.Loops
	Distance bool
	Path     string // job.Cache for the user's cache
	// Values, if set, is a file from which the values are taken instead of finding them, as
	// docs/checker/area.cu writes it. The loops must be drawn, and there are no distances.
	Values string
	job.Limits
	files wholefile.Disk

	// Started is called with the plan before memory is taken.
	Started func(Plan)
	// Progress is called several times a second from the goroutine of the build.
	Progress func(Progress)
}

// Plan says what a build will use. Memory, Plain and Disk are estimates.
type Plan struct {
	Size    board.Size
	Path    string
	Memory  int64
	Plain   int64 // what a build that does not pack its values takes
	Limit   int64 // of the memory
	Disk    int64
	Threads int
	Resumed bool // there is work of an earlier run
	// Time is the expected duration, measured on a small board before the start. It is 0 if
	// that is a moment or not known.
	Time time.Duration
}

// Packed says that values are packed, which is slow, because of the limit of memory.
func (p Plan) Packed() bool { return p.Memory < p.Plain }

// Report is the cost of a build, over all runs that led to it.
type Report struct {
	Boards  uint64 // kept
	Bans    uint64 // boards with a ban of ko
	Visits  uint64 // evaluations of one side of a board
	Changes uint64 // evaluations that changed something
	Sweeps  int
	Elapsed time.Duration
	Memory  int64 // bytes held at once
	Packed  bool  // values were packed to fit
	Resumed bool  // from a checkpoint
}

func reportOf(r retro.Report) Report {
	elapsed := time.Duration(r.Seconds * float64(time.Second))
	return Report{r.Boards, r.Bans, r.Visits, r.Changes, r.Sweeps, elapsed, r.Memory, r.Packed, r.Resumed}
}

// Progress is the state of a build.
type Progress struct {
	Phase         string        // boards, bans, values, distances, writing
	Stage, Stages int           // stages done, and all of them
	Swept         float64       // share of the present sweep that is done
	Share         float64       // of the whole build that is done, about
	Left          time.Duration // until its end, about; 0 if that is not known
	Report
}

// Info describes a table and where it is.
type Info struct {
	tablebase.Header
	Path      string
	Positions uint64 // legal boards that it stands for
	Bytes     int64
}

// Build makes a table. If it exists already, the report is nil. If the build is stopped, the
// error is *job.Stopped, and the same request continues it.
func Build(ctx context.Context, request Request) (Info, *Report, error) {
	ctx, cancel := request.Limits.Context(ctx)
	defer cancel()
	if request.Path == job.Cache {
		request.Size = request.Size.Lying()
	}
	plan, err := request.plan()
	if err != nil {
		return Info{}, nil, err
	}
	if info, ok, err := request.existing(plan.Path); ok || err != nil {
		return info, nil, err
	}
	lock, err := wholefile.Acquire(plan.Path)
	if err != nil {
		return Info{}, nil, fmt.Errorf("table: %w", err)
	}
	defer lock.Release()
	request.files.Clean(plan.Path)
	request.files.Clean(checkpointOf(plan.Path))
	// Another program may have built it while it held the lock.
	if info, ok, err := request.existing(plan.Path); ok || err != nil {
		return info, nil, err
	}
	report, err := request.build(ctx, plan)
	if err != nil {
		return Info{}, &report, err
	}
	t, err := tablebase.Open(plan.Path, 0)
	if err != nil {
		return Info{}, &report, err
	}
	defer t.Close()
	info, err := Describe(t)
	return info, &report, err
}

// estimate plans memory and disk, and refuses a table that does not fit.
func (request Request) estimate() (Plan, error) {
	if err := (tablebase.Header{Size: request.Size}).Validate(); err != nil {
		return Plan{}, err
	}
	limits, err := request.Settle()
	if err != nil {
		return Plan{}, err
	}
	needs := retro.Need(request.options())
	plan := Plan{Size: request.Size, Path: request.Path, Memory: needs.Plain, Plain: needs.Plain, Limit: limits.Memory, Disk: request.disk(), Threads: limits.Threads}
	switch {
	case limits.Memory < needs.Least:
		return plan, request.tooLarge(needs.Least, limits.Memory)
	case needs.Packs(limits.Memory):
		plan.Memory = limits.Memory
	}
	return plan, nil
}

// plan also settles the path of the table.
func (request Request) plan() (Plan, error) {
	plan, err := request.estimate()
	if err != nil {
		return plan, err
	}
	switch plan.Path {
	case "":
		return plan, errors.New("a table needs a file to be built in")
	case job.Cache:
		if plan.Path, err = CachePath(request.Size); err != nil {
			return plan, fmt.Errorf("%w: name a file", err)
		}
	}
	if err := request.files.Check("table", plan.Path, nil); err != nil {
		return plan, err
	}
	options := request.options()
	if options.Values != "" {
		return plan, options.CheckValues()
	}
	options.Checkpoint = checkpointOf(plan.Path)
	if err := wholefile.CheckRegular("checkpoint", options.Checkpoint); err != nil {
		return plan, err
	}
	plan.Resumed, err = options.Resumes()
	return plan, err
}

func (request Request) options() retro.Options {
	options := retro.Options{
		Size: request.Size, Loops: request.Loops, Distance: request.Distance,
		Threads: request.Threads, Values: request.Values, Disk: request.files,
	}
	if tell := request.Progress; tell != nil {
		options.Progress = func(p retro.Progress) {
			report, share := reportOf(p.Report), request.share(p)
			tell(Progress{p.Phase, p.Stage, p.Stages, p.Swept, share, left(share, report.Elapsed), report})
		}
	}
	return options
}

// TooLarge is the error of a table that the memory cannot hold.
type TooLarge struct {
	Size        board.Size
	Need, Limit int64
	// Smaller is what a table with loops drawn and without distances needs; 0 if that does
	// not fit either.
	Smaller int64
}

func (e *TooLarge) Error() string {
	message := fmt.Sprintf("a table of %s needs %s of memory at least and the limit is %s: raise it", e.Size, text.Bytes(e.Need), text.Bytes(e.Limit))
	if e.Smaller != 0 {
		message += ", or build one with loops drawn and without distances, which needs " + text.Bytes(e.Smaller)
	}
	return message
}

// tooLarge is the error with the memory that this table and a smaller one need.
func (request Request) tooLarge(need, limit int64) error {
	e := &TooLarge{Size: request.Size, Need: need, Limit: limit}
	smaller := request
	smaller.Loops, smaller.Distance = tablebase.Drawn, false
	if least := retro.Need(smaller.options()).Least; least <= limit {
		e.Smaller = least
	}
	return e
}

// disk estimates the size of the file from the bytes for a hundred sides of boards,
// as measured on boards of 14 to 16 points.
func (request Request) disk() int64 {
	hundred := [2][2]int64{{45, 100}, {55, 125}}[request.Loops] // without and with distances
	each := hundred[0]
	if request.Distance {
		each = hundred[1]
	}
	sides := weiqi.LegalPositions(request.Size).Int64() / int64(len(request.Size.Symmetries()))
	return 1<<10 + sides*each/100
}

// checkpointOf is where a build keeps unfinished work: beside its table.
func checkpointOf(path string) string { return path + ".ckpt" }

// existing finds the table of a request. In the cache, a table with more data serves as well,
// and one with less is replaced. Other files are not touched.
func (request Request) existing(path string) (Info, bool, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return Info{}, false, nil
	}
	t, err := tablebase.Open(path, 0)
	if err != nil {
		return Info{}, false, fmt.Errorf("%w: the file is in the way, remove it or choose another name", err)
	}
	defer t.Close()
	info, err := Describe(t)
	if err != nil {
		return info, false, err
	}
	wanted := request.header()
	more, less := covers(info.Header, wanted), covers(wanted, info.Header)
	switch cached := request.Path == job.Cache; {
	case more && (less || cached):
		return info, true, nil
	case less && cached:
		return info, false, nil
	}
	return info, false, fmt.Errorf("%s is another table, %s with loops %s and distances %v: remove it or choose another name", path, info.Size, info.Loops, info.Distance)
}

// header is that of the table as far as the request settles it.
func (request Request) header() tablebase.Header {
	return tablebase.Header{Size: request.Size, Loops: request.Loops, Distance: request.Distance}
}

// covers reports whether a table has all the data of another one.
func covers(a, b tablebase.Header) bool {
	return a.Size == b.Size && (a.Loops == tablebase.Range || b.Loops == tablebase.Drawn) && (a.Distance || !b.Distance)
}

func (request Request) build(ctx context.Context, plan Plan) (Report, error) {
	request.announce(ctx, plan)
	options := request.options()
	options.Threads, options.Memory = plan.Threads, plan.Limit
	if options.Values == "" {
		options.Checkpoint = checkpointOf(plan.Path)
	}
	cost, err := retro.Build(ctx, plan.Path, options)
	return reportOf(cost), request.stopped(ctx, err, options.Checkpoint)
}

// announce calls Started with the plan and the expected time.
func (request Request) announce(ctx context.Context, plan Plan) {
	if request.Started != nil {
		plan.Time = request.duration(ctx, plan)
		request.Started(plan)
	}
}

// stopped makes the error of a build that was stopped, and passes others on.
func (request Request) stopped(ctx context.Context, err error, checkpoint string) error {
	if ctx.Err() != nil && err != nil {
		err = ctx.Err()
	}
	if !job.IsStop(err) && !errors.Is(err, retro.ErrMemory) {
		return err
	}
	stopped := &job.Stopped{Cause: err, Known: fmt.Sprintf("the table of %s is not finished", request.Size)}
	if _, err := os.Stat(checkpoint); err == nil {
		stopped.Checkpoint = checkpoint
	}
	return stopped
}

// buildInMemory makes a table that no file keeps.
func (request Request) buildInMemory(ctx context.Context) (*tablebase.Table, retro.Report, error) {
	ctx, cancel := request.Limits.Context(ctx)
	defer cancel()
	plan, err := request.estimate()
	if err != nil {
		return nil, retro.Report{}, err
	}
	request.announce(ctx, plan)
	options := request.options()
	options.Threads, options.Memory = plan.Threads, plan.Limit
	var file bytes.Buffer
	report, err := retro.Write(ctx, &file, options)
	if err != nil {
		return nil, report, request.stopped(ctx, err, "")
	}
	t, err := tablebase.New(bytes.NewReader(file.Bytes()), int64(file.Len()), 0)
	return t, report, err
}

// Describe describes a table and where it is.
func Describe(t *tablebase.Table) (Info, error) {
	file, err := os.Stat(t.Path())
	if err != nil {
		return Info{}, err
	}
	header := t.Header()
	return Info{header, t.Path(), weiqi.LegalPositions(header.Size).Uint64(), file.Size()}, nil
}
