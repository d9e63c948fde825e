package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tengen/board"
	"tengen/internal/net"
	"tengen/internal/player"
	"tengen/internal/region"
	"tengen/internal/solver"
	"tengen/internal/text"
	"tengen/nogo"
	"tengen/proof"
)

// PlayerKind names a player of NoGo.
type PlayerKind string

// The players.
const (
	PlayerNet     PlayerKind = "net"     // tree search by a trained network with exact endgames, the default
	PlayerMCTS    PlayerKind = "mcts"    // tree search by playouts with exact endgames
	PlayerValue   PlayerKind = "value"   // the published value function
	PlayerPerfect PlayerKind = "perfect" // solves, and guesses where it cannot
	PlayerUCT     PlayerKind = "uct"     // mcts with everything switched off, to measure against
)

// PlayerKinds lists the names, the default first.
func PlayerKinds() []PlayerKind {
	return []PlayerKind{PlayerNet, PlayerMCTS, PlayerValue, PlayerPerfect, PlayerUCT}
}

// MoverOptions say who plays and what it may use.
type MoverOptions struct {
	Kind        PlayerKind // "" for the default
	Size        board.Size
	Seed        uint64
	Limits               // by default the memory that the kind takes; the time is that of a move whose Budget has no limit
	Without     []string // parts of a tree search to switch off: see MoverParts
	Certificate string   // a stored solution to play from; "" for none
}

