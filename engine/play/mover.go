// Package play has the players of NoGo and of small Go, their levels of strength, and their
// choices of moves with the reasons for them.
package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/game"
	"tengen/internal/book"
	"tengen/internal/method"
	"tengen/internal/net"
	"tengen/internal/player"
	"tengen/internal/region"
	"tengen/internal/solver"
	"tengen/internal/text"
	"tengen/nogo"
	"tengen/proof"
)

// Kind names a player of NoGo.
type Kind string

// The players.
const (
	Net     Kind = "net"     // tree search by a trained network with exact endgames, the default
	MCTS    Kind = "mcts"    // tree search by playouts with exact endgames
	Value   Kind = "value"   // the published value function
	Perfect Kind = "perfect" // solves, and guesses where it cannot
	UCT     Kind = "uct"     // mcts with everything switched off, to measure against
)

// Kinds lists the names, the default first.
func Kinds() []Kind {
	return []Kind{Net, MCTS, Value, Perfect, UCT}
}

// Options choose a player and its limits.
type Options struct {
	Kind        Kind // "" for the default
	Size        board.Size
	Seed        uint64
	job.Limits           // by default the memory that the kind takes; the time is that of a move whose Budget has no limit
	Without     []string // parts of a tree search to switch off: see Parts
	Certificate string   // a stored solution to play from; "" for none
}

