// Package solve answers questions about positions of NoGo and of Go: who wins or by how
// much, what each move is worth, a line of best play, why a move loses, and a certificate
// that others can check. Package proof checks certificates.
//
// It parses no text and prints nothing.
package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/book"
	"tengen/internal/method"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/internal/wholefile"
	"tengen/nogo"
	"tengen/proof"
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
	job.Limits
	DiskDir string // where a method with a second tier may keep it; "" for memory only
	Strips  string // database for single rows: a file, job.Cache, or "" to go without
	Profile bool   // count what a search by sums meets

	Stubborn bool // in the line the loser makes the win as hard to find as it can

	// Book lets the book of first moves answer in place of a search, on boards that take
	// long to solve. It is asked for the winner and each move, and nothing else of a request.
	Book bool

	// A proof makes large lists that become garbage. A program with little memory sets a small
	// GOGC while a certificate is made.
	Certificate   string    // file to write the proof to
	CertificateTo io.Writer // where to write it besides, or instead
	Checkpoint    string    // file to save the search in and to resume from
	SaveEvery     time.Duration

	files wholefile.Disk // where these are written

	column bool // the row stands for a column: messages name the points of the column

	// Started is called with the plan before the tables take memory.
	Started func(job.Plan)
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

// Result is the answer.
type Result struct {
	Position nogo.Position // after the moves of the request
	ToPlay   board.Colour
	Winner   board.Winner  // none as long as it is not known
	Moves    []Move        // every legal move, with EachMove; nil without
	Line     []board.Point // the principal variation
	Within   *Within
	Why      *Refutation // of the move asked about

	Method Method
	// Settled is what is known of the moves after a stop without EachMove.
	Settled []Move
	// RootFromBook says that the winner is from the book, and a search was for the moves.
	RootFromBook bool

	Nodes       uint64        // of all runs that led here
	RunNodes    uint64        // of this run: fewer if it was resumed
	Elapsed     time.Duration // of the search, over all runs
	Proving     time.Duration // of the certificate, in this run
	Memory      int64         // bytes of the tables
	Disk        int64         // bytes of the tables on disk
	ErrorBound  float64       // probability that a table mistook one position for another, at most
	Resumed     bool
	Certificate *CertificateInfo
	Profile     *Profile // if asked for
	Warnings    []string
}

// Move is a move and who wins after it.
type Move struct {
	Move   board.Point
	Winner board.Winner
}

// NoGo answers a request. For bad input the result has no Position. If the search is stopped
// before an answer, the error is *job.Stopped. If the certificate cannot be made or written,
// its error is returned with the answer.
func NoGo(ctx context.Context, request Request) (Result, error) {
	if standing(request.Position.Size) {
		return solveStanding(ctx, request)
	}
	r, err := prepare(request)
	if err != nil {
		return Result{}, err
	}
	if r.consult(ctx) {
		return r.result, nil
	}
	if r.checkpoint, err = job.OpenCheckpoint(request.Checkpoint, r.header(), request.files); err != nil {
		return Result{}, err
	}
	defer r.checkpoint.Release()
	defer r.close()
	known := func() string {
		switch {
		case r.solver != nil:
			return r.known()
		case r.won:
			return fmt.Sprintf("%s wins, and the search of the moves has not begun", r.result.Winner)
		}
		return "the search has not begun"
	}
	err = job.Run(ctx, request.Limits, known, r.work)
	stopped := (*job.Stopped)(nil)
	if errors.As(err, &stopped) {
		stopped.Checkpoint = r.checkpoint.Saved()
	}
	if r.solver == nil && (stopped == nil || !r.won) {
		return Result{}, err
	}
	r.result.Warnings = r.warnings
	return r.result, cmp.Or(err, r.unwritten)
}

