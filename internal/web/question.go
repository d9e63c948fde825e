package web

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/table"
	"tengen/game"
	"tengen/weiqi"
)

// body is the input or the output of a call that has nothing but a body.
type body[T any] struct{ Body T }

// Question is a position in the words of the API.
type Question struct {
	Game     string   `json:"game" doc:"nogo or go" example:"nogo"`
	Rules    string   `json:"rules,omitempty" doc:"of Go: basic (the default), psk or ssk"`
	Size     string   `json:"size,omitempty" doc:"ROWSxCOLS; may be left out beside a position" example:"4x5"`
	Position string   `json:"position,omitempty" doc:"rows from the top joined by /, x Black, o White, . empty; the empty board if left out" example:"x../.o./..."`
	ToPlay   string   `json:"to_play,omitempty" doc:"b (the default) or w: who makes the first of the moves"`
	Ko       string   `json:"ko,omitempty" doc:"of Go: the point where the side to play may not retake"`
	Passed   bool     `json:"passed,omitempty" doc:"of Go: the last move was a pass"`
	Moves    []string `json:"moves,omitempty" nullable:"true" doc:"made from the position in turn, such as B2 or pass" maxItems:"4000"`
}

// asked is a question after it was read.
type asked struct {
	rules game.Rules
	start game.Position
	moves []board.Point
	game  *game.Game // after the moves
}

// sentence makes a whole sentence of an error.
func sentence(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if n > 0 && !strings.HasPrefix(text, "x") && !strings.HasPrefix(text, "o.") {
		text = string(unicode.ToUpper(first)) + text[n:]
	}
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// read reads a question. Its errors name the wrong field.
func (q Question) read() (asked, error) {
	var a asked
	var err error
	if a.rules, err = q.rules(); err != nil {
		return a, err
	}
	if a.start, err = q.start(a.rules); err != nil {
		return a, err
	}
	a.game = game.New(a.rules, a.start)
	for i, name := range q.Moves {
		field := fmt.Sprintf(".moves[%d]", i)
		move, err := game.ParseMove(a.start.Size, name)
		if err != nil {
			return a, wrong(field, name, err)
		}
		if err := a.game.Play(move); err != nil {
			return a, wrong(field, name, err)
		}
		a.moves = append(a.moves, move)
	}
	return a, nil
}

func (q Question) rules() (game.Rules, error) {
	rules, err := game.ParseRules(q.Game)
	if err != nil {
		return nil, wrong(".game", q.Game, err)
	}
	if _, ok := rules.(game.Go); !ok {
		switch {
		case q.Rules != "":
			return nil, wrong(".rules", q.Rules, fmt.Errorf("%s has only one set of rules: remove rules", rules))
		case q.Ko != "":
			return nil, wrong(".ko", q.Ko, fmt.Errorf("%s has no ko: remove ko", rules))
		case q.Passed:
			return nil, wrong(".passed", q.Passed, fmt.Errorf("there is no passing in %s: remove passed", rules))
		}
		return rules, nil
	}
	if q.Rules == "" {
		return rules, nil
	}
	of, err := weiqi.ParseRules(q.Rules)
	switch {
	case err != nil: // which names rules that are not taken here
		err = fmt.Errorf("there are no rules %q here: choose basic, psk or ssk", q.Rules)
	case of.Suicide:
		err = fmt.Errorf("the rules %s allow suicide, which no search here supports: choose basic, psk or ssk", q.Rules)
	}
	if err != nil {
		return nil, wrong(".rules", q.Rules, err)
	}
	return game.Go{Rules: of}, nil
}

func (q Question) start(rules game.Rules) (p game.Position, err error) {
	toPlay := board.Black
	if q.ToPlay != "" {
		if toPlay, err = board.ParseColour(q.ToPlay); err != nil {
			return p, wrong(".to_play", q.ToPlay, err)
		}
	}
	var size board.Size
	if q.Size != "" {
		if size, err = board.ParseSize(q.Size); err != nil {
			return p, wrong(".size", q.Size, err)
		}
	}
	switch {
	case q.Position != "":
		if p, err = game.ParsePosition(rules, q.Position); err != nil {
			return p, wrong(".position", q.Position, err)
		}
		p.ToPlay = toPlay
		if q.Size != "" && p.Size != size {
			return p, wrong(".size", q.Size, fmt.Errorf("the size is %s but the position is a %s board: give one of them, or make them agree", size, p.Size))
		}
	case q.Size == "":
		return p, wrong(".size", q.Size, fmt.Errorf("give a size such as 4x5, or a position"))
	default:
		p = game.NewPosition(size)
		p.ToPlay = toPlay
	}
	if q.Passed {
		p.Passes = 1
	}
	if q.Ko != "" {
		if p.Ko, err = p.Size.ParsePoint(q.Ko); err != nil {
			return p, wrong(".ko", q.Ko, err)
		}
	}
	if err := rules.Validate(p); err != nil {
		field, value := ".position", any(q.Position)
		if q.Ko != "" {
			field, value = ".ko", q.Ko
		}
		return p, wrong(field, value, err)
	}
	return p, nil
}

// question is the question for the engine.
func (a asked) question() analyse.Question {
	return analyse.Question{Rules: a.rules, Start: a.start, Moves: a.moves}
}

// name is the same for two questions only if they have the same answer.
func (a asked) name() string {
	return fmt.Sprint(a.rules.Name(), a.rules.Label(), a.start.Size, a.start.Size.Line(a.start.Stones), a.start.ToPlay, a.start.Ko, a.start.Passes, a.moves)
}

// onRow reports whether it is NoGo on a single row.
func (a asked) onRow() bool {
	return !a.scored() && min(a.start.Size.Rows, a.start.Size.Cols) == 1
}

// scored reports whether it is a game of points.
func (a asked) scored() bool { return a.rules.Scored() }

// endless reads the result of a game without end.
func (a asked) endless(word string) (table.Endless, error) {
	e, known := map[string]table.Endless{"": table.EndlessDrawn, "draw": table.EndlessDrawn, "lose": table.EndlessLost, "win": table.EndlessWon}[word]
	var err error
	switch {
	case !known:
		err = fmt.Errorf("endless games count as draw, lose or win, not %q", word)
	case e != table.EndlessDrawn && !a.scored():
		err = fmt.Errorf("no game of %s is endless: remove endless", a.rules)
	case e != table.EndlessDrawn && a.rules.Superko() != weiqi.Basic:
		err = fmt.Errorf("under superko no game is endless: remove endless")
	default:
		return e, nil
	}
	return e, wrong(".endless", word, err)
}
