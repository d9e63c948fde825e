// Package boolean solves NoGo by boolean negamax with enhanced transposition
// cutoff and the history heuristic, and keeps every position it decides in a
// sorted bucket hash (package bucket). It is the search of the SBHSolver paper on
// bit boards. It does not decompose positions; package sums does.
//
// A position and its colour inverse with the other side to move are the same
// game, so a code describes the board as the side to move sees it: 0 empty,
// 1 own stone, 2 other stone, one base-3 digit per point. The code is perfect:
// different positions never share an entry.
package boolean

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"tengen/board"
	"tengen/internal/bigmem"
	"tengen/internal/bucket"
	"tengen/internal/solver"
	"tengen/nogo"
)

// switches are the parts of the search that can be switched off. No part changes an
// answer.
type switches struct {
	early, history, table        bool
	spread, sparse, growth, disk bool // of the table
}

func (s *switches) features() []solver.Feature {
	return []solver.Feature{
		{Name: "etc", On: &s.early}, // enhanced transposition cutoff
		{Name: "history", On: &s.history},
		{Name: "tt", On: &s.table},
		{Name: "spread", On: &s.spread},
		{Name: "sparse", On: &s.sparse},
		{Name: "growth", On: &s.growth},
		{Name: "disk", On: &s.disk},
	}
}

// Parts names the features that Options.Without can switch off.
func Parts() []string { return solver.Names(new(switches).features()) }

// Options of a Solver.
type Options struct {
	Memory  int64    // bytes for tables; 0 is half of the machine's memory
	DiskDir string   // where tables spill to; "" is the system's temporary folder
	Without []string // parts to switch off, see Parts
}

// MaxPoints is the most points a board may have: 3^39 is the largest power of
// three below 2^63.
const MaxPoints = 39

// defaultMemory is for machines that do not report their memory.
const defaultMemory = 4 << 30

// Solver answers questions about one board size. It implements solver.Solver.
type Solver struct {
	size    board.Size
	on      switches
	grid    nogo.Grid
	points  []board.Point // by number; values in the table are numbers
	numbers [64]uint8     // by cell
	powers  [64]uint64    // 3^number by cell
	loss    bucket.Value  // all ones, which is no point's number

	budget  *bucket.Budget
	options bucket.Options // for plain, and with more codes for limited
	plain   *bucket.Table  // nil without "tt"
	limited *bucket.Table  // made by the first limited query
	history [2][64]uint64

	// The goroutine that holds the token owns everything above. A running search
	// serves requests to save between two nodes.
	token    chan struct{}
	requests chan saveRequest
	counts   counts
}

// counts are the counts that Stats reads while a search runs.
type counts struct {
	nodes, stored, capacity atomic.Uint64
	bytes, disk             atomic.Int64
	rootDone, rootMoves     atomic.Int64
	at                      atomic.Pointer[progress]
}

// progress is the progress of a search: its root, the root moves known to lose,
// and the first moves of its line.
type progress struct {
	root nogo.Stones
	lost uint64
	path []board.Point
}

var (
	_ solver.Solver      = (*Solver)(nil)
	_ solver.Inspectable = (*Solver)(nil)
)

// New prepares an empty solver.
func New(size board.Size, o Options) (*Solver, error) {
	if !size.Small() || size.Points() > MaxPoints {
		return nil, fmt.Errorf("the sbh method solves boards of at most %d points and 64 cells, padding included; %s has %d points and %d cells",
			MaxPoints, size, size.Points(), size.Cells())
	}
	s := &Solver{
		size:     size,
		grid:     nogo.NewGrid(size),
		points:   size.All(),
		token:    make(chan struct{}, 1),
		requests: make(chan saveRequest),
	}
	if err := solver.Switch("method sbh", s.on.features(), o.Without); err != nil {
		return nil, err
	}
	power := uint64(1)
	for i, p := range s.points {
		s.numbers[p], s.powers[p] = uint8(i), power
		power *= 3
	}
	if err := s.openTable(power, o); err != nil {
		return nil, err
	}
	s.publish()
	s.token <- struct{}{}
	return s, nil
}

func (s *Solver) openTable(codes uint64, o Options) error {
	valueBits := bits.Len(uint(len(s.points)))
	s.loss = 1<<valueBits - 1
	memory := o.Memory
	if memory < 0 {
		return fmt.Errorf("%d bytes of memory are too few for a table", memory)
	}
	if memory == 0 {
		memory = bigmem.Machine() / 2
	}
	if memory == 0 {
		memory = defaultMemory
	}
	s.budget = bucket.NewBudget(memory)
	s.options = bucket.Options{
		Codes:     codes,
		ValueBits: valueBits,
		Budget:    s.budget,
		Dir:       o.DiskDir,
		Spread:    s.on.spread,
		Sparse:    s.on.sparse,
		Growth:    s.on.growth,
		Disk:      s.on.disk,
	}
	if !s.on.table {
		return nil
	}
	var err error
	s.plain, err = bucket.New(s.options)
	return err
}

// tables lists the tables there are.
func (s *Solver) tables() []*bucket.Table {
	switch {
	case s.plain == nil:
		return nil
	case s.limited == nil:
		return []*bucket.Table{s.plain}
	}
	return []*bucket.Table{s.plain, s.limited}
}

