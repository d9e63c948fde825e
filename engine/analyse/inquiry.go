package analyse

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/solver"
	"tengen/internal/text"
	"tengen/weiqi"
)

// inquiry is a question under way. One goroutine works on it and writes to it; others read
// under the lock.
type inquiry struct {
	Question
	position  game.Position
	positions []game.Position // from the start to the present one
	classes   []class
	store     *keeper
	book      bool // may be used
	start     time.Time
	update    func(Update)
	building  func(table.Progress) // reports a table that may take long to build; nil if none may

	mu       sync.Mutex  // of what follows
	findings             // about the first move of each class
	advice   board.Point // the move to recommend, if advised
	advised  bool
	line     []board.Point // best play from there
	count    func() uint64
	playouts int
	built    *building // the table that is waited for
	meter    *job.Meter
	warnings []string

	reporting sync.Mutex // held while update is called
}

// class are moves that symmetries of the game so far exchange.
type class []image

// image is a move, and how the first move of its class is mapped to it.
type image struct {
	move board.Point
	sym  board.Symmetry
}

// newInquiry checks a question and lists its moves.
func newInquiry(q Question, update func(Update)) (*inquiry, error) {
	g, err := q.play()
	if err != nil {
		return nil, err
	}
	q.Start = g.Positions()[0]
	if update == nil {
		update = func(Update) {}
	}
	if q.Every <= 0 {
		q.Every = job.Usual
	}
	i := &inquiry{
		Question: q, position: g.Position(), positions: g.Positions(), update: update, start: time.Now(), meter: job.NewMeter(0),
		count:    func() uint64 { return 0 },
		findings: findings{toPlay: g.Position().ToPlay, scored: q.Rules.Scored(), points: q.Start.Size.Points()},
	}
	if _, over := q.Rules.End(i.position, 0); !over {
		i.classify(g.Legal(i.position.ToPlay))
	}
	i.root = i.blank(board.NoPoint)
	i.root.Name, i.root.Line = "", nil
	for _, c := range i.classes {
		i.found = append(i.found, i.blank(c[0].move))
	}
	if end, over := q.Rules.End(i.position, 0); over {
		i.root.conclude(end)
	}
	return i, nil
}

// play plays the moves of a question that can be asked.
func (q Question) play() (*game.Game, error) {
	if q.Rules == nil {
		return nil, fmt.Errorf("a question needs the rules of a game")
	}
	if err := q.Rules.Validate(q.Start); err != nil {
		return nil, err
	}
	if q.suicide() {
		return nil, fmt.Errorf("the rules %s allow suicide, which no search here knows", q.Rules.Label())
	}
	if !q.Rules.Passes() { // what such a game does not use is no part of its positions
		q.Start = game.Start(q.Start.Size, q.Start.Stones, q.Start.ToPlay)
	}
	g := game.New(q.Rules, q.Start)
	return g, g.PlayAll(q.Moves)
}

// suicide refuses rules that the searches do not know.
func (q Question) suicide() bool {
	rules, ok := q.Rules.(game.Go)
	return ok && rules.Suicide
}

// historic reports whether the result depends on the history.
func (q Question) historic() bool { return q.Rules.Superko() != weiqi.Basic }

// blank is a finding that knows nothing.
func (i *inquiry) blank(move board.Point) Finding {
	f := Finding{Move: move, Name: game.MoveName(i.position.Size, move), Line: []board.Point{move}}
	if i.Rules.Scored() {
		points := i.position.Size.Points()
		f.Value = table.Value{Open: true, Lo: -points, Hi: points}
	}
	return f
}

// classify groups the legal moves, each class by its first point and the pass last.
func (i *inquiry) classify(legal board.Set) {
	syms := i.symmetries()
	size := i.position.Size
	var seen board.Set
	for p := range legal.Points() {
		if seen.Has(p) {
			continue
		}
		var c class
		for _, sym := range syms {
			if q := size.Map(sym, p); !seen.Has(q) {
				seen.Add(q)
				c = append(c, image{q, sym})
			}
		}
		i.classes = append(i.classes, c)
	}
	if i.Rules.Passes() {
		i.classes = append(i.classes, class{{game.Pass, board.Identity}})
	}
}

// symmetries lists those that map the position, and its history if that counts, to itself.
func (i *inquiry) symmetries() []board.Symmetry {
	size := i.position.Size
	return slices.DeleteFunc(size.Symmetries(), func(sym board.Symmetry) bool {
		if !i.historic() {
			return i.position.Map(sym) != i.position
		}
		return slices.ContainsFunc(i.positions, func(p game.Position) bool { return p.Map(sym) != p })
	})
}

// after is the position after a move that is legal.
func (i *inquiry) after(move board.Point) game.Position {
	next, err := i.Rules.Play(i.position, move)
	if err != nil {
		panic(err) // the move came from the list of legal ones
	}
	return next
}

// endings notes the moves that end the game.
func (i *inquiry) endings() {
	for n, c := range i.classes {
		if end, over := i.Rules.End(i.after(c[0].move), 0); over {
			f := i.found[n]
			f.conclude(end)
			i.note(n, f)
		}
	}
}

