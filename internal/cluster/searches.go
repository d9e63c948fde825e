package cluster

import (
	"tengen/board"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
)

// Workers and master search with one method. No other file of this package names it.

// openSearch opens a search of a board, with an empty table.
func openSearch(size board.Size, memory int64, threads int) (solver.Shared, error) {
	s, err := sums.New(size, sums.Options{Memory: memory, Threads: threads})
	if err != nil {
		return nil, err // a nil pointer in an interface would look like a solver
	}
	return s, nil
}

// searchable reports whether a board can be searched.
func searchable(size board.Size) bool { return sums.Takes(size) }

// Takes reports whether a board can be solved by a cluster.
func Takes(size board.Size) bool { return searchable(size) && min(size.Rows, size.Cols) > 1 }
