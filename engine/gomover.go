package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"tengen/board"
	"tengen/internal/solver/retro"
	"tengen/weiqi"
)

// GoMoverOptions say what a player of Go may use.
type GoMoverOptions struct {
	Size   board.Size
	Table  string // file to play from; "" for the table in the user's cache
	Limits        // of building a table

	// TableStarted is told what a table is about to use, if it must be built, and
	// TableProgress how that goes.
	TableStarted  func(TablePlan)
	TableProgress func(TableProgress)
}

// GoMover plays Go under basic ko for the best score, endless games being draws. It
// plays perfectly from the table of the board. On a single row without a table it
// plays the strategy of Lin and Hsueh, which draws at least. It is for one goroutine
// at a time.
type GoMover struct {
	size     board.Size
	table    *Table // nil on a row without one
	warnings []string
}

// GoChoice is a move and what stands behind it. The answer, without its line, is
// there if the move is from a table, and has the move first.
type GoChoice struct {
	Move   board.Point // or weiqi.Pass
	Source Source
	GoAnswer
	size board.Size
}

// Name spells the move.
func (c GoChoice) Name() string { return nameOf(c.size, c.Move) }

// ErrGoOver reports that both sides have passed.
var ErrGoOver = errors.New("the game is over: both sides have passed")

// NewGoMover opens the table of the board in the user's cache. One of up to 16
// points is built if it is not there; *NoTable says that a larger one is missing.
func NewGoMover(ctx context.Context, o GoMoverOptions) (*GoMover, error) {
	if _, err := board.NewSize(o.Size.Rows, o.Size.Cols); err != nil {
		return nil, err
	}
	if o.Table != "" {
		return newFileMover(o)
	}
	if isRow(o.Size) && o.Size.Points() > quickPoints {
		return newRowMover(o.Size), nil
	}
	request := GoRequest{
		Position: weiqi.NewPosition(o.Size), Limits: o.Limits,
		TableStarted: o.TableStarted, TableProgress: o.TableProgress,
	}
	var result GoResult
	table, err := request.openTable(ctx, &result)
	if err != nil {
		return nil, err
	}
	return &GoMover{o.Size, table, result.Warnings}, nil
}

func newFileMover(o GoMoverOptions) (*GoMover, error) {
	table, err := OpenTable(o.Table)
	if err != nil {
		return nil, err
	}
	if size := table.Header().Size; size != o.Size && size != turned(o.Size) {
		table.Close()
		return nil, fmt.Errorf("%s is the table of %s, the game is on %s", o.Table, size, o.Size)
	}
	return &GoMover{size: o.Size, table: table}, nil
}

// newRowMover takes the table of a long row if there is one that can be read. That
// there is none is no reason not to play.
func newRowMover(size board.Size) *GoMover {
	m := &GoMover{size: size}
	path, err := cachedTable(size)
	if err != nil {
		return m
	}
	if m.table, err = OpenTable(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.warnings = append(m.warnings, fmt.Sprintf("%v: playing by strategy instead", err))
	}
	return m
}

// Exact reports whether every score is known.
func (m *GoMover) Exact() bool { return m.table != nil }

// Warnings tell what did not go as it should and is no error.
func (m *GoMover) Warnings() []string { return m.warnings }

// Close gives the table back.
func (m *GoMover) Close() error {
	if m.table != nil {
		m.table.Close()
	}
	return nil
}

// Answer is the exact score of a position and of every move, with a line of best play.
func (m *GoMover) Answer(p weiqi.Position) (GoAnswer, error) {
	if m.table == nil {
		return GoAnswer{}, fmt.Errorf("there is no table of %s, and scores are not known without it", lying(m.size))
	}
	return m.table.Probe(p, EndlessDrawn)
}

// Move chooses a move in p. Earlier are the positions that the game has been through,
// in any order; a winner needs them to get on with tables that know no distances.
func (m *GoMover) Move(p weiqi.Position, earlier []weiqi.Position) (GoChoice, error) {
	if p.Size != m.size {
		return GoChoice{}, fmt.Errorf("the position is on %s, the player was made for %s", p.Size, m.size)
	}
	if err := p.Validate(); err != nil {
		return GoChoice{}, err
	}
	if p.Over() {
		return GoChoice{}, ErrGoOver
	}
	if m.table == nil {
		return rowChoice(p)
	}
	answer, err := m.look(p)
	if err != nil {
		return GoChoice{}, err
	}
	if err := m.prefer(p, answer.Moves, earlier); err != nil {
		return GoChoice{}, err
	}
	return GoChoice{answer.Moves[0].Move, FromTable, answer, m.size}, nil
}

