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
	"tengen/proof"
	"tengen/proof/area"
	certificate "tengen/proof/superko"
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

// Truth is the answer to a question that may stay open.
type Truth uint8

// A claim is undecided, true or false. It is avoided if the other side can keep it from coming
// true, by an endless game if need be.
const (
	Undecided Truth = iota
	True
	False
	Avoided
)

// GoBounds are the questions about a score that are easier than the score itself.
// Black's area less White's is meant, whatever an endless game counts.
type GoBounds struct {
	AtLeast, AtMost *int // nil if it is not asked
}

// asks reports whether there is a question.
func (b GoBounds) asks() bool { return b.AtLeast != nil || b.AtMost != nil }

// asked is a question about a bound: the score and the next higher one that it separates,
// and the side that proves it if it holds.
type asked struct {
	span
	side board.Colour
}

// questions are those about bounds.
func (b GoBounds) questions() (list []asked) {
	if b.AtLeast != nil {
		list = append(list, asked{between(*b.AtLeast-1, *b.AtLeast), board.Black})
	}
	if b.AtMost != nil {
		list = append(list, asked{between(*b.AtMost, *b.AtMost+1), board.White})
	}
	return list
}

// proves reports whether a certificate is asked for.
func (request GoRequest) proves() bool {
	return request.Certificate != "" || request.CertificateTo != nil
}

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
	memory     int64 // of its table
	stones     int   // tables of stones
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
	r := &areaRun{request: request, result: result, start: time.Now(), phase: job.PhaseSearch}
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
	r.memory = min(firstTable, r.plan.Memory-r.plan.Fixed)
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

