package engine

import (
	"context"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/internal/solver/linear"
	"tengen/internal/solver/sums"
	"tengen/internal/strip"
)

// CachedStrips stands for the largest database of strips in the user's cache; if
// there is none a small one is built there.
const CachedStrips = "auto"

// Profile counts what a search on a single row met, as section 8.2 of the paper by Du
// and Müller does. Nodes are positions searched; leaves are positions that need no
// search, because the bounds decide them.
type Profile struct {
	NodesByDepth, LeavesByDepth []uint64
	NodesByParts, LeavesByParts []uint64 // by the number of strips and values
	NodeSizes, LeafSizes        []uint64 // strips by their points; those that are values count under 0
}

// longRow refuses a row that neither search takes.
func (request Request) longRow(m Method) error {
	if size := request.Position.Size; m == Sums && isRow(size) && size.Points() > linear.MaxPoints {
		return fmt.Errorf("method sums takes rows of up to %d points, %s is longer", linear.MaxPoints, size)
	}
	return nil
}

func isRow(size board.Size) bool { return min(size.Rows, size.Cols) == 1 }

// rowParts are the parts that only the search on rows has.
func rowParts() []string {
	return slices.DeleteFunc(linear.Parts(), func(part string) bool { return slices.Contains(sums.Parts(), part) })
}

// onRow reports whether the method sums uses its search on single rows. It knows
// no limit on the moves, and a part that it does not have can be switched off
// only in the search on regions.
func (request Request) onRow() bool {
	size := request.Position.Size
	return isRow(size) && size.Points() <= linear.MaxPoints && request.Within == nil &&
		!slices.ContainsFunc(request.Without, func(part string) bool { return !slices.Contains(linear.Parts(), part) })
}

// rowSolver is a search on rows with the database it uses.
type rowSolver struct {
	*linear.Solver
	strips  *strip.DB
	warning string // why there is no database although one was to be found
}

var _ solver.Solver = (*rowSolver)(nil)

// openRow prepares a search on a row, or on rows, of so many points in all.
func openRow(ctx context.Context, p Plan, points int, request Request) (*rowSolver, error) {
	warning := ""
	db, err := openStrips(ctx, request.Strips)
	if err != nil && request.Strips == CachedStrips && ctx.Err() == nil {
		// A cache is no reason not to search: no answer depends on it.
		warning, err = fmt.Sprintf("searching without a database of strips: %v", err), nil
	}
	if err != nil {
		return nil, err
	}
	s, err := linear.New(linear.Options{
		Points: points, Memory: p.Memory, Threads: p.Threads,
		Without: request.Without, Database: db, Profile: request.Profile,
	})
	if err != nil {
		closeStrips(db)
		return nil, err
	}
	return &rowSolver{s, db, warning}, nil
}

func openStrips(ctx context.Context, path string) (*strip.DB, error) {
	switch path {
	case "":
		return nil, nil
	case CachedStrips:
		return strip.OpenOrBuild(ctx)
	}
	return strip.Open(path)
}

func closeStrips(db *strip.DB) {
	if db != nil {
		db.Close()
	}
}

func (s *rowSolver) Close() error {
	err := s.Solver.Close()
	closeStrips(s.strips)
	return err
}
