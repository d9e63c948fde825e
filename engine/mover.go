package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/internal/text"
	"tengen/nogo"
	"tengen/proof"
)

// PlayerKind names a player of NoGo.
type PlayerKind string

// The players.
const (
	PlayerMCTS    PlayerKind = "mcts"    // tree search with exact endgames, the default
	PlayerValue   PlayerKind = "value"   // the published value function
	PlayerPerfect PlayerKind = "perfect" // solves, and guesses where it cannot
	PlayerUCT     PlayerKind = "uct"     // mcts with everything switched off, to measure against
)

// PlayerKinds lists the names, the default first.
func PlayerKinds() []PlayerKind {
	return []PlayerKind{PlayerMCTS, PlayerValue, PlayerPerfect, PlayerUCT}
}

// MoverOptions say who plays and what it may use.
type MoverOptions struct {
	Kind        PlayerKind // "" for the default
	Size        board.Size
	Seed        uint64
	Limits               // by default the memory that the kind takes; the time is that of each Budget
	Without     []string // parts of mcts to switch off
	Certificate string   // a stored solution to play from; "" for none
}

// Budget limits the thinking about one move.
type Budget = player.Budget

// MoveStats is what a mover knows of one legal move.
type MoveStats = player.MoveStats

// Mover chooses moves and keeps what it has learned from one to the next. It is
// for one goroutine at a time.
type Mover interface {
	// Move chooses a move for c; player.ErrNoMove says that there is none. When
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
		o.Kind = PlayerMCTS
	}
	if o.Kind != PlayerMCTS && len(o.Without) > 0 {
		return nil, fmt.Errorf("player %s has no parts to go without: only %s has", o.Kind, PlayerMCTS)
	}
	if o.Certificate != "" && o.Kind != PlayerMCTS && o.Kind != PlayerPerfect {
		return nil, fmt.Errorf("player %s does not play from a certificate: %s and %s do", o.Kind, PlayerMCTS, PlayerPerfect)
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
	switch o.Kind {
	case PlayerMCTS:
		return newTreeMover(o)
	case PlayerUCT:
		o.Without = player.MCTSParts
		return newTreeMover(o)
	case PlayerValue:
		v, err := player.NewValue(o.Size, o.Seed, o.Memory)
		if err != nil {
			return nil, err
		}
		return partless{v}, nil
	case PlayerPerfect:
		return newPerfectMover(o)
	}
	return nil, fmt.Errorf("there is no player %q: choose %s", o.Kind, text.List(PlayerKinds()))
}

// treeMover is the tree search with the parts it was left, and the solver of a
// board that can be finished.
type treeMover struct {
	*player.MCTS
	parts  []string
	solver solver.Solver // nil if there is none
}

// finishPoints is the size up to which a board is solved within about a second,
// so that play is perfect from the first move.
const finishPoints = 20

// solverMemory is enough for boards of finishPoints.
const solverMemory = 64 << 20

func newTreeMover(o MoverOptions) (Mover, error) {
	m := treeMover{parts: slices.DeleteFunc(slices.Clone(player.MCTSParts), func(part string) bool { return slices.Contains(o.Without, part) })}
	perfect, err := m.perfect(o)
	if err != nil {
		return nil, err
	}
	m.MCTS, err = player.NewMCTS(o.Size, player.MCTSOptions{Seed: o.Seed, Threads: o.Threads, Memory: o.Memory, Without: o.Without, Perfect: perfect})
	if err != nil {
		m.closeSolver()
		return nil, err
	}
	return m, nil
}

// perfect is the player of what is known exactly, nil if nothing is.
func (m *treeMover) perfect(o MoverOptions) (*player.Player, error) {
	var book player.Book
	if o.Certificate != "" {
		var err error
		if book, err = openBook(o.Certificate, o.Size); err != nil {
			return nil, err
		}
	}
	if slices.Contains(m.parts, "solver") && o.Size.Points() <= finishPoints {
		request := Request{Position: nogo.NewPosition(o.Size), Limits: Limits{Memory: solverMemory, Threads: o.Threads}}
		plan, err := request.plan()
		if err != nil {
			return nil, err
		}
		if m.solver, err = request.open(context.Background(), plan); err != nil {
			return nil, err
		}
	}
	if book == nil && m.solver == nil {
		return nil, nil
	}
	return player.New(m.solver, book), nil
}

func (m treeMover) Parts() []string { return m.parts }

// Close gives the memory back.
func (m treeMover) Close() error {
	return errors.Join(m.MCTS.Close(), m.closeSolver())
}

func (m treeMover) closeSolver() error {
	if m.solver == nil {
		return nil
	}
	return m.solver.Close()
}

// partless is a mover of one piece.
type partless struct {
	*player.Value
}

func (partless) Parts() []string { return nil }

// perfectMover lets a perfect opponent play by a budget.
type perfectMover struct {
	*Opponent
}

func newPerfectMover(o MoverOptions) (Mover, error) {
	opponent, err := NewOpponent(OpponentOptions{Size: o.Size, Limits: o.Limits, Certificate: o.Certificate})
	if err != nil {
		return nil, err
	}
	return perfectMover{opponent}, nil
}

// Move thinks as long as it takes if the budget sets no time, for the answer is
// the point of this player; playouts it has none.
func (m perfectMover) Move(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (Choice, error) {
	m.player.Think = b.Time
	choice, err := m.Opponent.Move(ctx, p, c)
	if err != nil && ctx.Err() != nil {
		// Out of time at once: a guess is the best move so far.
		return player.New(nil, nil).Move(context.Background(), p, c)
	}
	return choice, err
}

// Ponder does nothing: what the solver keeps in its table is kept anyway.
func (m perfectMover) Ponder(context.Context, nogo.Position, board.Colour) {}

func (m perfectMover) Parts() []string { return nil }

// ValueMap is the published value V of every legal move of c.
func ValueMap(p nogo.Position, c board.Colour) map[board.Point]int { return player.ValueMap(p, c) }

// openBook reads a certificate for a board.
func openBook(path string, size board.Size) (player.Book, error) {
	certificate, err := proof.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if certificate.Size() != size {
		return nil, fmt.Errorf("certificate %s is of a %s board, the game is on %s", path, certificate.Size(), size)
	}
	return certificateBook{certificate}, nil
}
