package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/solver/gosearch"
	"tengen/internal/solver/retro"
	"tengen/tablebase"
	"tengen/weiqi"
)

// GoOptions are the options of a player of Go.
type GoOptions struct {
	Size       board.Size
	Table      string // file to play from; job.Cache for the one in the user's cache, "" for none
	job.Limits        // of building a table, or of a search, with the usual time for a move

	// If the table must be built, TableStarted is called with the plan and TableProgress with
	// its state.
	TableStarted  func(table.Plan)
	TableProgress func(table.Progress)
}

// GoMover plays Go under basic ko for the best score, endless games being draws. It
// plays perfectly from the table of the board. On a single row without a table it
// plays the strategy of Lin and Hsueh, which draws at least. On other boards of more than
// 22 and at most 36 points it searches: its move is proven to reach the score, or a bound
// of it, or is a guess. It is for one goroutine at a time.
type GoMover struct {
	size     board.Size
	table    *tablebase.Table // nil without one
	search   *gosearch.Solver // nil where there is a table or a strategy
	time     time.Duration    // of a search
	warnings []string
}

// GoChoice is a move and the reasons for it. If the move is from a table, the answer is there
// without its line, and has the move first. By a search its value is there, exact or open,
// and no moves.
type GoChoice struct {
	Move   board.Point // or weiqi.Pass
	Source game.Source
	table.Answer
}

// ErrGoOver reports that both sides have passed.
var ErrGoOver = errors.New("the game is over: both sides have passed")

// NewGo opens the table of a board. The error is *table.Missing if there is none and it takes
// long to build. A long row without a table is played by strategy.
func NewGo(ctx context.Context, o GoOptions) (*GoMover, error) {
	if _, err := board.NewSize(o.Size.Rows, o.Size.Cols); err != nil {
		return nil, err
	}
	if err := CheckGo(o.Size); err != nil && (o.Table == "" || o.Table == job.Cache) {
		return nil, err
	}
	long := o.Size.IsRow() && o.Size.Points() > table.QuickPoints
	switch {
	case long && o.Table == "":
		return &GoMover{size: o.Size}, nil
	case long && o.Table == job.Cache:
		return newRowMover(o.Size), nil
	case Searched(o.Size) && (o.Table == "" || o.Table == job.Cache):
		return newSearcher(o)
	}
	opened, err := table.Open(ctx, table.Wanted{Size: o.Size, Path: o.Table, Limits: o.Limits, Started: o.TableStarted, Progress: o.TableProgress})
	if err != nil {
		return nil, err
	}
	return &GoMover{size: o.Size, table: opened.Table, warnings: opened.Warnings}, nil
}

// NewGoFrom plays on a board from a table of it that is open, and that the player closes.
func NewGoFrom(size board.Size, t *tablebase.Table) *GoMover { return &GoMover{size: size, table: t} }

// newRowMover uses the table of a long row if there is one that can be read.
func newRowMover(size board.Size) *GoMover {
	m := &GoMover{size: size}
	path, err := table.CachePath(size)
	if err != nil {
		return m
	}
	if m.table, err = tablebase.Open(path, 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.warnings = append(m.warnings, fmt.Sprintf("%v: playing by strategy instead", err))
	}
	return m
}

// Exact reports whether every score is known.
func (m *GoMover) Exact() bool { return m.table != nil }

// Warnings are problems that do not keep the player from playing.
func (m *GoMover) Warnings() []string { return m.warnings }

// Close closes the table.
func (m *GoMover) Close() error {
	if m.table != nil {
		m.table.Close()
	}
	if m.search != nil {
		m.search.Close()
	}
	return nil
}

// Answer is the exact score of a position and of every move, with a line of best play.
func (m *GoMover) Answer(p weiqi.Position) (table.Answer, error) {
	if m.table == nil {
		return table.Answer{}, fmt.Errorf("there is no table of %s, and scores are not known without it", m.size.Lying())
	}
	return table.Probe(m.table, p, table.EndlessDrawn)
}

// Move chooses a move in p. Earlier are the positions that the game has been through,
// in any order. With a table without distances, a winner needs them to make progress.
func (m *GoMover) Move(ctx context.Context, p weiqi.Position, earlier []weiqi.Position) (GoChoice, error) {
	return m.MoveWithin(ctx, p, earlier, 0)
}

// MoveWithin is Move with a limit on the time of a search; 0 is the usual time. A search
// that the context ends still has a move.
func (m *GoMover) MoveWithin(ctx context.Context, p weiqi.Position, earlier []weiqi.Position, limit time.Duration) (GoChoice, error) {
	if p.Size != m.size {
		return GoChoice{}, fmt.Errorf("the position is on %s, the player was made for %s", p.Size, m.size)
	}
	if err := p.Validate(); err != nil {
		return GoChoice{}, err
	}
	if p.Over() {
		return GoChoice{}, ErrGoOver
	}
	if m.search != nil {
		return m.searched(ctx, p, cmp.Or(limit, m.time)), nil
	}
	if m.table == nil {
		move, draws := retro.RowMove(p)
		choice := GoChoice{Move: move, Source: game.FromGuess}
		if draws {
			choice.Source = game.FromStrategy
		}
		return choice, nil
	}
	answer, err := table.Look(m.table, p, table.EndlessDrawn)
	if err != nil {
		return GoChoice{}, err
	}
	if err := m.prefer(ctx, p, answer.Moves, earlier); err != nil {
		return GoChoice{}, err
	}
	return GoChoice{answer.Moves[0].Move, game.FromTable, answer}, nil
}

