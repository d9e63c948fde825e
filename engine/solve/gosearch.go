package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/internal/method"
	"tengen/internal/solver"
	"tengen/internal/solver/gosearch"
	"tengen/internal/solver/superko"
	"tengen/internal/text"
	"tengen/proof/area"
	"tengen/tablebase"
	"tengen/weiqi"
)

// GoMethod names a way to find scores of Go.
type GoMethod string

// The methods. GoAuto takes a table under basic ko, the search where no table can be
// had or a bound is asked for, and the search under superko where that is the rule.
const (
	GoAuto    GoMethod = "auto"
	GoTable   GoMethod = "table"
	GoSearch  GoMethod = "search"
	GoSuperko GoMethod = "superko" // not to be chosen: it comes with the rules
)

// GoMethods lists the names that a request may use.
func GoMethods() []GoMethod { return []GoMethod{GoAuto, GoTable, GoSearch} }

// GoSearchParts lists what can be switched off in the search under basic ko.
func GoSearchParts() []string { return gosearch.Parts() }

// BySearch reports whether the search under basic ko answers the request, also one about
// superko: there it takes the boards that are too large for the other search.
func (request GoRequest) BySearch() bool {
	switch {
	case request.Method == GoSearch:
		return true
	case request.Method == GoTable:
		return false
	case request.Rules.Ko != weiqi.Basic:
		return !superko.Takes(request.Position.Size)
	}
	return request.Position.Size.Points() > tablebase.MaxPoints || request.asks() || request.proves() || request.Checkpoint != ""
}

// areaRun is one question to the search under way.
type areaRun struct {
	request    GoRequest
	plan       job.Plan
	checkpoint *job.Checkpoint // nil without
	past       job.Cost        // of the runs that this one resumes
	solver     *gosearch.Solver
	memory     int64  // of its table
	stones     int    // tables of stones
	look       uint64 // nodes between two looks at how full the table is, at least
	start      time.Time
	result     *GoResult
	saved      time.Time     // when the checkpoint was last written
	saving     time.Duration // that this took

	// What the goroutine of progress reads, and the solver and its cost.
	mu       sync.Mutex
	root     span    // proven of the score so far
	avoided  [2]bool // the bound that Black asked for, or White, is
	basic    span    // under basic ko, if the question is about superko
	whole    bool    // the search is after the score and not after a bound
	phase    job.Phase
	proved   int // entries of the certificate
	decided  int // moves, of classes
	classes  int // 0 as long as no moves are searched
	warnings []string
}

func (request GoRequest) solveByArea(ctx context.Context, result *GoResult) error {
	r := &areaRun{request: request, result: result, start: time.Now(), phase: job.PhaseSearch, whole: !request.asks()}
	if err := r.prepare(); err != nil || request.consultLists(result) {
		return err
	}
	head := header{Game: "go", Method: string(GoSearch), Size: result.Position.Size.String()}
	var err error
	if r.checkpoint, err = job.OpenCheckpoint(request.Checkpoint, head, request.files); err != nil {
		return err
	}
	defer r.checkpoint.Release()
	defer r.close()
	err = job.Run(ctx, job.Limits{}, r.known, r.work)
	if errors.Is(err, errGivenUp) && r.superko() {
		err = errSuperkoOpen
	}
	if repeats := (*area.Repetition)(nil); errors.Is(err, errGivenUp) || err == errEndlessProof || err == errSuperkoOpen || errors.As(err, &repeats) {
		err = &job.Stopped{Cause: err, Known: r.known()}
	}
	if stopped := (*job.Stopped)(nil); errors.As(err, &stopped) {
		stopped.Checkpoint = r.checkpoint.Saved()
	}
	result.Warnings = append(result.Warnings, r.warnings...)
	return err
}