// work opens the search and answers all that is asked.
func (r *run) work(ctx context.Context, w *job.Work) error {
	if err := r.checkpoint.Resume(func(resumed bool, spent job.Cost) (job.Saver, error) { return r.open(ctx, resumed, spent) }); err != nil {
		r.close()
		return err
	}
	reportProgress(w, r.request.Progress, r.progress)
	if r.checkpoint != nil {
		w.Save(r.request.SaveEvery, r.save)
	}
	err := r.search(ctx)
	r.finish()
	if err == nil {
		if err = r.prove(ctx); err != nil && !job.IsStop(err) {
			r.unwritten, err = err, nil
		}
	}
	if err == nil {
		r.setPhase(job.PhaseLine)
		if !r.result.RootFromBook {
			r.result.Line = player.PlayOut(ctx, r.solver, r.query, r.request.Stubborn)
		}
		err = r.explain(ctx)
		if r.result.RootFromBook {
			r.finish() // the search was for the move that is explained
		}
	}
	if err != nil && job.IsStop(err) && !r.won {
		r.result.Settled, _, _ = r.settled()
	}
	return err
}

// run is one request under way.
type run struct {
	request Request
	plan    job.Plan
	query   solver.Query
	solver  solver.Solver // nil before it is open
	book    *book.NoGo    // nil if it may not answer or there is none
	start   time.Time
	past    job.Cost // of the runs that this one resumes
	result  Result

	checkpoint *job.Checkpoint // nil without
	found      proof.Found     // of the certificate, in this run and those that it resumes
	unwritten  error           // why there is no certificate; the answer holds

	// Read by the goroutines of progress and checkpoints.
	mu       sync.Mutex
	phase    job.Phase
	decided  int           // each-move classes done
	moves    []Move        // of these classes
	trying   []board.Point // the move that is being decided, with each-move
	classes  int           // 0 without each-move
	proved   uint64        // certificate entries so far
	layer    int           // of the proof, and how many it may have
	layers   int
	share    float64 // of the layer done
	warnings []string
	searched time.Duration // what the search took; 0 while it runs
	won      bool          // the winner is in the result
}