// decided reports whether the result of a class, or of the position, is exact.
func (i *inquiry) decided(n int) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.at(n).Grade == GradeExact
}

// settled reports whether nothing is left to find out.
func (i *inquiry) settled() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.root.Grade == GradeExact && (i.Alone || !slices.ContainsFunc(i.found, func(f Finding) bool { return f.Grade != GradeExact }))
}

// note adds a result, and those that follow from it.
func (i *inquiry) note(n int, f Finding) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.findings.note(n, f)
}

func (i *inquiry) warn(format string, args ...any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(i.warnings, text) {
		i.warnings = append(i.warnings, text)
	}
}

// counting says where nodes are counted until the end of a piece of work.
func (i *inquiry) counting(nodes func() uint64) (end func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	before, base := i.count(), nodes()
	i.count = func() uint64 { return before + nodes() - base }
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		all := i.count()
		i.count = func() uint64 { return all }
	}
}

// report calls update with the changes since the last call, even if there are none.
func (i *inquiry) report() {
	i.reporting.Lock()
	defer i.reporting.Unlock()
	i.mu.Lock()
	var u Update
	for _, n := range i.changed {
		for _, m := range i.classes[n] {
			u.Changed = append(u.Changed, i.found[n].mapped(i.position.Size, m.sym))
		}
	}
	i.changed = i.changed[:0]
	u.Now = i.snapshot()
	u.Now.Rate = i.meter.Rate(u.Now.Nodes)
	i.mu.Unlock()
	i.update(u)
}

// snapshot is all that is known. The caller holds the lock.
func (i *inquiry) snapshot() Analysis {
	a := Analysis{
		Position: i.position, Best: i.root, Classes: len(i.classes), Decided: i.decidedMoves(),
		Nodes: i.count(), Playouts: i.playouts, Elapsed: time.Since(i.start), Warnings: slices.Clone(i.warnings),
	}
	if i.built != nil {
		a.Building, a.Built = true, i.built.share()
	}
	for n, c := range i.classes {
		for _, m := range c {
			a.Moves = append(a.Moves, i.found[n].mapped(i.position.Size, m.sym))
		}
	}
	order := better(i.position.ToPlay)
	visits := func(f Finding) int {
		if i.advised && f.Move == i.advice {
			return math.MaxInt
		}
		return f.Visits
	}
	slices.SortStableFunc(a.Moves, func(x, y Finding) int { return cmp.Or(order(x, y), cmp.Compare(visits(y), visits(x))) })
	if f, ok := i.recommended(a.Moves); ok {
		a.Best.Move, a.Best.Name, a.Best.Line = f.Move, f.Name, f.Line
		if a.Best.Grade < f.Grade && f.Grade == GradeEstimated {
			a.Best = f
		}
	}
	if len(i.line) > 1 && i.line[0] == a.Best.Move {
		a.Best.Line = slices.Clone(i.line)
	}
	return a
}

// recommended is the move that a player advises, or the best one. There is none if no move is
// known to keep the score.
func (i *inquiry) recommended(moves []Finding) (Finding, bool) {
	if i.advised {
		for _, f := range moves {
			if f.Move == i.advice && (i.root.Grade != GradeExact || f.Grade == GradeExact && f.Winner == i.root.Winner && f.Score == i.root.Score) {
				return f, true
			}
		}
	}
	if len(moves) == 0 || i.root.Grade == GradeExact && (moves[0].Grade != GradeExact || moves[0].Score != i.root.Score) {
		return Finding{}, false
	}
	return moves[0], true
}

// advise notes the move to recommend, and best play from it if that is known.
func (i *inquiry) advise(move board.Point, line []board.Point) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.advice, i.advised, i.line = move, true, line
}

// known says in a clause how far the analysis came.
func (i *inquiry) known() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	decided := fmt.Sprintf("%d of %d distinct moves are decided", i.decidedMoves(), len(i.classes))
	if low, high := i.root.bounds(); i.scored && i.root.Grade >= GradeBounded {
		bounds := text.Verdict(low)
		if low != high {
			bounds = "the score is " + text.Bounds(low, high, i.points)
		}
		return bounds + ", and " + decided
	}
	return decided
}

// query is the question to a solver of NoGo about a class or the position.
func (i *inquiry) query(n int) solver.Query {
	q := solver.Query{Position: game.NoGoPosition(i.position), ToPlay: i.position.ToPlay}
	if n == whole {
		return q
	}
	return q.After(i.classes[n][0].move)
}

// turns queues the position first, then its classes. The first slice of each has this length.
// A pass comes before the points, since it leaves the least to play.
func (i *inquiry) turns(first time.Duration) turns {
	if i.Alone {
		return inTurn(0, first)
	}
	t := inTurn(len(i.classes), first)
	if last := len(t) - 1; i.Rules.Passes() && last > 0 {
		t = slices.Insert(t[:last], 1, t[last])
	}
	return t
}