// Mover chooses moves. It keeps its tree and tables from one move to the next. It is for one
// goroutine at a time.
type Mover interface {
	// Move chooses a move for c. The error is ErrNoMove if there is none. When ctx ends
	// before the budget, it returns the best move so far.
	Move(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (game.Choice, error)
	// Ponder starts to search a position in the background and returns. The search
	// continues until ctx ends or another method is called.
	Ponder(ctx context.Context, p nogo.Position, c board.Colour)
	// Parts lists the optional parts that the mover uses.
	Parts() []string
	// Playouts is the number of playouts of the current search, 0 for a mover without
	// playouts. It may be called during the search.
	Playouts() int
	// Ownership is the expected owner of each point at the end of the game, row by row from
	// the top left: from -1, the opponent of c, to 1, c, who is to move. It is nil for movers
	// other than Net.
	Ownership(p nogo.Position, c board.Colour) []float64
	// Slow reports whether the processor lacks the instructions that make the mover strong,
	// and if so the number of evaluations in a second.
	Slow() (perSecond float64, slow bool)
	// SetThreads limits the threads of a mover that uses more than one.
	SetThreads(threads int)
	Close() error
}

// New makes a player. It takes the memory now. The context is for New alone: reading a
// certificate may take long.
func New(ctx context.Context, o Options) (Mover, error) {
	if o.Kind == "" {
		o.Kind = Net
	}
	if len(Parts(o.Kind)) == 0 && len(o.Without) > 0 {
		return nil, fmt.Errorf("player %s has no parts to go without: %s and %s have", o.Kind, Net, MCTS)
	}
	if o.Certificate != "" && (o.Kind == Value || o.Kind == UCT) {
		return nil, fmt.Errorf("player %s does not play from a certificate: %s, %s and %s do", o.Kind, Net, MCTS, Perfect)
	}
	if _, err := board.NewSize(o.Size.Rows, o.Size.Cols); err != nil {
		return nil, err
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	if err := o.Least("player "+string(o.Kind), job.LeastTable); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch Stand(o.Kind, o.Size) {
	case Net:
		return newNetMover(ctx, o)
	case MCTS:
		return newTreeMover(ctx, o)
	case UCT:
		o.Without = Parts(MCTS)
		return newTreeMover(ctx, o)
	case Value:
		v, err := player.NewValue(o.Size, o.Seed, o.Memory)
		if err != nil {
			return nil, err
		}
		return &mover{v, nil, o.Time}, nil
	case Perfect:
		return newPerfectMover(ctx, o)
	}
	return nil, fmt.Errorf("there is no player %q: choose %s", o.Kind, text.List(Kinds()))
}

// Parts lists what can be left out of a player.
func Parts(kind Kind) []string {
	switch kind {
	case Net:
		return player.NetworkParts()
	case MCTS:
		return player.MCTSParts()
	}
	return nil
}

// Stand is the player on a board for a kind: MCTS replaces Net where the network does not know
// the board.
func Stand(kind Kind, size board.Size) Kind {
	if kind == Net && !net.Knows(size) {
		return MCTS
	}
	return kind
}

// Default is the player that suits a board: the perfect one where every move is
// settled in a moment, the network where it knows the board, tree search elsewhere.
func Default(size board.Size) Kind {
	const quickRow = 30
	if size.Points() <= finishPoints || size.IsRow() && size.Points() <= quickRow {
		return Perfect
	}
	return Stand(Net, size)
}

// KindsOn lists the players that no other one replaces on a board, the default first.
func KindsOn(size board.Size) []Kind {
	return slices.DeleteFunc(Kinds(), func(kind Kind) bool {
		if kind == Perfect {
			plan, err := method.Search{Size: size}.Plan()
			return err != nil || plan.Method == method.Endgame
		}
		return Stand(kind, size) != kind
	})
}

// KindAt is the player that suits a board and a level: below full strength one that can
// make mistakes.
func KindAt(level int, size board.Size) Kind {
	if level < Levels {
		return Stand(Net, size)
	}
	return Default(size)
}

// CheckLevel refuses a level that does not exist, or that a player does not have.
func CheckLevel(level int, kind Kind) error {
	switch {
	case level < 1 || level > Levels:
		return fmt.Errorf("there is no level %d: levels are 1 to %d", level, Levels)
	case level < Levels && (kind == Value || kind == Perfect):
		return fmt.Errorf("player %s has no levels: %s, %s and %s have", kind, Net, MCTS, UCT)
	}
	return nil
}

// mover makes a Mover of a player of package player.
type mover struct {
	thinker
	parts []string
	time  time.Duration // for moves whose budget has no limit
}

// thinker is a player of package player.
type thinker interface {
	Move(ctx context.Context, p nogo.Position, c board.Colour, b player.Budget) (game.Choice, error)
	Ponder(ctx context.Context, p nogo.Position, c board.Colour)
	Close() error
}

func (m *mover) Move(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (game.Choice, error) {
	if err := c.CheckPlayer(); err != nil {
		return game.Choice{}, err
	}
	if b.Time <= 0 && b.Playouts <= 0 {
		b.Time = m.time
	}
	return m.thinker.Move(ctx, p, c, player.Budget(b))
}

func (m *mover) Parts() []string { return slices.Clone(m.parts) }

func (m *mover) Playouts() int {
	if counting, ok := m.thinker.(interface{ Done() int }); ok {
		return counting.Done()
	}
	return 0
}

func (m *mover) Slow() (perSecond float64, slow bool) {
	if evaluating, ok := m.thinker.(interface{ Slow() (float64, bool) }); ok {
		return evaluating.Slow()
	}
	return 0, false
}

func (m *mover) Ownership(p nogo.Position, c board.Colour) []float64 {
	if expecting, ok := m.thinker.(interface {
		Ownership(p nogo.Position, c board.Colour) []float64
	}); ok {
		return expecting.Ownership(p, c)
	}
	return nil
}

func (m *mover) SetThreads(threads int) {
	if s, ok := m.thinker.(interface{ SetThreads(threads int) }); ok {
		s.SetThreads(threads)
	}
}

// finishPoints is the size up to which a board is solved within about a second,
// so that play is perfect from the first move.
const finishPoints = 20

// solverMemory is enough for boards of finishPoints.
const solverMemory = 64 << 20

// treePlayer is the tree search with the solver of a board that can be finished.
type treePlayer struct {
	*player.MCTS
	solver solver.Solver // nil if there is none
}

// newNetMover makes the player with the network. Its boards are too large to be solved in a
// moment, so only a certificate is asked first.
func newNetMover(ctx context.Context, o Options) (Mover, error) {
	book, err := openBook(ctx, o)
	if err != nil {
		return nil, err
	}
	options := player.TreeOptions{Seed: o.Seed, Threads: o.Threads, Memory: o.Memory, Without: o.Without}
	if book != nil {
		options.Perfect = player.New(nil, book)
	}
	m, err := player.NewNetwork(o.Size, options)
	if err != nil {
		return nil, err
	}
	return &mover{m, partsLeft(Net, o.Without), o.Time}, nil
}

// partsLeft are the parts of a player without some.
func partsLeft(kind Kind, without []string) []string {
	return slices.DeleteFunc(Parts(kind), func(part string) bool { return slices.Contains(without, part) })
}

func newTreeMover(ctx context.Context, o Options) (Mover, error) {
	parts := partsLeft(MCTS, o.Without)
	var tree treePlayer
	if slices.Contains(parts, "solver") && o.Size.Points() <= finishPoints {
		var err error
		if tree.solver, err = openSolver(ctx, o.Size, job.Limits{Memory: solverMemory, Threads: o.Threads}); err != nil {
			return nil, err
		}
	}
	book, err := openBook(ctx, o)
	if err == nil {
		options := player.TreeOptions{Seed: o.Seed, Threads: o.Threads, Memory: o.Memory, Without: o.Without}
		if book != nil || tree.solver != nil {
			options.Perfect = player.New(tree.solver, book)
		}
		tree.MCTS, err = player.NewMCTS(o.Size, options)
	}
	if err != nil {
		tree.closeSolver()
		return nil, err
	}
	return &mover{tree, parts, o.Time}, nil
}

// openSolver prepares the default method for a board.
func openSolver(ctx context.Context, size board.Size, limits job.Limits) (solver.Solver, error) {
	search := method.Search{Size: size, Limits: limits}
	plan, err := search.Plan()
	if err != nil {
		return nil, err
	}
	if plan.Method == method.Endgame {
		return nil, fmt.Errorf("a player that solves from the first move on takes boards of up to %d points and 64 padded cells, %s is larger", region.MaxPoints, size)
	}
	opened, _, err := search.Open(ctx, plan)
	return opened, err
}

// Close gives the memory back.
func (t treePlayer) Close() error { return errors.Join(t.MCTS.Close(), t.closeSolver()) }

func (t treePlayer) closeSolver() error {
	if t.solver == nil {
		return nil
	}
	return t.solver.Close()
}

// perfectPlayer plays by a solver, whose table it keeps from move to move.
type perfectPlayer struct {
	player *player.Player
	solver solver.Solver
}

func newPerfectMover(ctx context.Context, o Options) (Mover, error) {
	known, err := openBook(ctx, o)
	if err != nil {
		return nil, err
	}
	if first := book.OfNoGo(o.Size); known == nil && first != nil && o.Size.Points() > book.SearchedPoints {
		known = first
	}
	s, err := openSolver(ctx, o.Size, o.Limits)
	if err != nil {
		return nil, err
	}
	return &mover{perfectPlayer{player.New(s, known), s}, nil, o.Time}, nil
}

// Move searches without a limit if the budget sets no time. It has no playouts.
func (m perfectPlayer) Move(ctx context.Context, p nogo.Position, c board.Colour, b player.Budget) (game.Choice, error) {
	m.player.Think = b.Time
	choice, err := m.player.Move(ctx, p, c)
	if err != nil && ctx.Err() != nil {
		// Out of time at once: a guess is the best move so far.
		return player.New(nil, nil).Move(context.Background(), p, c)
	}
	return choice, err
}

// Ponder does nothing.
func (m perfectPlayer) Ponder(context.Context, nogo.Position, board.Colour) {}

// Close gives the memory back.
func (m perfectPlayer) Close() error { return m.solver.Close() }

// ValueMap is the published value V of every legal move of c.
func ValueMap(p nogo.Position, c board.Colour) map[board.Point]int { return player.ValueMap(p, c) }

// openBook reads the certificate to play from; nil if there is none.
func openBook(ctx context.Context, o Options) (player.Book, error) {
	if o.Certificate == "" {
		return nil, nil
	}
	certificate, err := proof.ReadFileWithin(ctx, o.Certificate, 0)
	if err != nil {
		return nil, err
	}
	if certificate.Size() != o.Size {
		return nil, fmt.Errorf("certificate %s is of a %s board, the game is on %s", o.Certificate, certificate.Size(), o.Size)
	}
	return certificateBook{certificate}, nil
}
