package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tengen/board"
	"tengen/internal/solver/retro"
	"tengen/internal/text"
	"tengen/internal/wholefile"
	"tengen/tablebase"
	"tengen/weiqi"
)

// TableRequest asks for a table of all positions of Go on a board.
type TableRequest struct {
	Size     board.Size
	Loops    Loops
	Distance bool
	Path     string // "" for the user's cache
	Limits
	files wholefile.Disk

	// Started is told what is about to be used, before it is taken.
	Started func(TablePlan)
	// Progress is called several times a second from the goroutine of the build.
	Progress func(TableProgress)
}

// TablePlan is what a build is going to use. Memory, Plain and Disk are estimates.
type TablePlan struct {
	Size    board.Size
	Path    string
	Memory  int64
	Plain   int64 // what a build that does not pack its values takes
	Limit   int64 // of the memory
	Disk    int64
	Threads int
	Resumed bool // there is work of an earlier run
	// Time is about what the build takes, measured on a small board before the start; 0
	// where it is a moment or cannot be told.
	Time time.Duration
}

// Packed says that values are packed, which is slow, because of the limit of memory.
func (p TablePlan) Packed() bool { return p.Memory < p.Plain }

// Loops says what a table knows about games without end.
type Loops uint8

// The kinds of tables.
const (
	LoopsDrawn Loops = iota // one score: endless games are draws
	LoopsRange              // two: endless games lost by the side to play, and won by it
)

func (l Loops) String() string { return tablebase.Loops(l).String() }

// TableHeader says what a table keeps.
type TableHeader struct {
	Size     board.Size
	Loops    Loops
	Distance bool   // the number of moves to the end is kept too
	Boards   uint64 // boards kept: one of each set of images and inverses
	Bans     uint64 // of these with a side to play and a ban of ko, so many
}

func headerOf(h tablebase.Header) TableHeader {
	return TableHeader{h.Size, Loops(h.Loops), h.Distance, h.Boards, h.Bans}
}

