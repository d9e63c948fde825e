package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/internal/text"
	"tengen/nogo"
)

// SumRequest is a question about several games at once: who is to move plays in one of
// them.
type SumRequest struct {
	Sum    Sum
	ToPlay board.Colour
	Moves  []SumMove // played first, alternating, ToPlay beginning

	EachMove bool
	By       SumMethod
	Without  []string
	Limits
	Strips  string
	Profile bool

	Started  func(Plan)
	Progress func(Progress)
}

// SumMove is a move in one of the summands, which are counted from 0.
type SumMove struct {
	Summand int
	Point   board.Point // of a position
	To      string      // in another game: what it leaves of it
}

// SumMoveResult is a move and who wins after it.
type SumMoveResult struct {
	SumMove
	Winner board.Colour
}

// SumResult is the answer.
type SumResult struct {
	Sum    Sum // after the moves of the request
	ToPlay board.Colour
	Winner board.Colour    // board.Empty as long as it is not known
	Moves  []SumMoveResult // every legal move, with EachMove; nil without
	Line   []SumMove

	By         SumMethod // how it was found
	Nodes      uint64    // positions searched, or canonical forms made
	Elapsed    time.Duration
	Memory     int64
	ErrorBound float64
	Profile    *Profile
	Warnings   []string
}

// Name spells a move. Of a single board it is a point. In a sum of strips it is the point of a board whose rows are the
// strips: a column letter and the number of the strip, the first being 1. In other sums
// it is the number of the summand and the point, as in 2:B3, or what a move in a game that
// is no board leaves of it, as in 3→*.
func (s Sum) Name(m SumMove) string {
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
func (s Sum) Names(moves []SumMove) []string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = s.Name(m)
	}
	return list
}

// strips reports whether every position is a board of one row.
func (s Sum) strips() bool {
	for _, p := range s.Positions() {
		if p.Size.Rows != 1 {
			return false
		}
	}
	return true
}

// ParseMoves reads moves as Name spells them, parted by blanks or commas.
func (s Sum) ParseMoves(text string) ([]SumMove, error) {
	var moves []SumMove
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' }) {
		m, err := s.parseMove(word)
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

func (s Sum) parseMove(word string) (SumMove, error) {
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
		return SumMove{}, fmt.Errorf("%q names no move of %s: give the number of the summand and the point, such as %s", word, s, s.exampleMove())
	}
	if t := s[n-1]; isGame == t.IsPosition() {
		return SumMove{}, fmt.Errorf("%q names no move of summand %d, %s", word, n, t)
	} else if !isGame {
		p, err := t.Position.Size.ParsePoint(point)
		return SumMove{Summand: n - 1, Point: p}, err
	}
	return SumMove{Summand: n - 1, Point: board.NoPoint, To: to}, nil
}

func (s Sum) exampleMove() string {
	if s.strips() {
		return "A1 for the first point of strip 1"
	}
	return "2:B1"
}

// SolveSum answers a question about a sum. Errors are as those of Solve.
func SolveSum(ctx context.Context, request SumRequest) (SumResult, error) {
	ctx, cancel := request.Limits.context(ctx)
	defer cancel()
	r := sumRun{request: request, start: time.Now()}
	if err := r.prepare(); err != nil {
		return SumResult{}, err
	}
	plan, err := r.open(ctx)
	if err != nil {
		return SumResult{}, err
	}
	defer r.solver.close()
	if request.Started != nil {
		request.Started(plan)
	}
	done := make(chan struct{})
	if request.Progress != nil {
		go report(done, r.start, func() Progress { return progressOf(r.solver.stats(), r.start) }, request.Progress)
	}
	err = r.search(ctx)
	if err == nil {
		r.result.Line = r.line(ctx)
	}
	close(done)
	r.finish()
	return r.result, r.stopped(err)
}

// sumRun is one request under way.
type sumRun struct {
	request SumRequest
	solver  sumSolver
	start   time.Time
	result  SumResult
}

// open chooses who is asked about sums.
func (r *sumRun) open(ctx context.Context) (Plan, error) {
	s, plan, err := newSumSolver(ctx, r.request)
	if err != nil {
		return Plan{}, err
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
	for i, t := range sum {
		if err := t.Position.Validate(); err != nil {
			return fmt.Errorf("summand %d: %w", i+1, err)
		}
	}
	r.result = SumResult{Sum: sum, ToPlay: r.request.ToPlay, Winner: board.Empty}
	for i, m := range r.request.Moves {
		next, err := r.result.Sum.play(m, r.result.ToPlay)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		r.result.Sum, r.result.ToPlay = next, r.result.ToPlay.Opponent()
	}
	if r.request.EachMove {
		r.result.Moves = []SumMoveResult{}
	}
	return nil
}

// play is the sum after a move of c, if it is legal.
func (s Sum) play(m SumMove, c board.Colour) (Sum, error) {
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
func (s Sum) after(m SumMove, c board.Colour) Sum {
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
func (s Sum) moves(c board.Colour) ([]SumMove, error) {
	var list []SumMove
	for i, t := range s {
		if t.IsPosition() {
			for p := range t.Position.Legal(c).Points() {
				list = append(list, SumMove{Summand: i, Point: p})
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
func movesInGame(t Summand, at int, c board.Colour) ([]SumMove, error) {
	v := newValuer(Sum{t}, gameMemory)
	g, err := v.of(t)
	if err != nil {
		return nil, err
	}
	options := v.arena.Left(g)
	if c == board.White {
		options = v.arena.Right(g)
	}
	var list []SumMove
	for _, option := range options {
		list = append(list, SumMove{Summand: at, Point: board.NoPoint, To: v.arena.String(option)})
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
	if !r.request.EachMove || len(list) == 0 {
		won, err := r.solver.wins(ctx, sum, c)
		if err == nil {
			r.result.Winner = winner(won, c)
		}
		return err
	}
	known := findings{toPlay: c, found: make([]Finding, len(list))}
	t := inTurn(len(list), untilDecided)[1:]
	err = t.take(ctx, time.Time{}, func(ctx context.Context, n int) (bool, error) {
		reply, err := r.solver.wins(ctx, sum.after(list[n], c), c.Opponent())
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
	sum, c := r.result.Sum, r.result.ToPlay
	for {
		list, err := sum.moves(c)
		if err != nil || len(list) == 0 {
			return line
		}
		best, room := list[0], -1<<31
		for _, m := range list {
			next := sum.after(m, c)
			if c == r.result.Winner {
				if reply, err := r.solver.wins(ctx, next, c.Opponent()); err != nil {
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

func (r *sumRun) stopped(err error) error {
	if err == nil || !isStop(err) {
		return err
	}
	known := fmt.Sprintf("the winner is not known after %s positions", text.Thousands(r.result.Nodes))
	if r.result.Winner != board.Empty {
		known = fmt.Sprintf("%s wins, but not every move is decided", r.result.Winner)
	}
	return &Stopped{Cause: err, Known: known}
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