// prepare checks everything that can be checked before memory is taken.
func (r *areaRun) prepare() (err error) {
	request, size := r.request, r.result.Position.Size
	points := size.Points()
	switch {
	case points > gosearch.MaxPoints:
		return fmt.Errorf("a %s board has %d points: tables go to %d and the search of Go to %d", size, points, tablebase.MaxPoints, gosearch.MaxPoints)
	case !size.Small():
		return fmt.Errorf("a %s board is too long a column for the search of Go: ask about the row, %s", size, size.Turned())
	case request.Stubborn:
		return errors.New("a line in which the loser puts the end off as long as it can comes from a table: leave that out")
	case len(request.With) > 0:
		return fmt.Errorf("%q is no part of the search of Go that could be switched on", request.With[0])
	case r.superko() && request.Endless != table.EndlessDrawn:
		return errEndless
	case r.superko() && request.EachMove:
		return errors.New("the search shows one score under superko: ask about a move by playing it first")
	case r.superko() && request.Line == LineWanted:
		return errors.New("the search has no line under superko: leave that out")
	case r.superko() && request.Position.Ko != board.NoPoint:
		return checkBan(request.Position)
	case request.Certificate != "" && request.Certificate == request.Checkpoint:
		return fmt.Errorf("certificate and checkpoint are the same file, %s: give them different names", request.Certificate)
	}
	if err := request.checkBounds(r.result.Position); err != nil {
		return err
	}
	if r.plan.Limits, err = request.Settle(); err != nil {
		return err
	}
	r.plan.Method = string(GoSearch)
	r.stones = gosearch.Stones(size, r.plan.Memory)
	r.plan.Fixed = gosearch.Fixed(size, r.plan.Threads, r.stones)
	r.memory, r.look = min(firstTable, r.plan.Memory-r.plan.Fixed), growTurn
	if err := r.plan.Least("the search of Go on "+size.String(), r.plan.Fixed+job.LeastTable); err != nil {
		return err
	}
	if err := r.options().Check(size); err != nil {
		return err
	}
	r.result.Method = GoSearch
	r.root = between(-points, points)
	r.basic = r.root
	r.result.Value = r.root.value(request.Endless)
	return nil
}

// checkBounds refuses bounds that no score has, and certificates that cannot be made or
// written.
func (request GoRequest) checkBounds(p weiqi.Position) error {
	points := p.Size.Points()
	for _, bound := range []*int{request.AtLeast, request.AtMost} {
		if bound != nil && (*bound < -points || *bound > points) {
			return fmt.Errorf("there is no score of %d on %s: the largest is %d", *bound, p.Size, points)
		}
	}
	switch {
	case request.proves() && len(request.questions()) != 1:
		return errors.New("a certificate of Go proves one bound: ask for a score of at least or of at most some number")
	case request.proves() && p.Over():
		return errors.New("the game is over: there is nothing to prove")
	case request.Certificate != "":
		return request.files.Check("certificate", request.Certificate, isCertificate)
	}
	return nil
}

func (r *areaRun) options() gosearch.Options {
	return gosearch.Options{Memory: r.memory, Threads: r.plan.Threads, Stones: r.stones, Without: r.request.Without}
}

// stats are those of the solver.
func (r *areaRun) stats() gosearch.Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.solver.Stats()
}

// work opens the search and answers all that is asked.
func (r *areaRun) work(ctx context.Context, w *job.Work) error {
	if err := r.checkpoint.Resume(r.open); err != nil {
		return err
	}
	r.saved = time.Now()
	reportProgress(w, r.request.Progress, r.progress)
	err := r.search(ctx)
	stats := r.stats()
	r.result.Nodes, r.result.Elapsed, r.result.Memory = stats.Nodes, time.Since(r.start), r.plan.Fixed+stats.Bytes
	switch {
	case r.superko() && (err == nil || errors.Is(err, errGivenUp)):
		err = cmp.Or(r.proveSuperko(ctx), err)
	case err == nil:
		err = r.prove(ctx)
	}
	if !r.superko() && (err == nil || errors.Is(err, errGivenUp)) {
		err = cmp.Or(r.line(ctx), err)
	}
	r.save()
	return err
}

func (r *areaRun) open(resumed bool, spent job.Cost) (job.Saver, error) {
	r.plan.Resumed, r.plan.Past, r.past = resumed, spent.Nodes, spent
	if resumed {
		r.memory = r.plan.Memory - r.plan.Fixed // the proofs of the checkpoint may need it
	}
	if r.request.Started != nil {
		r.request.Started(r.plan)
	}
	var err error
	r.solver, err = gosearch.New(r.result.Position.Size, r.options())
	return r.solver, err
}

func (r *areaRun) close() {
	if r.solver != nil {
		r.solver.Close()
	}
}

// errGivenUp says that neither side has a proof, however long the search goes on.
var errGivenUp = fmt.Errorf("no more can be proven within %d plies, and an endless game may decide the rest", gosearch.MaxPlies)

