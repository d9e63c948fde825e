// Package engine is the surface that every front end uses: it takes a question
// about a position, picks and runs a search, and hands back the answer with its
// proof, its principal variation and its costs.
//
// It owns what no search should know about: methods by name, memory limits,
// checkpoints, progress, clean stops. It parses no text but sums, and prints nothing.
package engine

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/internal/wholefile"
	"tengen/nogo"
)

// Request is one question about NoGo.
type Request struct {
	Position nogo.Position
	ToPlay   board.Colour
	Moves    []board.Point // played first, alternating, ToPlay beginning

	EachMove bool    // decide every legal move, not only the winner
	Within   *Within // ask for a win in a number of moves; nil for the plain winner
	Why      *Why    // ask besides why a move loses; nil for no move

	Method  Method
	Without []string // parts of the method to switch off
	Limits
	DiskDir string // where a method with a second tier may keep it; "" for memory only
	Strips  string // database for single rows: a file, CachedStrips, or "" to go without
	Profile bool   // count what a search on a single row meets

	Stubborn bool // in the line the loser makes the win as hard to find as it can

	Certificate   string    // file to write the proof to
	CertificateTo io.Writer // where to write it besides, or instead
	Checkpoint    string    // file to save the search in and to resume from
	SaveEvery     time.Duration

	files wholefile.Disk // where these are written
	many  bool           // other positions of the board will be asked about too
	room  int            // the most points that can be played on in them; 0 is all

	// Started is told what is about to be used, before the tables fill it.
	Started func(Plan)
	// Progress is called about four times a second from another goroutine.
	Progress func(Progress)
}

// Within asks whether Attacker can leave the opponent without a move after at
// most Moves moves of the game, counted from Request.Position before
// Request.Moves are played. A game that is not won by then counts as lost.
type Within struct {
	Moves    int
	Attacker board.Colour
}

// Plan is what a search is going to use.
type Plan struct {
	Method Method
	Limits
	Resumed bool   // from a checkpoint
	Past    uint64 // positions searched by the runs that are resumed

	// Under superko, the legal boards, and the part of the memory that they and the
	// threads take before anything is remembered.
	Boards int
	Fixed  int64
}

// Result is the answer.
type Result struct {
	Position nogo.Position // after the moves of the request
	ToPlay   board.Colour
	Winner   board.Colour  // board.Empty as long as it is not known
	Moves    []MoveResult  // every legal move, with EachMove; nil without
	Line     []board.Point // the principal variation
	Within   *Within
	Why      *Refutation // of the move asked about

	Method Method
	// Settled is what is known of the moves after a stop without EachMove.
	Settled     []MoveResult
	Nodes       uint64        // of all runs that led here
	RunNodes    uint64        // of this run: fewer if it was resumed
	Elapsed     time.Duration // of the search, over all runs
	Proving     time.Duration // of the certificate, in this run
	Memory      int64         // bytes of the tables
	Disk        int64         // bytes of the tables on disk
	ErrorBound  float64       // probability that a table mistook one position for another, at most
	Resumed     bool
	Certificate *CertificateInfo
	Profile     *Profile // if asked for, and the board is a single row
	Warnings    []string
}

// MoveResult is a move and who wins after it.
type MoveResult struct {
	Move   board.Point
	Winner board.Colour
	size   board.Size
}

// Name spells the move.
func (m MoveResult) Name() string { return nameOf(m.size, m.Move) }

// LineNames spells the principal variation.
func (r Result) LineNames() []string { return namesOf(r.Position.Size, r.Line) }

