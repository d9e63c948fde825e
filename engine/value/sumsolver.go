package value

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"tengen/board"
	"tengen/cgt"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/method"
	"tengen/internal/region"
	"tengen/internal/solver"
	"tengen/internal/solver/linear"
	"tengen/internal/solver/sums"
	"tengen/internal/strip"
	"tengen/internal/text"
	"tengen/nogo"
)

// Method is how sums are decided.
type Method string

// The methods. ByChoice takes the search for sums of boards and integers, and canonical
// forms for sums with other games and where the search has no room for the boards.
const (
	ByChoice Method = ""
	BySums   Method = "search"
	ByForms  Method = "forms"

	// ByCancelling is how sums were decided whose boards all cancel. It cannot be asked for.
	ByCancelling Method = "cancelling"
)

// sumSolver finds the winner of sums of the boards that it was made for.
type sumSolver interface {
	wins(ctx context.Context, sum Sum, c board.Colour) (bool, error)
	by() Method
	stats() solver.Stats
	profile() *solve.Profile
	warning() string
	close()
}

// newSumSolver chooses one. A sum of strips is for the search on rows.
func newSumSolver(ctx context.Context, request SolveRequest) (sumSolver, job.Plan, error) {
	if by := request.By; by != ByChoice && by != BySums && by != ByForms {
		return nil, job.Plan{}, fmt.Errorf("there is no method %q to solve a sum: choose %s or %s", by, BySums, ByForms)
	}
	sum := request.Sum
	positions := sum.Positions()
	_, other := sum.free()
	if request.By == ByForms || request.By == ByChoice && (other || len(positions) == 0) {
		return newFormsSolver(request)
	}
	if other || len(positions) == 0 {
		return nil, job.Plan{}, errors.New("the search takes sums of boards and integers; other games have canonical forms")
	}
	plain := method.Search{Size: positions[0].Size, Method: method.Sums, Without: request.Without, Limits: request.Limits, Strips: request.Strips, Profile: request.Profile}
	onRows := !slices.ContainsFunc(positions, func(p nogo.Position) bool { return !p.Size.IsRow() })
	if onRows && plain.OnRow() {
		return newStripsSolver(ctx, plain, positions)
	}
	if sum.strips() {
		if err := tooLong(positions); err != nil {
			return nil, job.Plan{}, err
		}
		return nil, job.Plan{}, fmt.Errorf("a sum of strips is solved by the search on single rows, which has only the parts %s to go without", text.List(linear.Parts()))
	}
	if request.By == ByChoice && len(request.Without) == 0 && tooWide(sum) {
		return newFormsSolver(request)
	}
	return newBoardsSolver(plain, positions)
}

// free is the integers added up, and whether there are games that are neither integers
// nor positions.
func (s Sum) free() (n int, other bool) {
	for _, t := range s {
		k, ok := t.Integer()
		n += k
		other = other || !ok && !t.IsPosition()
	}
	return n, other
}

// openPoints counts the points that anybody may still play.
func openPoints(positions []nogo.Position) int {
	n := 0
	for _, p := range positions {
		n += method.Playable(p)
	}
	return n
}

// tooWide reports whether the search has no room for a sum of boards and integers.
func tooWide(sum Sum) bool {
	positions := sum.Positions()
	_, _, ok := region.Together(sizesOf(positions))
	free, _ := sum.free()
	return !ok || openPoints(positions)+max(free, -free) > region.MaxPoints
}

// stripsSolver searches sums of boards of one row, and integers.
type stripsSolver struct{ *method.Row }

func newStripsSolver(ctx context.Context, plain method.Search, positions []nogo.Position) (sumSolver, job.Plan, error) {
	if err := tooLong(positions); err != nil {
		return nil, job.Plan{}, err
	}
	plan, err := plain.Plan()
	if err != nil {
		return nil, job.Plan{}, err
	}
	rows, err := plain.OpenRow(ctx, plan, allPoints(positions))
	if err != nil {
		return nil, plan, err
	}
	return stripsSolver{rows}, plan, nil
}

// tooLong refuses strips that the search on rows has no room for.
func tooLong(positions []nogo.Position) error {
	if points := allPoints(positions); points > linear.MaxPoints {
		return fmt.Errorf("the strips of the sum have %d points: the limit is %d", points, linear.MaxPoints)
	}
	return nil
}

// allPoints counts the points of all boards.
func allPoints(positions []nogo.Position) int {
	n := 0
	for _, p := range positions {
		n += p.Size.Points()
	}
	return n
}

