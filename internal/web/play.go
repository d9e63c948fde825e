package web

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
	"tengen/internal/text"
)

// PlayBody asks for a move.
type PlayBody struct {
	Question
	Player  string  `json:"player,omitempty" doc:"of NoGo: auto (the default), perfect, net, mcts, value or uct; of Go auto"`
	Level   int     `json:"level,omitempty" doc:"1 to 10, the default and the strongest"`
	Seconds float64 `json:"seconds,omitempty" doc:"to think, 1 if left out, at most 30"`
}

// Move is a move, and what the player knows about it.
type Move struct {
	Move     string   `json:"move"`
	Says     string   `json:"says"`
	Known    string   `json:"known" enum:"won,lost,drawn,unknown" doc:"for the side that moves: won, lost, drawn or unknown"`
	WinShare *float64 `json:"win_share,omitempty"`
	Score    *int     `json:"score,omitempty" doc:"of Go: after the move, with best play"`
	Line     []string `json:"line"`
}

const (
	maxSeconds = 30
	tableTime  = time.Minute // for a table of Go that must be built
)

// slips set the strength of the player of Go, by level. A move that loses n points is
// drawn with a weight of exp(-n/slip), so a larger slip makes more mistakes.
var slips = [play.Levels + 1]float64{1: 4, 2: 3, 3: 2.2, 4: 1.7, 5: 1.3, 6: 1, 7: 0.7, 8: 0.5, 9: 0.3}

func (b *PlayBody) read() (asked, error) {
	a, err := b.Question.read()
	if err != nil {
		return a, err
	}
	if b.Level == 0 {
		b.Level = play.Levels
	}
	if b.Seconds == 0 {
		b.Seconds = 1
	}
	kinds := play.Kinds()
	switch {
	case b.Level < 1 || b.Level > play.Levels:
		return a, wrong(".level", b.Level, play.CheckLevel(b.Level, play.Net))
	case !(b.Seconds > 0 && b.Seconds <= maxSeconds):
		return a, wrong(".seconds", b.Seconds, fmt.Errorf("a move takes more than 0 and at most %d seconds", maxSeconds))
	case b.Player == "" || b.Player == "auto":
		b.Player = "auto"
	case a.scored():
		return a, wrong(".player", b.Player, errors.New("go has only the perfect player: remove player"))
	case !slices.Contains(kinds, play.Kind(b.Player)):
		return a, wrong(".player", b.Player, fmt.Errorf("there is no player %q: choose one of auto, %s", b.Player, text.List(kinds)))
	}
	if end, over := a.rules.End(a.game.Position(), 0); over {
		return a, wrong(".moves", nil, known{codeOver, fmt.Errorf("the game is over: %s", end)})
	}
	return a, nil
}

func (b PlayBody) time() time.Duration { return time.Duration(b.Seconds * float64(time.Second)) }

// play chooses a move.
func (s *Server) play(ctx context.Context, in *body[PlayBody]) (*body[Move], error) {
	a, err := in.Body.read()
	if err != nil {
		return nil, err
	}
	leave, err := s.enterShort(ctx, "play")
	if err != nil {
		return nil, err
	}
	defer leave()
	var m Move
	if a.scored() {
		m, err = s.playGo(ctx, a, in.Body)
	} else {
		m, err = s.playNoGo(ctx, a, in.Body)
	}
	if err != nil {
		return nil, s.failed(ctx, err)
	}
	return &body[Move]{m}, nil
}

// enterShort waits for a slot for work of seconds.
func (s *Server) enterShort(ctx context.Context, what string) (leave func(), err error) {
	ticket, err := s.short.enter(clientOf(ctx))
	if err != nil {
		return nil, busy(err)
	}
	if err := ticket.wait(ctx, func(int) {}); err != nil {
		ticket.leave()
		return nil, busy(errFull)
	}
	timed := s.counts.time(what)
	return func() { timed(); ticket.leave() }, nil
}

// failed is the answer to work that failed: stopped, or refused for its input.
func (s *Server) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return busy(errors.New("the request was stopped"))
	}
	return s.unanswered(err)
}

