package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"tengen/board"
	"tengen/internal/text"
	"tengen/internal/wholefile"
	"tengen/weiqi"
)

// GoRequest is one question about Go.
type GoRequest struct {
	Position weiqi.Position
	Moves    []board.Point // played first, weiqi.Pass among them
	Rules    weiqi.Rules
	Endless  Endless // under basic ko; superko knows no endless games
	EachMove bool    // score every legal move under superko; a table does so anyway

	// Under superko a line is searched for. Follow, if it is not nil, are stones that
	// the line has to put in this order, with passes where they are needed; there may be
	// no such line.
	Line   LineWish
	Follow []board.Point
	// Under basic ko, a line in which the loser puts the end off as long as it can.
	Stubborn bool

	With    []string // parts of the superko search to switch on
	Without []string // and off
	Limits

	// Started is told what a superko search is about to use, and Progress how it
	// goes, about four times a second from another goroutine.
	Started  func(Plan)
	Progress func(Progress)
	// TableStarted is told what the table of a board under basic ko is about to use,
	// if it must be built, and TableProgress how that goes.
	TableStarted  func(TablePlan)
	TableProgress func(TableProgress)

	files wholefile.Disk
}

// Endless is what a game without end counts under basic ko.
type Endless uint8

// The rules for endless games.
const (
	EndlessDrawn Endless = iota
	EndlessLost          // by Black
	EndlessWon           // by Black
)

// worth is the score of an endless game on a board of so many points.
func (e Endless) worth(points int) int {
	return [...]int{EndlessDrawn: 0, EndlessLost: -points, EndlessWon: points}[e]
}

// LineWish says how much a line of best play under superko is wanted.
type LineWish uint8

// The wishes. Usually there is a line, but a search that is stopped while it looks for
// one has its answer all the same, and none is looked for without remembered proofs,
// where it would take as long as the score many times over.
const (
	LineUsual LineWish = iota
	LineWanted
	LineNone
)

// GoValue is the result of best play, Black minus White.
type GoValue struct {
	Score int // under the rules of the request
	// Open says that the score is not known: it is proven to lie between Lo and Hi.
	Open bool
	// Ranged says that Lo and Hi are known: the scores if endless games were lost by
	// Black, and if they were won.
	Ranged bool
	Lo, Hi int
	// Distance is the number of moves to the end, passes included, if the winner
	// hurries, the loser does not, and endless games are draws. It is 0 where
	// nobody wins and where it is not known.
	Distance int
}

// GoMove is a move and the result of best play after it.
type GoMove struct {
	Move board.Point // or weiqi.Pass
	GoValue
	size board.Size
}

// Name spells the move.
func (m GoMove) Name() string { return nameOf(m.size, m.Move) }

// GoAnswer is what is known of a position.
type GoAnswer struct {
	GoValue
	Moves []GoMove // every legal move, the best first; nil if they were not asked for
	// Line is best play. It ends with the game or, if it is Round, with the move that
	// brings back the position after the first Before moves, as best play may under
	// basic ko. It is nil where a table does not know how to get on.
	Line   []board.Point
	Round  bool
	Before int
}

// GoResult is the answer to a question about Go.
type GoResult struct {
	Position weiqi.Position // after the moves of the request
	Rules    weiqi.Rules
	Endless  Endless
	Known    bool // the answer is; false if the work was stopped
	GoAnswer

	Nodes   uint64 // positions searched or evaluated; 0 if the table was there
	Elapsed time.Duration
	Memory  int64
	// Under superko: the plies of the last iteration for the score, what the line took
	// beside Nodes and Elapsed, and whether proofs had to be forgotten for want of memory.
	Depth       int
	LineNodes   uint64
	LineElapsed time.Duration
	Full        bool
	// Under basic ko: the file, and what it keeps.
	Table string
	Keeps TableHeader
	// Conjectural says that the answer may rest on the conjecture, which is not proven.
	Conjectural bool
	Warnings    []string
}

// LineNames spells the line.
func (r GoResult) LineNames() []string { return namesOf(r.Position.Size, r.Line) }