// TableReport is what a build has cost, over all runs that led to it.
type TableReport struct {
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

func reportOf(r retro.Report) TableReport {
	elapsed := time.Duration(r.Seconds * float64(time.Second))
	return TableReport{r.Boards, r.Bans, r.Visits, r.Changes, r.Sweeps, elapsed, r.Memory, r.Packed, r.Resumed}
}

// TableProgress is a report on the way.
type TableProgress struct {
	Phase         string        // boards, bans, values, distances, writing
	Stage, Stages int           // stages done, and all of them
	Swept         float64       // share of the present sweep that is done
	Share         float64       // of the whole build that is done, about
	Left          time.Duration // until its end, about; 0 if that is not known
	TableReport
}

// TableInfo describes a table and where it is.
type TableInfo struct {
	TableHeader
	Path      string
	Positions uint64 // legal boards that it stands for
	Bytes     int64
}

// BuildTable makes a table, or finds that it is there already; then the report is
// nil. What was stopped comes back as *Stopped; the same request goes on from there.
func BuildTable(ctx context.Context, request TableRequest) (TableInfo, *TableReport, error) {
	ctx, cancel := request.Limits.context(ctx)
	defer cancel()
	if request.Path == "" {
		request.Size = lying(request.Size)
	}
	plan, err := request.plan()
	if err != nil {
		return TableInfo{}, nil, err
	}
	if info, ok, err := request.existing(plan.Path); ok || err != nil {
		return info, nil, err
	}
	lock, err := wholefile.Acquire(plan.Path)
	if err != nil {
		return TableInfo{}, nil, fmt.Errorf("table: %w", err)
	}
	defer lock.Release()
	request.files.Clean(plan.Path)
	request.files.Clean(checkpointOf(plan.Path))
	// Whoever had the lock before may have built it.
	if info, ok, err := request.existing(plan.Path); ok || err != nil {
		return info, nil, err
	}
	report, err := request.build(ctx, plan)
	if err != nil {
		return TableInfo{}, &report, err
	}
	t, err := OpenTable(plan.Path)
	if err != nil {
		return TableInfo{}, &report, err
	}
	defer t.Close()
	info, err := t.Info()
	return info, &report, err
}

// estimate settles what the table takes, and refuses what cannot be had.
func (request TableRequest) estimate() (TablePlan, error) {
	if err := (tablebase.Header{Size: request.Size}).Validate(); err != nil {
		return TablePlan{}, err
	}
	limits, err := request.settle()
	if err != nil {
		return TablePlan{}, err
	}
	needs := retro.Need(request.options())
	plan := TablePlan{Size: request.Size, Path: request.Path, Memory: needs.Plain, Plain: needs.Plain, Limit: limits.Memory, Disk: request.disk(), Threads: limits.Threads}
	switch {
	case limits.Memory < needs.Least:
		return plan, request.tooMuch(needs.Least, limits.Memory)
	case needs.Packs(limits.Memory):
		plan.Memory = limits.Memory
	}
	return plan, nil
}

// plan settles besides where the table goes.
func (request TableRequest) plan() (TablePlan, error) {
	plan, err := request.estimate()
	if err != nil {
		return plan, err
	}
	if plan.Path == "" {
		if plan.Path, err = cachedTable(request.Size); err != nil {
			return plan, fmt.Errorf("%w: name a file", err)
		}
	}
	if err := request.files.Check("table", plan.Path, nil); err != nil {
		return plan, err
	}
	options := request.options()
	options.Checkpoint = checkpointOf(plan.Path)
	if err := checkRegular("checkpoint", options.Checkpoint); err != nil {
		return plan, err
	}
	plan.Resumed, err = options.Resumes()
	return plan, err
}

func (request TableRequest) options() retro.Options {
	options := retro.Options{
		Size: request.Size, Loops: tablebase.Loops(request.Loops), Distance: request.Distance,
		Threads: request.Threads, Disk: request.files,
	}
	if tell := request.Progress; tell != nil {
		options.Progress = func(p retro.Progress) {
			report, share := reportOf(p.Report), request.share(p)
			tell(TableProgress{p.Phase, p.Stage, p.Stages, p.Swept, share, left(share, report.Elapsed), report})
		}
	}
	return options
}

// tooMuch says what a table needs, and what a smaller one would.
func (request TableRequest) tooMuch(need, limit int64) error {
	smaller := request
	smaller.Loops, smaller.Distance = LoopsDrawn, false
	if least := retro.Need(smaller.options()).Least; least <= limit {
		return fmt.Errorf("a table of %s needs %s of memory at least and the limit is %s: raise it, or build one with loops drawn and without distances, which needs %s",
			request.Size, text.Bytes(need), text.Bytes(limit), text.Bytes(least))
	}
	return fmt.Errorf("a table of %s needs %s of memory at least and the limit is %s: raise it", request.Size, text.Bytes(need), text.Bytes(limit))
}

// disk estimates the size of the file from the bytes for a hundred sides of boards,
// as measured on boards of 12 to 16 points.
func (request TableRequest) disk() int64 {
	hundred := int64(45)
	if request.Loops == LoopsRange {
		hundred += 10
	}
	if request.Distance {
		hundred += 55
	}
	sides := weiqi.LegalPositions(request.Size).Int64() / int64(len(request.Size.Symmetries()))
	return 1<<10 + sides*hundred/100
}

// checkpointOf is where a build keeps unfinished work: beside its table.
func checkpointOf(path string) string { return path + ".ckpt" }

// existing finds the table that is asked for. In the cache one that knows more will
// do, and one that knows less is replaced; anything else is left alone.
func (request TableRequest) existing(path string) (TableInfo, bool, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return TableInfo{}, false, nil
	}
	t, err := OpenTable(path)
	if err != nil {
		return TableInfo{}, false, fmt.Errorf("%w: the file is in the way, remove it or choose another name", err)
	}
	defer t.Close()
	info, err := t.Info()
	if err != nil {
		return info, false, err
	}
	wanted := request.header()
	more, less := covers(info.TableHeader, wanted), covers(wanted, info.TableHeader)
	switch cached := request.Path == ""; {
	case more && (less || cached):
		return info, true, nil
	case less && cached:
		return info, false, nil
	}
	return info, false, fmt.Errorf("%s is another table, %s with loops %s and distances %v: remove it or choose another name", path, info.Size, info.Loops, info.Distance)
}