// isCertificate lets a certificate be replaced by one of any kind.
func isCertificate(path string) error {
	if certificate.IsFile(path) {
		_, err := certificate.ReadFile(path)
		return err
	}
	if area.IsFile(path) {
		_, err := area.ReadFile(path)
		return err
	}
	_, err := proof.ReadFile(path)
	return err
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

// errEndlessProof says that neither side has a proof to write.
var errEndlessProof = errors.New("there is no certificate of that or of its contrary: each side can prevent the other's by an endless game, so it depends on what such a game counts")

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
	r.whole = !r.request.asks()
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

// firstSave and saveEvery are the times between two checkpoints. A search that rests long
// while it is saved goes on for savePause times as long before the next one.
const (
	firstSave = 5 * time.Second
	saveEvery = 30 * time.Second
	savePause = 30
)

// narrow searches within a span, mostly for proofs of one side unless it is board.Empty.
// The search rests while it is saved.
func (r *areaRun) narrow(ctx context.Context, p weiqi.Position, s span, side board.Colour) (gosearch.Answer, error) {
	for {
		turn, cancel := r.turn(ctx)
		a, err := r.solver.SolveFor(turn, p, gosearch.Answer{Low: s.low, High: s.high}, side, 0)
		cancel()
		s = between(a.Low, a.High)
		if err == nil || s.exact() {
			return a, nil
		}
		if !job.IsStop(err) || ctx.Err() != nil {
			return a, err
		}
		if r.checkpoint != nil && !time.Now().Before(r.due()) {
			r.save()
		}
		if err := r.grow(); err != nil {
			return a, err
		}
	}
}

// Memory costs time when it is first touched, so a search begins with a small table and
// gets a larger one when that is half full. It must be stopped for that and repeats a
// part of its work, so the turns between two looks at the table become longer.
const (
	firstTable = 64 << 20
	growth     = 8
	growTurn   = 2 * time.Second
	growShare  = 16 // of the time so far
)

// larger is the size of the next table. The present one must have room beside it.
func (r *areaRun) larger() int64 {
	limit := r.plan.Memory - r.plan.Fixed
	if next := growth * r.memory; 2*next <= limit {
		return next
	}
	return limit - r.memory
}

// small reports whether the table may grow.
func (r *areaRun) small() bool { return r.memory < r.larger() }

// grow takes a larger table, if the present one is half full.
func (r *areaRun) grow() error {
	if stats := r.solver.Stats(); !r.small() || 2*stats.Stored < stats.Capacity {
		return nil
	}
	r.memory = r.larger()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.solver.Grow(r.memory)
}

// turn ends when a checkpoint is due, and soon while the table is small.
func (r *areaRun) turn(ctx context.Context) (context.Context, context.CancelFunc) {
	switch {
	case r.small():
		return context.WithTimeout(ctx, max(growTurn, time.Since(r.start)/growShare))
	case r.checkpoint == nil:
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, r.due())
}

// due is when the checkpoint is to be written next.
func (r *areaRun) due() time.Time {
	wait := max(cmp.Or(r.request.SaveEvery, saveEvery), savePause*r.saving)
	if r.checkpoint.Saved() == "" {
		wait = min(wait, firstSave)
	}
	return r.saved.Add(wait)
}

// save writes the checkpoint, if there is one. A failure is a warning.
func (r *areaRun) save() {
	if r.checkpoint == nil {
		return
	}
	spent := job.Cost{Nodes: r.past.Nodes + r.stats().Nodes, Seconds: r.past.Seconds + time.Since(r.start).Seconds()}
	begun := time.Now()
	if err := r.checkpoint.Save(spent, r.solver); err != nil {
		r.warnings = append(r.warnings, fmt.Sprintf("the checkpoint could not be written: %v", err))
	}
	r.saved, r.saving = time.Now(), time.Since(begun)
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

// Avoided says of which bound a side cannot be sure; "" if none is known to be avoided.
func (b GoBounds) Avoided(r GoResult) string {
	switch {
	case r.AtLeast == Avoided:
		return fmt.Sprintf("black cannot be sure of %s or more", text.Lead(*b.AtLeast))
	case r.AtMost == Avoided:
		return fmt.Sprintf("white cannot be sure of %s or less", text.Lead(*b.AtMost))
	}
	return ""
}

// decide answers the questions about bounds from what is proven.
func (b GoBounds) decide(s span, result *GoResult) {
	if n := b.AtLeast; n != nil {
		result.AtLeast = truth(s.low >= *n, s.high < *n)
	}
	if n := b.AtMost; n != nil {
		result.AtMost = truth(s.high <= *n, s.low > *n)
	}
}

// proven is the bound that a certificate proves: the one that was asked for, or its contrary.
func (b GoBounds) proven(s span) (prover board.Colour, goal int) {
	asked := b.questions()[0]
	if s.low >= asked.high {
		return board.Black, asked.high
	}
	return board.White, -asked.low
}

func truth(yes, no bool) Truth {
	switch {
	case yes:
		return True
	case no:
		return False
	}
	return Undecided
}

// prove writes the certificate, if one is asked for.
func (r *areaRun) prove(ctx context.Context) error {
	if !r.request.proves() {
		return nil
	}
	r.setPhase(job.PhaseProof)
	begin := time.Now()
	defer func() { r.result.Proving = time.Since(begin) }()
	claim := r.claim()
	if err := r.confirm(ctx, claim); err != nil {
		return err
	}
	s := r.root
	if claim.Prover == board.Black {
		s.low = max(s.low, claim.Goal)
	} else {
		s.high = min(s.high, -claim.Goal)
	}
	r.found(s) // a bound that is avoided may have had no proof of the contrary yet
	certificate, err := area.Extract(ctx, claim, areaOracle{r.solver}, r.setProved)
	if err != nil {
		return err
	}
	return r.write(certificate)
}

// claim is what a certificate proves.
func (r *areaRun) claim() area.Claim {
	prover, goal := r.request.proven(r.root)
	return area.Claim{Root: r.result.Position, Prover: prover, Goal: goal}
}

// confirm proves a claim. What the other side could not prove is not yet a proof of this
// one.
func (r *areaRun) confirm(ctx context.Context, claim area.Claim) error {
	v, err := r.solver.Prove(ctx, gosearch.Question{Position: claim.Root, Prover: claim.Prover, Goal: claim.Goal}, 0)
	switch {
	case err == nil && v == gosearch.Held:
		err = errEndlessProof
	case err == nil && v != gosearch.Proven:
		err = errGivenUp
	}
	return err
}

func (r *areaRun) write(c *area.Certificate) error {
	if err := writeCertificate(r.request.files, r.request.Certificate, r.request.CertificateTo, c.Write); err != nil {
		return err
	}
	bytes, checksum := c.Sum()
	r.result.Certificate = &CertificateInfo{r.request.Certificate, c.Len(), bytes, checksum}
	return nil
}

// superko reports whether the question is about superko.
func (r *areaRun) superko() bool { return r.request.Rules.Ko != weiqi.Basic }

// proveSuperko shows which of the bounds proven under basic ko hold under superko: those
// with a certificate by which the prover never recreates a board.
func (r *areaRun) proveSuperko(ctx context.Context) error {
	p := r.result.Position
	if p.Over() {
		return nil
	}
	r.setPhase(job.PhaseProof)
	begin := time.Now()
	defer func() { r.result.Proving = time.Since(begin) }()
	points := p.Size.Points()
	shown := between(-points, points)
	var failed error
	for _, claim := range []area.Claim{{Root: p, Prover: board.Black, Goal: r.basic.low}, {Root: p, Prover: board.White, Goal: -r.basic.high}} {
		if claim.Goal == -points {
			continue
		}
		c, repeats, err := r.extractSuperko(ctx, claim)
		switch {
		case err != nil:
			return err
		case repeats != nil:
			failed = fmt.Errorf("the proof that %s scores at least %d may rest on a repetition, which %s forbids: %w", claim.Prover, claim.Goal, r.request.Rules.Ko, repeats)
			continue
		case claim.Prover == board.Black:
			shown.low = claim.Goal
		default:
			shown.high = -claim.Goal
		}
		r.result.Unrepeated += c.Len()
		r.show(shown)
		if r.request.proves() && claim == r.claim() {
			if err := r.write(c); err != nil {
				return err
			}
		}
	}
	return failed
}

// extractSuperko makes a certificate and checks it, since the search does not.
func (r *areaRun) extractSuperko(ctx context.Context, claim area.Claim) (*area.Certificate, *area.Repetition, error) {
	if err := r.confirm(ctx, claim); err != nil {
		return nil, nil, err
	}
	c, repeats, err := area.ExtractSuperko(ctx, claim, areaOracle{r.solver}, area.SuperkoOptions{Ko: r.request.Rules.Ko, Before: r.before()}, r.setProved)
	if err != nil || repeats != nil {
		return c, repeats, err
	}
	report, err := area.Verify(ctx, c, nil)
	if err == nil && !report.Valid {
		err = report.Failure
	}
	return c, nil, err
}

// before are the positions of the game before the one that is asked about.
func (r *areaRun) before() (list []weiqi.Position) {
	history := weiqi.NewHistory(r.request.Rules, r.request.Position)
	for _, move := range r.request.Moves {
		list = append(list, history.Position())
		if history.Push(move) != nil {
			break // they were checked before
		}
	}
	if start := r.request.Position; len(list) > 0 && start.Passes > 0 {
		start.ToPlay = start.ToPlay.Opponent()
		list = append(list, start)
	}
	return list
}

// areaOracle asks the search for the moves of a certificate.
type areaOracle struct{ solver *gosearch.Solver }

func (o areaOracle) Winning(ctx context.Context, c area.Claim, limit int) (board.Point, int, error) {
	return o.Other(ctx, c, limit, nil)
}

func (o areaOracle) Other(ctx context.Context, c area.Claim, limit int, avoid []board.Point) (board.Point, int, error) {
	return o.solver.Winning(ctx, gosearch.Question{Position: c.Root, Prover: c.Prover, Goal: c.Goal}, limit, avoid...)
}

func (o areaOracle) Keeping(room weiqi.Position, prover board.Colour, eyes int) (board.Point, int, bool) {
	return o.solver.Keeping(room, prover, eyes)
}

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

func (r *areaRun) setProved(positions int) {
	r.mu.Lock()
	r.proved = positions
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
