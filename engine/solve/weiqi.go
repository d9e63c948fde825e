package solve

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/internal/text"
	"tengen/internal/wholefile"
	"tengen/tablebase"
	"tengen/weiqi"
)

// GoRequest is one question about Go.
type GoRequest struct {
	Position weiqi.Position
	Moves    []board.Point // played first, weiqi.Pass among them
	Rules    weiqi.Rules
	Endless  table.Endless // under basic ko; superko knows no endless games
	Method   GoMethod      // "" is GoAuto; under superko GoSearch shows that proofs repeat no board
	GoBounds               // asked instead of the score, by search
	// Under basic ko: the table to answer from. It is a file, job.Cache for the one in the
	// user's cache, or "" for none, where that of a small board is built in memory.
	Table string
	// Book lets the book of first moves answer where there is no table in the user's cache.
	Book     bool
	EachMove bool // score every legal move by search; a table does so anyway

	// By search a line is searched. Follow, if it is not nil, has stones that the line
	// must contain in this order, with passes where needed. There may be no such line.
	Line   LineWish
	Follow []board.Point
	// Under basic ko: a line in which the loser delays the end as long as it can.
	Stubborn bool

	With    []string // parts of the superko search to switch on
	Without []string // parts of a search to switch off
	job.Limits

	// By search.
	Certificate   string    // file for a proof of the one bound that is asked for, or of its contrary
	CertificateTo io.Writer // where to write it besides, or instead
	// Of the search under basic ko.
	Checkpoint string // file to save the search in and to resume from
	SaveEvery  time.Duration

	files wholefile.Disk // where these are written

	// Started is called with the plan of a search, and Progress with its state,
	// about four times a second from another goroutine.
	Started  func(job.Plan)
	Progress func(Progress)
	// Under basic ko, if the table must be built: TableStarted is called with the plan, and
	// TableProgress with its state.
	TableStarted  func(table.Plan)
	TableProgress func(table.Progress)
}

// LineWish says how much a line of best play by search is wanted.
type LineWish uint8

// The wishes. Usually a line is searched. If that is stopped, the answer stands without a line.
// None is searched if proofs are not remembered: it would take much longer than the score.
const (
	LineUsual LineWish = iota
	LineWanted
	LineNone
)

// GoResult is the answer to a question about Go.
type GoResult struct {
	Position weiqi.Position // after the moves of the request
	Rules    weiqi.Rules
	Endless  table.Endless
	Method   GoMethod
	Known    bool // the score is; false if the work was stopped, or only bounds were asked for
	table.Answer
	// What is known of the bounds that were asked for.
	AtLeast, AtMost Truth

	Nodes   uint64 // positions searched or evaluated; 0 if the table was there
	Elapsed time.Duration
	Memory  int64
	// Under superko: the plies of the last iteration for the score, what the line took
	// beside Nodes and Elapsed, and whether proofs had to be forgotten for want of memory.
	Depth       int
	LineNodes   uint64
	LineElapsed time.Duration
	Full        bool
	// The certificate of a bound, and what it took beside Elapsed.
	Certificate *CertificateInfo
	Proving     time.Duration
	// Unrepeated is the number of positions of the certificates that hold under superko, if
	// GoSearch was asked about it.
	Unrepeated int
	// Of a table: the file, and what it keeps.
	Table string
	Keeps tablebase.Header
	// FromBook says that the answer is from the book of first moves.
	FromBook bool
	// RootFromBook says that the score of the position is from the book, and a search was for
	// its moves.
	RootFromBook bool
	// Conjectural says that the answer may rest on the conjecture, which is not proven.
	Conjectural bool
	Warnings    []string
}

// Go answers a question about Go: under basic ko from a table, which is built if it is
// not there yet and the board is small, or by search; under superko by the search for it, or
// by that under basic ko where its proofs hold under superko too. Errors are as those of NoGo.
func Go(ctx context.Context, request GoRequest) (GoResult, error) {
	ctx, cancel := request.Limits.Context(ctx)
	defer cancel()
	if request.Rules.Ko > weiqi.Situational {
		return GoResult{}, fmt.Errorf("%s has no search: choose basic ko, positional or situational superko", request.Rules.Ko)
	}
	if request.Rules.Suicide {
		return GoResult{}, fmt.Errorf("the rules %s allow suicide, which no search here knows", request.Rules)
	}
	position, err := request.play()
	if err != nil {
		return GoResult{}, err
	}
	result := GoResult{Position: position, Rules: request.Rules, Endless: request.Endless, Method: GoTable}
	switch {
	case request.Method != "" && !slices.Contains(GoMethods(), request.Method):
		err = fmt.Errorf("there is no method %q: choose one of %s", request.Method, text.List(GoMethods()))
	case request.BySearch():
		err = request.solveByArea(ctx, &result)
	case request.Rules.Ko != weiqi.Basic:
		err = request.solveBySearch(ctx, &result)
	default:
		err = request.solveByTable(ctx, &result)
	}
	return result, err
}

// ofSearch names what a request asks for that only a search can do.
func (request GoRequest) ofSearch() string {
	switch {
	case request.asks():
		return "a bound of the score"
	case request.proves():
		return "a certificate"
	case request.Checkpoint != "":
		return "a checkpoint"
	}
	return ""
}

// play makes the moves of the request.
func (request GoRequest) play() (weiqi.Position, error) {
	if err := request.Position.Validate(); err != nil {
		return weiqi.Position{}, err
	}
	history := weiqi.NewHistory(request.Rules, request.Position)
	for i, move := range request.Moves {
		if err := history.Push(move); err != nil {
			return weiqi.Position{}, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return history.Position(), nil
}

func (request GoRequest) solveByTable(ctx context.Context, result *GoResult) error {
	start := time.Now()
	defer func() { result.Elapsed = time.Since(start) }()
	if parts := slices.Concat(request.With, request.Without); len(parts) > 0 {
		return fmt.Errorf("%q is no part of a table: only searches have parts to choose", parts[0])
	}
	if what := request.ofSearch(); what != "" {
		return fmt.Errorf("a table has the score: %s takes the method %s", what, GoSearch)
	}
	if request.consult(result) {
		return nil
	}
	t, err := table.Open(ctx, table.Wanted{
		Size: request.Position.Size, Path: request.Table, Limits: request.Limits,
		Started: request.TableStarted, Progress: request.TableProgress,
	})
	result.Table, result.Nodes, result.Memory, result.Warnings = t.Path, t.Visits, t.Memory, t.Warnings
	if err != nil {
		return err
	}
	defer t.Close()
	result.Keeps = t.Header()
	probe := table.Probe
	if request.Stubborn {
		probe = table.ProbeStubborn
	}
	result.Answer, err = probe(t.Table, result.Position, request.Endless)
	result.Known = err == nil
	return err
}
