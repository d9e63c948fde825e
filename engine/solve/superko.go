package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/internal/method"
	"tengen/internal/solver"
	"tengen/internal/solver/superko"
	"tengen/internal/text"
	certificate "tengen/proof/superko"
	"tengen/weiqi"
)

// SuperkoPart is a piece of the search under superko that can be switched off and on.
type SuperkoPart struct {
	Name  string
	Does  string
	Usual bool // on unless it is switched off
	part  superko.Part
}

// AppliesTo reports whether the part can have an effect on a board.
func (p SuperkoPart) AppliesTo(size board.Size) bool { return p.part.AppliesTo(size) }

// SuperkoParts lists what can be switched off, and on, in the search under superko.
func SuperkoParts() []SuperkoPart {
	var parts []SuperkoPart
	for _, p := range superko.Parts() {
		parts = append(parts, SuperkoPart{p.Name, p.Does, p.Usual, p})
	}
	return parts
}

// Names of groups of parts to switch on. Only those parts count that can have an effect on the
// board.
const (
	SuperkoTheorems = "theorems" // every part that is not usual, but for the conjecture
	SuperkoAll      = "all"      // every part that is not usual
)

// SuperkoGroups lists these names.
func SuperkoGroups() []string { return []string{SuperkoTheorems, SuperkoAll} }

// superkoRun is one question under superko under way.
type superkoRun struct {
	request  GoRequest
	plan     job.Plan
	question superko.Question
	solver   atomic.Pointer[superko.Solver] // nil while the boards are listed
	start    time.Time
	result   *GoResult
	root     span // proven of the score

	decided, classes atomic.Int64 // of the moves; no classes before they are searched
}

func (request GoRequest) solveBySearch(ctx context.Context, result *GoResult) error {
	r := superkoRun{request: request, result: result, question: superko.Question{Start: request.Position, Moves: request.Moves}}
	options, err := r.prepare()
	if err != nil {
		return err
	}
	if request.Started != nil {
		request.Started(r.plan)
	}
	r.start = time.Now()
	return job.Run(ctx, job.Limits{}, r.known, func(ctx context.Context, w *job.Work) error {
		reportProgress(w, request.Progress, r.progress)
		s, err := superko.New(ctx, request.Position.Size, options)
		if err != nil {
			result.Elapsed = time.Since(r.start)
			return err
		}
		r.solver.Store(s)
		err = r.search(ctx)
		r.finish()
		if err == nil {
			err = r.prove(ctx)
		}
		if err == nil {
			err = r.line(ctx)
		}
		return err
	})
}

// checkBan refuses a ban of ko, which says too little of the history.
func checkBan(p weiqi.Position) error { return superko.Question{Start: p}.Check() }

var errEndless = errors.New("under superko no game is endless: leave out what one would count")

// prepare checks everything that can be checked before work begins.
func (r *superkoRun) prepare() (superko.Options, error) {
	request := r.request
	r.result.Method = GoSuperko
	switch {
	case request.Checkpoint != "":
		return superko.Options{}, errors.New("a checkpoint is for basic ko: the search under superko is not saved")
	case request.Method == GoTable:
		return superko.Options{}, errors.New("tables are for basic ko: under superko the score depends on the history")
	}
	if err := request.checkBounds(r.result.Position); err != nil {
		return superko.Options{}, err
	}
	if request.Endless != table.EndlessDrawn {
		return superko.Options{}, errEndless
	}
	var err error
	if r.plan.Limits, err = request.Settle(); err != nil {
		return superko.Options{}, err
	}
	options := superko.Options{
		Rules: request.Rules, Memory: r.plan.Memory, Threads: r.plan.Threads, With: request.With, Without: request.Without,
		Record: request.proves(),
	}
	footprint, err := options.Check(request.Position.Size)
	if small := (*superko.TooSmall)(nil); errors.As(err, &small) {
		err = fmt.Errorf("the %s boards of %s and what the threads need (%d) take %s before anything is remembered, and the limit is %s: give more memory or fewer threads",
			text.Thousands(small.Boards), small.Size, options.Threads, text.Bytes(small.Bytes), text.Bytes(small.Memory))
	}
	if err == nil {
		err = r.question.Check()
	}
	if err != nil {
		return options, err
	}
	r.plan.Boards, r.plan.Fixed = footprint.Boards, footprint.Bytes
	r.result.Warnings = options.WithoutEffect(request.Position.Size)
	points := request.Position.Size.Points()
	r.result.Value = table.Value{Open: true, Lo: -points, Hi: points}
	return options, nil
}

