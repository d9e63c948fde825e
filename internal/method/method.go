// Package method chooses the search for a question about NoGo by name, board and limits,
// and opens it. It knows the searches and what their parts are called; it does not search.
package method

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/game"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/internal/solver/boolean"
	"tengen/internal/solver/linear"
	"tengen/internal/solver/sums"
	"tengen/internal/text"
	"tengen/nogo"
)

// The methods. Auto chooses the strongest one for the board. Endgame cannot be chosen: it is
// for late positions of boards that no other method takes.
const (
	Auto    = "auto"
	SBH     = "sbh"
	Sums    = "sums"
	Endgame = "endgame"
)

// Names lists those that may be chosen.
func Names() []string { return []string{Auto, SBH, Sums} }

// Parts lists what can be switched off in a method.
func Parts(name string) []string {
	switch Resolve(name) {
	case SBH:
		return boolean.Parts()
	case Sums:
		return slices.Concat(sums.Parts(), rowParts())
	}
	return nil
}

// PartsOn lists what can be switched off in a method on a board.
func PartsOn(name string, size board.Size) []string {
	if Resolve(name) == Sums && !size.IsRow() {
		return sums.Parts()
	}
	return Parts(name)
}

// Resolve is the method that a name stands for.
func Resolve(name string) string {
	if name == "" || name == Auto {
		return Sums
	}
	return name
}

// Solvable reports whether a search to the end is tried on a board of NoGo.
func Solvable(size board.Size) bool {
	if size.IsRow() {
		return size.Points() <= linear.MaxPoints
	}
	return sums.Takes(size)
}

// Playable counts the points that anybody may still play on.
func Playable(p nogo.Position) int {
	return p.Legal(board.Black).Union(p.Legal(board.White)).Len()
}

// Search is a search to be opened.
type Search struct {
	Size    board.Size
	Method  string
	Without []string // parts of the method to switch off
	Limits  job.Limits
	DiskDir string // where a method with a second tier may keep it; "" for memory only
	Strips  string // database for single rows: a file, job.Cache, or "" to go without
	Profile bool   // count what a search by sums meets
	Limited bool   // the number of moves is limited
	Proves  bool   // a certificate is asked for
	Many    bool   // several positions of the board will be asked about
	Room    int    // the most points that can be played on in them; 0 is all
}

// Plan settles method, memory and threads. It refuses a search that is not possible.
func (s Search) Plan() (job.Plan, error) {
	p := job.Plan{Method: Resolve(s.Method), Limits: s.Limits}
	if !slices.Contains(Names(), p.Method) {
		return p, fmt.Errorf("there is no method %q: choose %s", p.Method, text.List(Names()))
	}
	if p.Method == Sums && !s.Size.IsRow() && !Solvable(s.Size) {
		p.Method = Endgame
		if err := s.checkEndgame(); err != nil {
			return p, err
		}
	}
	if err := s.checkParts(p.Method); err != nil {
		return p, err
	}
	if err := s.longRow(p.Method); err != nil {
		return p, err
	}
	if s.Profile && p.Method != Sums {
		return p, errors.New("a profile is of method sums, which this question does not use")
	}
	var err error
	if p.Limits, err = p.Settle(); err != nil {
		return p, err
	}
	if err := p.Least("method "+p.Method, job.LeastTable); err != nil {
		return p, err
	}
	if p.Method == SBH || p.Method == Endgame {
		p.Threads = 1 // these searches are sequential
	}
	return p, nil
}

func (s Search) checkParts(name string) error {
	for _, part := range s.Without {
		switch {
		case slices.Contains(PartsOn(name, s.Size), part):
		case slices.Contains(Parts(name), part):
			return fmt.Errorf("%q is a part of the search on single rows, and %s is none: choose %s", part, s.Size, text.List(PartsOn(name, s.Size)))
		default:
			return fmt.Errorf("method %s has no part %q to go without: choose %s", name, part, text.List(PartsOn(name, s.Size)))
		}
	}
	return nil
}

// checkEndgame refuses what the search of endgames cannot do.
func (s Search) checkEndgame() error {
	switch {
	case s.Limited:
		return fmt.Errorf("a %s board is too large for a limit on the number of moves", s.Size)
	case len(s.Without) > 0:
		return fmt.Errorf("a %s board is solved by the search of endgames, which has no part %q to go without", s.Size, s.Without[0])
	case s.Proves && !s.Size.Small():
		return fmt.Errorf("a %s board is too large for a certificate: rows times (columns + 1) may be at most 64", s.Size)
	}
	return nil
}

// Open makes the solver of a plan. It reserves addresses now and takes memory as it fills.
// The warning names a missing file that no answer depends on.
func (s Search) Open(ctx context.Context, p job.Plan) (opened solver.Solver, warning string, err error) {
	switch {
	case p.Method == SBH:
		opened, err = orNil(boolean.New(s.Size, boolean.Options{Memory: p.Memory, DiskDir: s.DiskDir, Without: s.Without}))
	case p.Method == Endgame:
		opened, err = openEndgame(p.Memory)
	case s.OnRow():
		row, err := s.OpenRow(ctx, p, s.Size.Points())
		if err != nil {
			return nil, "", err
		}
		return row, row.Warning, nil
	default:
		without := slices.DeleteFunc(slices.Clone(s.Without), func(part string) bool { return !slices.Contains(sums.Parts(), part) })
		opened, err = orNil(sums.New(s.Size, sums.Options{Memory: p.Memory, Threads: p.Threads, Without: without, Many: s.Many, Points: s.Room, Profile: s.Profile}))
	}
	return opened, "", err
}

// orNil is a solver, or nil beside an error: a nil pointer in an interface would look like
// a solver.
func orNil[S solver.Solver](s S, err error) (solver.Solver, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Progress is the state of a search.
func Progress(stats solver.Stats, start time.Time) job.Progress {
	p := job.Progress{
		Phase:     job.PhaseSearch,
		Elapsed:   time.Since(start),
		Nodes:     stats.Nodes,
		Stored:    stats.Stored,
		Bytes:     stats.Bytes,
		Disk:      stats.DiskBytes,
		MovesDone: stats.RootDone,
		MovesAll:  stats.RootMoves,
	}
	if stats.Capacity > 0 {
		p.Fill = float64(stats.Stored) / float64(stats.Capacity)
	}
	return p
}

// endgameSolver solves what is left of a large board.
type endgameSolver struct{ *player.Decider }

var _ solver.Solver = endgameSolver{}

// endgameMemory is enough for every position that can be solved.
const endgameMemory = 256 << 20

func openEndgame(memory int64) (solver.Solver, error) {
	d, err := player.NewDecider(min(memory, endgameMemory))
	if err != nil {
		return nil, err
	}
	return endgameSolver{d}, nil
}

func (s endgameSolver) Solve(ctx context.Context, q solver.Query) (solver.Answer, error) {
	known, move, err := s.Decide(ctx, q.Position, q.ToPlay)
	answer := solver.Answer{Winner: q.ToPlay.Opponent(), Move: move}
	if known == game.Won {
		answer.Winner = q.ToPlay
	}
	return answer, err
}

func (s endgameSolver) Close() error {
	s.Decider.Close()
	return nil
}
