package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/text"
	"tengen/weiqi"
)

// goAnswer is a position of Go and its result. All scores are Black minus White.
type goAnswer struct {
	position weiqi.Position
	table.Answer
	unproven string // what to say if nothing is proven; "" for that
}

func newGoAnswer(request solve.GoRequest, r solve.GoResult) goAnswer {
	return goAnswer{r.Position, r.Answer, request.Avoided(r)}
}

// diagram shows the score of each move on its point. On a terminal, colours separate the
// best moves from the others.
func (g goAnswer) diagram(a *app) string {
	scores, hues := map[board.Point]string{}, map[board.Point]hue{}
	for _, m := range g.Moves {
		scores[m.Move] = g.worth(m.Value)
		switch {
		case m.Open || g.Open:
		case m.Score == g.Score:
			hues[m.Move] = good
		default:
			hues[m.Move] = bad
		}
	}
	return g.position.Size.DiagramPainted(func(p board.Point) string {
		if score, ok := scores[p]; ok {
			return score
		}
		return [...]string{"x", "o", "."}[g.position.Stones.At(p)]
	}, func(p board.Point, text string) string { return a.paint(hues[p], text) })
}

// hue is the colour of the result for the side to play.
func (g goAnswer) hue() hue {
	switch {
	case g.Open || g.position.Over():
		return plain
	case g.position.ToPlay == board.White:
		return hueOf(-g.Score)
	}
	return hueOf(g.Score)
}

// worth is the score of a move, or in short what is proven of it: ≥+3, ≤-1, -1…+3, or ? if
// that is nothing.
func (g goAnswer) worth(v table.Value) string {
	if !v.Open {
		return text.Lead(v.Score)
	}
	return cmp.Or(text.ShortBounds(v.Lo, v.Hi, g.position.Size.Points()), "?")
}

func (g goAnswer) sentence() string {
	verdict := text.Verdict(g.Score)
	if g.Open {
		if verdict = text.Bounds(g.Lo, g.Hi, g.position.Size.Points()); verdict == "" {
			verdict = cmp.Or(g.unproven, "nothing is proven yet")
		} else {
			verdict = "the score is " + verdict
		}
	}
	if g.position.Over() {
		return "The game is over: " + verdict
	}
	return title(g.position.ToPlay) + " to play" + g.circumstances() + ": " + verdict
}

// circumstances are the ban of a ko, or a pass before.
func (g goAnswer) circumstances() string {
	switch p := g.position; {
	case p.Ko != board.NoPoint:
		return ", not at " + p.Size.Name(p.Ko) + " because of the ko"
	case p.Passes > 0:
		return " after a pass"
	}
	return ""
}

// rows prints the result below the diagram.
func (g goAnswer) rows(w facts) {
	row := w.row
	best := "best moves"
	if slices.ContainsFunc(g.Moves, func(m table.Move) bool { return m.Open }) {
		best += " so far"
	}
	row(best, g.best())
	for _, m := range g.Moves {
		if m.Move == weiqi.Pass {
			row("pass", g.worth(m.Value))
		}
	}
	row("range", g.span())
	row("length", g.length())
	row("line", g.line())
}

// length is the length of the line, and the longest that the loser can make it.
func (g goAnswer) length() string {
	shown := len(g.Line)
	switch {
	case g.Distance == 0:
		return ""
	case g.Round || shown == 0 || shown >= g.Distance:
		return text.Plural(g.Distance, "move") + " to the end"
	}
	return fmt.Sprintf("%s to the end, %d if the loser prolongs the game", text.Plural(shown, "move"), g.Distance)
}

// lineMoves bounds the moves of a line that is printed.
const lineMoves = 40

// line writes the line, with the part that repeats in parentheses.
func (g goAnswer) line() string {
	names := game.LineNames(game.Go{}, g.position, g.Line)
	long := len(g.Line) > lineMoves
	if g.Round {
		names[g.Before] = "(" + names[g.Before]
		names[len(names)-1] += ") and round again"
	}
	if long {
		names = append(names[:lineMoves:lineMoves], fmt.Sprintf("… %d moves in all; --json has them", len(g.Line)))
	}
	return strings.Join(names, " ")
}

