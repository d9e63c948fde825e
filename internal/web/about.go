package web

import (
	"context"

	"tengen/board"
	"tengen/engine/play"
	"tengen/game"
)

// About says what a server has and allows.
type About struct {
	Version string        `json:"version"`
	Games   []AboutGame   `json:"games"`
	Players []AboutPlayer `json:"players"`
	Levels  []int         `json:"levels"`
	// Strengths has a line for each level.
	Strengths []AboutStrength `json:"strengths" doc:"what each level means"`
	Cluster   bool            `json:"cluster" doc:"whether searches on many machines can be watched"`
	Limits    AboutLimits     `json:"limits"`
}

// AboutGame is a game and its rules.
type AboutGame struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Rules   []string `json:"rules"`
	MaxRows int      `json:"max_rows"`
	MaxCols int      `json:"max_cols"`
	MaxLine int      `json:"max_line" doc:"points of a single row or column"`
}

// AboutPlayer is a player of NoGo.
type AboutPlayer struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// AboutStrength is what a level means.
type AboutStrength struct {
	Level       int     `json:"level"`
	Evaluations int     `json:"evaluations,omitempty" doc:"of NoGo: positions that the network looks at; none if only time is limited"`
	Playouts    int     `json:"playouts,omitempty" doc:"of NoGo, on boards that the network does not know"`
	Won         int     `json:"won,omitempty" doc:"of NoGo: games won on 9x9 against the level below"`
	Games       int     `json:"games,omitempty" doc:"of how many"`
	Slip        float64 `json:"slip,omitempty" doc:"of Go: a move that loses this many points is e times less likely than the best; none plays perfectly"`
}

// AboutLimits are the limits of requests.
type AboutLimits struct {
	Analyses  int     `json:"analyses" doc:"at a time"`
	Queue     int     `json:"queue"`
	PerClient int     `json:"per_client"`
	Seconds   float64 `json:"seconds" doc:"of an analysis"`
	Move      float64 `json:"move_seconds" doc:"of a move, at most"`
	Record    int     `json:"sgf_bytes"`
	Proof     int     `json:"certificate_bytes"`
	Body      int     `json:"body_bytes" doc:"of other requests"`
}

var playerTitles = map[play.Kind]string{
	play.Perfect: "Perfect", play.Net: "Network", play.MCTS: "Tree search", play.Value: "Value function", play.UCT: "Plain UCT",
}

func (s *Server) about(context.Context, *struct{}) (*body[About], error) {
	a := About{Version: s.options.Version, Cluster: s.options.Cluster != nil, Players: []AboutPlayer{{"auto", "Best for the board"}}}
	for _, g := range game.All() {
		about := AboutGame{Name: g.Name(), Title: g.String(), Rules: []string{}, MaxRows: board.MaxSide, MaxCols: board.MaxSide, MaxLine: board.MaxLine}
		if g.Scored() {
			about.Rules = []string{"basic", "psk", "ssk"}
		}
		a.Games = append(a.Games, about)
	}
	for _, kind := range play.Kinds() {
		a.Players = append(a.Players, AboutPlayer{string(kind), playerTitles[kind]})
	}
	for level := 1; level <= play.Levels; level++ {
		a.Levels = append(a.Levels, level)
	}
	for _, p := range play.Strengths() {
		a.Strengths = append(a.Strengths, AboutStrength{p.Level, p.Evaluations, p.Playouts, p.Won, p.Games, slips[p.Level]})
	}
	o := s.options
	a.Limits = AboutLimits{o.Parallel, o.Queue, o.PerClient, o.Time.Seconds(), maxSeconds, MaxRecord, MaxProof, maxBody}
	return &body[About]{a}, nil
}