// prepare checks everything that can be checked before memory is taken.
func prepare(request Request) (*run, error) {
	if err := request.Position.Validate(); err != nil {
		return nil, err
	}
	if err := request.ToPlay.CheckPlayer(); err != nil {
		return nil, err
	}
	position, toPlay, err := request.Position.PlayAll(request.ToPlay, request.Moves)
	if err != nil {
		return nil, err
	}
	query := solver.Query{Position: position, ToPlay: toPlay}
	if within := request.Within; within != nil {
		if within.Attacker > board.White {
			return nil, errors.New("a win within a number of moves is asked for black or for white")
		}
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
	plan, err := request.search().Plan()
	if err != nil {
		return nil, err
	}
	if plan.Method == method.Endgame {
		if !player.Fits(position, toPlay) {
			return nil, &TooMuchLeft{position.Size, method.Playable(position)}
		}
		plan.Slow = slow(position)
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
	result := Result{Position: position, ToPlay: toPlay, Within: request.Within, Method: Method(plan.Method)}
	if request.EachMove {
		result.Moves = []Move{}
	}
	return &run{
		request: request,
		plan:    plan,
		query:   query,
		start:   time.Now(),
		result:  result,
	}, nil
}

// search is the search to be opened.
func (request Request) search() method.Search {
	return method.Search{
		Size: request.Position.Size, Method: string(request.Method), Without: request.Without, Limits: request.Limits,
		DiskDir: request.DiskDir, Strips: request.Strips, Profile: request.Profile,
		Limited: request.Within != nil, Proves: request.proves(),
	}
}

// open makes the solver.
func (r *run) open(ctx context.Context, resumed bool, spent job.Cost) (job.Saver, error) {
	r.plan.Resumed, r.result.Resumed, r.past = resumed, resumed, spent
	r.plan.Past = spent.Nodes
	opened, warning, err := r.request.search().Open(ctx, r.plan)
	if err != nil {
		return nil, err
	}
	r.solver = opened
	if warning != "" {
		r.warn("%s", warning)
	}
	if r.request.Started != nil {
		r.request.Started(r.plan)
	}
	return saved{&r.found, r.solver}, nil
}

// close gives the memory back.
func (r *run) close() {
	if r.solver != nil {
		r.solver.Close()
		r.solver = nil
	}
}

// search decides the winner, or every move.
func (r *run) search(ctx context.Context) error {
	r.setPhase(job.PhaseSearch)
	if r.request.EachMove && !r.query.Position.Legal(r.query.ToPlay).IsEmpty() {
		return r.eachMove(ctx)
	}
	if r.result.RootFromBook {
		return nil
	}
	answer, err := r.solver.Solve(ctx, r.query)
	if err == nil {
		r.setWinner(answer.Winner)
	}
	return err
}

// eachMove decides the moves one after the other, one of each class, those of the book first.
// Their results give that of the position.
func (r *run) eachMove(ctx context.Context) error {
	classes := player.Classes(r.query.Position, r.query.ToPlay)
	slices.SortStableFunc(classes, func(a, b []board.Point) int { return cmp.Compare(r.toSearch(a), r.toSearch(b)) })
	var moves []Move
	lost := 0
	var err error
	for n, class := range classes {
		r.setDecided(moves, n, len(classes))
		r.setTrying(class[0])
		var answer solver.Answer
		if answer, err = r.after(ctx, class[0]); err != nil {
			break
		}
		if answer.Winner != r.query.ToPlay {
			lost++
		}
		for _, move := range class {
			moves = append(moves, Move{move, answer.Winner.Wins()})
		}
		slices.SortFunc(moves, func(a, b Move) int { return cmp.Compare(a.Move, b.Move) })
		r.setDecided(moves, n+1, len(classes))
	}
	r.result.Moves = append(r.result.Moves, moves...)
	switch {
	case slices.ContainsFunc(moves, func(m Move) bool { return m.Winner.Is(r.query.ToPlay) }):
		r.setWinner(r.query.ToPlay)
	case lost == len(classes):
		r.setWinner(r.query.ToPlay.Opponent())
	}
	return err
}

// after solves the position after a move. When the limit is used up, a side that can
// still move has not been left without one in time.
func (r *run) after(ctx context.Context, move board.Point) (solver.Answer, error) {
	if r.query.Limited && r.query.Plies == 0 {
		return solver.Answer{Winner: r.query.Attacker.Opponent()}, ctx.Err()
	}
	q := r.query.After(move)
	if winner, ok := r.listed(q); ok {
		return solver.Answer{Winner: winner}, nil
	}
	return r.solver.Solve(ctx, q)
}

// toSearch is 0 for moves whose result is in the book, and 1 for others.
func (r *run) toSearch(class []board.Point) int {
	if _, ok := r.listed(r.query.After(class[0])); ok {
		return 0
	}
	return 1
}

// finish records the cost of the search, before the proof and the line add theirs.
func (r *run) finish() {
	r.mu.Lock()
	r.searched = time.Since(r.start)
	r.mu.Unlock()
	stats, work := r.solver.Stats(), r.spent()
	r.result.Elapsed = time.Duration(work.Seconds * float64(time.Second))
	r.result.Nodes, r.result.RunNodes = work.Nodes, stats.Nodes
	r.result.Memory = stats.Bytes
	r.result.Disk = stats.DiskBytes
	r.result.ErrorBound = work.ErrorBound
	if r.request.Profile {
		r.result.Profile = profileOf(r.solver)
	}
}

func (r *run) setWinner(c board.Colour) {
	r.result.Winner = c.Wins()
	r.mu.Lock()
	r.won = true
	r.mu.Unlock()
}

// setDecided records the moves that are decided.
func (r *run) setDecided(moves []Move, decided, classes int) {
	r.mu.Lock()
	r.moves, r.decided, r.classes = slices.Clone(moves), decided, classes
	r.mu.Unlock()
}

func (r *run) setTrying(move board.Point) {
	r.mu.Lock()
	r.trying = []board.Point{move}
	r.mu.Unlock()
}

func (r *run) setPhase(p job.Phase) {
	r.mu.Lock()
	r.phase = p
	r.mu.Unlock()
}

func (r *run) warn(format string, args ...any) {
	r.mu.Lock()
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
	r.mu.Unlock()
}