// list prints all moves with their results, the best first.
func (g goAnswer) list(w io.Writer) {
	if len(g.Moves) == 0 {
		return
	}
	ranges := slices.ContainsFunc(g.Moves, func(m table.Move) bool { return m.Ranged })
	lengths := slices.ContainsFunc(g.Moves, func(m table.Move) bool { return m.Distance > 0 })
	line := func(move, score, span, length string) {
		cells := []string{move, score}
		if ranges {
			cells = append(cells, span)
		}
		if lengths {
			cells = append(cells, length)
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	line("move", "score", "range", "length")
	for _, m := range g.Moves {
		span, length := "-", "-"
		if m.Ranged {
			span = fmt.Sprintf("[%s, %s]", text.Lead(m.Lo), text.Lead(m.Hi))
		}
		if m.Distance > 0 {
			length = text.Plural(m.Distance, "move")
		}
		line(game.MoveName(g.position.Size, m.Move), g.worth(m.Value), span, length)
	}
}

// best lists the moves that keep the score.
func (g goAnswer) best() string {
	var best []board.Point
	for _, m := range g.Moves {
		if m.Score == g.Score && !m.Open && !g.Open {
			best = append(best, m.Move)
		}
	}
	return strings.Join(game.MoveNames(g.position.Size, best), " ")
}

// span is the range over all rules for endless games.
func (g goAnswer) span() string {
	switch {
	case !g.Ranged:
		return ""
	case g.Lo == g.Hi:
		return text.Lead(g.Lo) + ", under any rule for endless games"
	}
	return fmt.Sprintf("%s if black loses endless games, %s if black wins them", text.Lead(g.Lo), text.Lead(g.Hi))
}

// goAnswerJSON are the fields of every answer about Go.
type goAnswerJSON struct {
	Game     string       `json:"game"`
	Size     string       `json:"size"`
	Position string       `json:"position"`
	ToPlay   string       `json:"to_play"`
	Ko       string       `json:"ko,omitempty"`
	Passes   uint8        `json:"passes,omitempty"`
	Loops    string       `json:"loops,omitempty"`
	Score    *int         `json:"score,omitempty"`
	Lo       *int         `json:"lo,omitempty"`
	Hi       *int         `json:"hi,omitempty"`
	Distance int          `json:"distance,omitempty"`
	Moves    []goMoveJSON `json:"moves,omitzero"`
	PV       []string     `json:"pv"`
	Round    bool         `json:"round,omitempty"`
	Before   int          `json:"before_round,omitempty"`
	Table    string       `json:"table,omitempty"`
}

type goMoveJSON struct {
	Move     string `json:"move"`
	Score    *int   `json:"score,omitempty"`
	Lo       *int   `json:"lo,omitempty"`
	Hi       *int   `json:"hi,omitempty"`
	Distance int    `json:"distance,omitempty"`
}

// object is the answer for --json. If the score is not known, it has the bounds that are
// proven.
func (g goAnswer) object(known bool) goAnswerJSON {
	p := g.position
	object := goAnswerJSON{
		Game: "go", Size: p.Size.String(), Position: p.String(), ToPlay: p.ToPlay.String(), Passes: p.Passes,
		Distance: g.Distance, PV: game.MoveNames(p.Size, g.Line), Round: g.Round, Before: g.Before,
	}
	if p.Ko != board.NoPoint {
		object.Ko = p.Size.Name(p.Ko)
	}
	object.Lo, object.Hi = ends(g.Value)
	if known {
		object.Score = &g.Score
	}
	if g.Moves != nil || known && p.Over() {
		object.Moves = []goMoveJSON{}
	}
	for _, m := range g.Moves {
		move := goMoveJSON{Move: game.MoveName(p.Size, m.Move), Distance: m.Distance}
		if !m.Open {
			move.Score = &m.Score
		}
		move.Lo, move.Hi = ends(m.Value)
		object.Moves = append(object.Moves, move)
	}
	return object
}

// ends are the ends of the range, or of the proven bounds, if there are any.
func ends(v table.Value) (lo, hi *int) {
	if !v.Ranged && !v.Open {
		return nil, nil
	}
	return &v.Lo, &v.Hi
}