func (s stripsSolver) wins(ctx context.Context, sum Sum, c board.Colour) (bool, error) {
	var all []strip.Strip
	for _, p := range sum.Positions() {
		parts, err := stripsOf(p)
		if err != nil {
			return false, err
		}
		all = append(all, parts...)
	}
	free, _ := sum.free()
	return s.WinsBeside(ctx, all, free, c)
}

func (stripsSolver) by() Method            { return BySums }
func (s stripsSolver) stats() solver.Stats { return s.Stats() }
func (s stripsSolver) warning() string     { return s.Warning }
func (s stripsSolver) close()              { s.Close() }
func (s stripsSolver) profile() *solve.Profile {
	p := s.Profile()
	if p.NodesByDepth == nil && p.LeavesByDepth == nil {
		return nil
	}
	return &solve.Profile{
		NodesByDepth: p.NodesByDepth, LeavesByDepth: p.LeavesByDepth,
		NodesByParts: p.NodesByParts, LeavesByParts: p.LeavesByParts,
		NodeSizes: p.NodeSizes, LeafSizes: p.LeafSizes,
	}
}

// boardsSolver searches sums of boards and integers.
type boardsSolver struct{ *sums.Solver }

func newBoardsSolver(plain method.Search, positions []nogo.Position) (sumSolver, job.Plan, error) {
	if plain.Profile {
		return nil, job.Plan{}, errors.New("a profile is made of the search of one board or of strips, not of a sum of boards")
	}
	plain.Size = board.Size{Rows: 2, Cols: 2} // what the plan is made for is in the positions
	plan, err := plain.Plan()
	if err != nil {
		return nil, job.Plan{}, err
	}
	s, err := sums.NewSum(sizesOf(positions), sums.Options{Memory: plan.Memory, Threads: plan.Threads, Without: plain.Without})
	if err != nil {
		return nil, plan, err
	}
	return boardsSolver{s}, plan, nil
}

func (s boardsSolver) wins(ctx context.Context, sum Sum, c board.Colour) (bool, error) {
	free, _ := sum.free()
	return s.Wins(ctx, sum.Positions(), free, c)
}

func (boardsSolver) by() Method              { return BySums }
func (boardsSolver) profile() *solve.Profile { return nil }
func (boardsSolver) warning() string         { return "" }
func (s boardsSolver) stats() solver.Stats   { return s.Stats() }
func (s boardsSolver) close()                { s.Close() }

// formsSolver knows sums by their canonical forms.
type formsSolver struct {
	*valuer
	memory int64
	forms  atomic.Uint64 // that were made
}

func newFormsSolver(request SolveRequest) (sumSolver, job.Plan, error) {
	if len(request.Without) > 0 {
		return nil, job.Plan{}, errors.New("this sum is decided by canonical forms, which have no parts to go without")
	}
	limits, err := Request{Sum: request.Sum, Limits: request.Limits}.check()
	if err != nil {
		return nil, job.Plan{}, err
	}
	return &formsSolver{valuer: newValuer(request.Sum, limits.Memory), memory: limits.Memory}, job.Plan{Method: string(ByForms), Limits: limits}, nil
}

func (s *formsSolver) wins(ctx context.Context, sum Sum, c board.Colour) (bool, error) {
	stop := context.AfterFunc(ctx, s.arena.Stop)
	defer stop()
	g, err := s.ofSum(sum)
	s.forms.Store(uint64(s.arena.Len()))
	switch {
	case err != nil && ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, cgt.ErrMemory):
		return false, fmt.Errorf("%w; give it more than %s of memory in all, or a smaller sum", err, text.Bytes(s.memory))
	case err != nil:
		return false, err
	}
	wins := cgt.L
	if c == board.White {
		wins = cgt.R
	}
	return s.arena.Outcome(g)&wins != 0, nil
}

func (*formsSolver) by() Method              { return ByForms }
func (*formsSolver) profile() *solve.Profile { return nil }
func (*formsSolver) warning() string         { return "" }
func (*formsSolver) close()                  {}
func (s *formsSolver) stats() solver.Stats   { return solver.Stats{Nodes: s.forms.Load()} }

// cancelling solves sums whose boards all cancel. The side to move loses: the other side answers
// each move in the board that cancels the one it was made in.
type cancelling struct{}

func (cancelling) wins(_ context.Context, sum Sum, _ board.Colour) (bool, error) {
	if len(sum.cancelled()) > 0 {
		return false, fmt.Errorf("%s does not cancel, so a search is needed", sum)
	}
	return false, nil
}

func (cancelling) by() Method              { return ByCancelling }
func (cancelling) profile() *solve.Profile { return nil }
func (cancelling) warning() string         { return "" }
func (cancelling) close()                  {}
func (cancelling) stats() solver.Stats     { return solver.Stats{} }
