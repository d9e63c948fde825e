package engine

import (
	"context"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/internal/solver/boolean"
	"tengen/internal/solver/sums"
	"tengen/internal/text"
)

// Method names a family of search.
type Method string

// The methods. Auto takes the strongest that the board allows.
const (
	Auto Method = "auto"
	SBH  Method = "sbh"
	Sums Method = "sums"
)

// Methods lists the names a request may use.
func Methods() []Method { return []Method{Auto, SBH, Sums} }

// Parts lists what can be switched off in a method.
func Parts(m Method) []string {
	switch m.resolve() {
	case SBH:
		return boolean.Parts()
	case Sums:
		return slices.Concat(sums.Parts(), rowParts())
	}
	return nil
}

// PartsOn lists what can be switched off in a method on a board.
func PartsOn(m Method, size board.Size) []string {
	if m.resolve() == Sums && !isRow(size) {
		return sums.Parts()
	}
	return Parts(m)
}

func (m Method) resolve() Method {
	if m == "" || m == Auto {
		return Sums
	}
	return m
}

// plan settles method, memory and threads, and refuses what cannot be had.
func (request Request) plan() (Plan, error) {
	p := Plan{Method: request.Method.resolve(), Limits: request.Limits}
	if !slices.Contains(Methods(), p.Method) {
		return p, fmt.Errorf("there is no method %q: choose %s", p.Method, text.List(Methods()))
	}
	if p.Method == Sums && !isRow(request.Position.Size) && !solvable(request.Position.Size) {
		p.Method = Endgame
		if err := request.checkEndgame(); err != nil {
			return p, err
		}
	}
	if err := request.checkParts(p.Method); err != nil {
		return p, err
	}
	if err := request.longRow(p.Method); err != nil {
		return p, err
	}
	if request.Profile && (p.Method != Sums || !request.onRow()) {
		return p, fmt.Errorf("a profile is of the search on single rows, which this question does not use")
	}
	var err error
	if p.Limits, err = p.settle(); err != nil {
		return p, err
	}
	if err := p.least("method "+string(p.Method), leastTable); err != nil {
		return p, err
	}
	if p.Method == SBH || p.Method == Endgame {
		p.Threads = 1 // these searches are sequential
	}
	return p, nil
}

func (request Request) checkParts(m Method) error {
	size := request.Position.Size
	for _, part := range request.Without {
		switch {
		case slices.Contains(PartsOn(m, size), part):
		case slices.Contains(Parts(m), part):
			return fmt.Errorf("%q is a part of the search on single rows, and %s is none: choose %s", part, size, text.List(PartsOn(m, size)))
		default:
			return fmt.Errorf("method %s has no part %q to go without: choose %s", m, part, text.List(PartsOn(m, size)))
		}
	}
	return nil
}

func (request Request) open(ctx context.Context, p Plan) (solver.Solver, error) {
	size := request.Position.Size
	switch {
	case p.Method == SBH:
		return opened(boolean.New(size, boolean.Options{Memory: p.Memory, DiskDir: request.DiskDir, Without: request.Without}))
	case p.Method == Endgame:
		return openEndgame(p.Memory)
	case request.onRow():
		return opened(openRow(ctx, p, size.Points(), request))
	}
	without := slices.DeleteFunc(slices.Clone(request.Without), func(part string) bool { return !slices.Contains(sums.Parts(), part) })
	return opened(sums.New(size, sums.Options{Memory: p.Memory, Threads: p.Threads, Without: without, Many: request.many, Points: request.room}))
}

// opened is a solver, or nil beside an error: a nil pointer in an interface would look
// like a solver.
func opened[S solver.Solver](s S, err error) (solver.Solver, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
