package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tengen/board"
	"tengen/solver/retro"
	"tengen/tablebase"
	"tengen/weiqi"
)

// GoRequest is one question about Go.
type GoRequest struct {
	Position weiqi.Position
	Moves    []board.Point // played first, weiqi.Pass among them
	Rules    weiqi.Rules
	Endless  Endless // under basic ko; superko knows no endless games
	EachMove bool    // score every legal move under superko; a table does so anyway

	With    []string // parts of the superko search to switch on
	Without []string // and off
	Memory  int64    // bytes; 0 for DefaultMemory
	Threads int      // 0 for all cores

	// Started is told what a superko search is about to use, and Progress how it
	// goes, about four times a second from another goroutine.
	Started  func(Plan)
	Progress func(Progress)
	// Building is told what the table of a board under basic ko is about to use, if
	// it must be built, and Built how that goes.
	Building func(TablePlan)
	Built    func(retro.Progress)
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

// GoValue is the result of best play, Black minus White.
type GoValue struct {
	Score int // under the rules of the request
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
}

// GoAnswer is what is known of a position.
type GoAnswer struct {
	GoValue
	Moves []GoMove // every legal move, the best first; nil if they were not asked for
	// Line is best play. It ends with the game or, if it is Round, with the move that
	// brings back a position of the line, as best play may under basic ko. It is nil
	// where a table does not know how to get on.
	Line  []board.Point
	Round bool
}

// GoResult is the answer to a question about Go.
type GoResult struct {
	Position weiqi.Position // after the moves of the request
	Rules    weiqi.Rules
	Endless  Endless
	Known    bool // the answer is; false if the work was stopped
	GoAnswer

	Nodes   uint64 // positions evaluated; 0 if the table was there
	Elapsed time.Duration
	Memory  int64
	Table   string // the file under basic ko
	// Conjectural says that the answer may rest on a part that is not proven.
	Conjectural bool
	Warnings    []string
}

// SolveGo answers a question about Go: under basic ko from a table, which is built
// in the user's cache if it is not there yet and the board is small, and under
// superko by search. Errors are as those of Solve.
func SolveGo(ctx context.Context, request GoRequest) (GoResult, error) {
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
	result.GoAnswer, err = t.Probe(result.Position, request.Endless)
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
	return fmt.Sprintf("there is no table of %s yet, and building it takes long, about %s of memory and %s on disk", e.Size, Bytes(e.Memory), Bytes(e.Disk))
}

// openTable finds the table of the board in the user's cache, or builds it there.
func (request GoRequest) openTable(ctx context.Context, result *GoResult) (*Table, error) {
	path, err := cachedTable(request.Position.Size)
	if err != nil {
		// A cache is no reason not to answer.
		result.Warnings = append(result.Warnings, fmt.Sprintf("the table is not kept: %v", err))
		dir, err := os.MkdirTemp("", "tengen-*")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "table")
	}
	result.Table = path
	t, err := OpenTable(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return request.buildTable(ctx, path, result)
	case err != nil:
		return nil, fmt.Errorf("%w: remove it and it is built anew", err)
	}
	return t, nil
}

// buildTable builds the table of the board with all that a table can tell.
func (request GoRequest) buildTable(ctx context.Context, path string, result *GoResult) (*Table, error) {
	build := TableRequest{
		Size: request.Position.Size, Loops: tablebase.Range, Distance: true, Path: path,
		Memory: request.Memory, Threads: request.Threads, Started: request.Building, Progress: request.Built,
	}
	if build.Size.Points() > quickPoints {
		plan, err := build.plan()
		return nil, cmp.Or(err, error(&NoTable{plan}))
	}
	_, report, err := BuildTable(ctx, build)
	if report != nil {
		result.Nodes, result.Memory = report.Visits, report.Memory
	}
	if err != nil {
		return nil, err
	}
	return OpenTable(path)
}

// Probe looks a position and all its moves up, and follows best play.
func (t *Table) Probe(p weiqi.Position, endless Endless) (GoAnswer, error) {
	if endless != EndlessDrawn && t.Header().Loops != tablebase.Range {
		return GoAnswer{}, fmt.Errorf("%s knows endless games as draws only: a table with the range over all rules for loops is wanted", t.table.Path())
	}
	answer, err := t.look(p, endless)
	if err != nil {
		return GoAnswer{}, err
	}
	seen := map[weiqi.Position]bool{p: true}
	for at := answer; len(at.Moves) > 0 && !answer.Round; {
		move := at.Moves[0].Move
		answer.Line = append(answer.Line, move)
		if p, err = (weiqi.Rules{}).Play(p, move); err != nil {
			return GoAnswer{}, err
		}
		answer.Round = seen[p]
		seen[p] = true
		if at, err = t.look(p, endless); err != nil {
			return GoAnswer{}, err
		}
	}
	if answer.Round && answer.Score != endless.worth(p.Size.Points()) {
		// Every move of the line keeps the score, but somebody must bring the game to
		// its end, and without a distance the table does not know how.
		answer.Line, answer.Round = nil, false
	}
	return answer, nil
}

// look is the answer without its line.
func (t *Table) look(p weiqi.Position, endless Endless) (GoAnswer, error) {
	found, err := t.table.Probe(p)
	if err != nil {
		return GoAnswer{}, err
	}
	a := GoAnswer{GoValue: t.value(found.Value, p.ToPlay, endless)}
	for _, m := range found.Moves {
		a.Moves = append(a.Moves, GoMove{m.Point, t.value(m.Value, p.ToPlay, endless)})
	}
	byScore(a.Moves, p.ToPlay) // the table orders them by their scores with loops drawn
	return a, nil
}

// byScore orders moves, the best for c first; those of one score stay in order.
func byScore(moves []GoMove, c board.Colour) {
	slices.SortStableFunc(moves, func(x, y GoMove) int {
		if c == board.White {
			x, y = y, x
		}
		return cmp.Compare(y.Score, x.Score)
	})
}

// value turns a value for the side to play into one for Black.
func (t *Table) value(v tablebase.Value, toPlay board.Colour, endless Endless) GoValue {
	if toPlay == board.White {
		v.Score, v.Lo, v.Hi = -v.Score, -v.Hi, -v.Lo
	}
	g := GoValue{Score: v.Score, Distance: v.Distance}
	if t.Header().Loops == tablebase.Range {
		g.Ranged, g.Lo, g.Hi = true, v.Lo, v.Hi
	}
	switch endless {
	case EndlessLost:
		g.Score, g.Distance = v.Lo, 0
	case EndlessWon:
		g.Score, g.Distance = v.Hi, 0
	}
	return g
}