// span has the proven bounds of a score, Black minus White.
type span struct {
	low, high int
	held      bool // they are the scores if Black loses endless games and if he wins them
}

func between(low, high int) span { return span{low: low, high: high} }

func (s span) exact() bool { return s.low == s.high }

// known reports whether the score is known under every rule for endless games.
func (s span) known() bool { return s.exact() || s.held }

func (s span) value(endless table.Endless) table.Value {
	switch {
	case s.exact():
		return table.Value{Score: s.low}
	case s.held:
		return table.Value{Score: endless.Of(s.low, s.high), Ranged: true, Lo: s.low, Hi: s.high}
	}
	return table.Value{Open: true, Lo: s.low, Hi: s.high}
}

// bound searches the score of a question within a span, and narrows it: until it is known,
// or until every question about bounds is decided.
func (r *superkoRun) bound(ctx context.Context, q superko.Question, s span) (span, error) {
	for _, asked := range r.request.questions() {
		if s.low >= asked.high || s.high <= asked.low {
			continue
		}
		holds, err := r.solver.Load().Prove(ctx, q, asked.high, nil)
		switch {
		case err != nil:
			return s, err
		case holds:
			s.low = asked.high
		default:
			s.high = asked.low
		}
	}
	if s.exact() || r.request.asks() {
		return s, nil
	}
	a, err := r.solver.Load().SolveWithin(ctx, q, superko.Answer{Low: s.low, High: s.high})
	if err != nil && ctx.Err() == nil {
		return s, err
	}
	if a.Low > s.low || a.High < s.high {
		s = between(a.Low, a.High)
		r.result.Conjectural = r.result.Conjectural || a.Exact() && a.Conjectural
	}
	if s.exact() {
		err = nil
	}
	return s, err
}

// search finds the score and, if they are asked for, those of the moves. No move is
// better than the position.
func (r *superkoRun) search(ctx context.Context) error {
	p := r.result.Position
	points := p.Size.Points()
	root := between(-points, points)
	var err error
	if p.Over() {
		root = between(p.Score(), p.Score())
	} else if root, err = r.bound(ctx, r.question, root); root != between(-points, points) {
		r.result.Depth = r.solver.Load().Stats().Depth
	}
	r.root = root
	r.result.Value, r.result.Known = root.value(table.EndlessDrawn), root.exact()
	r.request.decide(root, r.result)
	if !r.request.EachMove {
		return err
	}
	classes := r.moves()
	spans := make([]span, len(classes))
	r.classes.Store(int64(len(classes)))
	for n, class := range classes {
		if spans[n] = between(-points, root.high); p.ToPlay == board.White {
			spans[n] = between(root.low, points)
		}
		if err == nil {
			spans[n], err = r.bound(ctx, r.question.After(class[0]), spans[n])
		}
		if spans[n].exact() {
			r.decided.Add(1)
		}
	}
	r.classes.Store(0)
	r.result.Moves = scored(classes, spans, p.ToPlay, table.EndlessDrawn)
	return err
}

// moves groups the moves that symmetries of the game so far exchange. The pass comes first,
// since it leaves the least to play.
func (r *superkoRun) moves() [][]board.Point {
	played := weiqi.NewHistory(r.request.Rules, r.request.Position)
	positions := []weiqi.Position{r.request.Position}
	for _, move := range r.request.Moves {
		if played.Push(move) != nil {
			break // they were checked before
		}
		positions = append(positions, played.Position())
	}
	p := played.Position()
	if p.Over() {
		return nil
	}
	own := slices.DeleteFunc(p.Size.Symmetries(), func(sym board.Symmetry) bool {
		return slices.ContainsFunc(positions, func(q weiqi.Position) bool { return q.Map(sym) != q })
	})
	return append([][]board.Point{{weiqi.Pass}}, p.Size.Orbits(played.Legal(), own)...)
}

// scored lists the moves, those that are solved first, the best before the others.
func scored(classes [][]board.Point, spans []span, toPlay board.Colour, endless table.Endless) []table.Move {
	list := []table.Move{}
	for n, class := range classes {
		for _, move := range class {
			list = append(list, table.Move{Move: move, Value: spans[n].value(endless)})
		}
	}
	slices.SortFunc(list, func(x, y table.Move) int {
		better := cmp.Compare(y.Score, x.Score)
		switch {
		case x.Open != y.Open && y.Open:
			return -1
		case x.Open != y.Open:
			return 1
		case toPlay == board.White:
			better = -better
		}
		return cmp.Or(better, cmp.Compare(x.Move, y.Move))
	})
	return list
}

