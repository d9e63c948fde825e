package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"tengen/board"
	"tengen/cgt"
	"tengen/internal/region"
	"tengen/internal/solver"
	"tengen/internal/solver/linear"
	"tengen/internal/solver/sums"
	"tengen/internal/strip"
	"tengen/internal/text"
	"tengen/nogo"
)

// SumMethod is how sums are decided.
type SumMethod string

// The methods. ByChoice takes the search for sums of boards and integers, and canonical
// forms for sums with other games and where the search has no room for the boards.
const (
	ByChoice SumMethod = ""
	BySums   SumMethod = "search"
	ByForms  SumMethod = "forms"
)

// sumJudge tells who wins sums of the boards that it was made for.
type sumJudge interface {
	wins(ctx context.Context, sum Sum, c board.Colour) (bool, error)
	by() SumMethod
	stats() solver.Stats
	profile() *Profile
	warning() string
	close()
}

// newSumJudge chooses one. A sum of strips is for the search on rows.
func newSumJudge(ctx context.Context, request SumRequest) (sumJudge, Plan, error) {
	sum := request.Sum
	positions := sum.Positions()
	_, other := sum.free()
	if request.By == ByForms || request.By == ByChoice && (other || len(positions) == 0) {
		return newFormsJudge(request)
	}
	if other || len(positions) == 0 {
		return nil, Plan{}, errors.New("the search takes sums of boards and integers; other games have canonical forms")
	}
	plain := Request{Position: positions[0], Method: Sums, Without: request.Without, Limits: request.Limits, Strips: request.Strips, Profile: request.Profile}
	onRows := !slices.ContainsFunc(positions, func(p nogo.Position) bool { return !isRow(p.Size) })
	if onRows && plain.onRow() {
		return newRowsJudge(ctx, plain, positions)
	}
	if sum.strips() {
		return nil, Plan{}, fmt.Errorf("a sum of strips is solved by the search on single rows, which has only the parts %s to go without", text.List(linear.Parts()))
	}
	if request.By == ByChoice && len(request.Without) == 0 && tooWide(sum) {
		return newFormsJudge(request)
	}
	return newBoardsJudge(plain, positions)
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
		n += p.Legal(board.Black).Union(p.Legal(board.White)).Len()
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

// rowsJudge searches sums of boards of one row, and integers.
type rowsJudge struct{ *rowSolver }

func newRowsJudge(ctx context.Context, plain Request, positions []nogo.Position) (sumJudge, Plan, error) {
	points := 0
	for _, p := range positions {
		points += p.Size.Points()
	}
	if points > linear.MaxPoints {
		return nil, Plan{}, fmt.Errorf("the strips of the sum have %d points: the limit is %d", points, linear.MaxPoints)
	}
	plan, err := plain.plan()
	if err != nil {
		return nil, Plan{}, err
	}
	rows, err := openRow(ctx, plan, points, plain)
	return rowsJudge{rows}, plan, err
}

func (j rowsJudge) wins(ctx context.Context, sum Sum, c board.Colour) (bool, error) {
	var all []strip.Strip
	for _, p := range sum.Positions() {
		parts, err := stripsOf(p)
		if err != nil {
			return false, err
		}
		all = append(all, parts...)
	}
	free, _ := sum.free()
	return j.WinsBeside(ctx, all, free, c)
}

func (rowsJudge) by() SumMethod         { return BySums }
func (j rowsJudge) stats() solver.Stats { return j.Stats() }
func (j rowsJudge) warning() string     { return j.rowSolver.warning }
func (j rowsJudge) close()              { j.Close() }
func (j rowsJudge) profile() *Profile {
	p := Profile(j.Profile())
	if p.NodesByDepth == nil && p.LeavesByDepth == nil {
		return nil
	}
	return &p
}

// boardsJudge searches sums of boards and integers.
type boardsJudge struct{ *sums.Solver }

func newBoardsJudge(plain Request, positions []nogo.Position) (sumJudge, Plan, error) {
	if plain.Profile {
		return nil, Plan{}, errors.New("a profile is made of searches on single rows alone")
	}
	plain.Position = nogo.NewPosition(board.Size{Rows: 2, Cols: 2}) // what the plan is made for is in the positions
	plan, err := plain.plan()
	if err != nil {
		return nil, Plan{}, err
	}
	s, err := sums.NewSum(sizesOf(positions), sums.Options{Memory: plan.Memory, Threads: plan.Threads, Without: plain.Without})
	return boardsJudge{s}, plan, err
}

func (j boardsJudge) wins(ctx context.Context, sum Sum, c board.Colour) (bool, error) {
	free, _ := sum.free()
	return j.Wins(ctx, sum.Positions(), free, c)
}

func (boardsJudge) by() SumMethod         { return BySums }
func (boardsJudge) profile() *Profile     { return nil }
func (boardsJudge) warning() string       { return "" }
func (j boardsJudge) stats() solver.Stats { return j.Stats() }
func (j boardsJudge) close()              { j.Close() }

// formsJudge knows sums by their canonical forms.
type formsJudge struct {
	*valuer
	memory int64
	forms  atomic.Uint64 // that were made
}

func newFormsJudge(request SumRequest) (sumJudge, Plan, error) {
	if len(request.Without) > 0 {
		return nil, Plan{}, errors.New("this sum is decided by canonical forms, which have no parts to go without")
	}
	limits, err := ValueRequest{Sum: request.Sum, Limits: request.Limits}.check()
	return &formsJudge{valuer: newValuer(request.Sum, limits.Memory), memory: limits.Memory}, Plan{Method: Method(ByForms), Limits: limits}, err
}

func (j *formsJudge) wins(ctx context.Context, sum Sum, c board.Colour) (bool, error) {
	stop := context.AfterFunc(ctx, j.arena.Stop)
	defer stop()
	g, err := j.ofSum(sum)
	j.forms.Store(uint64(j.arena.Len()))
	switch {
	case err != nil && ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, cgt.ErrLimit):
		return false, fmt.Errorf("%w; give it more than %s of memory in all, or a smaller sum", err, text.Bytes(j.memory))
	case err != nil:
		return false, err
	}
	wins := cgt.L
	if c == board.White {
		wins = cgt.R
	}
	return j.arena.Outcome(g)&wins != 0, nil
}

func (*formsJudge) by() SumMethod         { return ByForms }
func (*formsJudge) profile() *Profile     { return nil }
func (*formsJudge) warning() string       { return "" }
func (*formsJudge) close()                {}
func (j *formsJudge) stats() solver.Stats { return solver.Stats{Nodes: j.forms.Load()} }
