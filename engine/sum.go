package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/internal/solver/linear"
	"tengen/internal/strip"
	"tengen/internal/text"
	"tengen/nogo"
)

// SumRequest is a question about NoGo on several rows at once: who is to move
// plays in one of them.
type SumRequest struct {
	Rows   []nogo.Position // of one row each
	ToPlay board.Colour
	Moves  []SumMove // played first, alternating, ToPlay beginning

	EachMove bool
	Without  []string
	Limits
	Strips  string
	Profile bool

	Started  func(Plan)
	Progress func(Progress)
}

// SumMove is a point of one of the rows, which are counted from 0.
type SumMove struct {
	Row   int
	Point board.Point
}

// String spells the move as the point of a board whose rows are the strips: a column
// letter and the number of the strip, the first being 1.
func (m SumMove) String() string { return board.ColumnName(int(m.Point)) + strconv.Itoa(m.Row+1) }

// SumMoveResult is a move and who wins after it.
type SumMoveResult struct {
	SumMove
	Winner board.Colour
}

// SumResult is the answer.
type SumResult struct {
	Rows   []nogo.Position // after the moves of the request
	ToPlay board.Colour
	Winner board.Colour    // board.Empty as long as it is not known
	Moves  []SumMoveResult // every legal move, with EachMove; nil without
	Line   []SumMove

	Nodes      uint64
	Elapsed    time.Duration
	Memory     int64
	ErrorBound float64
	Profile    *Profile
	Warnings   []string
}

// SolveSum answers a question about a sum of rows. Errors are as those of Solve.
func SolveSum(ctx context.Context, request SumRequest) (SumResult, error) {
	ctx, cancel := request.Limits.context(ctx)
	defer cancel()
	r := sumRun{request: request, start: time.Now()}
	if err := r.prepare(); err != nil {
		return SumResult{}, err
	}
	plain := Request{Position: r.result.Rows[0], Method: Sums, Without: request.Without, Limits: request.Limits, Strips: request.Strips, Profile: request.Profile}
	if !plain.onRow() {
		return SumResult{}, fmt.Errorf("a sum of strips is solved by the search on single rows, which has only the parts %s to go without", text.List(linear.Parts()))
	}
	plan, err := plain.plan()
	if err != nil {
		return SumResult{}, err
	}
	if r.solver, err = openRow(ctx, plan, r.points(), plain); err != nil {
		return SumResult{}, err
	}
	defer r.solver.Close()
	if r.solver.warning != "" {
		r.result.Warnings = []string{r.solver.warning}
	}
	if request.Started != nil {
		request.Started(plan)
	}
	done := make(chan struct{})
	if request.Progress != nil {
		go report(done, r.start, func() Progress { return progressOf(r.solver.Stats(), r.start) }, request.Progress)
	}
	err = r.search(ctx)
	r.finish()
	if err == nil {
		r.result.Line = r.line(ctx)
	}
	close(done)
	return r.result, r.stopped(err)
}

// sumRun is one request under way.
type sumRun struct {
	request SumRequest
	solver  *rowSolver
	start   time.Time
	result  SumResult
}

func (r *sumRun) points() int {
	n := 0
	for _, row := range r.request.Rows {
		n += row.Size.Points()
	}
	return n
}

// prepare checks the rows and plays the moves.
func (r *sumRun) prepare() error {
	if len(r.request.Rows) == 0 {
		return errors.New("a sum needs a strip: give some such as \".x. + o..x\"")
	}
	for i, row := range r.request.Rows {
		if row.Size.Rows != 1 {
			return fmt.Errorf("summand %d is a %s board: a sum is made of strips, boards of one row", i+1, row.Size)
		}
		if err := row.Validate(); err != nil {
			return fmt.Errorf("summand %d: %w", i+1, err)
		}
	}
	if n := r.points(); n > linear.MaxPoints {
		return fmt.Errorf("the strips of the sum have %d points: the limit is %d", n, linear.MaxPoints)
	}
	r.result = SumResult{Rows: r.request.Rows, ToPlay: r.request.ToPlay, Winner: board.Empty}
	for i, m := range r.request.Moves {
		if m.Row < 0 || m.Row >= len(r.result.Rows) {
			return fmt.Errorf("move %d is in strip %d, but the sum has %d", i+1, m.Row+1, len(r.result.Rows))
		}
		row, c := r.result.Rows[m.Row], r.result.ToPlay
		if !row.Size.Contains(m.Point) {
			return fmt.Errorf("move %d is beyond the end of strip %d, %s", i+1, m.Row+1, row)
		}
		if !row.Legal(c).Has(m.Point) {
			column := strings.TrimSuffix(row.Size.Name(m.Point), "1")
			return fmt.Errorf("move %d, column %s of strip %d, is not legal for %s in %s", i+1, column, m.Row+1, c, row)
		}
		r.result.Rows, r.result.ToPlay = after(r.result.Rows, m, c), c.Opponent()
	}
	if r.request.EachMove {
		r.result.Moves = []SumMoveResult{}
	}
	return nil
}

