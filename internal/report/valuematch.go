package report

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/engine/play"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/internal/match"
)

func valueMatchExperiment() Experiment {
	return Experiment{
		Name:   OpponentExperiment,
		Shows:  "NoGo: the value player against plain tree search",
		Source: valuePaper + ", table I",
		Points: Range{Least: 25, Most: 81, Usual: 81, Paper: 81},
		run:    filled("The value player against another program", valueMatch),
	}
}

func valueOursExperiment() Experiment {
	return Experiment{
		Name:   "value-ours",
		Shows:  "NoGo: the value player against our tree search",
		Source: valuePaper + ", which has no such match",
		Points: Range{Least: 25, Most: 81, Usual: 81, Paper: 81},
		run: filled("The value player against `mcts`", func(ctx context.Context, s *session, r *Report) error {
			share, err := s.valueGames(ctx, r, play.MCTS)
			if err == nil {
				r.news("games won by the value player", share)
			}
			return err
		}),
	}
}

func valueMatch(ctx context.Context, s *session, r *Report) error {
	against, opponent := s.valueGames, "`uct`"
	if len(s.Opponent) > 0 {
		opponent = code(strings.Join(s.Opponent, " "))
		against = func(ctx context.Context, r *Report, _ play.Kind) (string, error) {
			return s.programGames(ctx, r, s.Opponent, match.Clock{PerMove: 2 * time.Second, Grace: 500 * time.Millisecond})
		}
	}
	share, err := against(ctx, r, play.UCT)
	if err != nil {
		return err
	}
	why := "another opponent: OASE-NoGo is not to be had"
	r.explained("games won, against OASE-NoGo V1.1 there and "+opponent+" here", share, "96.5 %", why)
	r.explained("games won, against its advanced edition there and "+opponent+" here", share, "95 %", why)
	for i := range r.Compared {
		r.Compared[i].Cost = true // games are no fact of the rules
	}
	return nil
}

// Games of a match, and playouts for a move. The paper has 2 seconds a move: 200 games of
// that would take eight hours.
const (
	quickGames, paperGames       = 6, 200
	quickPlayouts, paperPlayouts = 300, 2000
)

// valueGames plays games of the value player against another of ours with the same number of
// playouts. It returns the share won. A long match is played by programs, since it goes on
// after a stop.
func (s *session) valueGames(ctx context.Context, r *Report, against play.Kind) (string, error) {
	if !s.quick() {
		return s.programGames(ctx, r, s.player(against), match.Clock{})
	}
	side := 9
	if s.Max < 81 {
		side = 5
	}
	size := board.Size{Rows: side, Cols: side}
	s.all = quickGames
	won := 0
	ours, theirs := contestant{play.Value, s.valueBudget()}, contestant{against, s.valueBudget()}
	for n := range quickGames {
		if err := s.begin(ctx, fmt.Sprintf("game %d", n+1)); err != nil {
			return "", err
		}
		contestants, mine := [2]contestant{ours, theirs}, board.Black
		if n%2 == 1 {
			contestants, mine = [2]contestant{theirs, ours}, board.White
		}
		all := size.All()
		begin := []board.Point{all[(n/2*7)%len(all)], all[(n/2*11+len(all)/2)%len(all)]}
		g, err := s.playGame(ctx, size, begin, contestants, uint64(n)+1)
		if err != nil {
			return "", err
		}
		s.done++
		if g.winner == mine {
			won++
		}
	}
	return r.gamesWon(won, quickGames, fmt.Sprintf("on %s with %d playouts a move for both", size, quickPlayouts)), nil
}

// gamesWon adds the result of a match and returns the share won.
func (r *Report) gamesWon(won, games int, how string) string {
	r.Notes = append(r.Notes, fmt.Sprintf("%d games %s, the first two moves given and each begun twice, with the colours exchanged. The paper has 200 games from the empty board of 9×9 and 2 seconds a move.", games, how))
	r.news("games won, of those played", fmt.Sprintf("%d of %d", won, games))
	return fmt.Sprintf("%.4g %%", 100*float64(won)/float64(max(1, games)))
}

// programGames plays games of the value player against a program. The folder of the run keeps
// the games.
func (s *session) programGames(ctx context.Context, r *Report, opponent []string, clock match.Clock) (string, error) {
	if len(s.Own) == 0 {
		return "", errors.New("a match needs the command of tengen")
	}
	o := match.Options{
		Rules: game.NoGo{}, Size: board.Size{Rows: 9, Cols: 9}, Games: paperGames, Fresh: true,
		Programs: [][]string{s.player(play.Value), opponent},
		Openings: match.Openings{Random: 2, Seed: 1}, Clock: clock,
	}
	if s.quick() {
		o.Games = quickGames
	}
	if s.Dir != "" {
		o.Log = s.matchLog(o.Programs)
	}
	s.all = o.Games
	o.Finished = func(_ match.Record, so match.Result) { s.done = len(so.Games); s.report(solve.Progress{}) }
	if err := s.begin(ctx, "the match"); err != nil {
		return "", err
	}
	result, err := match.Run(ctx, o)
	if err != nil && ctx.Err() != nil {
		err = stoppedAt(ctx, fmt.Sprintf("game %d", len(result.Games)+1))
	}
	if len(result.Games) == 0 {
		return "", err
	}
	forfeits := 0
	for _, g := range result.Games {
		if !g.How.ByRules() {
			forfeits++
		}
	}
	how := fmt.Sprintf("on 9x9, the value player with %d playouts a move", s.playouts())
	if clock.PerMove > 0 {
		how += fmt.Sprintf(", its opponent with %s", seconds(clock.PerMove))
	} else {
		how += ", its opponent with the same"
	}
	if forfeits > 0 {
		how += fmt.Sprintf(", %d lost by a fault of the program", forfeits)
	}
	return r.gamesWon(result.Wins[match.A], len(result.Games), how), err
}

func (s *session) quick() bool { return s.Scale == "" || s.Scale == Quick }

func (s *session) playouts() int {
	if s.quick() {
		return quickPlayouts
	}
	return paperPlayouts
}

// player is the command of a player of ours.
func (s *session) player(kind play.Kind) []string {
	return append(slices.Clone(s.Own), "gtp", "--player", string(kind), "--playouts", strconv.Itoa(s.playouts()), "--seed", "1", "--threads", "1", "--memory", "64MiB")
}

// matchLog is the file of the games against an opponent. Every pair of programs has its own.
func (s *session) matchLog(programs [][]string) string {
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%q", programs)
	path := filepath.Join(s.Dir, fmt.Sprintf("%s-games-%08x.json", s.experiment, sum.Sum32()))
	if !s.Resume {
		_ = os.Remove(path)
	}
	return path
}