// Solve answers a request. Bad input comes back as a plain error, and a search
// that ended without an answer as *Stopped.
func Solve(ctx context.Context, request Request) (Result, error) {
	if standing(request.Position.Size) {
		return solveStanding(ctx, request)
	}
	ctx, cancel := request.Limits.context(ctx)
	defer cancel()
	r, err := prepare(request)
	if err != nil {
		return Result{}, err
	}
	lock, err := r.lockCheckpoint()
	if err != nil {
		return Result{}, err
	}
	defer lock.Release()
	if err := r.open(ctx); err != nil {
		return Result{}, err
	}
	defer r.solver.Close()
	halt := r.background()
	err = r.search(ctx)
	r.finish()
	if err == nil {
		err = r.prove(ctx)
	}
	if err == nil {
		r.setPhase(PhaseLine)
		r.result.Line = playOut(ctx, r.solver, r.query, r.request.Stubborn)
		err = r.explain(ctx)
	}
	halt()
	if err != nil && isStop(err) && !r.won {
		r.result.Settled, _, _ = r.settled()
	}
	if r.request.Checkpoint != "" {
		r.save()
	}
	r.result.Warnings = r.warnings
	if err != nil {
		return r.result, r.stopped(err)
	}
	return r.result, nil
}

// run is one request under way.
type run struct {
	request Request
	plan    Plan
	query   solver.Query
	solver  solver.Solver
	start   time.Time
	past    work // of the runs that this one resumes
	result  Result

	// What the goroutines of progress and checkpoints read.
	mu       sync.Mutex
	phase    Phase
	decided  int           // each-move classes done
	moves    []MoveResult  // of these classes
	trying   []board.Point // the move that is being decided, with each-move
	classes  int           // 0 without each-move
	proved   uint64        // certificate entries so far
	layer    int           // of the proof, and how many it may have
	layers   int
	share    float64 // of the layer done
	warnings []string
	saved    bool
	searched time.Duration // what the search took; 0 while it runs
	won      bool          // the winner is in the result
}

// prepare checks everything that can be checked before memory is taken.
func prepare(request Request) (*run, error) {
	if err := request.Position.Validate(); err != nil {
		return nil, err
	}
	position, toPlay, err := request.Position.PlayAll(request.Moves, request.ToPlay)
	if err != nil {
		return nil, err
	}
	query := solver.Query{Position: position, ToPlay: toPlay}
	if within := request.Within; within != nil {
		if within.Moves < len(request.Moves) {
			return nil, fmt.Errorf("a win within %d moves cannot be asked for after %d moves have been played", within.Moves, len(request.Moves))
		}
		if request.proves() {
			return nil, fmt.Errorf("a certificate proves the plain winner: it cannot be combined with a limit on the number of moves")
		}
		query.Limited, query.Attacker, query.Plies = true, within.Attacker, within.Moves-len(request.Moves)
	}
	if err := request.checkWhy(query); err != nil {
		return nil, err
	}
	plan, err := request.plan()
	if err != nil {
		return nil, err
	}
	if plan.Method == Endgame && !player.Fits(position, toPlay) {
		return nil, &TooMuchLeft{position.Size, playable(position)}
	}
	if request.Certificate != "" && request.Certificate == request.Checkpoint {
		return nil, fmt.Errorf("certificate and checkpoint are the same file, %s: give them different names", request.Certificate)
	}
	if request.DiskDir != "" {
		if err := request.files.Check("disk", filepath.Join(request.DiskDir, "table"), nil); err != nil {
			return nil, err
		}
	}
	if err := request.checkCertificate(); err != nil {
		return nil, err
	}
	result := Result{Position: position, ToPlay: toPlay, Winner: board.Empty, Within: request.Within, Method: plan.Method}
	if request.EachMove {
		result.Moves = []MoveResult{}
	}
	return &run{
		request: request,
		plan:    plan,
		query:   query,
		start:   time.Now(),
		result:  result,
	}, nil
}

