package value

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"tengen/cgt"
	"tengen/engine/job"
	"tengen/internal/method"
	"tengen/internal/strip"
	"tengen/internal/wholefile"
)

// StripsRequest asks for a database of strips.
type StripsRequest struct {
	Max      int    // most points of strips with bounds and outcome classes
	Simplest int    // most points of strips with values and simplest equal games
	Path     string // job.Cache for the user's cache
	job.Limits
	files wholefile.Disk
	// Started is called with the limit of memory before any is taken.
	Started func(memory int64)
	// Progress is called a few times a second from another goroutine, with the name of the
	// section being made and its entries, done and in all.
	Progress func(section string, done, total uint64)
	// Layer, if it is set, makes the bounds of strips with one point more than the layers
	// below.
	Layer func(ctx context.Context, below [][]byte) ([]byte, error)
}

// StripsInfo describes a database of strips and where it is.
type StripsInfo struct {
	Max      int    // points up to which it has bounds and outcome classes
	Simplest int    // points up to which it has values and simplest equal games
	Strips   uint64 // number of strips with bounds
	Games    int    // number of canonical forms
	Bytes    int    // size of the file
	SHA256   string // of all but the end, in hexadecimal
	Path     string // "" if it is in memory only
}

func infoOf(i strip.Info, path string) StripsInfo {
	return StripsInfo{i.Max, i.Simplest, i.Strips, i.Games, i.Bytes, i.SHA256, path}
}

// BuildStrips makes a database, or reports that it exists. If the build is stopped, the error is
// *job.Stopped, and the same request continues it.
func BuildStrips(ctx context.Context, request StripsRequest) (info StripsInfo, built bool, err error) {
	limits, err := request.Settle()
	if err != nil {
		return StripsInfo{}, false, err
	}
	path, err := request.target()
	if err != nil {
		return StripsInfo{}, false, err
	}
	if info, ok, err := request.existing(path); ok || err != nil {
		return info, false, err
	}
	options := strip.Options{Max: request.Max, Simplest: request.Simplest, Threads: limits.Threads, Memory: limits.Memory, Disk: request.files, Layer: request.Layer}
	if report := request.Progress; report != nil {
		options.Progress = func(p strip.Progress) { report(p.Section, p.Done, p.Total) }
	}
	if err := options.Check(); err != nil {
		return StripsInfo{}, false, err
	}
	if request.Started != nil {
		request.Started(limits.Memory)
	}
	unfinished := func() string { return "the database is not finished" }
	err = job.Run(ctx, limits, unfinished, func(ctx context.Context, _ *job.Work) error {
		err := strip.Build(ctx, path, options)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	})
	if err != nil {
		return StripsInfo{}, false, err
	}
	db, err := OpenStrips(ctx, path)
	if err != nil {
		return StripsInfo{}, true, err
	}
	defer db.Close()
	return db.Info(), true, nil
}

// target is the path of the database. It is checked before any work.
func (request StripsRequest) target() (string, error) {
	path := request.Path
	switch path {
	case "":
		return "", errors.New("a database of strips needs a file")
	case job.Cache:
		var err error
		if path, err = strip.CachePath(request.Max, request.Simplest); err != nil {
			return "", fmt.Errorf("%w: name a file", err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", fmt.Errorf("the user's cache: %w: name a file", err)
		}
	}
	return path, request.files.Check("database", path, nil)
}

// existing finds the database of the request. It refuses any other file at its path.
func (request StripsRequest) existing(path string) (StripsInfo, bool, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return StripsInfo{}, false, nil
	}
	db, err := strip.Open(path)
	if err != nil {
		return StripsInfo{}, false, fmt.Errorf("%w: the file is in the way, remove it or choose another name", err)
	}
	defer db.Close()
	info := infoOf(db.Info(), path)
	if info.Max != request.Max || info.Simplest != request.Simplest {
		return StripsInfo{}, false, fmt.Errorf("%s is a database of strips of %d and %d points: remove it or choose another name", path, info.Max, info.Simplest)
	}
	return info, true, nil
}

// Strips is an open database of strips.
type Strips struct {
	db   *strip.DB // nil once it is closed
	info StripsInfo
}

var errStripsClosed = errors.New("the database of strips is closed")

