package table

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/text"
	"tengen/internal/wholefile"
	"tengen/tablebase"
)

// QuickPoints is the largest board whose table is built without being asked for: it
// takes less than a minute.
const QuickPoints = 16

// Missing is the error of a question about a board whose table would take long to
// build and is not there.
type Missing struct{ Plan }

func (e *Missing) Error() string {
	return fmt.Sprintf("there is no table of %s yet, and building it takes long, about %s of memory and %s on disk", e.Size, text.Bytes(e.Memory), text.Bytes(e.Disk))
}

// CachePath is the file of the table of a board in the user's cache. It creates the directory.
// Both orientations of a board have one file.
func CachePath(size board.Size) (string, error) {
	size = size.Lying()
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

// Wanted asks for the table of a board, in either orientation.
type Wanted struct {
	Size board.Size
	// Path is the file; job.Cache for the one in the user's cache, or "" for none. Without
	// a file, and where the cache has none, the table of a board of up to QuickPoints points
	// is built, in memory or in the cache.
	Path string
	// Long says that a larger table may be built too, and Fit that a table which keeps
	// less will do if there is too little memory for all that one can tell.
	Long, Fit bool
	job.Limits
	// Started is called with the plan of a build, and Progress with its state.
	Started  func(Plan)
	Progress func(Progress)

	files wholefile.Disk
}

// Opened is a table and the cost of getting it.
type Opened struct {
	*tablebase.Table
	Path     string // "" if no file keeps it
	Visits   uint64 // positions evaluated to build it; 0 if it was there
	Memory   int64  // bytes held at once to build it
	Warnings []string
}

// Open finds a table or builds it. The error is *Missing if it does not exist and takes long
// to build.
func Open(ctx context.Context, w Wanted) (opened Opened, err error) {
	switch w.Path {
	case "":
		opened.Table, err = w.inMemory(ctx, &opened)
	case job.Cache:
		opened.Table, err = w.cached(ctx, &opened)
	default:
		opened.Path = w.Path
		if opened.Table, err = tablebase.Open(w.Path, 0); err != nil {
			break
		}
		if size := opened.Header().Size; size.Lying() != w.Size.Lying() {
			opened.Close()
			err = fmt.Errorf("%s is the table of %s, the game is on %s", w.Path, size, w.Size)
		}
	}
	return opened, err
}

// cached finds the table in the user's cache, or builds it there.
func (w Wanted) cached(ctx context.Context, opened *Opened) (*tablebase.Table, error) {
	path, err := CachePath(w.Size)
	if err != nil {
		return w.withoutCache(ctx, err, opened)
	}
	opened.Path = path
	t, err := tablebase.Open(path, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w.buildInCache(ctx, opened)
	case err != nil:
		return nil, fmt.Errorf("%w: remove it and it is built anew", err)
	}
	if size := t.Header().Size; size != w.Size.Lying() {
		t.Close()
		return nil, fmt.Errorf("%s is a table of %s: remove it and the right one is built", path, size)
	}
	if full := w.request(); full.Size.Points() <= QuickPoints && !covers(t.Header(), full.header()) {
		if _, err := full.plan(); err == nil {
			t.Close()
			return w.buildInCache(ctx, opened)
		}
	}
	return t, nil
}

// buildInCache builds the table there, and elsewhere if it cannot be kept.
func (w Wanted) buildInCache(ctx context.Context, opened *Opened) (*tablebase.Table, error) {
	if err := w.quick(); err != nil {
		return nil, err
	}
	info, report, err := Build(ctx, w.request())
	if report != nil {
		opened.Visits, opened.Memory = report.Visits, report.Memory
	}
	var disk *fs.PathError
	var held *wholefile.Held
	switch {
	case ctx.Err() == nil && (errors.As(err, &disk) || errors.As(err, &held)):
		return w.withoutCache(ctx, err, opened)
	case err != nil:
		return nil, err
	}
	return tablebase.Open(info.Path, 0)
}

// withoutCache builds the table in memory: a question is answered without a cache too.
func (w Wanted) withoutCache(ctx context.Context, why error, opened *Opened) (*tablebase.Table, error) {
	opened.Path = ""
	opened.Warnings = append(opened.Warnings, fmt.Sprintf("the table is not kept: %v", why))
	return w.inMemory(ctx, opened)
}

func (w Wanted) inMemory(ctx context.Context, opened *Opened) (*tablebase.Table, error) {
	if err := w.quick(); err != nil {
		return nil, err
	}
	t, report, err := w.request().buildInMemory(ctx)
	opened.Visits, opened.Memory = report.Visits, report.Memory
	return t, err
}

// request asks for the table of the board in the user's cache, with all data.
func (w Wanted) request() Request {
	full := Request{
		Size: w.Size.Lying(), Loops: tablebase.Range, Distance: true, Path: job.Cache, files: w.files,
		Limits: w.Limits, Started: w.Started, Progress: w.Progress,
	}
	if !w.Fit {
		return full
	}
	less := full
	for _, kind := range []tablebase.Header{{Loops: tablebase.Range, Distance: true}, {Loops: tablebase.Drawn, Distance: true}, {Loops: tablebase.Drawn}} {
		less.Loops, less.Distance = kind.Loops, kind.Distance
		if _, err := less.plan(); err == nil { // there is memory, and no unfinished work on another kind
			return less
		}
	}
	return full // its error says what is missing
}

// quick refuses a table that takes long to build.
func (w Wanted) quick() error {
	build := w.request()
	if w.Long || build.Size.Points() <= QuickPoints {
		return nil
	}
	plan, err := build.estimate()
	if plan.Memory == 0 {
		return err
	}
	return &Missing{plan} // with more memory too
}