// errSuperkoOpen says the same where a game may not repeat.
var errSuperkoOpen = errors.New("no more can be proven under basic ko, and superko may decide the rest")

// search bounds the score and, if they are asked for, those of the moves.
func (r *areaRun) search(ctx context.Context) error {
	p := r.result.Position
	if p.Over() {
		r.found(between(p.Score(), p.Score()))
		if r.request.EachMove {
			r.result.Moves = []table.Move{}
		}
		return nil
	}
	root, err := r.bookRoot(), error(nil)
	if !r.result.RootFromBook {
		root, err = r.bound(ctx, p, root)
	}
	r.found(root)
	if !r.request.EachMove || err != nil && !errors.Is(err, errGivenUp) && !job.IsStop(err) {
		return err
	}
	r.setPhase(job.PhaseSearch)
	var given error
	if errors.Is(err, errGivenUp) {
		given, err = err, nil
	}
	classes := moveClasses(p)
	spans := make([]span, len(classes))
	for n, class := range classes {
		r.setDecided(n, len(classes))
		// No move is better than the position.
		if spans[n] = between(-p.Size.Points(), root.high); p.ToPlay == board.White {
			spans[n] = between(root.low, p.Size.Points())
		}
		next, illegal := weiqi.Rules{}.Play(p, class[0])
		if illegal != nil {
			return illegal
		}
		if spans[n] = r.request.bookBounds(next, spans[n]); err == nil && r.request.open(spans[n]) {
			spans[n], err = r.bound(ctx, next, spans[n])
		}
		if errors.Is(err, errGivenUp) {
			given, err = err, nil
		}
	}
	r.setDecided(0, 0)
	r.result.Moves = provenMoves(classes, spans, p.ToPlay, r.request.Endless)
	return cmp.Or(err, given)
}

// moveClasses are the moves of a position, the pass first. Those that its symmetries exchange
// are in one class.
func moveClasses(p weiqi.Position) [][]board.Point {
	return append([][]board.Point{{weiqi.Pass}}, p.Size.Orbits(weiqi.Rules{}.Legal(p), ownSymmetries(p))...)
}

// provenMoves lists the moves of classes with their proven bounds, the best first.
func provenMoves(classes [][]board.Point, spans []span, toPlay board.Colour, endless table.Endless) []table.Move {
	moves := scored(classes, spans, toPlay, endless)
	for i := range moves {
		moves[i].Value = everyEndless(moves[i].Value)
	}
	return moves
}

// everyEndless says that a score that both sides have proven is the same whatever an endless
// game counts.
func everyEndless(v table.Value) table.Value {
	if !v.Open && !v.Ranged {
		v.Ranged, v.Lo, v.Hi = true, v.Score, v.Score
	}
	return v
}

// ownSymmetries are those that leave a position as it is.
func ownSymmetries(p weiqi.Position) []board.Symmetry {
	return slices.DeleteFunc(p.Size.Symmetries(), func(sym board.Symmetry) bool { return p.Map(sym) != p })
}

// bound narrows the bounds of a score: until they meet, or until every question about
// bounds is decided.
func (r *areaRun) bound(ctx context.Context, p weiqi.Position, s span) (span, error) {
	if !r.request.asks() {
		a, err := r.narrow(ctx, p, s, board.Empty)
		s = span{a.Low, a.High, a.Held() && !r.superko()}
		if err == nil && !s.known() {
			err = errGivenUp
		}
		return s, err
	}
	for _, asked := range r.request.questions() {
		if s.low >= asked.high || s.high <= asked.low {
			continue
		}
		got, err := r.narrow(ctx, p, asked.span, asked.side)
		switch {
		case err != nil:
			return s, err
		case got.Low == asked.high:
			s.low = asked.high
		case got.High == asked.low:
			s.high = asked.low
		case !r.superko() && (asked.side == board.Black && got.LowHeld || asked.side == board.White && got.HighHeld):
			if p == r.result.Position {
				r.avoided[asked.side] = true
			}
		default:
			return s, errGivenUp
		}
	}
	return s, nil
}

// found takes in what is proven of the score. Under superko it is not yet shown.
func (r *areaRun) found(s span) {
	if r.superko() && !r.result.Position.Over() {
		r.basic = s
		return
	}
	r.show(s)
	if !r.superko() {
		r.result.Value = everyEndless(r.result.Value)
	}
}

