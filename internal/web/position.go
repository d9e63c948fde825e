package web

import (
	"context"
	"strings"

	"tengen/board"
	"tengen/engine/play"
	"tengen/game"
)

// Result is how a game ended.
type Result struct {
	Winner string   `json:"winner" enum:"black,white,none" doc:"black, white or none"`
	Score  *float64 `json:"score,omitempty" doc:"Black's area less White's, in games of points"`
	Text   string   `json:"text"`
}

// Made is a move that was made.
type Made struct {
	Move   string `json:"move"`
	Colour string `json:"colour"`
}

// Standing is a position with its legal moves and its result.
type Standing struct {
	Game       string   `json:"game"`
	Rules      string   `json:"rules,omitempty" doc:"of Go"`
	Size       string   `json:"size"`
	Position   string   `json:"position"`
	ToPlay     string   `json:"to_play" enum:"b,w"`
	Ko         string   `json:"ko,omitempty"`
	Passes     int      `json:"passes"`
	Moves      []string `json:"moves"`
	Legal      []string `json:"legal" doc:"moves of the side to play"`
	LegalOther []string `json:"legal_other" doc:"moves that the other side could make if it were its turn"`
	Over       bool     `json:"over"`
	Result     *Result  `json:"result,omitempty"`
	History    []Made   `json:"history"`
	Players    []string `json:"players" doc:"names of the players for this game and this board"`
	Strongest  string   `json:"strongest,omitempty" doc:"the player that auto is at the highest level, of NoGo; search of Go on boards that no table holds"`
	Text       string   `json:"text" doc:"a diagram"`
}

func (s *Server) position(_ context.Context, in *body[Question]) (*body[Standing], error) {
	a, err := in.Body.read()
	if err != nil {
		return nil, err
	}
	return &body[Standing]{standing(a)}, nil
}

func standing(a asked) Standing {
	p := a.game.Position()
	s := Standing{
		Game: a.rules.Name(), Rules: label(a.rules), Size: p.Size.String(), Position: p.Size.Line(p.Stones),
		ToPlay: letter(p.ToPlay), Passes: int(p.Passes), Moves: append([]string{}, game.MoveNames(p.Size, a.moves)...),
		LegalOther: names(a, p.ToPlay.Opponent()), Legal: names(a, p.ToPlay), History: []Made{},
		Players: players(a), Text: p.Size.Diagram(p.Stones),
	}
	if !a.scored() {
		s.Strongest = string(play.KindAt(play.Levels, p.Size))
	} else if play.Searched(p.Size) {
		s.Strongest = "search"
	}
	if p.Ko != board.NoPoint {
		s.Ko = p.Size.Name(p.Ko)
	}
	for _, m := range a.game.Moves() {
		s.History = append(s.History, Made{game.MoveName(p.Size, m.Point), letter(m.Colour)})
	}
	if end, over := a.game.End(); over {
		s.Over, s.Result = true, resultOf(a.rules, end)
		if end.How != game.Loop && end.How != game.Limit {
			s.Legal = []string{}
		}
	}
	return s
}

// players lists the players for the game and the board.
func players(a asked) []string {
	list := []string{"auto"}
	if !a.scored() {
		for _, kind := range play.KindsOn(a.start.Size) {
			list = append(list, string(kind))
		}
	}
	return list
}

// names lists the moves of a side, the pass last.
func names(a asked, c board.Colour) []string {
	list := []string{}
	size := a.game.Position().Size
	for q := range a.game.Legal(c).Points() {
		list = append(list, size.Name(q))
	}
	if a.rules.Passes() {
		list = append(list, game.MoveName(size, game.Pass))
	}
	return list
}

func resultOf(rules game.Rules, end game.Outcome) *Result {
	r := &Result{Winner: winner(end.Winner.Colour()), Text: sentence(end.String())}
	if rules.Scored() {
		lead := end.Lead
		r.Score = &lead
	}
	return r
}

// label names the rules, in games that have several.
func label(rules game.Rules) string {
	if !rules.Scored() {
		return ""
	}
	return rules.Label()
}

func letter(c board.Colour) string { return strings.ToLower(c.String()[:1]) }

func winner(c board.Colour) string {
	if c == board.Empty {
		return "none"
	}
	return c.String()
}