// openLimited makes the table for questions with a deadline. Each deadline has
// its own range of codes there.
func (s *Solver) openLimited() error {
	if s.limited != nil || !s.on.table {
		return nil
	}
	o := s.options
	deadlines := uint64(len(s.points))
	if o.Codes > math.MaxInt64/deadlines {
		return fmt.Errorf("a limited question on a %s board needs position codes of more than 63 bits: the largest boards have 36 points", s.size)
	}
	o.Codes *= deadlines
	var err error
	s.limited, err = bucket.New(o)
	return err
}

// Solve answers q and stores every position it decides on the way. If stopped early,
// it returns the context's error and keeps its results.
func (s *Solver) Solve(ctx context.Context, q solver.Query) (solver.Answer, error) {
	<-s.token
	defer func() { s.token <- struct{}{} }()
	f, err := s.prepare(ctx, q)
	if err != nil {
		return solver.Answer{}, err
	}
	value, err := f.run()
	if err != nil {
		return solver.Answer{}, err
	}
	if value == s.loss {
		return solver.Answer{Winner: q.ToPlay.Opponent(), Move: board.NoPoint}, nil
	}
	return solver.Answer{Winner: q.ToPlay, Move: s.points[value]}, nil
}

// prepare checks the question and sets up its search.
func (s *Solver) prepare(ctx context.Context, q solver.Query) (*search, error) {
	if q.Position.Size != s.size {
		return nil, fmt.Errorf("this solver is for %s boards, the position is %s", s.size, q.Position.Size)
	}
	if err := q.Position.Validate(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if q.Limited && q.Plies < 0 {
		return nil, fmt.Errorf("a win within %d moves is not possible", q.Plies)
	}
	f := &search{Solver: s, ctx: ctx, table: s.plain, root: s.node(q.Position, q.ToPlay), deadline: len(s.points)}
	if q.Limited {
		if err := s.limit(f, q); err != nil {
			return nil, err
		}
	}
	f.useETC = f.table != nil && s.on.early
	f.useHistory = s.on.history
	s.counts.rootDone.Store(0)
	s.counts.at.Store(nil)
	s.counts.rootMoves.Store(int64(q.Position.Legal(q.ToPlay).Len()))
	return f, s.makeRoom(f.table)
}

// limit turns a number of moves into a number of stones at which the game must be
// over, counted so that the attacker plays the last stone.
func (s *Solver) limit(f *search, q solver.Query) error {
	plies := q.Plies
	if attackerMoves := q.ToPlay == q.Attacker; attackerMoves != (plies%2 == 1) {
		plies--
	}
	deadline := f.root.depth + plies
	if deadline >= len(s.points) {
		return nil // no game lasts that long
	}
	f.deadline = deadline
	if plies < 0 {
		return nil // the attacker is to move and has no move left to count
	}
	if err := s.openLimited(); err != nil {
		return err
	}
	f.table = s.limited
	f.offset = uint64(deadline) * s.options.Codes
	return nil
}

// makeRoom spills the table that the next search does not write to, if that table
// holds most of the memory.
func (s *Solver) makeRoom(active *bucket.Table) error {
	for _, t := range s.tables() {
		if t != active && s.options.Disk && t.MemoryBytes() > s.budget.Limit()/2 {
			if err := t.Spill(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Stats may be called at any time; during a search they lag by a few thousand nodes.
func (s *Solver) Stats() solver.Stats {
	c := &s.counts
	return solver.Stats{
		Nodes:     c.nodes.Load(),
		Stored:    c.stored.Load(),
		Capacity:  c.capacity.Load(),
		Bytes:     c.bytes.Load(),
		DiskBytes: c.disk.Load(),
		RootDone:  int(c.rootDone.Load()),
		RootMoves: int(c.rootMoves.Load()),
	}
}

// publish copies the tables' counts for Stats.
func (s *Solver) publish() {
	var stored, capacity uint64
	var bytes, disk int64
	for _, t := range s.tables() {
		stored += t.Len()
		bytes += t.Bytes()
		disk += t.DiskBytes()
		capacity = t.Capacity()
	}
	s.counts.stored.Store(stored)
	s.counts.capacity.Store(capacity)
	s.counts.bytes.Store(bytes)
	s.counts.disk.Store(disk)
}

// Close frees the memory and removes spilled files. The solver cannot be used
// afterwards.
func (s *Solver) Close() error {
	<-s.token
	defer func() { s.token <- struct{}{} }()
	return s.closeTables()
}

func (s *Solver) closeTables() error {
	var first error
	for _, t := range s.tables() {
		if err := t.Close(); err != nil && first == nil {
			first = err
		}
	}
	s.plain, s.limited = nil, nil
	return first
}

// Settled returns the moves of the question being searched that have lost so far. A
// winning move ends the search.
func (s *Solver) Settled(q solver.Query) (won, lost board.Set) {
	at := s.counts.at.Load()
	if at == nil || q.Position.Size != s.size || at.root != q.Position.Small() {
		return won, lost
	}
	for rest := at.lost; rest != 0; rest &= rest - 1 {
		lost.Add(board.Point(bits.TrailingZeros64(rest)))
	}
	return won, lost
}

// Path is the line being searched.
func (s *Solver) Path() []board.Point {
	if at := s.counts.at.Load(); at != nil {
		return at.path
	}
	return nil
}