// look is what the table knows of a position and its moves.
func (m *GoMover) look(p weiqi.Position) (GoAnswer, error) {
	if size := m.table.Header().Size; p.Size != size {
		a, err := m.table.look(turnedPosition(p), EndlessDrawn)
		return a.turned(size), err
	}
	return m.table.look(p, EndlessDrawn)
}

// prospect is what sets moves of one score apart.
type prospect struct {
	GoMove
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
// Who does not win goes where it is new too, and where most replies are mistakes; if
// none is, it passes.
func (m *GoMover) prefer(p weiqi.Position, moves []GoMove, earlier []weiqi.Position) error {
	best := 1
	for best < len(moves) && moves[best].Score == moves[0].Score {
		best++
	}
	prospects := make([]prospect, best)
	for i, move := range moves[:best] {
		var err error
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
		moves[i] = prospect.GoMove
	}
	return nil
}

func (m *GoMover) prospect(p weiqi.Position, move GoMove, earlier []weiqi.Position) (prospect, error) {
	next, err := weiqi.Rules{}.Play(p, move.Move)
	if err != nil {
		return prospect{}, err
	}
	x := prospect{GoMove: move, lead: next.Score(), ends: next.Over(), safe: 1}
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
		before(x.Move == weiqi.Pass, y.Move == weiqi.Pass),
	)
}

// compareSafe orders other moves of one score.
func (x prospect) compareSafe(y prospect) int {
	harmless := x.safe == 1
	return cmp.Or(
		cmp.Compare(x.seen, y.seen),
		cmp.Compare(x.safe, y.safe),
		before(harmless && x.Move == weiqi.Pass, harmless && y.Move == weiqi.Pass),
		cmp.Compare(y.Distance, x.Distance),
	)
}

// before puts what is true first.
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
	answer, err := m.look(p)
	if err != nil {
		return 0, err
	}
	good := 0
	for good < len(answer.Moves) && answer.Moves[good].Score == answer.Score {
		good++
	}
	return float64(good) / float64(len(answer.Moves)), nil
}

// rowChoice plays on a row without a table: by the strategy, or so that the opponent
// has as few replies as possible that the strategy has no answer to. If it has
// none, the move draws too.
func rowChoice(p weiqi.Position) (GoChoice, error) {
	if move, ok := retro.StripMove(p); ok {
		return GoChoice{Move: move, Source: FromStrategy, size: p.Size}, nil
	}
	best, fewest := weiqi.Pass, p.Size.Points()+2
	for _, q := range goMoves(p) {
		next, err := weiqi.Rules{}.Play(p, q)
		if err != nil {
			return GoChoice{}, err
		}
		if n := unanswered(next); n < fewest {
			best, fewest = q, n
		}
	}
	if fewest == 0 {
		return GoChoice{Move: best, Source: FromStrategy, size: p.Size}, nil
	}
	return GoChoice{Move: best, Source: FromGuess, size: p.Size}, nil
}

// goMoves lists the stones that may be put, and the pass last.
func goMoves(p weiqi.Position) []board.Point {
	var moves []board.Point
	for q := range (weiqi.Rules{}).Legal(p).Points() {
		moves = append(moves, q)
	}
	return append(moves, weiqi.Pass)
}

// unanswered counts the moves in p after which the strategy, for the other side, does
// not know how to draw. A game that is over counts by its score.
func unanswered(p weiqi.Position) int {
	count := 0
	lost := func(next weiqi.Position) bool {
		lead := next.Score()
		if p.ToPlay == board.White {
			lead = -lead
		}
		return lead > 0
	}
	if p.Over() {
		if lost(p) {
			count++
		}
		return count
	}
	for _, q := range goMoves(p) {
		next, err := weiqi.Rules{}.Play(p, q)
		if err != nil {
			continue
		}
		if _, ok := retro.StripMove(next); !ok && (!next.Over() || lost(next)) {
			count++
		}
	}
	return count
}