// header is that of the table as far as the request settles it.
func (request TableRequest) header() TableHeader {
	return TableHeader{Size: request.Size, Loops: request.Loops, Distance: request.Distance}
}

// covers reports whether a table tells all that another one does.
func covers(a, b TableHeader) bool {
	return a.Size == b.Size && (a.Loops == LoopsRange || b.Loops == LoopsDrawn) && (a.Distance || !b.Distance)
}

func (request TableRequest) build(ctx context.Context, plan TablePlan) (TableReport, error) {
	request.announce(ctx, plan)
	options := request.options()
	options.Threads, options.Memory, options.Checkpoint = plan.Threads, plan.Limit, checkpointOf(plan.Path)
	cost, err := retro.Build(ctx, plan.Path, options)
	return reportOf(cost), request.stopped(ctx, err, options.Checkpoint)
}

// announce tells who wants to know what is about to be used, and how long it takes.
func (request TableRequest) announce(ctx context.Context, plan TablePlan) {
	if request.Started != nil {
		plan.Time = request.duration(ctx, plan)
		request.Started(plan)
	}
}

// stopped tells a build that was stopped from one that failed.
func (request TableRequest) stopped(ctx context.Context, err error, checkpoint string) error {
	if ctx.Err() != nil && err != nil {
		err = ctx.Err()
	}
	if !isStop(err) && !errors.Is(err, retro.ErrMemory) {
		return err
	}
	stopped := &Stopped{Cause: err, Known: fmt.Sprintf("the table of %s is not finished", request.Size)}
	if _, err := os.Stat(checkpoint); err == nil {
		stopped.Checkpoint = checkpoint
	}
	return stopped
}

// buildInMemory makes a table that no file keeps.
func (request TableRequest) buildInMemory(ctx context.Context) (*Table, retro.Report, error) {
	ctx, cancel := request.Limits.context(ctx)
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
	if err != nil {
		return nil, report, err
	}
	return &Table{t}, report, nil
}

// cachedTable is where the table of a board, lying, is kept for the user, in a
// directory that is made if need be.
func cachedTable(size board.Size) (string, error) {
	size = lying(size)
	dir, err := os.UserCacheDir()
	if err == nil {
		dir = filepath.Join(dir, "tengen")
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return "", fmt.Errorf("no place for the table of %s in the user's cache: %w", size, err)
	}
	return filepath.Join(dir, fmt.Sprintf("go-%s.table", size)), nil
}

// Table is an open table of Go.
type Table struct {
	table *tablebase.Table
}

// checkRegular refuses to read what would block, such as a pipe.
func checkRegular(what, path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s %s is not a regular file", what, path)
	}
	return nil
}

// TableMagic is how the file of a table begins.
const TableMagic = tablebase.Magic

// OpenTable opens a file.
func OpenTable(path string) (*Table, error) {
	if err := checkRegular("table", path); err != nil {
		return nil, err
	}
	t, err := tablebase.Open(path, 0)
	if err != nil {
		return nil, err
	}
	return &Table{t}, nil
}

// Close gives the file back.
func (t *Table) Close() { _ = t.table.Close() }

// Header tells what the table is of.
func (t *Table) Header() TableHeader { return headerOf(t.table.Header()) }

