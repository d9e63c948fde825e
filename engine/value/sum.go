// Package value works with sums of games: it reads and writes them, finds their winners and
// their values as combinatorial games, compares two of them, and lists their moves. Positions
// of NoGo are such games, with Black as Left. It also has the database of strips, the games
// that single rows divide into.
package value

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/method"
	"tengen/internal/text"
	"tengen/nogo"
)

// SolveRequest is a question about a sum of games. The side to move plays in one of them.
type SolveRequest struct {
	Sum    Sum
	ToPlay board.Colour
	Moves  []Move // played first, alternating, ToPlay beginning

	EachMove bool
	By       Method
	Without  []string
	job.Limits
	Strips  string
	Profile bool

	Started  func(job.Plan)
	Progress func(job.Progress)
}

// Move is a move in one of the summands, which are counted from 0.
type Move struct {
	Summand int
	Point   board.Point // of a position
	To      string      // in another game: what it leaves of it
}

// MoveResult is a move and who wins after it.
type MoveResult struct {
	Move
	Winner board.Winner
}

// SolveResult is the answer.
type SolveResult struct {
	Sum    Sum // after the moves of the request
	ToPlay board.Colour
	Winner board.Winner // none as long as it is not known
	Moves  []MoveResult // every legal move, with EachMove; nil without
	Line   []Move

	By         Method // how it was found
	Nodes      uint64 // positions searched, or canonical forms made
	Elapsed    time.Duration
	Memory     int64
	ErrorBound float64
	Profile    *solve.Profile
	Warnings   []string
}

// Name spells a move. Of a single board it is a point. In a sum of strips it is the point of a board whose rows are the
// strips: a column letter and the number of the strip, the first being 1. In other sums
// it is the number of the summand and the point, as in 2:B3, or what a move in a game that
// is no board leaves of it, as in 3→*.
func (s Sum) Name(m Move) string {
	t := s[m.Summand]
	switch {
	case !t.IsPosition():
		return strconv.Itoa(m.Summand+1) + "→" + m.To
	case len(s) == 1:
		return t.Position.Size.Name(m.Point)
	case s.strips():
		return board.ColumnName(int(m.Point)) + strconv.Itoa(m.Summand+1)
	}
	return strconv.Itoa(m.Summand+1) + ":" + t.Position.Size.Name(m.Point)
}

// Names spells moves.
func (s Sum) Names(moves []Move) []string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = s.Name(m)
	}
	return list
}

// strips reports whether every position is a board of one row.
func (s Sum) strips() bool {
	return !slices.ContainsFunc(s.Positions(), func(p nogo.Position) bool { return p.Size.Rows != 1 })
}

