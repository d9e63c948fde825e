package method

import (
	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/solver/gosearch"
)

// mostArea is memory enough for minutes of search. More would cost time when it is first
// touched.
const mostArea = 256 << 20

// OpenArea opens the search of Go for a player or an analysis.
func OpenArea(size board.Size, limits job.Limits) (*gosearch.Solver, error) {
	limits.Memory = min(limits.Memory, mostArea)
	stones := gosearch.Stones(size, limits.Memory)
	fixed := gosearch.Fixed(size, limits.Threads, stones)
	if err := limits.Least("the search of Go on "+size.String(), fixed+job.LeastTable); err != nil {
		return nil, err
	}
	return gosearch.New(size, gosearch.Options{Memory: limits.Memory - fixed, Threads: limits.Threads, Stones: stones})
}
