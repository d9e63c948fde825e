// Package session is a game of NoGo or small Go played over GTP: the board, its
// history, the clocks and a player, behind the commands of the protocol, those of
// GoGui and those for live analysis.
// docs/gtp.md lists the commands. The package does not search: moves and exact
// results come from package engine.
package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
	"tengen/gtp"
	"tengen/internal/wholefile"
)

// Options of a session.
type Options struct {
	Version string
	Rules   game.Rules // of the game to begin with
	Size    board.Size // of the first board

	// NewMover makes the player of NoGo for a size, NewGoMover that of Go. The
	// session closes them.
	NewMover   func(context.Context, board.Size) (play.Mover, error)
	NewGoMover func(context.Context, board.Size) (*play.GoMover, error)

	Budget play.Budget // for one move as long as no clock is set
	Ponder bool        // think on the opponent's time
	PlayOn bool        // do not resign NoGo before the last legal move is gone

	Disk  wholefile.Disk // for records
	Turns bool           // refuse moves out of turn, which the protocol allows

	Exact job.Limits // of analysis, and of the time for one exact result
	Store string     // where its results are kept, as in analyse.Options
	Table string     // of Go, as in analyse.Options
}

// Session is one GTP session. It is for one goroutine at a time.
type Session struct {
	options Options
	server  *gtp.Server
	expert  expert
	analyst *analyse.Analyst
	game    *game.Game // nil before the first
	// notes say of moves of the player, by their numbers, that they are not proven.
	notes  map[int]string
	clock  clock
	ponder context.CancelFunc
}

// New sets up an empty board and the player for it. The context stops the building
// of a table of Go.
func New(ctx context.Context, o Options) (*Session, error) {
	s := &Session{options: o, server: gtp.NewServer("tengen", o.Version), ponder: func() {}}
	limits := o.Exact
	limits.Time = 0 // live analysis has no end
	var err error
	if s.analyst, err = analyse.New(analyse.Options{Limits: limits, Store: o.Store, Table: o.Table}); err != nil {
		return nil, err
	}
	if err := s.change(ctx, o.Rules, o.Size); err != nil {
		s.analyst.Close()
		return nil, err
	}
	s.register()
	return s, nil
}

// Server answers the commands of the session.
func (s *Session) Server() *gtp.Server { return s.server }

// Close ends player and analyst.
func (s *Session) Close() error {
	s.ponder()
	return errors.Join(s.expert.Close(), s.analyst.Close())
}

// change starts a game on a board. After an error nothing has changed.
func (s *Session) change(ctx context.Context, r game.Rules, size board.Size) error {
	if s.game == nil || r != s.game.Rules() || size != s.size() {
		expert, err := s.options.expert(ctx, r, size)
		if err != nil {
			return err
		}
		if s.expert != nil {
			s.expert.Close()
		}
		s.expert = expert
	}
	s.restart(r, game.NewPosition(size))
	return nil
}

func (s *Session) restart(r game.Rules, p game.Position) {
	s.begin(r, p)
	s.clock.reset()
}

// begin replaces the present game. Komi stays.
func (s *Session) begin(r game.Rules, p game.Position) {
	g := game.New(r, p)
	if s.game != nil {
		g.Komi = s.game.Komi
	}
	s.game, s.notes = g, map[int]string{}
}

func (s *Session) size() board.Size { return s.game.Position().Size }

func (s *Session) toPlay() board.Colour { return s.game.Position().ToPlay }

// over returns the result of the game if it has ended. A repeated position does not
// end the game here: the protocol leaves that decision to the other side.
func (s *Session) over() (game.Outcome, bool) {
	end, over := s.game.End()
	return end, over && end.How != game.Loop
}

func (s *Session) register() {
	s.registerBoard()
	s.registerThinking()
	s.registerRecords()
	s.registerGoGui()
	s.registerAnalysis()
	s.registerReview()
}

// handle registers a command with a number of arguments between least and most; a
// negative most means any number. Every command ends the pondering.
func (s *Session) handle(name string, least, most int, usage string, h gtp.Handler) {
	s.server.Handle(name, func(ctx context.Context, c gtp.Command) (string, error) {
		s.ponder()
		if len(c.Args) < least || most >= 0 && len(c.Args) > most {
			return "", fmt.Errorf("syntax error: %s", strings.TrimSpace("usage is "+name+" "+usage))
		}
		return h(ctx, c)
	})
}

// syntax makes an error of the protocol. Programs look for its first words.
func syntax(err error) error { return fmt.Errorf("syntax error: %w", err) }

func parseColour(text string) (board.Colour, error) {
	switch strings.ToLower(text) {
	case "b", "black":
		return board.Black, nil
	case "w", "white":
		return board.White, nil
	}
	return board.Empty, fmt.Errorf("invalid color: %q is neither black nor white", text)
}

// colourOr is the colour that an optional argument names, or the side to play.
func (s *Session) colourOr(args []string) (board.Colour, error) {
	if len(args) == 0 {
		return s.toPlay(), nil
	}
	return parseColour(args[0])
}

func parseInt(text, what string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, syntax(fmt.Errorf("%s %q is not a whole number", what, text))
	}
	return n, nil
}

// names spells points, in the order of the set.
func names(size board.Size, points board.Set) string {
	var list []string
	for p := range points.Points() {
		list = append(list, size.Name(p))
	}
	return strings.Join(list, " ")
}