// Info describes the table.
func (t *Table) Info() (TableInfo, error) {
	file, err := os.Stat(t.table.Path())
	if err != nil {
		return TableInfo{}, err
	}
	header := t.Header()
	return TableInfo{header, t.table.Path(), weiqi.LegalPositions(header.Size).Uint64(), file.Size()}, nil
}

// Checksum compares the whole file with the sum at its end, and returns the SHA-256
// of the file, as other programs compute it.
func (t *Table) Checksum(ctx context.Context) (string, error) {
	if err := t.table.CheckSum(ctx); err != nil {
		return "", err
	}
	file, err := os.Open(t.table.Path())
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// TableCheck says how much of a table to verify.
type TableCheck struct {
	Sample uint64 // boards, about; 0 for all
	Seed   uint64 // of the choice
	Limits
	// Started is told what is about to be used, before it is taken.
	Started func(TableCheckPlan)
	// Progress is called now and then with the share that is done.
	Progress func(share float64)
}

// TableCheckPlan is what a verification is going to use at most. With all values at
// hand Enough is true; with less memory than Wanted it is far slower.
type TableCheckPlan struct {
	Memory, Wanted int64
	Enough         bool
	Threads        int
}

// TableVerdict is the result of a verification.
type TableVerdict struct {
	Boards, Bans uint64 // checked
	Positions    uint64 // legal boards they stand for
	Complete     bool   // every legal board of the size was among them
	Failure      error  // nil if everything that was looked at is right
}

// Verify re-derives values by the rules alone. The error is for a file that is
// damaged and for a check that was stopped; a wrong value is a failure.
func (t *Table) Verify(ctx context.Context, check TableCheck) (TableVerdict, error) {
	limits, err := check.settle()
	if err != nil {
		return TableVerdict{}, err
	}
	ctx, cancel := limits.context(ctx)
	defer cancel()
	how := tablebase.Verification{Seed: check.Seed, Threads: limits.Threads, Memory: limits.Memory, Progress: oneAtATime(check.Progress)}
	if wanted := t.table.VerifyMemory(); check.Started != nil {
		plan := TableCheckPlan{min(limits.Memory, wanted), wanted, wanted <= limits.Memory, limits.Threads}
		how.Started = func() { check.Started(plan) }
	}
	if boards := t.table.Header().Boards; check.Sample > 0 && check.Sample < boards {
		how.Sample = float64(check.Sample) / float64(boards)
	}
	v, err := t.table.Verify(ctx, how)
	verdict := TableVerdict{Boards: v.Boards, Bans: v.Bans, Positions: v.Positions, Complete: v.Complete}
	if wrong := (*tablebase.Wrong)(nil); errors.As(err, &wrong) {
		verdict.Failure = wrong
		return verdict, nil
	}
	return verdict, stoppedTable(ctx, err)
}

// oneAtATime turns counts that come from many goroutines into shares for one.
func oneAtATime(tell func(share float64)) func(done, all int) {
	if tell == nil {
		return nil
	}
	var mutex sync.Mutex
	return func(done, all int) {
		mutex.Lock()
		defer mutex.Unlock()
		tell(float64(done) / float64(all))
	}
}

// TableStats counts results for the side to play, over all legal boards without a ban
// and without a pass before.
type TableStats struct {
	Positions           uint64
	Wins, Draws, Losses uint64
	Histogram           map[int]uint64 // positions for each score
	LoopsMatter         uint64         // positions whose score depends on the rule for loops, in tables of LoopsRange
	Longest             int            // the largest distance
}

// Stats counts results over all legal boards, for the side to play.
func (t *Table) Stats(ctx context.Context) (TableStats, error) {
	stats, err := t.table.Stats(ctx)
	return TableStats(stats), stoppedTable(ctx, err)
}

// stoppedTable tells an error apart that only says that the context has ended.
func stoppedTable(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return &Stopped{Cause: ctx.Err(), Known: "the table has not been read to its end"}
}