// Mover chooses moves and keeps what it has learned from one to the next. It is
// for one goroutine at a time.
type Mover interface {
	// Move chooses a move for c; ErrNoMove says that there is none. When
	// ctx ends before the budget the best move so far comes back.
	Move(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (Choice, error)
	// Ponder starts to think about a position in the background and returns. It
	// goes on until ctx ends or another method is called.
	Ponder(ctx context.Context, p nogo.Position, c board.Colour)
	// Parts lists what the mover plays with, of those parts that can be left out.
	Parts() []string
	Close() error
}

// NewMover makes a player. It takes the memory now.
func NewMover(o MoverOptions) (Mover, error) {
	if o.Kind == "" {
		o.Kind = PlayerNet
	}
	if len(MoverParts(o.Kind)) == 0 && len(o.Without) > 0 {
		return nil, fmt.Errorf("player %s has no parts to go without: %s and %s have", o.Kind, PlayerNet, PlayerMCTS)
	}
	if o.Certificate != "" && (o.Kind == PlayerValue || o.Kind == PlayerUCT) {
		return nil, fmt.Errorf("player %s does not play from a certificate: %s, %s and %s do", o.Kind, PlayerNet, PlayerMCTS, PlayerPerfect)
	}
	if _, err := board.NewSize(o.Size.Rows, o.Size.Cols); err != nil {
		return nil, err
	}
	// What a solver takes is up to the players that use one.
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := o.least("player "+string(o.Kind), leastTable); err != nil {
		return nil, err
	}
	switch Stand(o.Kind, o.Size) {
	case PlayerNet:
		return newNetMover(o)
	case PlayerMCTS:
		return newTreeMover(o)
	case PlayerUCT:
		o.Without = MoverParts(PlayerMCTS)
		return newTreeMover(o)
	case PlayerValue:
		v, err := player.NewValue(o.Size, o.Seed, o.Memory)
		if err != nil {
			return nil, err
		}
		return &mover{v, nil, o.Time}, nil
	case PlayerPerfect:
		return newPerfectMover(o)
	}
	return nil, fmt.Errorf("there is no player %q: choose %s", o.Kind, text.List(PlayerKinds()))
}

// MoverParts lists what can be left out of a player.
func MoverParts(kind PlayerKind) []string {
	switch kind {
	case PlayerNet:
		return player.NetworkParts()
	case PlayerMCTS:
		return player.MCTSParts()
	}
	return nil
}

// Stand is who plays on a board if a kind is asked for: PlayerMCTS stands in for PlayerNet
// where the network does not know the board.
func Stand(kind PlayerKind, size board.Size) PlayerKind {
	if kind == PlayerNet && !net.Knows(size) {
		return PlayerMCTS
	}
	return kind
}

// DefaultPlayer is the player that suits a board: the perfect one where every move is
// settled in a moment, the network where it knows the board, tree search elsewhere.
func DefaultPlayer(size board.Size) PlayerKind {
	const quickRow = 30
	if size.Points() <= finishPoints || isRow(size) && size.Points() <= quickRow {
		return PlayerPerfect
	}
	return Stand(PlayerNet, size)
}

// PlayerAt is the player that suits a board and a level: below full strength one that can
// make mistakes.
func PlayerAt(level int, size board.Size) PlayerKind {
	if level < Levels {
		return Stand(PlayerNet, size)
	}
	return DefaultPlayer(size)
}

// CheckLevel refuses a level that there is not, or that a player does not know.
func CheckLevel(level int, kind PlayerKind) error {
	switch {
	case level < 1 || level > Levels:
		return fmt.Errorf("there is no level %d: levels are 1 to %d", level, Levels)
	case level < Levels && (kind == PlayerValue || kind == PlayerPerfect):
		return fmt.Errorf("player %s has no levels: %s, %s and %s have", kind, PlayerNet, PlayerMCTS, PlayerUCT)
	}
	return nil
}

// mover lets a player of the package below play by the types of this one.
type mover struct {
	thinker
	parts []string
	time  time.Duration // for moves whose budget has no limit
}

// thinker is a player of package player.
type thinker interface {
	Move(ctx context.Context, p nogo.Position, c board.Colour, b player.Budget) (player.Choice, error)
	Ponder(ctx context.Context, p nogo.Position, c board.Colour)
	Close() error
}

func (m *mover) Move(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (Choice, error) {
	if b.Time <= 0 && b.Playouts <= 0 {
		b.Time = m.time
	}
	choice, err := m.thinker.Move(ctx, p, c, player.Budget(b))
	return choiceOf(p.Size, choice), err
}

func (m *mover) Parts() []string { return slices.Clone(m.parts) }

// Playouts is how many playouts the thinking of a mover has come to, 0 for one that
// counts none. It may be asked while the mover thinks.
func Playouts(m Mover) int {
	if counting, ok := m.(interface{ Done() int }); ok {
		return counting.Done()
	}
	return 0
}

// Slow reports whether a mover plays without the instructions that make it strong, and if
// so how many evaluations it makes in a second.
func Slow(m Mover) (perSecond float64, slow bool) {
	if by, ok := m.(*mover); ok {
		if evaluating, ok := by.thinker.(interface{ Slow() (float64, bool) }); ok {
			return evaluating.Slow()
		}
	}
	return 0, false
}

// Ownership is whose stone a mover expects on each point when the game is over, row by row
// from the top left: from -1, one of the opponent of c, to 1, one of c, who is to move. It
// is nil if the mover has no idea of that; PlayerNet has one. It is not for use while the
// mover thinks.
func Ownership(m Mover, p nogo.Position, c board.Colour) []float64 {
	if by, ok := m.(*mover); ok {
		if expecting, ok := by.thinker.(interface {
			Ownership(p nogo.Position, c board.Colour) []float64
		}); ok {
			return expecting.Ownership(p, c)
		}
	}
	return nil
}

// Employ lets only so many threads think from now on, of those who think with several.
func (m *mover) Employ(threads int) {
	if s, ok := m.thinker.(interface{ Employ(threads int) }); ok {
		s.Employ(threads)
	}
}

// Done counts playouts, see Playouts.
func (m *mover) Done() int {
	if counting, ok := m.thinker.(interface{ Done() int }); ok {
		return counting.Done()
	}
	return 0
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

// newNetMover makes the player by the network. All boards that it knows are too large to be
// solved in a moment, so a certificate is all that there is to ask first.
func newNetMover(o MoverOptions) (Mover, error) {
	book, err := openBook(o)
	if err != nil {
		return nil, err
	}
	options := player.NetworkOptions{Seed: o.Seed, Threads: o.Threads, Memory: o.Memory, Without: o.Without}
	if book != nil {
		options.Perfect = player.New(nil, book)
	}
	m, err := player.NewNetwork(o.Size, options)
	if err != nil {
		return nil, err
	}
	return &mover{m, partsLeft(PlayerNet, o.Without), o.Time}, nil
}

// partsLeft are the parts of a player without some.
func partsLeft(kind PlayerKind, without []string) []string {
	return slices.DeleteFunc(MoverParts(kind), func(part string) bool { return slices.Contains(without, part) })
}

func newTreeMover(o MoverOptions) (Mover, error) {
	parts := partsLeft(PlayerMCTS, o.Without)
	var tree treePlayer
	if slices.Contains(parts, "solver") && o.Size.Points() <= finishPoints {
		var err error
		if tree.solver, err = openSolver(o.Size, Limits{Memory: solverMemory, Threads: o.Threads}); err != nil {
			return nil, err
		}
	}
	book, err := openBook(o)
	if err == nil {
		options := player.MCTSOptions{Seed: o.Seed, Threads: o.Threads, Memory: o.Memory, Without: o.Without}
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
func openSolver(size board.Size, limits Limits) (solver.Solver, error) {
	request := Request{Position: nogo.NewPosition(size), Limits: limits}
	plan, err := request.plan()
	if err != nil {
		return nil, err
	}
	if plan.Method == Endgame {
		return nil, fmt.Errorf("a player that solves from the first move on takes boards of up to %d points and 64 padded cells, %s is larger", region.MaxPoints, size)
	}
	return request.open(context.Background(), plan)
}

// Close gives the memory back.
func (t treePlayer) Close() error { return errors.Join(t.MCTS.Close(), t.closeSolver()) }

func (t treePlayer) closeSolver() error {
	if t.solver == nil {
		return nil
	}
	return t.solver.Close()
}

// perfectPlayer plays by a budget from what a solver finds, with a table that it keeps
// from move to move.
type perfectPlayer struct {
	player *player.Player
	solver solver.Solver
}

func newPerfectMover(o MoverOptions) (Mover, error) {
	book, err := openBook(o)
	if err != nil {
		return nil, err
	}
	s, err := openSolver(o.Size, o.Limits)
	if err != nil {
		return nil, err
	}
	return &mover{perfectPlayer{player.New(s, book), s}, nil, o.Time}, nil
}

// Move thinks as long as it takes if the budget sets no time, for the answer is
// the point of this player; playouts it has none.
func (m perfectPlayer) Move(ctx context.Context, p nogo.Position, c board.Colour, b player.Budget) (player.Choice, error) {
	m.player.Think = b.Time
	choice, err := m.player.Move(ctx, p, c)
	if err != nil && ctx.Err() != nil {
		// Out of time at once: a guess is the best move so far.
		return player.New(nil, nil).Move(context.Background(), p, c)
	}
	return choice, err
}

// Ponder does nothing: what the solver keeps in its table is kept anyway.
func (m perfectPlayer) Ponder(context.Context, nogo.Position, board.Colour) {}

// Close gives the memory back.
func (m perfectPlayer) Close() error { return m.solver.Close() }

// ValueMap is the published value V of every legal move of c.
func ValueMap(p nogo.Position, c board.Colour) map[board.Point]int { return player.ValueMap(p, c) }

// openBook reads the certificate to play from; nil if there is none.
func openBook(o MoverOptions) (player.Book, error) {
	if o.Certificate == "" {
		return nil, nil
	}
	certificate, err := proof.ReadFile(o.Certificate)
	if err != nil {
		return nil, err
	}
	if certificate.Size() != o.Size {
		return nil, fmt.Errorf("certificate %s is of a %s board, the game is on %s", o.Certificate, certificate.Size(), o.Size)
	}
	return certificateBook{certificate}, nil
}
