package analyse

import (
	"context"
	"time"

	"tengen/engine/job"
)

// turns are things to decide one after the other, each for a while or until it is
// decided. In turns that end what is easy is known soon, and nothing has to be chosen by
// how hard it looks; what a search has learnt in one turn is in its table at the next.
type turns []turn

type turn struct {
	n    int
	time time.Duration // or untilDecided
	next time.Duration // the time of the turn after this one
}

// untilDecided is a turn without an end.
const untilDecided time.Duration = 0

// inTurn are the position first and then its moves, so many, the first turn of each so
// long. Later turns of the position are as long as those of all moves together: if it is
// lost, so are they, and else one of them is known to be best.
func inTurn(moves int, first time.Duration) turns {
	t := turns{{whole, first, growth * first * time.Duration(max(moves, 1))}}
	for n := range moves {
		t = append(t, turn{n, first, growth * first})
	}
	return t
}

// Turns grow fast, because what a search had begun when its turn ended is begun again, and
// up to a length at which that costs little.
const (
	growth   = 4
	mostTurn = 10 * time.Second
)

// firstTurn is long enough for easy moves and short beside a second for twenty of them.
const firstTurn = 25 * time.Millisecond

// take tries what is next until the time is up or nothing is left. Try reports that a
// matter is closed; an error other than the end of its context ends everything.
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

// again is the turn after one in which nothing was decided.
func (t turn) again() turn {
	return turn{t.n, min(t.next, mostTurn), min(growth*t.next, mostTurn)}
}
