package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/engine/table"
	"tengen/game"
	"tengen/gtp"
	"tengen/weiqi"
)

// The commands for live analysis differ in how they write numbers: in units of
// 1/10,000, as Leela Zero does, or as fractions, as KataGo does.
func (s *Session) registerAnalysis() {
	for prefix, fractions := range map[string]bool{"": false, "lz-": false, "kata-": true} {
		format := infoFormat{fractions}
		s.server.HandleStream(prefix+"analyze", func(ctx context.Context, c gtp.Command, line func(string)) error {
			return s.analyze(ctx, c, format, line)
		})
		s.server.HandleStream(prefix+"genmove_analyze", func(ctx context.Context, c gtp.Command, line func(string)) error {
			return s.genmoveAnalyze(ctx, c, format, line)
		})
	}
}

// analyze reports on the position until any input arrives.
func (s *Session) analyze(ctx context.Context, c gtp.Command, format infoFormat, line func(string)) error {
	s.ponder()
	view, err := s.parseView(c.Args)
	if err != nil {
		return err
	}
	if _, over := s.game.Rules().End(s.game.At(view.colour), 0); over {
		return nil
	}
	view.owns = s.ownership(view)
	said := time.Now()
	report := func(a analyse.Analysis) {
		line(s.info(format, view, s.expert.survey(a)))
		said = time.Now()
	}
	least := leastAnalysis
	if s.byTable() {
		least = tableAnalysis
	}
	moment, cancel := atLeast(ctx, least)
	defer cancel()
	question := s.question(view.colour)
	question.Estimates, question.Lines, question.Every = true, true, view.interval
	last, err := s.analyst.Analyse(moment, question, func(u analyse.Update) {
		if time.Since(said) >= view.interval && !u.Now.Settled() {
			report(u.Now)
		}
	})
	var stopped *job.Stopped
	if err != nil && !errors.As(err, &stopped) {
		return err
	}
	report(last)
	<-ctx.Done() // the analysis is complete
	return nil
}

// question asks about the position with c to play.
func (s *Session) question(c board.Colour) analyse.Question {
	return analyse.Question{Rules: s.game.Rules(), Start: s.game.At(c), Mover: s.expert.estimator()}
}

// exact asks for proven results, within the time limit for them.
func (s *Session) exact(ctx context.Context, c board.Colour, alone bool) (analyse.Analysis, error) {
	ctx, cancel := job.Limits{Time: s.options.Exact.Time}.Context(ctx)
	defer cancel()
	question := s.question(c)
	question.Alone = alone
	a, err := s.analyst.Analyse(ctx, question, nil)
	var stopped *job.Stopped
	switch {
	case errors.As(err, &stopped):
		return a, fmt.Errorf("not solved in the time: %w", err)
	case err == nil && play.Searched(s.size()) && (!alone && !a.Settled() || a.Best.Grade != analyse.GradeExact):
		return a, errors.New("not solved: an endless game may decide what is not proven")
	case err == nil && !alone && !a.Settled(), err == nil && a.Best.Grade != analyse.GradeExact:
		return a, fmt.Errorf("there is no table of %s, and scores are not known without it", s.size())
	}
	return a, err
}

// The least time of an analysis, even if the next command is already waiting, so that it can
// report something. With a table an analysis ends by itself, at once unless the machine is
// busy.
const (
	leastAnalysis = 200 * time.Millisecond
	tableAnalysis = 5 * time.Second
)

// byTable reports whether positions are looked up in a table, which is quickly there.
func (s *Session) byTable() bool {
	rules, isGo := s.game.Rules().(game.Go)
	return isGo && rules.Ko == weiqi.Basic && s.size().Points() <= table.QuickPoints
}

// atLeast ends with a context, but not before a time has passed.
func atLeast(ctx context.Context, least time.Duration) (context.Context, context.CancelFunc) {
	from := time.Now()
	moment, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-moment.Done():
		case <-time.After(time.Until(from.Add(least))):
			cancel()
		}
	})
	return moment, func() {
		stop()
		cancel()
	}
}

