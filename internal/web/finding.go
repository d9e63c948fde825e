package web

import (
	"tengen/board"
	"tengen/engine/analyse"
	"tengen/game"
)

// Finding is the result of a move, or that of the position with the recommended move.
type Finding struct {
	Move       string   `json:"move,omitempty"`
	Grade      string   `json:"grade" enum:"exact,bounded,estimated,unknown" doc:"exact, bounded, estimated or unknown"`
	By         string   `json:"by,omitempty" doc:"where the result comes from, such as table, search or store"`
	Winner     string   `json:"winner,omitempty" enum:"black,white" doc:"of NoGo, if it is exact"`
	Score      *int     `json:"score,omitempty" doc:"of Go, if it is exact: Black's area less White's"`
	Lo         *int     `json:"lo,omitempty" doc:"of Go: bounds of the score, or the score if endless games were lost by Black"`
	Hi         *int     `json:"hi,omitempty"`
	Length     int      `json:"length,omitempty" doc:"of Go: moves to the end of the game"`
	WinShare   *float64 `json:"win_share,omitempty" doc:"estimated: share of wins of the side to play"`
	Visits     int      `json:"visits,omitempty"`
	Prior      *float64 `json:"prior,omitempty"`
	Line       []string `json:"line,omitempty" doc:"best play as far as it is known, from the move on"`
	Cut        bool     `json:"cut,omitempty" doc:"the game goes on after line"`
	ErrorBound float64  `json:"error_bound,omitempty" doc:"probability that hashing made it wrong, at most"`
}

func finding(p game.Position, scored bool, f analyse.Finding) Finding {
	r := Finding{Move: f.Name, Grade: f.Grade.String(), By: string(f.By), ErrorBound: f.ErrorBound}
	if len(f.Line) > 0 && f.Grade != analyse.GradeUnknown {
		r.Line = game.MoveNames(p.Size, f.Line)
		r.Cut = f.Grade == analyse.GradeEstimated || cut(p, scored, f.Line)
	}
	switch {
	case f.Grade == analyse.GradeEstimated:
		r.WinShare, r.Visits, r.Prior = &f.WinShare, f.Visits, &f.Prior
	case f.Grade == analyse.GradeUnknown:
	case !scored:
		r.Winner = winner(f.Winner.Colour())
	default:
		if !f.Open {
			r.Score = &f.Score
		}
		if f.Open || f.Ranged {
			r.Lo, r.Hi = &f.Lo, &f.Hi
		}
		r.Length = f.Distance
	}
	return r
}

// cut reports whether the game goes on after a line.
func cut(p game.Position, scored bool, line []board.Point) bool {
	if scored {
		return game.Cut(game.Go{}, p, line)
	}
	return game.Cut(game.NoGo{}, p, line)
}

func findings(p game.Position, scored bool, list []analyse.Finding) []Finding {
	all := make([]Finding, len(list))
	for i, f := range list {
		all[i] = finding(p, scored, f)
	}
	return all
}

// best is the result of the position. It recommends no move while nothing is known.
func best(p game.Position, scored bool, f analyse.Finding) Finding {
	if f.Grade == analyse.GradeUnknown {
		return Finding{Grade: f.Grade.String()}
	}
	return finding(p, scored, f)
}

// Done is the answer about a position and its moves.
type Done struct {
	Known      bool      `json:"known" doc:"the results of the position and of every move are exact"`
	Moves      []Finding `json:"moves" doc:"every legal move, the best first"`
	Best       Finding   `json:"best" doc:"the result of the position, with the move to recommend"`
	Settled    bool      `json:"settled" doc:"the same as known"`
	Decided    int       `json:"decided"`
	Classes    int       `json:"classes" doc:"of moves that symmetries exchange"`
	Nodes      uint64    `json:"nodes"`
	Playouts   int       `json:"playouts"`
	Elapsed    float64   `json:"elapsed" doc:"seconds"`
	Warnings   []string  `json:"warnings"`
	Late       bool      `json:"late,omitempty" doc:"the time was up before everything was decided"`
	ErrorBound float64   `json:"error_bound"`
}

func done(scored bool, a analyse.Analysis) Done {
	p := a.Position
	return Done{
		Known: a.Settled(), Moves: findings(p, scored, a.Moves), Best: best(p, scored, a.Best), Settled: a.Settled(),
		Decided: a.Decided, Classes: a.Classes, Nodes: a.Nodes, Playouts: a.Playouts, Elapsed: a.Elapsed.Seconds(),
		Warnings: append([]string{}, a.Warnings...), ErrorBound: a.ErrorBound(),
	}
}

// Update is a change in a running analysis.
type Update struct {
	Moves    []Finding `json:"moves" doc:"those that have changed"`
	Best     Finding   `json:"best"`
	Decided  int       `json:"decided"`
	Classes  int       `json:"classes"`
	Nodes    uint64    `json:"nodes"`
	Playouts int       `json:"playouts"`
	Rate     float64   `json:"rate" doc:"nodes a second"`
	Built    *float64  `json:"built,omitempty" doc:"of Go: the share that is done of the table of the board, while it is built"`
	Elapsed  float64   `json:"elapsed" doc:"seconds"`
}

func update(scored bool, u analyse.Update) Update {
	a := u.Now
	p := a.Position
	news := Update{
		Moves: findings(p, scored, u.Changed), Best: best(p, scored, a.Best), Decided: a.Decided, Classes: a.Classes,
		Nodes: a.Nodes, Playouts: a.Playouts, Rate: a.Rate, Elapsed: a.Elapsed.Seconds(),
	}
	if a.Building {
		news.Built = &a.Built
	}
	return news
}
