package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tengen/board"
	"tengen/engine"
	"tengen/game"
	"tengen/internal/review"
	"tengen/internal/text"
	"tengen/nogo"
)

// hintTime is what a hint may take, unless it is hurried.
const hintTime = 5 * time.Second

// NoGoPlayer is an opponent at NoGo.
type NoGoPlayer struct {
	mover   engine.Mover
	options engine.MoverOptions
	budget  engine.Budget
	analyst *engine.Analyst
}

// NewNoGoPlayer makes an opponent that spends a budget on every move. If no player is
// named it is the one that suits the board.
func NewNoGoPlayer(o engine.MoverOptions, b engine.Budget) (*NoGoPlayer, error) {
	if o.Kind == "" {
		o.Kind = engine.DefaultPlayer(o.Size)
	}
	mover, err := engine.NewMover(o)
	if err != nil {
		return nil, err
	}
	analyst, err := engine.NewAnalyst(engine.AnalystOptions{Limits: o.Limits})
	if err != nil {
		mover.Close()
		return nil, err
	}
	return &NoGoPlayer{mover: mover, options: o, budget: b, analyst: analyst}, nil
}

// Close gives the memory back.
func (n *NoGoPlayer) Close() error {
	return errors.Join(n.mover.Close(), n.analyst.Close())
}

func (n *NoGoPlayer) String() string {
	if level := n.budget.Level; level > 0 && level < engine.Levels {
		return fmt.Sprintf("%s at level %d", n.options.Kind, level)
	}
	return string(n.options.Kind)
}

// Playouts is how far the thinking has come.
func (n *NoGoPlayer) Playouts() int { return engine.Playouts(n.mover) }

// Move chooses a move and says what it is worth.
func (n *NoGoPlayer) Move(ctx context.Context, positions []game.Position) (Reply, error) {
	start := time.Now()
	p, c := present(positions)
	choice, err := n.mover.Move(ctx, p, c, n.budget)
	if err != nil {
		return Reply{}, err
	}
	return Reply{choice.Move, standing(choice, time.Since(start))}, nil
}

func present(positions []game.Position) (nogo.Position, board.Colour) {
	now := positions[len(positions)-1]
	return game.NoGoPosition(now), now.ToPlay
}

// standing ends the sentence that tells a move.
func standing(choice engine.Choice, took time.Duration) string {
	switch {
	case choice.Known == engine.Won:
		return ": a proven win, exact from here on."
	case choice.Known == engine.Lost:
		return ": it is lost against best play, and knows it."
	case choice.Playouts > 0:
		return fmt.Sprintf(" after %s and %s, and hopes for %.0f %%.", seconds(took), text.Plural(choice.Playouts, "playout"), 100*choice.WinShare)
	case choice.Source == engine.FromEvaluation:
		return " for its value."
	}
	return ": a guess, the time was too short."
}

// Hint rates every move, by proof as far as there is time and by playouts elsewhere.
// Players that know nothing of either leave the playouts to one that does.
func (n *NoGoPlayer) Hint(ctx context.Context, positions []game.Position) (Hint, error) {
	ctx, cancel := context.WithTimeout(ctx, hintTime)
	defer cancel()
	question := engine.Question{Rules: game.NoGo{}, Start: positions[len(positions)-1], Estimates: true}
	if n.options.Kind != engine.PlayerValue && n.options.Kind != engine.PlayerUCT {
		question.Mover = n.mover
	}
	analysis, err := n.analyst.Analyse(ctx, question, nil)
	var stopped *engine.Stopped
	switch {
	case err != nil && !errors.As(err, &stopped):
		return Hint{}, err
	case len(analysis.Moves) == 0:
		return Hint{}, engine.ErrNoMove
	}
	return nogoHint(question.Start.Size, analysis.Choice()), nil
}

// Review judges the moves of a game, by estimate where they are not solved in time.
func (n *NoGoPlayer) Review(ctx context.Context, g *game.Game) (review.Review, error) {
	return review.Played(n.analyst, g).Game(ctx, g, nil)
}

// nogoHint puts what was found into marks and words.
func nogoHint(size board.Size, choice engine.Choice) Hint {
	h := Hint{Marks: map[board.Point]Mark{}}
	var won, open []engine.MoveStats
	for _, m := range choice.Moves {
		switch m.Known {
		case engine.Won:
			won = append(won, m)
			h.Marks[m.Move] = Mark{Grade: Good}
		case engine.Lost:
			h.Marks[m.Move] = Mark{Grade: Bad}
		default:
			open = append(open, m)
		}
	}
	switch {
	case len(won) > 0:
		h.Says = winners(size, won, len(open), len(choice.Moves))
	case len(open) == 0:
		h.Says = fmt.Sprintf("Every move loses against best play; %s sets the hardest task.", size.Name(choice.Move))
	case choice.Playouts == 0:
		h.Says = fmt.Sprintf("Nothing is proven in this time; %s is a guess.", size.Name(choice.Move))
	default:
		h.Says = estimates(size, open, choice.Playouts, h.Marks)
	}
	return h
}

// winners names the moves that win.
func winners(size board.Size, won []engine.MoveStats, open, all int) string {
	if len(won) == all {
		return "Every move wins."
	}
	verb := "win"
	if len(won) == 1 {
		verb = "wins"
	}
	var names []string
	for _, m := range won {
		names = append(names, size.Name(m.Move))
	}
	text := fmt.Sprintf("%s %s, proven; ", few(names), verb)
	switch {
	case open == 1:
		return text + "of the others one is not known."
	case open > 0:
		return text + fmt.Sprintf("of the others %d are not known.", open)
	}
	return text + "everything else loses."
}

// estimates marks the moves that playouts were spent on, best first, and names the
// best. Moves that were hardly visited are left out, since their share says nothing.
func estimates(size board.Size, open []engine.MoveStats, playouts int, marks map[board.Point]Mark) string {
	const named = 3
	var best []string
	for _, m := range ranked(open) {
		percent := min(int(100*m.WinShare+0.5), 99)
		grade := Guess
		if len(best) < named {
			grade = Favoured
			best = append(best, fmt.Sprintf("%s %d %%", size.Name(m.Move), percent))
		}
		marks[m.Move] = Mark{grade, fmt.Sprint(percent), fmt.Sprint(percent / 10)}
	}
	if len(best) == 0 {
		return "Nothing is proven, and the playouts are too few to favour a move."
	}
	return fmt.Sprintf("Nothing is proven; %s playouts favour %s.", text.Thousands(playouts), strings.Join(best, ", "))
}

// ranked are the moves with enough visits, by the share of wins to expect of them: a
// lucky move of few visits is not the best.
func ranked(open []engine.MoveStats) []engine.MoveStats {
	const (
		least = 20 // visits that are enough,
		part  = 20 // if the most visited move has not more than so many times as many
	)
	most := 0
	for _, m := range open {
		most = max(most, m.Visits)
	}
	var moves []engine.MoveStats
	for i, share := range engine.Shares(open) {
		if m := open[i]; m.Visits >= max(least, most/part) {
			m.WinShare = share
			moves = append(moves, m)
		}
	}
	slices.SortStableFunc(moves, func(a, b engine.MoveStats) int { return cmp.Compare(b.WinShare, a.WinShare) })
	return moves
}