// after is the sum with one more stone.
func after(rows []nogo.Position, m SumMove, c board.Colour) []nogo.Position {
	next := make([]nogo.Position, len(rows))
	copy(next, rows)
	next[m.Row].Stones[c].Add(m.Point)
	return next
}

// moves lists the legal moves of c.
func moves(rows []nogo.Position, c board.Colour) []SumMove {
	var list []SumMove
	for i, row := range rows {
		for p := range row.Legal(c).Points() {
			list = append(list, SumMove{i, p})
		}
	}
	return list
}

func (r *sumRun) wins(ctx context.Context, rows []nogo.Position, c board.Colour) (bool, error) {
	var sum []strip.Strip
	for _, row := range rows {
		parts, err := strip.Reduce(row.String())
		if err != nil {
			return false, err
		}
		sum = append(sum, parts...)
	}
	return r.solver.Wins(ctx, sum, c)
}

// search decides the winner, or every move.
func (r *sumRun) search(ctx context.Context) error {
	rows, c := r.result.Rows, r.result.ToPlay
	list := moves(rows, c)
	if !r.request.EachMove || len(list) == 0 {
		won, err := r.wins(ctx, rows, c)
		if err == nil {
			r.result.Winner = winner(won, c)
		}
		return err
	}
	known := findings{toPlay: c, found: make([]Finding, len(list))}
	t := inTurn(len(list), untilDecided)[1:]
	err := t.take(ctx, time.Time{}, func(ctx context.Context, n int) (bool, error) {
		reply, err := r.wins(ctx, after(rows, list[n], c), c.Opponent())
		if err != nil {
			return false, err
		}
		known.win(n, winner(!reply, c))
		r.result.Moves = append(r.result.Moves, SumMoveResult{list[n], known.found[n].Winner})
		return true, nil
	})
	if known.root.Grade == GradeExact {
		r.result.Winner = known.root.Winner
	}
	return err
}

func winner(won bool, c board.Colour) board.Colour {
	if won {
		return c
	}
	return c.Opponent()
}

// line plays the answer out: the winner by winning moves, the loser by the move
// that leaves it the most moves compared with the opponent.
func (r *sumRun) line(ctx context.Context) []SumMove {
	var line []SumMove
	rows, c := r.result.Rows, r.result.ToPlay
	for list := moves(rows, c); len(list) > 0; list = moves(rows, c) {
		best, room := SumMove{}, -1<<31
		for _, m := range list {
			next := after(rows, m, c)
			if c == r.result.Winner {
				if reply, err := r.wins(ctx, next, c.Opponent()); err != nil {
					return line
				} else if !reply {
					best = m
					break
				}
			} else if n := len(moves(next, c)) - len(moves(next, c.Opponent())); n > room {
				best, room = m, n
			}
		}
		line = append(line, best)
		rows, c = after(rows, best, c), c.Opponent()
	}
	return line
}

func (r *sumRun) finish() {
	stats := r.solver.Stats()
	r.result.Nodes, r.result.Elapsed = stats.Nodes, time.Since(r.start)
	r.result.Memory, r.result.ErrorBound = stats.Bytes, stats.ErrorBound
	if r.request.Profile {
		p := Profile(r.solver.Profile())
		r.result.Profile = &p
	}
}

func (r *sumRun) stopped(err error) error {
	if err == nil || !isStop(err) {
		return err
	}
	known := fmt.Sprintf("the winner is not known after %d positions", r.result.Nodes)
	if r.result.Winner != board.Empty {
		known = fmt.Sprintf("%s wins, but not every move is decided", r.result.Winner)
	}
	return &Stopped{Cause: err, Known: known}
}
