package value

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tengen/board"
	"tengen/cgt"
	"tengen/engine/job"
	"tengen/internal/method"
	"tengen/internal/region"
	"tengen/internal/solver/sums"
	"tengen/internal/strip"
	"tengen/internal/text"
)

// Request asks for the value of a sum of NoGo positions as a combinatorial
// game, with Black as Left.
type Request struct {
	Sum Sum
	job.Limits
	Strips  string // database that knows simplest equal games: a file, job.Cache, or "" for none
	Options bool   // list the moves and what they lead to
	CGSuite bool   // write games as CGSuite reads them
}

// Value describes a game.
type Value struct {
	Outcome     cgt.Outcome
	Canonical   string // in the notation of docs/cgt.md, or that of CGSuite
	Abbreviated bool   // it is {…|…}, for more than a mebibyte of text
	Stops       int    // plays of the canonical form up to the first number
	Birthday    int    // moves in the longest play of the canonical form
	Low, High   int    // the largest integer that it is ≥, the smallest that it is ≤
	Mean        cgt.Dyadic
	Temperature cgt.Dyadic
	Thermograph cgt.Thermograph

	LeftStop, RightStop cgt.Dyadic // where play comes to rest if Left and if Right begins
	AtomicWeight        string     // "" where it is not defined
	Options             []Option   // if they were asked for

	// ErrorBound is the probability that what a search found is wrong, at most. It is 0 for
	// a canonical form.
	ErrorBound float64

	// If the search for the value was stopped, these say what is known. Otherwise both are true.
	OutcomeKnown, BoundsKnown bool

	Simplest Strip // the first strip that is equal; without points if none is known
	Searched int   // points up to which all strips were considered for it
	Warnings []string
}

// Find finds the value of a sum. When the context ends, the error is *job.Stopped, and the value
// has the outcome and the bounds that are known.
func Find(ctx context.Context, request Request) (Value, error) {
	limits, err := request.check()
	if err != nil {
		return Value{}, err
	}
	ctx, cancel := limits.Context(ctx)
	defer cancel()
	// The search for the canonical form ends early if the value is found beside it, unless
	// there is more to list.
	forms, enough := context.WithCancel(ctx)
	defer enough()
	found := enough
	if request.Options {
		found = func() {}
	}
	known, settle := beginKnowledge(ctx, request.Sum, &limits, found)
	e := &evaluation{request, newValuer(request.Sum, limits.Memory)}
	stop := context.AfterFunc(forms, e.arena.Stop)
	defer stop()
	value, err := e.run(forms)
	settle()
	if n, one := known.integer(); one && err != nil && value.Canonical == "" {
		value = e.integer(ctx, n)
		value.ErrorBound = known.value().ErrorBound
		if !request.Options {
			return value, nil
		}
	}
	switch {
	case err != nil && ctx.Err() != nil && value.Canonical != "":
		return value, &job.Stopped{Cause: ctx.Err(), Known: "the value is " + value.Canonical + ", but not everything about it is known"}
	case err != nil && ctx.Err() != nil:
		return known.value(), &job.Stopped{Cause: ctx.Err(), Known: known.sentence()}
	case errors.Is(err, cgt.ErrMemory):
		return known.value(), fmt.Errorf("%w; give it more than %s of memory in all, or a smaller position", err, text.Bytes(limits.Memory))
	}
	return value, err
}

// check refuses sums without a value here and settles the limits.
func (request Request) check() (job.Limits, error) {
	if len(request.Sum) == 0 {
		return job.Limits{}, errors.New("a value needs a position or a game")
	}
	for _, p := range request.Sum.Positions() {
		if err := p.Validate(); err != nil {
			return job.Limits{}, err
		}
		if err := beyondValues(p.Size); err != nil && !p.Size.IsRow() {
			return job.Limits{}, err
		}
	}
	if err := request.Least("a value", job.LeastValues); err != nil {
		return job.Limits{}, err
	}
	return request.Settle()
}

// beyondValues refuses boards that have no regions here.
func beyondValues(size board.Size) error {
	if sums.Takes(size) {
		return nil
	}
	return fmt.Errorf("values are found on boards of up to %d points and 64 padded cells, %s is larger", region.MaxPoints, size)
}

// evaluation is one request under way.
type evaluation struct {
	request Request
	*valuer
}

