package method

import (
	"context"
	"fmt"
	"slices"

	"tengen/engine/job"
	"tengen/internal/solver"
	"tengen/internal/solver/linear"
	"tengen/internal/solver/sums"
	"tengen/internal/strip"
)

// longRow refuses a row that neither search takes.
func (s Search) longRow(name string) error {
	if name == Sums && s.Size.IsRow() && s.Size.Points() > linear.MaxPoints {
		return fmt.Errorf("method sums takes rows of up to %d points, %s is longer", linear.MaxPoints, s.Size)
	}
	return nil
}

// rowParts are the parts that only the search on rows has.
func rowParts() []string {
	return slices.DeleteFunc(linear.Parts(), func(part string) bool { return slices.Contains(sums.Parts(), part) })
}

// OnRow reports whether the method sums uses its search on single rows. It knows
// no limit on the moves, and a part that it does not have can be switched off
// only in the search on regions.
func (s Search) OnRow() bool {
	return s.Size.IsRow() && s.Size.Points() <= linear.MaxPoints && !s.Limited &&
		!slices.ContainsFunc(s.Without, func(part string) bool { return !slices.Contains(linear.Parts(), part) })
}

// Row is a search on rows with the database it uses.
type Row struct {
	*linear.Solver
	Warning string // why there is no database although one was to be found
	strips  *strip.DB
}

var _ solver.Solver = (*Row)(nil)

// OpenRow prepares a search on a row, or on rows with a number of points in all.
func (s Search) OpenRow(ctx context.Context, p job.Plan, points int) (*Row, error) {
	warning := ""
	db, err := OpenStrips(ctx, s.Strips)
	if err != nil && s.Strips == job.Cache && ctx.Err() == nil {
		// A cache is no reason not to search: no answer depends on it.
		warning, err = fmt.Sprintf("searching without a database of strips: %v", err), nil
	}
	if err != nil {
		return nil, err
	}
	row, err := linear.New(linear.Options{
		Points: points, Memory: p.Memory, Threads: p.Threads,
		Without: s.Without, Database: db, Profile: s.Profile,
	})
	if err != nil {
		closeStrips(db)
		return nil, err
	}
	return &Row{row, warning, db}, nil
}

// OpenStrips opens a database of strips: a file, or with job.Cache the largest in the
// user's cache; if there is none a small one is built there. Without a file it is nil.
func OpenStrips(ctx context.Context, path string) (*strip.DB, error) {
	switch path {
	case "":
		return nil, nil
	case job.Cache:
		return strip.OpenOrBuild(ctx)
	}
	return strip.Open(path)
}

func closeStrips(db *strip.DB) {
	if db != nil {
		db.Close()
	}
}

// Close gives the memory back.
func (s *Row) Close() error {
	err := s.Solver.Close()
	closeStrips(s.strips)
	return err
}
