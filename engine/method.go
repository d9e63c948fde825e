package engine

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"tengen/board"
	"tengen/internal/bigmem"
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
		return boolean.Parts
	case Sums:
		return slices.Concat(sums.Parts, rowParts())
	}
	return nil
}

// PartsOn lists what can be switched off in a method on a board.
func PartsOn(m Method, size board.Size) []string {
	if m.resolve() == Sums && !isRow(size) {
		return sums.Parts
	}
	return Parts(m)
}

func (m Method) resolve() Method {
	if m == "" || m == Auto {
		return Sums
	}
	return m
}

// DefaultMemory is half of the machine, at most 4 GiB.
func DefaultMemory() int64 {
	const most = 4 << 30
	if machine := bigmem.Machine(); machine > 0 {
		return min(machine/2, most)
	}
	return most / 4
}

// maxThreads keeps the stacks of the workers, about a quarter of a mebibyte each,
// small beside the tables.
const maxThreads = 256

// plan settles method, memory and threads, and refuses what cannot be had.
func (request Request) plan() (Plan, error) {
	p := Plan{Method: request.Method.resolve(), Memory: request.Memory, Threads: request.Threads}
	if !slices.Contains(Methods(), p.Method) {
		return p, fmt.Errorf("there is no method %q: choose %s", p.Method, text.List(Methods()))
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
	if p.Memory < 0 || p.Threads < 0 {
		return p, fmt.Errorf("memory and threads cannot be negative")
	}
	if p.Threads > maxThreads {
		return p, fmt.Errorf("%d threads are too many: the limit is %d", p.Threads, maxThreads)
	}
	if p.Memory == 0 {
		p.Memory = DefaultMemory()
	}
	if machine := bigmem.Machine(); machine > 0 && p.Memory > machine {
		return p, fmt.Errorf("%s of memory is more than the %s of this machine", text.Bytes(p.Memory), text.Bytes(machine))
	}
	if p.Threads == 0 {
		p.Threads = runtime.GOMAXPROCS(0)
	}
	if p.Method == SBH {
		p.Threads = 1 // the published search is sequential
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
		return boolean.New(size, boolean.Options{Memory: p.Memory, DiskDir: request.DiskDir, Without: request.Without})
	case request.onRow():
		return openRow(ctx, p, size.Points(), request)
	}
	without := slices.DeleteFunc(slices.Clone(request.Without), func(part string) bool { return !slices.Contains(sums.Parts, part) })
	return sums.New(size, sums.Options{Memory: p.Memory, Threads: p.Threads, Without: without})
}