func (e *evaluation) run(ctx context.Context) (Value, error) {
	g, err := e.ofSum(e.request.Sum)
	if err != nil {
		return Value{}, err
	}
	v, err := describe(e.arena, g)
	if err != nil {
		return Value{}, err
	}
	v.Canonical = e.spell(g)
	if err = e.addAtomicWeight(g, &v); err == nil && e.request.Options {
		v.Options, err = e.options(g)
	}
	if err == nil {
		err = e.addSimplest(ctx, g, &v)
	}
	return v, err
}

// integer describes an integer that was not found by canonical forms, with the simplest equal
// game if there is time for it.
func (e *evaluation) integer(ctx context.Context, n int) Value {
	e = &evaluation{e.request, newValuer(nil, gameMemory)}
	stop := context.AfterFunc(ctx, e.arena.Stop)
	defer stop()
	g, err := e.arena.Integer(n)
	if err != nil {
		return Value{}
	}
	v, err := describe(e.arena, g)
	if err != nil {
		return Value{}
	}
	v.Canonical = e.spell(g)
	if err := e.addAtomicWeight(g, &v); err == nil && ctx.Err() == nil {
		if err := e.addSimplest(ctx, g, &v); err != nil && ctx.Err() == nil {
			v.Warnings = append(v.Warnings, fmt.Sprintf("no simplest equal game: %v", err))
		}
	}
	return v
}

// describe describes a game, except for its simplest equal one.
func describe(arena *cgt.Arena, g cgt.Game) (v Value, err error) {
	v = Value{
		Outcome:     arena.Outcome(g),
		Canonical:   arena.String(g),
		Stops:       arena.StopCount(g),
		Birthday:    arena.Birthday(g),
		Thermograph: arena.Thermograph(g),

		OutcomeKnown: true, BoundsKnown: true,
	}
	v.LeftStop, v.RightStop = arena.Stops(g)
	v.Abbreviated = strings.Contains(v.Canonical, "…")
	v.Mean, v.Temperature = v.Thermograph.Mean(), v.Thermograph.Temperature()
	v.Low, v.High, err = integersAround(arena, g)
	return v, err
}

// integersAround bounds a game. An integer below the right stop is less than the
// game and one above it is not; on the stop itself both may be, so that one
// question remains. The same holds on the other side.
func integersAround(arena *cgt.Arena, g cgt.Game) (low, high int, err error) {
	left, right := arena.Stops(g)
	low = int(math.Floor(right.Float64()))
	high = int(math.Ceil(left.Float64()))
	floor, err := arena.Integer(low)
	if err != nil {
		return 0, 0, err
	}
	if above, err := arena.LessEq(floor, g); err != nil {
		return 0, 0, err
	} else if !above {
		low--
	}
	ceiling, err := arena.Integer(high)
	if err != nil {
		return 0, 0, err
	}
	if below, err := arena.LessEq(g, ceiling); err != nil {
		return 0, 0, err
	} else if !below {
		high++
	}
	return low, high, nil
}

// addSimplest opens the database and asks it for the simplest equal game.
func (e *evaluation) addSimplest(ctx context.Context, g cgt.Game, v *Value) error {
	db, err := method.OpenStrips(ctx, e.request.Strips)
	if err != nil && e.request.Strips == job.Cache && ctx.Err() == nil {
		v.Warnings = append(v.Warnings, fmt.Sprintf("no simplest equal game without a database of strips: %v", err))
		return nil
	}
	if db == nil || err != nil {
		return err
	}
	defer db.Close()
	v.Searched = db.Info().Simplest
	v.Simplest.strip, err = e.simplest(ctx, db, g)
	if errors.Is(err, cgt.ErrLimit) {
		v.Warnings = append(v.Warnings, fmt.Sprintf("no simplest equal game, since the database of strips does not fit the memory: %v", err))
		v.Searched, err = 0, nil
	}
	return err
}

// simplest is the first strip that is equal to a game, or one without points. A
// row that the database has needs only a lookup.
func (e *evaluation) simplest(ctx context.Context, db *strip.DB, g cgt.Game) (strip.Strip, error) {
	if p, ok := e.request.Sum.Position(); ok && p.Size.IsRow() {
		if parts, err := stripsOf(p); err == nil && len(parts) == 1 {
			if s, ok := db.Simplest(parts[0]); ok {
				return s, nil
			}
		}
	}
	// A strip has no more moves than points.
	if e.arena.Birthday(g) > db.Info().Simplest {
		return strip.Strip{}, nil
	}
	games, err := db.Load(ctx, e.arena)
	if err != nil {
		return strip.Strip{}, err
	}
	number := slices.Index(games, g)
	if number < 0 {
		return strip.Strip{}, nil
	}
	return db.SimplestOf(uint32(number)), nil
}