// show says what is known of the score.
func (r *areaRun) show(s span) {
	r.mu.Lock()
	r.root = s
	r.mu.Unlock()
	r.result.Value, r.result.Known = s.value(r.request.Endless), s.known()
	r.request.decide(s, r.result)
	for c, truth := range [...]*Truth{&r.result.AtLeast, &r.result.AtMost} {
		if r.avoided[c] && *truth == Undecided {
			*truth = Avoided
		}
	}
}

// superko reports whether the question is about superko.
func (r *areaRun) superko() bool { return r.request.Rules.Ko != weiqi.Basic }

// line looks for best play, if the score is known. It ends where everything is settled.
func (r *areaRun) line(ctx context.Context) error {
	if !r.root.exact() || r.result.RootFromBook || r.request.Line == LineNone {
		return nil
	}
	r.setPhase(job.PhaseLine)
	begun, before := time.Now(), r.stats().Nodes
	line, err := r.solver.Line(ctx, r.result.Position, r.result.Score)
	r.result.Line = line
	r.result.LineNodes, r.result.LineElapsed = r.stats().Nodes-before, time.Since(begun)
	if err != nil && job.IsStop(err) && r.request.Line == LineUsual {
		r.warnings = append(r.warnings, "a line was not found before the search was stopped")
		return nil
	}
	return err
}

func (r *areaRun) setPhase(p job.Phase) {
	r.mu.Lock()
	r.phase = p
	r.mu.Unlock()
}

func (r *areaRun) setDecided(done, all int) {
	r.mu.Lock()
	r.decided, r.classes = done, all
	r.mu.Unlock()
}

func (r *areaRun) progress() Progress {
	stats := r.stats()
	r.mu.Lock()
	defer r.mu.Unlock()
	p := Progress{Progress: method.Progress(solver.Stats{
		Nodes: stats.Nodes, Stored: stats.Stored, Bytes: r.plan.Fixed + stats.Bytes, RootDone: r.decided, RootMoves: r.classes,
	}, r.start), Size: r.result.Position.Size}
	p.Phase, p.Proved = r.phase, uint64(r.proved)
	p.Fill = float64(stats.Stored) / float64(max(stats.Capacity, 1))
	if share, waits := stats.Status.Counting(); waits {
		p.Phase, p.Share = job.PhaseStones, share
		return p
	}
	if r.phase != job.PhaseSearch {
		return p
	}
	low, high := r.root.low, r.root.high
	if r.whole || r.classes > 0 {
		low, high = stats.Proven.Low, stats.Proven.High
	}
	asked := stats.Status.Goal
	if stats.Status.Prover == board.White {
		asked = -asked
	}
	p.Proven = &Proven{low, high, asked, stats.Status.Prover, stats.Status.Plies, false}
	return p
}

// known says in one clause how far the search came.
func (r *areaRun) known() string {
	points := r.result.Position.Size.Points()
	after := fmt.Sprintf("after %s positions", text.Thousands(r.result.Nodes))
	bounds := text.Bounds(r.root.low, r.root.high, points)
	if bounds != "" {
		bounds = "the score is " + bounds
	}
	if r.root.exact() {
		bounds = text.Verdict(r.root.low)
	}
	bounds = cmp.Or(bounds, r.request.Avoided(*r.result))
	open := unsolved(r.result.Moves)
	if basic := text.Bounds(r.basic.low, r.basic.high, points); r.superko() && r.basic != r.root && basic != "" {
		return "under basic ko the score is " + basic + " " + after + ", and under superko " + cmp.Or(bounds, "nothing is proven yet")
	}
	switch {
	case r.solver == nil:
		return "the search has not begun"
	case bounds == "" && r.result.Nodes == 0:
		return "the search was still preparing, and nothing is proven yet"
	case r.request.proves() && r.phase == job.PhaseProof && bounds != "":
		return bounds + ", but the certificate is not written"
	case r.request.EachMove && open > 0 && bounds != "":
		return fmt.Sprintf("%s, and %d of %d moves are not solved, %s", bounds, open, len(r.result.Moves), after)
	case bounds != "":
		return bounds + " " + after
	}
	return "nothing is proven yet " + after
}
