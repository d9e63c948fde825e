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
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
	"tengen/internal/review"
	"tengen/internal/text"
	"tengen/nogo"
)

// hintTime is the most time for a hint, unless it is hurried.
const hintTime = 5 * time.Second

// NoGoPlayer is an opponent at NoGo.
type NoGoPlayer struct {
	mover   play.Mover
	options play.Options
	budget  play.Budget
	analyst *analyse.Analyst
}

// NewNoGoPlayer makes an opponent that spends a budget on every move. Without a name
// it is the player that suits the board.
func NewNoGoPlayer(ctx context.Context, o play.Options, b play.Budget) (*NoGoPlayer, error) {
	if o.Kind == "" {
		o.Kind = play.Default(o.Size)
	}
	mover, err := play.New(ctx, o)
	if err != nil {
		return nil, err
	}
	analyst, err := analyse.New(analyse.Options{Limits: o.Limits, Store: job.Cache})
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
	if level := n.budget.Level; level > 0 && level < play.Levels {
		return fmt.Sprintf("%s at level %d", n.options.Kind, level)
	}
	return string(n.options.Kind)
}

// Playouts is the number of playouts of the present search.
func (n *NoGoPlayer) Playouts() int { return n.mover.Playouts() }

// Move chooses a move and describes its worth.
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

// standing is the end of the sentence about a move.
func standing(choice game.Choice, took time.Duration) string {
	switch {
	case choice.Known == game.Won:
		return ": a proven win, exact from here on."
	case choice.Known == game.Lost:
		return ": it is lost against best play, and knows it."
	case choice.Playouts > 0:
		return fmt.Sprintf(" after %s and %s, and hopes for %s.", seconds(took), text.Plural(choice.Playouts, "playout"), text.Chance(choice.WinShare))
	case choice.Source == game.FromEvaluation:
		return " for its value."
	}
	return ": a guess, the time was too short."
}

// Hint rates every move: by proof as far as there is time, and by playouts
// otherwise. Players without playouts use another player for them.
func (n *NoGoPlayer) Hint(ctx context.Context, positions []game.Position) (Hint, error) {
	ctx, cancel := context.WithTimeout(ctx, hintTime)
	defer cancel()
	question := analyse.Question{Rules: game.NoGo{}, Start: positions[len(positions)-1], Estimates: true}
	if n.options.Kind != play.Value && n.options.Kind != play.UCT {
		question.Mover = n.mover
	}
	analysis, err := n.analyst.Analyse(ctx, question, nil)
	var stopped *job.Stopped
	switch {
	case err != nil && !errors.As(err, &stopped):
		return Hint{}, err
	case len(analysis.Moves) == 0:
		return Hint{}, play.ErrNoMove
	}
	return nogoHint(question.Start.Size, analysis.Choice()), nil
}

// Review judges the moves of a game. Moves that are not solved in time are
// estimated.
func (n *NoGoPlayer) Review(ctx context.Context, g *game.Game) (review.Review, error) {
	return review.Played(n.analyst, g).Game(ctx, g, nil)
}

// nogoHint turns results into marks and a sentence.
func nogoHint(size board.Size, choice game.Choice) Hint {
	h := Hint{Marks: map[board.Point]Mark{}}
	var won, open []game.MoveStats
	for _, m := range choice.Moves {
		switch m.Known {
		case game.Won:
			won = append(won, m)
			h.Marks[m.Move] = Mark{Grade: Good}
		case game.Lost:
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
func winners(size board.Size, won []game.MoveStats, open, all int) string {
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

// estimates marks the moves with playouts, best first, and names the best. Moves
// with few visits are left out, because their share means nothing.
func estimates(size board.Size, open []game.MoveStats, playouts int, marks map[board.Point]Mark) string {
	const named = 3
	var best []string
	for _, m := range ranked(open) {
		percent := min(max(int(100*m.WinShare+0.5), 1), 99)
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

// ranked are the moves with enough visits, by the expected share of wins. A lucky
// move with few visits is not the best.
func ranked(open []game.MoveStats) []game.MoveStats {
	const (
		least = 20 // least visits of a move
		part  = 20 // and least share of the visits of the most visited move, as 1/part
	)
	most := 0
	for _, m := range open {
		most = max(most, m.Visits)
	}
	var moves []game.MoveStats
	for i, share := range play.Shares(open) {
		if m := open[i]; m.Visits >= max(least, most/part) {
			m.WinShare = share
			moves = append(moves, m)
		}
	}
	slices.SortStableFunc(moves, func(a, b game.MoveStats) int { return cmp.Compare(b.WinShare, a.WinShare) })
	return moves
}
