package report

import (
	"context"
	"fmt"
	"strings"

	"tengen/board"
	"tengen/engine/play"
	"tengen/game"
)

func rectanglesGamesExperiment() Experiment {
	return Experiment{
		Name:   "rectangles-games",
		Shows:  "NoGo: games of the perfect player, also from the losing side",
		Source: rectanglePaper + ", figure 6",
		Points: Range{Least: 9, Most: 25, Usual: 16, Paper: 25},
		run:    filled("Games of the perfect player", rectanglesGames),
	}
}

// sampleGames is the number of games of each side on a board.
const sampleGames = 3

func rectanglesGames(ctx context.Context, s *session, r *Report) error {
	var boards []rectangle
	for _, size := range []board.Size{{Rows: 3, Cols: 3}, {Rows: 3, Cols: 5}, {Rows: 4, Cols: 4}, {Rows: 5, Cols: 5}} {
		if size.Points() <= s.Max {
			boards = append(boards, rectangle{Size: size})
		}
	}
	s.all = 2 * sampleGames * len(boards)
	list := Table{Columns: []Column{words("board"), words("perfect player"), words("winner"), numbers("moves"), words("game")}}
	perfect, other := contestant{kind: play.Perfect}, contestant{kind: play.UCT, budget: play.Budget{Playouts: 400}}
	for _, b := range boards {
		winning, _ := publishedWinner(b.Size)
		for _, side := range []board.Colour{winning, winning.Opponent()} {
			contestants := [2]contestant{perfect, other}
			if side == board.White {
				contestants = [2]contestant{other, perfect}
			}
			var won trials
			for n := range uint64(sampleGames) {
				if err := s.begin(ctx, fmt.Sprintf("%s, a game of %s", b.name(), side)); err != nil {
					return err
				}
				g, err := s.playGame(ctx, b.Size, nil, contestants, n+1)
				if err != nil {
					return err
				}
				s.done++
				moves := strings.Join(game.MoveNames(b.Size, g.moves), " ")
				list.add(b.name(), side.String(), g.winner.String(), fmt.Sprint(len(g.moves)), moves)
				won.try(g.winner == side, moves)
			}
			r.Tables = []Table{list}
			if side == winning {
				r.claim(fmt.Sprintf("%s: the perfect player wins as %s", b.name(), side), won.checked, won.failed, "")
			} else {
				r.news(fmt.Sprintf("%s: games won as %s, from the losing side", b.name(), side), fmt.Sprintf("%d of %d", won.checked-len(won.failed), won.checked))
			}
		}
	}
	r.Notes = []string{"The opponent is `uct` with 400 playouts a move; the paper's is BobNoGo."}
	return nil
}