// prospect has the properties by which moves of one score are ordered.
type prospect struct {
	table.Move
	seen int     // how often the game has been where it leads
	lead int     // of the mover's area on the board after it
	ends bool    // the game
	safe float64 // share of the replies that keep the opponent's score
}

// prefer orders the best of moves in p that are sorted by their scores.
//
// A winner takes the shortest way to the end of the game. Without distances it goes
// where the game has been least often: a position that came again and again would see
// each of its moves again and again, and one of them leads nearer to the end. Among
// places that are new the one with the most area is most often on the way.
//
// A side that does not win also prefers new positions, and those where most replies are
// mistakes. If none is, it passes.
func (m *GoMover) prefer(ctx context.Context, p weiqi.Position, moves []table.Move, earlier []weiqi.Position) error {
	best := 1
	for best < len(moves) && moves[best].Score == moves[0].Score {
		best++
	}
	prospects := make([]prospect, best)
	for i, move := range moves[:best] {
		err := ctx.Err()
		if err != nil {
			return err
		}
		if prospects[i], err = m.prospect(p, move, earlier); err != nil {
			return err
		}
	}
	compare := prospect.compareSafe
	if score := moves[0].Score; score != 0 && (score > 0) == (p.ToPlay == board.Black) {
		compare = prospect.compareFast
	}
	slices.SortStableFunc(prospects, compare)
	for i, prospect := range prospects {
		moves[i] = prospect.Move
	}
	return nil
}

func (m *GoMover) prospect(p weiqi.Position, move table.Move, earlier []weiqi.Position) (prospect, error) {
	next, err := weiqi.Rules{}.Play(p, move.Move)
	if err != nil {
		return prospect{}, err
	}
	x := prospect{Move: move, lead: next.Score(), ends: next.Over(), safe: 1}
	if p.ToPlay == board.White {
		x.lead = -x.lead
	}
	for _, e := range earlier {
		if e == next {
			x.seen++
		}
	}
	if !x.ends {
		x.safe, err = m.safe(next)
	}
	return x, err
}

// compareFast orders winning moves of one score, the better first.
func (x prospect) compareFast(y prospect) int {
	return cmp.Or(
		cmp.Compare(x.Distance, y.Distance),
		before(x.ends, y.ends),
		cmp.Compare(x.seen, y.seen),
		cmp.Compare(y.lead, x.lead),
		before(x.Move.Move == weiqi.Pass, y.Move.Move == weiqi.Pass),
	)
}

// compareSafe orders other moves of one score.
func (x prospect) compareSafe(y prospect) int {
	harmless := x.safe == 1
	return cmp.Or(
		cmp.Compare(x.seen, y.seen),
		cmp.Compare(x.safe, y.safe),
		before(harmless && x.Move.Move == weiqi.Pass, harmless && y.Move.Move == weiqi.Pass),
		cmp.Compare(y.Distance, x.Distance),
	)
}

// before orders true before false.
func before(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

// safe is the share of the moves in p that keep the score.
func (m *GoMover) safe(p weiqi.Position) (float64, error) {
	answer, err := table.Look(m.table, p, table.EndlessDrawn)
	if err != nil {
		return 0, err
	}
	good := 0
	for good < len(answer.Moves) && answer.Moves[good].Score == answer.Score {
		good++
	}
	return float64(good) / float64(len(answer.Moves)), nil
}

// maxLine bounds a line that is shown: those of draws need not end.
const maxLine = 20

// Line is best play after a move in p, as far as it is worth showing, in the manner of
// table.Probe. Earlier is as for Move.
func (m *GoMover) Line(ctx context.Context, p weiqi.Position, first board.Point, earlier []weiqi.Position) []board.Point {
	earlier = slices.Clone(earlier)
	line := []board.Point{first}
	if m.search != nil {
		return line // a search of each move would take its time
	}
	for at := first; len(line) < maxLine; {
		next, err := weiqi.Rules{}.Play(p, at)
		if err != nil || next.Over() {
			break
		}
		p = next
		if at, err = m.onLine(ctx, p, earlier); err != nil {
			break
		}
		line, earlier = append(line, at), append(earlier, p)
	}
	return line
}

// onLine is the move of a line. In a draw, and with a table without distances, it is the move
// that the player chooses.
func (m *GoMover) onLine(ctx context.Context, p weiqi.Position, earlier []weiqi.Position) (board.Point, error) {
	if m.table != nil && m.table.Header().Distance {
		switch a, err := table.Look(m.table, p, table.EndlessDrawn); {
		case err != nil:
			return board.NoPoint, err
		case a.Score != 0:
			return table.LineMove(p, a).Move, nil
		}
	}
	choice, err := m.Move(ctx, p, earlier)
	return choice.Move, err
}