func (s *Server) playNoGo(ctx context.Context, a asked, b PlayBody) (Move, error) {
	p := a.game.Position()
	kind := play.Kind(b.Player)
	if b.Player == "auto" {
		kind = play.KindAt(b.Level, p.Size)
	}
	mover, err := s.movers.borrow(ctx, kind, p.Size)
	if err != nil {
		return Move{}, err
	}
	defer s.movers.giveBack(mover)
	budget := play.Budget{Time: s.within(b.time()), Level: b.Level}
	if b.Level < play.Levels {
		budget.Time = max(budget.Time, levelTime)
	}
	choice, err := mover.Move(ctx, game.NoGoPosition(p), p.ToPlay, budget)
	if err != nil {
		return Move{}, err
	}
	if err := ctx.Err(); err != nil {
		return Move{}, err
	}
	m := Move{Move: game.MoveName(p.Size, choice.Move), Known: choice.Known.String(), Line: game.MoveNames(p.Size, choice.Line)}
	if len(m.Line) == 0 {
		m.Line = []string{m.Move}
	}
	if choice.Playouts > 0 {
		m.WinShare = &choice.WinShare
	}
	m.Says = says(p.ToPlay, m, choice.Playouts)
	return m, nil
}

// says is the sentence about a move of NoGo.
func says(c board.Colour, m Move, playouts int) string {
	side := title(c)
	switch {
	case m.Known == game.Won.String():
		return fmt.Sprintf("%s plays %s, a proven win.", side, m.Move)
	case m.Known == game.Lost.String():
		return fmt.Sprintf("%s plays %s and knows that it is lost against best play.", side, m.Move)
	case m.WinShare != nil:
		return fmt.Sprintf("%s plays %s and expects to win %s of the time, after %s.", side, m.Move, text.Chance(*m.WinShare), text.Plural(playouts, "playout"))
	}
	return fmt.Sprintf("%s plays %s.", side, m.Move)
}

// playGo takes the move from an analysis. It is perfect at the highest level and makes
// mistakes below it.
func (s *Server) playGo(ctx context.Context, a asked, b PlayBody) (Move, error) {
	limit := tableTime
	searched := a.rules.Superko() == 0 && play.Searched(a.game.Position().Size)
	if a.rules.Superko() != 0 || searched {
		limit = b.time()
	}
	limited, cancel := context.WithTimeout(ctx, s.within(limit))
	defer cancel()
	slip := slips[b.Level]
	analysis, err := s.analyst.Analyse(limited, a.question(), func(u analyse.Update) {
		if best := u.Now.Best; searched && slip == 0 && best.Grade == analyse.GradeExact && best.Name != "" {
			cancel() // the other moves do not count
		}
	})
	var stopped *job.Stopped
	if err != nil && !errors.As(err, &stopped) || ctx.Err() != nil {
		return Move{}, errors.Join(ctx.Err(), err)
	}
	p := analysis.Position
	chosen := analysis.Best
	if chosen.Name == "" {
		chosen = analysis.Moves[0]
	}
	if slip > 0 {
		chosen = slipped(p.ToPlay, analysis.Moves, slip)
	}
	m := Move{Move: chosen.Name, Known: game.Unknown.String(), Line: game.MoveNames(p.Size, chosen.Line)}
	side := title(p.ToPlay)
	m.Says = fmt.Sprintf("%s plays %s.", side, m.Move)
	if searched && chosen.Grade != analyse.GradeExact {
		m.Says += " " + unproven(analysis.Best, p.Size)
	}
	if chosen.Grade == analyse.GradeExact {
		m.Score = &chosen.Score
		m.Known = standingOf(p.ToPlay, chosen.Score)
		m.Says = fmt.Sprintf("%s plays %s: with best play %s.", side, m.Move, text.Verdict(chosen.Score))
	}
	return m, nil
}

// unproven says what is known of a position whose score is not.
func unproven(f analyse.Finding, size board.Size) string {
	if bounds := text.Bounds(f.Lo, f.Hi, size.Points()); f.Grade == analyse.GradeBounded && bounds != "" {
		return fmt.Sprintf("Proven so far: the score is %s.", bounds)
	}
	return "Nothing is proven yet."
}

func standingOf(c board.Colour, score int) string {
	switch {
	case score == 0:
		return "drawn"
	case (score > 0) == (c == board.Black):
		return game.Won.String()
	}
	return game.Lost.String()
}

// slipped draws one of the moves with a known score.
func slipped(c board.Colour, moves []analyse.Finding, slip float64) analyse.Finding {
	weights := make([]float64, len(moves))
	sum := 0.0
	for i, m := range moves {
		if m.Grade != analyse.GradeExact {
			continue
		}
		lost := float64(moves[0].Score - m.Score)
		if c == board.White {
			lost = -lost
		}
		weights[i] = math.Exp(-max(lost, 0) / slip)
		sum += weights[i]
	}
	at := rand.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 {
			return moves[i]
		}
	}
	return moves[0]
}