// OpenStrips opens a file, or with job.Cache the largest database in the user's cache; if
// there is none a small one is built there.
func OpenStrips(ctx context.Context, path string) (*Strips, error) {
	switch path {
	case "":
		return nil, errors.New("a database of strips needs a file")
	case job.Cache:
		db, err := method.OpenStrips(ctx, path)
		if err != nil {
			return nil, err
		}
		return &Strips{db, infoOf(db.Info(), cached(db.Info()))}, nil
	}
	if err := wholefile.CheckRegular("database", path); err != nil {
		return nil, err
	}
	db, err := strip.Open(path)
	if err != nil {
		return nil, err
	}
	return &Strips{db, infoOf(db.Info(), path)}, nil
}

// PrepareStrips builds the database of strips in the user's cache if there is none, so
// that no question has to wait for it.
func PrepareStrips(ctx context.Context) error {
	db, err := OpenStrips(ctx, job.Cache)
	if err == nil {
		db.Close()
	}
	return err
}

// cached is the path of a database in the user's cache, if it could be kept.
func cached(info strip.Info) string {
	path, err := strip.CachePath(info.Max, info.Simplest)
	if err != nil {
		return ""
	}
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// Close gives the memory back.
func (s *Strips) Close() {
	if s.db != nil {
		s.db.Close()
		s.db = nil
	}
}

// Info describes the database.
func (s *Strips) Info() StripsInfo { return s.info }

// Verify compares the whole file with the checksum at its end.
func (s *Strips) Verify(ctx context.Context) error {
	if s.db == nil {
		return errStripsClosed
	}
	if err := s.db.Verify(ctx); err != nil {
		return fmt.Errorf("%s: %w", s.info.Path, err)
	}
	return nil
}

// StripEntry is the entry of a strip in a database.
type StripEntry struct {
	Strip     Strip
	Code      uint64 // stones as digits to the base 3
	Before    uint64 // strips that come before it in the order
	Outcome   cgt.Outcome
	Low, High int // the largest integer that it is ≥, the smallest that it is ≤

	Valued    bool  // the rest is known
	Simplest  Strip // the first strip that is equal
	Canonical string
}

// Lookup finds a strip.
func (s *Strips) Lookup(ctx context.Context, of Strip) (StripEntry, error) {
	if s.db == nil {
		return StripEntry{}, errStripsClosed
	}
	x := of.strip
	bounds, ok := s.db.Bounds(x)
	if !ok {
		return StripEntry{}, fmt.Errorf("%s has %d points and the database only strips with up to %d: a larger one must be built first", x, x.Points(), s.db.Info().Max)
	}
	entry := StripEntry{Strip: of, Outcome: bounds.Outcome(), Low: bounds.Low, High: bounds.High}
	entry.Code, _ = x.Code()
	entry.Before = entry.Code
	for n := 1; n < x.Points(); n++ {
		entry.Before += strip.Count(n)
	}
	number, ok := s.db.Value(x)
	if !ok {
		return entry, nil
	}
	forms, err := s.forms(ctx)
	if err != nil {
		return entry, err
	}
	entry.Valued = true
	entry.Simplest.strip, _ = s.db.Simplest(x)
	entry.Canonical = forms(number)
	return entry, nil
}

// FrequentValue is a frequent value of strips. Its negative is equally frequent and is not
// listed again.
type FrequentValue struct {
	Simplest  Strip // the first of them
	Canonical string
	Count     int
}

// Frequent lists the most frequent values of strips with up to a number of points, at most
// count of them.
func (s *Strips) Frequent(ctx context.Context, points, count int) ([]FrequentValue, error) {
	if s.db == nil {
		return nil, errStripsClosed
	}
	if count < 0 {
		return nil, fmt.Errorf("%d values cannot be listed", count)
	}
	if most := s.db.Info().Simplest; points < 1 || points > most {
		return nil, fmt.Errorf("the database has values of strips with up to %d points, not %d", most, points)
	}
	forms, err := s.forms(ctx)
	if err != nil {
		return nil, err
	}
	frequent, err := s.db.MostFrequent(ctx, points, count)
	if err != nil {
		return nil, err
	}
	list := []FrequentValue{}
	for _, f := range frequent {
		list = append(list, FrequentValue{Strip{f.Simplest}, forms(f.Value), f.Count})
	}
	return list, nil
}

// forms spells the values of the database by number.
func (s *Strips) forms(ctx context.Context) (func(number uint32) string, error) {
	arena := cgt.New(cgt.Limits{Games: math.MaxInt32, Memory: job.DefaultMemory()})
	games, err := s.db.Load(ctx, arena)
	if err != nil {
		return nil, err
	}
	return func(number uint32) string { return arena.String(games[number]) }, nil
}
