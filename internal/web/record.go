package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"tengen/board"
	"tengen/game"
	"tengen/sgf"
)

// MaxRecord bounds the bytes of a record.
const MaxRecord = 1 << 20

// recordNodes bounds the nodes of a record: they take about 16 MiB.
const recordNodes = 1 << 16

type readInput struct {
	RawBody []byte `contentType:"application/x-go-sgf"`
}

// Record is a record as a question, with its main line and its variations.
type Record struct {
	Game     string     `json:"game"`
	Rules    string     `json:"rules,omitempty"`
	Question Question   `json:"question" doc:"the position at the end of the main line"`
	Tree     []Recorded `json:"tree" doc:"the main line"`
	Black    string     `json:"black,omitempty"`
	White    string     `json:"white,omitempty"`
	Name     string     `json:"name,omitempty"`
	Result   string     `json:"result,omitempty"`
	Komi     *float64   `json:"komi,omitempty" doc:"as the record states it; scores are without komi"`
	Games    int        `json:"games,omitempty" doc:"games in the file if there is more than one; the first is read"`
	Comment  string     `json:"comment,omitempty"`
	Problem  string     `json:"problem,omitempty" doc:"which part of the record could not be read"`
	// Variations are missing if there are none.
	Variations []Branch `json:"variations,omitempty" doc:"all moves, those of the main line included, if there is more than the main line"`
}

// Recorded is a move of a record.
type Recorded struct {
	Move    string `json:"move"`
	Colour  string `json:"colour"`
	Comment string `json:"comment,omitempty"`
}

// readRecord reads a record. A main line that breaks the rules is read up to that move.
func (s *Server) readRecord(ctx context.Context, in *readInput) (*body[Record], error) {
	leave, err := s.enterShort(ctx, "record")
	if err != nil {
		return nil, err
	}
	defer leave()
	games, err := sgf.ParseWithin(in.RawBody, recordNodes)
	if err != nil {
		return nil, wrong("", nil, known{codeRecord, err})
	}
	record, err := sgf.ReadGame(games[0])
	if err != nil {
		return nil, wrong("", nil, known{codeRecord, err})
	}
	rules := game.Recorded(record)
	start := game.Start(record.Size, record.Setup, record.ToPlay)
	if err := rules.Validate(start); err != nil {
		return nil, wrong("", nil, known{codeRecord, err})
	}
	r := Record{
		Game: rules.Name(), Rules: label(rules), Tree: []Recorded{}, Black: record.Black, White: record.White,
		Name: record.Name, Result: string(record.Result), Komi: record.Komi, Comment: record.Comment,
		Question: Question{Game: rules.Name(), Rules: label(rules), Size: record.Size.String(), ToPlay: letter(record.ToPlay)},
	}
	if len(games) > 1 {
		r.Games = len(games)
	}
	if record.Setup != (board.Stones{}) {
		r.Question.Position = record.Size.Line(record.Setup)
	}
	var more bool
	if r.Variations, more = readBranches(game.New(rules, start), games[0]); more {
		r.Problem = fmt.Sprintf("Only the first %d moves of its variations are read.", mostBranches)
	}
	g := game.New(rules, start)
	for i, m := range record.Moves {
		if i == mostBranches {
			r.Problem = fmt.Sprintf("Only the first %d moves are read.", mostBranches)
			break
		}
		err := g.Check(m.Point)
		if m.Colour != g.Position().ToPlay {
			err = errors.New("it is not that side's turn")
		}
		if err == nil {
			err = g.Play(m.Point)
		}
		name := game.MoveName(record.Size, m.Point)
		if err != nil {
			r.Problem = sentence("the record breaks the rules at move " + name + ": " + err.Error())
			break
		}
		r.Question.Moves = append(r.Question.Moves, name)
		r.Tree = append(r.Tree, Recorded{name, letter(m.Colour), m.Comment})
	}
	return &body[Record]{r}, nil
}

// WriteBody is a game to write down.
type WriteBody struct {
	Question
	Comments []string `json:"comments,omitempty" nullable:"true" doc:"one for each move, in order" maxItems:"4000"`
	Black    string   `json:"black,omitempty" maxLength:"200"`
	White    string   `json:"white,omitempty" maxLength:"200"`
	Name     string   `json:"name,omitempty" maxLength:"200"`
	Result   string   `json:"result,omitempty" maxLength:"50" doc:"as a record states it, such as W+4, in place of the one by the rules"`
	// Variations replace the moves of the question.
	Variations []Branch `json:"variations,omitempty" nullable:"true" doc:"a tree of moves in place of moves and comments" maxItems:"4000"`
}

type writeOutput struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

func (s *Server) writeRecord(_ context.Context, in *body[WriteBody]) (*writeOutput, error) {
	a, err := in.Body.Question.read()
	if err != nil {
		return nil, err
	}
	if err := sgf.CheckSize(a.start.Size); err != nil {
		return nil, wrong(".size", a.start.Size.String(), err)
	}
	if err := beginsRecord(a.start); err != nil {
		return nil, err
	}
	if len(in.Body.Comments) > len(a.moves) {
		return nil, wrong(".comments", nil, errors.New("there are more comments than moves"))
	}
	root, err := in.Body.tree(a)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := sgf.Write(&text, sgf.Collection{root}); err != nil {
		return nil, wrong("", nil, err)
	}
	return &writeOutput{"application/x-go-sgf; charset=utf-8", `attachment; filename="tengen.sgf"`, text.Bytes()}, nil
}

// beginsRecord refuses a first position with more than a record can state: stones and the side
// to play. The error has no code, since neither the point of a ko nor a file is wrong.
func beginsRecord(p game.Position) error {
	const remedy = ": begin at an earlier position, with the moves that lead there"
	switch {
	case p.Ko != board.NoPoint:
		return wrong(".ko", p.Size.Name(p.Ko), known{"", errors.New("a game record cannot begin with a ban of ko" + remedy)})
	case p.Passes > 0:
		return wrong(".passed", true, errors.New("a game record cannot begin after a pass"+remedy))
	}
	return nil
}

// tree is the record of the game, or of the tree of variations.
func (b WriteBody) tree(a asked) (*sgf.Node, error) {
	name := func(record *sgf.Game) {
		record.Black, record.White, record.Name = b.Black, b.White, b.Name
		record.Result = cmp.Or(sgf.Result(b.Result), record.Result)
	}
	if len(b.Variations) > 0 {
		return a.tree(b.Variations, name)
	}
	record := a.game.Record()
	name(record)
	for i, comment := range b.Comments {
		if i < len(record.Moves) {
			record.Moves[i].Comment = strings.ToValidUTF8(comment, "")
		}
	}
	root, err := record.Tree()
	if err != nil {
		return nil, wrong("", nil, err)
	}
	return root, nil
}
