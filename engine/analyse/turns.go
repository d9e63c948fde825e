package analyse

import (
	"context"
	"time"

	"tengen/engine/job"
)

// turns is a queue of a position and its moves. Each is searched for a time slice or until it
// is decided. Short slices decide easy moves soon, whatever the order. The table keeps the
// results of a slice for the next one.
type turns []turn

type turn struct {
	n    int
	time time.Duration // or untilDecided
	next time.Duration // the length of the slice after this one
}

// untilDecided is a slice without an end.
const untilDecided time.Duration = 0

// inTurn queues the position first, then its moves. The first slice of each has this length.
// Later slices of the position are as long as those of all moves together: if the position is
// lost, all moves are, and otherwise one of them is known to be best.
func inTurn(moves int, first time.Duration) turns {
	t := turns{{whole, first, growth * first * time.Duration(max(moves, 1))}}
	for n := range moves {
		t = append(t, turn{n, first, growth * first})
	}
	return t
}

// Slices grow fast, because a search begins again the part that the end of a slice
// interrupted. At the longest slice that costs little.
const (
	growth   = 4
	mostTurn = 10 * time.Second
)

// firstTurn is long enough for easy moves. Twenty of them take half a second.
const firstTurn = 25 * time.Millisecond

// take tries one after the other until the time is up or none is left. Try reports whether
// its position or move needs no other slice. An error other than the end of its context ends
// the loop.
func (t *turns) take(ctx context.Context, until time.Time, try func(ctx context.Context, n int) (bool, error)) error {
	for len(*t) > 0 && (until.IsZero() || time.Now().Before(until)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := (*t)[0]
		*t = (*t)[1:]
		limited, cancel := job.Limits{Time: next.time}.Context(ctx)
		closed, err := try(limited, next.n)
		over := limited.Err() != nil
		cancel()
		if !closed {
			*t = append(*t, next.again())
		}
		if err != nil && !over {
			return err
		}
	}
	return nil
}

// again is the slice after one that decided nothing.
func (t turn) again() turn {
	return turn{t.n, min(t.next, mostTurn), min(growth*t.next, mostTurn)}
}