// open makes the solver, from the checkpoint if there is one.
func (r *run) open(ctx context.Context) error {
	resume, err := r.openCheckpoint()
	if err != nil {
		return err
	}
	if resume != nil {
		defer resume.close()
		r.plan.Resumed, r.result.Resumed, r.past = true, true, resume.work
		r.plan.Past = resume.work.Nodes
	}
	// A solver reserves addresses when it is made and takes memory as it fills.
	if r.solver, err = r.request.open(ctx, r.plan); err != nil {
		return err
	}
	if s, ok := r.solver.(*rowSolver); ok && s.warning != "" {
		r.warn("%s", s.warning)
	}
	if r.request.Started != nil {
		r.request.Started(r.plan)
	}
	if resume != nil {
		if err := resume.load(r.solver); err != nil {
			r.solver.Close()
			return err
		}
	}
	return nil
}

// search decides the winner, or every move.
func (r *run) search(ctx context.Context) error {
	r.setPhase(PhaseSearch)
	if r.request.EachMove && !r.query.Position.Legal(r.query.ToPlay).IsEmpty() {
		return r.eachMove(ctx)
	}
	answer, err := r.solver.Solve(ctx, r.query)
	if err == nil {
		r.setWinner(answer.Winner)
	}
	return err
}

// eachMove decides the moves one after the other, each to the end, in the way of an
// analysis. Their results are that of the position.
func (r *run) eachMove(ctx context.Context) error {
	i, err := newInquiry(Question{Rules: game.NoGo{}, Start: game.Start(r.query.Position.Size, r.query.Position.Stones, r.query.ToPlay)}, nil)
	if err != nil {
		return err
	}
	r.setDecided(i)
	t := inTurn(len(i.classes), untilDecided)[1:]
	err = t.take(ctx, time.Time{}, func(ctx context.Context, n int) (bool, error) {
		r.setTrying(i.classes[n][0].move)
		answer, err := r.after(ctx, i.classes[n][0].move)
		if err != nil {
			return false, err
		}
		i.win(n, answer.Winner)
		r.setDecided(i)
		return true, nil
	})
	r.result.Moves = append(r.result.Moves, r.moves...)
	if i.root.Grade == GradeExact {
		r.setWinner(i.root.Winner)
	}
	return err
}

// after solves the position after a move. When the limit is used up, a side that can
// still move has not been left without one in time.
func (r *run) after(ctx context.Context, move board.Point) (solver.Answer, error) {
	if r.query.Limited && r.query.Plies == 0 {
		return solver.Answer{Winner: r.query.Attacker.Opponent()}, ctx.Err()
	}
	return r.solver.Solve(ctx, r.query.After(move))
}

// finish notes the costs of the search proper, before proof and line add theirs.
func (r *run) finish() {
	stats, work := r.solver.Stats(), r.spent()
	r.result.Elapsed = time.Duration(work.Seconds * float64(time.Second))
	r.mu.Lock()
	r.searched = time.Since(r.start)
	r.mu.Unlock()
	r.result.Nodes, r.result.RunNodes = work.Nodes, stats.Nodes
	r.result.Memory = stats.Bytes
	r.result.Disk = stats.DiskBytes
	r.result.ErrorBound = work.ErrorBound
	if s, ok := r.solver.(*rowSolver); ok && r.request.Profile {
		p := Profile(s.Profile())
		r.result.Profile = &p
	}
}

func (r *run) setWinner(c board.Colour) {
	r.result.Winner = c
	r.mu.Lock()
	r.won = true
	r.mu.Unlock()
}

// setDecided takes in what is known of the moves.
func (r *run) setDecided(i *inquiry) {
	var moves []MoveResult
	for _, f := range i.each() {
		if f.Grade == GradeExact {
			moves = append(moves, MoveResult{f.Move, f.Winner, i.position.Size})
		}
	}
	r.mu.Lock()
	r.moves, r.decided, r.classes = moves, i.decidedMoves(), len(i.classes)
	r.mu.Unlock()
}

func (r *run) setTrying(move board.Point) {
	r.mu.Lock()
	r.trying = []board.Point{move}
	r.mu.Unlock()
}

func (r *run) setPhase(p Phase) {
	r.mu.Lock()
	r.phase = p
	r.mu.Unlock()
}

func (r *run) warn(format string, args ...any) {
	r.mu.Lock()
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
	r.mu.Unlock()
}