// ParseMoves reads moves as Name spells them, parted by blanks or commas.
func (s Sum) ParseMoves(text string) ([]Move, error) {
	var moves []Move
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' }) {
		m, err := s.parseMove(word)
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

func (s Sum) parseMove(word string) (Move, error) {
	number, to, isGame := strings.Cut(word, "→")
	point, named := to, isGame
	if !isGame {
		number, point, named = strings.Cut(word, ":")
	}
	if !named && s.strips() {
		letters := strings.TrimRight(word, digits)
		number, point, named = word[len(letters):], letters+"1", true
	}
	n, err := strconv.Atoi(number)
	if !named || err != nil || n < 1 || n > len(s) {
		return Move{}, fmt.Errorf("%q names no move of %s: give the number of the summand and the point, such as %s", word, s, s.exampleMove())
	}
	if t := s[n-1]; isGame == t.IsPosition() {
		return Move{}, fmt.Errorf("%q names no move of summand %d, %s", word, n, t)
	} else if !isGame {
		p, err := t.Position.Size.ParsePoint(point)
		return Move{Summand: n - 1, Point: p}, err
	}
	return Move{Summand: n - 1, Point: board.NoPoint, To: to}, nil
}

func (s Sum) exampleMove() string {
	if s.strips() {
		return "A1 for the first point of strip 1"
	}
	return "2:B1"
}

// Solve answers a question about a sum. Errors are as those of solve.NoGo.
func Solve(ctx context.Context, request SolveRequest) (SolveResult, error) {
	r := sumRun{request: request, start: time.Now()}
	if err := r.prepare(); err != nil {
		return SolveResult{}, err
	}
	defer r.close()
	err := job.Run(ctx, request.Limits, r.known, r.work)
	if r.solver == nil {
		return SolveResult{}, err
	}
	return r.result, err
}

// work opens a solver and answers.
func (r *sumRun) work(ctx context.Context, w *job.Work) error {
	plan, err := r.open(ctx)
	if err != nil {
		return err
	}
	if r.request.Started != nil && r.result.By != ByCancelling { // that uses nothing
		r.request.Started(plan)
	}
	if report := r.request.Progress; report != nil {
		meter := job.NewMeter(0)
		w.Report(job.Usual, func() {
			p := method.Progress(r.solver.stats(), r.start)
			p.Rate = meter.Rate(p.Nodes)
			report(p)
		})
	}
	err = r.search(ctx)
	if err == nil {
		r.result.Line = r.line(ctx)
	}
	r.finish()
	return err
}

// sumRun is one request under way.
type sumRun struct {
	request SolveRequest
	solver  sumSolver // nil before it is open
	start   time.Time
	result  SolveResult
}

func (r *sumRun) close() {
	if r.solver != nil {
		r.solver.close()
	}
}

// open chooses the solver of sums.
func (r *sumRun) open(ctx context.Context) (job.Plan, error) {
	if r.request.By == ByChoice && len(r.result.Sum.cancelled()) == 0 {
		r.solver, r.result.By = cancelling{}, ByCancelling
		_, err := r.request.Limits.Settle()
		return job.Plan{}, err
	}
	s, plan, err := newSumSolver(ctx, r.request)
	if err != nil {
		return job.Plan{}, err
	}
	r.solver, r.result.By = s, s.by()
	if w := s.warning(); w != "" {
		r.result.Warnings = []string{w}
	}
	return plan, nil
}

// prepare checks the positions and plays the moves.
func (r *sumRun) prepare() error {
	sum := r.request.Sum
	if len(sum) == 0 {
		return errors.New("a sum needs a summand: give some such as \".x. + o..x\"")
	}
	if err := r.request.ToPlay.CheckPlayer(); err != nil {
		return err
	}
	for i, t := range sum {
		if !t.IsPosition() {
			continue
		}
		if err := t.Position.Validate(); err != nil {
			return fmt.Errorf("summand %d: %w", i+1, err)
		}
	}
	r.result = SolveResult{Sum: sum, ToPlay: r.request.ToPlay}
	for i, m := range r.request.Moves {
		next, err := r.result.Sum.play(m, r.result.ToPlay)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		r.result.Sum, r.result.ToPlay = next, r.result.ToPlay.Opponent()
	}
	if r.request.EachMove {
		r.result.Moves = []MoveResult{}
	}
	return nil
}

// play is the sum after a move of c, if it is legal.
func (s Sum) play(m Move, c board.Colour) (Sum, error) {
	if m.Summand < 0 || m.Summand >= len(s) {
		return nil, fmt.Errorf("there is no summand %d: the sum has %d", m.Summand+1, len(s))
	}
	t := s[m.Summand]
	if t.IsPosition() {
		p := t.Position
		if !p.Size.Contains(m.Point) {
			return nil, fmt.Errorf("it is beyond the board of summand %d, %s", m.Summand+1, p)
		}
		if !p.Legal(c).Has(m.Point) {
			return nil, fmt.Errorf("%s is not legal for %s in summand %d, %s", s.Name(m), c, m.Summand+1, p)
		}
		return s.after(m, c), nil
	}
	list, err := movesInGame(t, m.Summand, c)
	if err != nil {
		return nil, err
	}
	for _, option := range list {
		if option.To == m.To {
			return s.after(m, c), nil
		}
	}
	return nil, fmt.Errorf("%s has no move to %s in summand %d, %s", c, m.To, m.Summand+1, t)
}

// after is the sum one move later; the move is legal.
func (s Sum) after(m Move, c board.Colour) Sum {
	next := make(Sum, len(s))
	copy(next, s)
	if t := &next[m.Summand]; t.IsPosition() {
		t.Position.Stones[c].Add(m.Point)
	} else if g, err := gameSummand(m.To); err == nil { // as it was written by us
		*t = g
	}
	return next
}

// moves lists the legal moves of c. A game that is no position is moved in by the options
// of its canonical form.
func (s Sum) moves(c board.Colour) ([]Move, error) {
	var list []Move
	for i, t := range s {
		if t.IsPosition() {
			for p := range t.Position.Legal(c).Points() {
				list = append(list, Move{Summand: i, Point: p})
			}
			continue
		}
		options, err := movesInGame(t, i, c)
		if err != nil {
			return nil, err
		}
		list = append(list, options...)
	}
	return list, nil
}

// movesInGame lists the moves of c in a game that is no position.
func movesInGame(t Summand, at int, c board.Colour) ([]Move, error) {
	v := newValuer(Sum{t}, gameMemory)
	g, err := v.of(t)
	if err != nil {
		return nil, err
	}
	options := v.arena.Left(g)
	if c == board.White {
		options = v.arena.Right(g)
	}
	var list []Move
	for _, option := range options {
		list = append(list, Move{Summand: at, Point: board.NoPoint, To: v.arena.String(option)})
	}
	return list, nil
}

// gameMemory is enough for a game that somebody wrote down.
const gameMemory = 64 << 20

// search decides the winner, or every move.
func (r *sumRun) search(ctx context.Context) error {
	sum, c := r.result.Sum, r.result.ToPlay
	list, err := sum.moves(c)
	if err != nil {
		return err
	}
	if r.result.By == ByCancelling {
		r.result.Winner = c.Opponent().Wins()
		for _, m := range list {
			if r.request.EachMove {
				r.result.Moves = append(r.result.Moves, MoveResult{m, r.result.Winner})
			}
		}
		return ctx.Err()
	}
	if !r.request.EachMove || len(list) == 0 {
		won, err := r.wins(ctx, sum, c)
		if err == nil {
			r.result.Winner = c.WinsIf(won)
		}
		return err
	}
	for _, m := range list {
		reply, err := r.wins(ctx, sum.after(m, c), c.Opponent())
		if err != nil {
			return err
		}
		r.result.Moves = append(r.result.Moves, MoveResult{m, c.WinsIf(!reply)})
		if !reply {
			r.result.Winner = c.Wins()
		}
	}
	if r.result.Winner == board.NoWinner {
		r.result.Winner = c.Opponent().Wins()
	}
	return nil
}

// wins asks the solver about a sum without the boards that cancel, unless a method was
// chosen: then all of it is decided by that.
func (r *sumRun) wins(ctx context.Context, sum Sum, c board.Colour) (bool, error) {
	left := sum
	if r.request.By == ByChoice {
		left = sum.cancelled()
	}
	if n, other := left.free(); !other && len(left.Positions()) == 0 {
		return n > 0 && c == board.Black || n < 0 && c == board.White, nil
	}
	return r.solver.wins(ctx, left, c)
}

// cancellingFirst puts moves of c first after which the most summands cancel: such a move
// answers one that was made in the other of two boards that cancelled.
func (s Sum) cancellingFirst(moves []Move, c board.Colour) {
	left := make(map[Move]int, len(moves))
	for _, m := range moves {
		left[m] = len(s.after(m, c).cancelled())
	}
	slices.SortStableFunc(moves, func(a, b Move) int { return cmp.Compare(left[a], left[b]) })
}

// line plays the answer out: the winner by winning moves, the loser by the move
// that leaves it the most moves compared with the opponent.
func (r *sumRun) line(ctx context.Context) []Move {
	var line []Move
	sum, c := r.result.Sum, r.result.ToPlay
	for {
		list, err := sum.moves(c)
		if err != nil || len(list) == 0 {
			return line
		}
		if r.result.Winner.Is(c) {
			sum.cancellingFirst(list, c)
		}
		best, room := list[0], -1<<31
		for _, m := range list {
			next := sum.after(m, c)
			if r.result.Winner.Is(c) {
				if reply, err := r.wins(ctx, next, c.Opponent()); err != nil {
					return line
				} else if !reply {
					best = m
					break
				}
				continue
			}
			own, err := next.moves(c)
			if err != nil {
				return line
			}
			other, err := next.moves(c.Opponent())
			if err != nil {
				return line
			}
			if n := len(own) - len(other); n > room {
				best, room = m, n
			}
		}
		line = append(line, best)
		sum, c = sum.after(best, c), c.Opponent()
	}
}

func (r *sumRun) finish() {
	stats := r.solver.stats()
	r.result.Nodes, r.result.Elapsed = stats.Nodes, time.Since(r.start)
	r.result.Memory, r.result.ErrorBound = stats.Bytes, stats.ErrorBound
	r.result.Profile = r.solver.profile()
}

// known is the clause of *job.Stopped.
func (r *sumRun) known() string {
	switch {
	case r.solver == nil:
		return "the search has not begun"
	case r.result.Winner != board.NoWinner:
		return fmt.Sprintf("%s wins, but not every move is decided", r.result.Winner)
	}
	return fmt.Sprintf("the winner is not known after %s positions", text.Thousands(r.result.Nodes))
}

// sizesOf are those of the positions, each once.
func sizesOf(positions []nogo.Position) []board.Size {
	var sizes []board.Size
	seen := make(map[board.Size]bool)
	for _, p := range positions {
		if !seen[p.Size] {
			seen[p.Size] = true
			sizes = append(sizes, p.Size)
		}
	}
	return sizes
}