// SolveGo answers a question about Go: under basic ko from a table, which is built
// in the user's cache if it is not there yet and the board is small, and under
// superko by search. Errors are as those of Solve.
func SolveGo(ctx context.Context, request GoRequest) (GoResult, error) {
	ctx, cancel := request.Limits.context(ctx)
	defer cancel()
	if request.Rules.Suicide {
		return GoResult{}, fmt.Errorf("the rules %s allow suicide, which no search here knows", request.Rules)
	}
	position, err := request.play()
	if err != nil {
		return GoResult{}, err
	}
	result := GoResult{Position: position, Rules: request.Rules, Endless: request.Endless}
	if request.Rules.Ko == weiqi.Basic {
		err = request.solveByTable(ctx, &result)
	} else {
		err = request.solveBySearch(ctx, &result)
	}
	return result, err
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
		return fmt.Errorf("%q is no part of a table: only the search under superko has parts to choose", parts[0])
	}
	t, err := request.openTable(ctx, result)
	if err != nil {
		return err
	}
	defer t.Close()
	result.Keeps = t.Header()
	probe := t.Probe
	if request.Stubborn {
		probe = t.ProbeStubborn
	}
	result.GoAnswer, err = probe(result.Position, request.Endless)
	result.Known = err == nil
	return err
}

// quickPoints is the largest board whose table is built without being asked for: it
// takes less than a minute.
const quickPoints = 16

// NoTable is the error of a question about a board whose table would take long to
// build and is not there.
type NoTable struct{ TablePlan }

func (e *NoTable) Error() string {
	return fmt.Sprintf("there is no table of %s yet, and building it takes long, about %s of memory and %s on disk", e.Size, text.Bytes(e.Memory), text.Bytes(e.Disk))
}

// openTable finds the table of the board in the user's cache, or builds it there.
func (request GoRequest) openTable(ctx context.Context, result *GoResult) (*Table, error) {
	path, err := cachedTable(request.Position.Size)
	if err != nil {
		return request.withoutCache(ctx, err, result)
	}
	result.Table = path
	t, err := OpenTable(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return request.buildInCache(ctx, result)
	case err != nil:
		return nil, fmt.Errorf("%w: remove it and it is built anew", err)
	}
	if size := t.Header().Size; size != lying(request.Position.Size) {
		t.Close()
		return nil, fmt.Errorf("%s is a table of %s: remove it and the right one is built", path, size)
	}
	if full := request.table(); full.Size.Points() <= quickPoints && !covers(t.Header(), full.header()) {
		if _, err := full.plan(); err == nil {
			t.Close()
			return request.buildInCache(ctx, result)
		}
	}
	return t, nil
}

// buildInCache builds the table there, and elsewhere if it cannot be kept.
func (request GoRequest) buildInCache(ctx context.Context, result *GoResult) (*Table, error) {
	if err := request.quick(); err != nil {
		return nil, err
	}
	info, report, err := BuildTable(ctx, request.table())
	if report != nil {
		result.Nodes, result.Memory = report.Visits, report.Memory
	}
	var disk *fs.PathError
	var held *wholefile.Held
	switch {
	case ctx.Err() == nil && (errors.As(err, &disk) || errors.As(err, &held)):
		return request.withoutCache(ctx, err, result)
	case err != nil:
		return nil, err
	}
	return OpenTable(info.Path)
}

// withoutCache builds the table in memory: a cache is no reason not to answer.
func (request GoRequest) withoutCache(ctx context.Context, why error, result *GoResult) (*Table, error) {
	result.Table = ""
	result.Warnings = append(result.Warnings, fmt.Sprintf("the table is not kept: %v", why))
	if err := request.quick(); err != nil {
		return nil, err
	}
	t, report, err := request.table().buildInMemory(ctx)
	result.Nodes, result.Memory = report.Visits, report.Memory
	return t, err
}

// table asks for the table of the board with all that one can tell, in the user's cache.
func (request GoRequest) table() TableRequest {
	return TableRequest{
		Size: lying(request.Position.Size), Loops: LoopsRange, Distance: true, files: request.files,
		Limits: request.Limits, Started: request.TableStarted, Progress: request.TableProgress,
	}
}

// quick refuses a table that takes long to build.
func (request GoRequest) quick() error {
	build := request.table()
	if build.Size.Points() <= quickPoints {
		return nil
	}
	plan, err := build.estimate()
	return cmp.Or(err, error(&NoTable{plan}))
}
