package value

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"sync"

	"tengen/board"
	"tengen/cgt"
	"tengen/engine/job"
	"tengen/internal/region"
	"tengen/internal/solver/sums"
)

// knowledge has the facts about a sum that need no canonical form: integers around its value,
// and the winners. A search finds them beside the canonical form while there is time.
type knowledge struct {
	mu        sync.Mutex
	low, high int
	winners   [2]board.Winner // by who moves first

	errorBound float64 // of the searches
}

// beginKnowledge bounds a sum and, if there is a time at which the search for its value
// will be stopped, starts a search for more, with a quarter of the memory. It calls found if
// the value is an integer. The function that it returns ends the search.
func beginKnowledge(ctx context.Context, sum Sum, limits *job.Limits, found func()) (known *knowledge, settle func()) {
	sum = sum.cancelled()
	known = newKnowledge(sum)
	if _, timed := ctx.Deadline(); !timed || limits.Memory/4 < job.LeastTable {
		return known, func() {}
	}
	share := job.Limits{Memory: limits.Memory / 4, Threads: 1}
	limits.Memory -= share.Memory
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		known.study(ctx, sum, share)
		if _, one := known.integer(); one {
			found()
		}
	}()
	return known, func() {
		cancel()
		<-done
	}
}

// newKnowledge bounds a sum by counting.
func newKnowledge(sum Sum) *knowledge {
	k := &knowledge{}
	for _, t := range sum {
		low, high := integersBeside(t)
		k.low += low
		k.high += high
	}
	return k
}

// integersBeside bounds a summand: a board by its regions, or by its moves if it is too
// long for them, a game by its stops.
func integersBeside(t Summand) (low, high int) {
	switch p := t.Position; {
	case !t.IsPosition():
		v := newValuer(Sum{t}, gameMemory)
		g, err := v.of(t)
		if err != nil {
			return math.MinInt16, math.MaxInt16
		}
		left, right := v.arena.Stops(g)
		if x, ok := v.arena.Number(g); ok {
			return int(math.Floor(x.Float64())), int(math.Ceil(x.Float64()))
		}
		return int(math.Floor(right.Float64())) - 1, int(math.Ceil(left.Float64())) + 1
	case sums.Takes(p.Size):
		layout := region.NewLayout(p.Size)
		whole := region.Of(layout.Grid, layout.Stones(p))
		b := whole.Bounds(layout.Grid)
		return b.Low, b.High
	default:
		return -p.Legal(board.White).Len(), p.Legal(board.Black).Len()
	}
}

// study searches for the winners and then for better bounds, until all is known or the
// context ends.
func (k *knowledge) study(ctx context.Context, sum Sum, limits job.Limits) {
	search, _, err := newSumSolver(ctx, SolveRequest{Sum: sum, By: BySums, Limits: limits, Strips: ""})
	if err != nil {
		return // a sum with other games, or too wide for the search
	}
	defer search.close()
	for c := range board.Colour(2) {
		won, err := search.wins(ctx, sum, c)
		if err != nil {
			return
		}
		k.mu.Lock()
		k.winners[c] = c.WinsIf(won)
		k.errorBound = search.stats().ErrorBound
		switch { // a side that loses moving first is not ahead
		case !won && c == board.Black:
			k.high = min(k.high, 0)
		case !won:
			k.low = max(k.low, 0)
		}
		k.mu.Unlock()
	}
	// The sum is ≥ n if White, moving first, loses it less n.
	k.narrow(ctx, search, sum, board.White, &k.low, 1)
	k.narrow(ctx, search, sum, board.Black, &k.high, -1)
}

// narrow moves one bound by steps as long as the mover loses.
func (k *knowledge) narrow(ctx context.Context, search sumSolver, sum Sum, mover board.Colour, bound *int, step int) {
	for k.low < k.high {
		n, err := gameSummand(strconv.Itoa(-(*bound + step)))
		if err != nil {
			return
		}
		if won, err := search.wins(ctx, append(sum[:len(sum):len(sum)], n), mover); err != nil || won {
			return
		}
		k.mu.Lock()
		*bound += step
		k.errorBound = search.stats().ErrorBound
		k.mu.Unlock()
	}
}

// outcome is the class that the winners make, or that the bounds show.
func (k *knowledge) outcome() (cgt.Outcome, bool) {
	switch {
	case k.low > 0:
		return cgt.L, true
	case k.high < 0:
		return cgt.R, true
	case k.low == 0 && k.high == 0:
		return cgt.P, true
	case k.winners[board.Black] == board.NoWinner || k.winners[board.White] == board.NoWinner:
		return 0, false
	}
	o := cgt.P
	if k.winners[board.Black].Is(board.Black) {
		o |= cgt.L
	}
	if k.winners[board.White].Is(board.White) {
		o |= cgt.R
	}
	return o, true
}

// value is what is known.
func (k *knowledge) value() Value {
	k.mu.Lock()
	defer k.mu.Unlock()
	v := Value{Low: k.low, High: k.high, BoundsKnown: true, ErrorBound: k.errorBound}
	v.Outcome, v.OutcomeKnown = k.outcome()
	return v
}

// integer is the value if the bounds leave no other.
func (k *knowledge) integer() (int, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.low, k.low == k.high
}

// sentence is the clause of *job.Stopped.
func (k *knowledge) sentence() string {
	v := k.value()
	who := "who wins is not known either"
	switch {
	case v.OutcomeKnown:
		who = map[cgt.Outcome]string{
			cgt.L: "Black wins, whoever moves first",
			cgt.R: "White wins, whoever moves first",
			cgt.N: "whoever moves first wins",
			cgt.P: "whoever moves first loses",
		}[v.Outcome]
	case k.winners[board.Black] != board.NoWinner:
		who = fmt.Sprintf("%s wins if Black moves first", k.winners[board.Black])
	}
	return fmt.Sprintf("the value is not known; %s, and %d ≤ value ≤ %d", who, v.Low, v.High)
}