// finish records the cost of the search, before the line adds its own.
func (r *superkoRun) finish() {
	stats := r.solver.Load().Stats()
	r.result.Nodes, r.result.Elapsed = stats.Nodes, time.Since(r.start)
	r.result.Memory = r.plan.Fixed + stats.Bytes
	if stats.Sweeps > 0 {
		r.result.Full = true
		r.result.Warnings = append(r.result.Warnings, fmt.Sprintf("proofs had to be forgotten %s times, since %s of memory were full: with more it would be faster",
			text.Thousands(stats.Sweeps), text.Bytes(r.plan.Memory)))
	}
}

// prove writes the certificate of the bound that was asked for, or of its contrary, if one is
// asked for.
func (r *superkoRun) prove(ctx context.Context) error {
	if !r.request.proves() {
		return nil
	}
	begin := time.Now()
	defer func() { r.result.Proving = time.Since(begin) }()
	prover, goal := r.request.proven(r.root)
	c, err := certificate.New(certificate.Claim{Rules: r.request.Rules, Start: r.request.Position, Moves: r.request.Moves, Prover: prover, Goal: goal})
	if err != nil {
		return err
	}
	if _, err := r.solver.Load().Prove(ctx, r.question, r.request.questions()[0].high, func(claim superko.Claim) { c.Add(certificate.Entry(claim)) }); err != nil {
		return err
	}
	if err := writeCertificate(r.request.files, r.request.Certificate, r.request.CertificateTo, c.Write); err != nil {
		return err
	}
	bytes, checksum := c.Sum()
	r.result.Certificate = &CertificateInfo{r.request.Certificate, c.Len(), bytes, checksum}
	return nil
}

// line looks for a short line of best play, or for the one to follow.
func (r *superkoRun) line(ctx context.Context) error {
	request, s := r.request, r.solver.Load()
	if !r.result.Known || request.Line == LineNone || request.Line == LineUsual && slices.Contains(request.Without, "tt") {
		return nil
	}
	begun := time.Now()
	var err error
	if request.Follow != nil {
		r.result.Line, err = s.Follow(ctx, r.question, request.Follow)
	} else {
		r.result.Line, err = s.Short(ctx, r.question)
	}
	r.result.LineNodes, r.result.LineElapsed = s.Stats().Nodes-r.result.Nodes, time.Since(begun)
	if err != nil && job.IsStop(err) && request.Line == LineUsual {
		r.result.Warnings = append(r.result.Warnings, "a line was not found before the search was stopped")
		return nil
	}
	return err
}

func (r *superkoRun) progress() Progress {
	s := r.solver.Load()
	if s == nil {
		return Progress{Progress: job.Progress{Phase: job.PhaseBoards, Elapsed: time.Since(r.start)}}
	}
	stats := s.Stats()
	p := Progress{Progress: method.Progress(solver.Stats{
		Nodes: stats.Nodes, Stored: stats.Stored, Bytes: r.plan.Fixed + stats.Bytes, RootDone: int(r.decided.Load()), RootMoves: int(r.classes.Load()),
	}, r.start), Size: r.request.Position.Size}
	p.Proven = &Proven{stats.Low, stats.High, stats.Asked, stats.ToPlay, stats.Depth, stats.Sweeps > 0}
	return p
}

// known says in one clause how far the search came.
func (r *superkoRun) known() string {
	points := r.request.Position.Size.Points()
	switch s := r.solver.Load(); {
	case s == nil:
		return fmt.Sprintf("the %s boards of %s were not all listed yet", text.Thousands(r.plan.Boards), r.request.Position.Size)
	case !r.result.Known:
		after := fmt.Sprintf("after %s positions", text.Thousands(r.result.Nodes))
		if bounds := text.Bounds(r.result.Lo, r.result.Hi, points); bounds != "" {
			return fmt.Sprintf("the score is %s %s", bounds, after)
		}
		return "nothing is proven yet " + after
	case r.request.EachMove && unsolved(r.result.Moves) > 0:
		return fmt.Sprintf("%s, but %d of %d moves are not solved", text.Verdict(r.result.Score), unsolved(r.result.Moves), len(r.result.Moves))
	}
	return text.Verdict(r.result.Score) + ", but there is no line yet"
}

// unsolved counts the moves without an exact score.
func unsolved(moves []table.Move) (open int) {
	for _, m := range moves {
		if m.Open {
			open++
		}
	}
	return open
}