// genmoveAnalyze reports while it searches for a move, and plays it. Input makes it
// finish early.
func (s *Session) genmoveAnalyze(ctx context.Context, c gtp.Command, format infoFormat, line func(string)) error {
	s.ponder()
	view, err := s.parseView(c.Args)
	if err == nil {
		err = s.inTurn(view.colour)
	}
	if err != nil {
		return err
	}
	view.owns = s.ownership(view)
	thought, found, err := s.thinkInPieces(ctx, view, func(t thought) { line(s.info(format, view, t)) })
	if err != nil {
		return err
	}
	answer, err := s.decide(view.colour, thought, found)
	if err != nil {
		return err
	}
	line("play " + answer)
	return nil
}

// thinkInPieces spends the budget of a move in pieces of the interval. A player without
// playouts has nothing to report while it searches: if its move after the first piece is not
// proven, the second piece is the rest of the time.
func (s *Session) thinkInPieces(ctx context.Context, view view, report func(thought)) (t thought, found bool, err error) {
	start := time.Now()
	defer func() { s.clock.spend(view.colour, time.Since(start)) }()
	budget := s.budget(view.colour)
	if budget == (play.Budget{}) {
		budget.Time = play.DefaultTime
	}
	for whole := false; ; whole = t.Playouts == 0 {
		piece := budget
		piece.All = true
		if budget.Time > 0 {
			piece.Time = max(budget.Time-time.Since(start), time.Millisecond)
		}
		if !whole && (piece.Time == 0 || piece.Time > view.interval) {
			piece.Time = view.interval
		}
		t, err = s.expert.think(ctx, s.game, view.colour, piece)
		if errors.Is(err, play.ErrNoMove) {
			return t, false, nil
		}
		if err != nil {
			return t, false, err
		}
		report(t)
		if budget.Playouts > 0 {
			budget.Playouts = max(budget.Playouts-t.Playouts, 0)
		}
		spent := budget.Time > 0 && time.Since(start) >= budget.Time || piece.Playouts > 0 && budget.Playouts == 0
		if spent || whole || ctx.Err() != nil || t.settled || t.Playouts == 0 && t.note == "" {
			return t, true, nil
		}
	}
}

// view holds the arguments of an analysis.
type view struct {
	colour   board.Colour
	interval time.Duration
	maxMoves int
	ends     bool // report the ownership, if the player can predict it

	// owns is the requested ownership, or nil. It depends on the position alone. It is
	// computed before the search begins, because the player cannot answer during a
	// search.
	owns []float64
}

// The interval is in hundredths of a second.
const (
	defaultInterval = 100
	leastInterval   = 5
	mostInterval    = 6000
)

// parseView reads [COLOR] [INTERVAL] and pairs of a key and a value. Keys for reports
// that tengen does not have are ignored. Keys that would restrict the moves are
// refused, because ignoring them would give a wrong answer.
func (s *Session) parseView(args []string) (view, error) {
	v := view{colour: s.toPlay(), maxMoves: math.MaxInt}
	interval := defaultInterval
	if len(args) > 0 {
		if c, err := parseColour(args[0]); err == nil {
			v.colour, args = c, args[1:]
		}
	}
	if len(args) > 0 {
		if n, err := strconv.Atoi(args[0]); err == nil {
			interval, args = n, args[1:]
		}
	}
	for ; len(args) > 0; args = args[min(2, len(args)):] {
		var err error
		switch key := args[0]; {
		case key == "avoid" || key == "allow":
			return v, fmt.Errorf("%s is not supported: all legal moves are analysed", key)
		case len(args) == 1:
			return v, syntax(fmt.Errorf("%q is neither a color nor an interval nor a key with a value", key))
		case key == "interval":
			interval, err = parseInt(args[1], key)
		case key == "maxmoves":
			v.maxMoves, err = parseInt(args[1], key)
		case key == "ownership":
			v.ends = args[1] == "true"
		}
		if err != nil {
			return v, err
		}
	}
	v.interval = time.Duration(min(max(interval, leastInterval), mostInterval)) * 10 * time.Millisecond
	return v, nil
}

// infoFormat says how numbers are written.
type infoFormat struct {
	fractions bool
}

// info writes the results of the moves on one line.
func (s *Session) info(f infoFormat, view view, t thought) string {
	s.expert.explain(s.game, view.colour, &t)
	moves := t.Moves
	if len(moves) == 0 {
		moves = []game.MoveStats{{Move: t.Move, Visits: max(t.Playouts, 1), WinShare: t.WinShare, Known: t.Known, Line: t.Line}}
		if t.Playouts == 0 {
			moves[0].WinShare = 0.5
		}
	}
	size := s.size()
	// Sabaki takes the largest share of all moves as the share of the position.
	shares := play.Shares(moves)
	var parts []string
	for order, m := range moves[:max(min(len(moves), view.maxMoves), 1)] {
		share := shares[order]
		low, score := lowerBound(share, m), ""
		if t.scores != nil {
			lead := s.leadOf(view.colour, t.scores[order])
			share = shareOf(lead)
			low, m.Prior = share, 1/float64(len(moves))
			score = fmt.Sprintf("scoreMean %g scoreLead %g ", lead, lead)
		}
		if t.scores != nil || m.Known != game.Unknown {
			m.Visits = max(m.Visits, certainVisits)
		}
		parts = append(parts, fmt.Sprintf("info move %s visits %d winrate %s %sprior %s lcb %s order %d pv %s",
			game.MoveName(size, m.Move), m.Visits, f.number(share), score, f.number(m.Prior), f.number(low), order, line(size, m)))
	}
	if view.owns != nil {
		parts = append(parts, "ownership")
		for _, x := range view.owns {
			parts = append(parts, strconv.FormatFloat(x, 'f', 3, 64))
		}
	}
	return strings.Join(parts, " ")
}

// ownership is nil unless it was requested and the player can predict it. It must not
// be called during a search of the player.
func (s *Session) ownership(view view) []float64 {
	if !view.ends || s.game.Rules() != (game.NoGo{}) {
		return nil
	}
	return s.expert.estimator().Ownership(game.NoGoPosition(s.game.Position()), view.colour)
}

// certainVisits is the number of visits reported for a proven result. Programs ignore
// moves with few visits: Sabaki shows nothing for less than ten.
const certainVisits = 100

// leadOf is the lead of c for a score of Black, with komi.
func (s *Session) leadOf(c board.Colour, score int) float64 {
	lead := float64(score) - s.game.Komi
	if c == board.White && lead != 0 {
		return -lead
	}
	return lead
}

// shareOf turns a lead into a share of wins: 1, 0, or a half for a draw.
func shareOf(lead float64) float64 {
	switch {
	case lead > 0:
		return 1
	case lead < 0:
		return 0
	}
	return 0.5
}

// lowerBound is exceeded by the share of wins with a probability of 97.5 per cent.
func lowerBound(share float64, m game.MoveStats) float64 {
	if m.Known != game.Unknown {
		return share
	}
	n := float64(max(m.Visits, 1))
	return max(share-1.96*math.Sqrt(share*(1-share)/n)-0.5/n, 0)
}

// number writes the decimal point of a fraction in any case: readers distinguish the
// two forms by it.
func (f infoFormat) number(share float64) string {
	if f.fractions {
		return strconv.FormatFloat(share, 'f', 6, 64)
	}
	return strconv.Itoa(int(math.Round(share * 10000)))
}

func line(size board.Size, m game.MoveStats) string {
	points := m.Line
	if len(points) == 0 {
		points = []board.Point{m.Move}
	}
	return strings.Join(game.MoveNames(size, points), " ")
}
