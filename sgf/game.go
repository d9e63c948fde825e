package sgf

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tengen/board"
	"tengen/weiqi"
)

// Game is the main line of a record of Go or NoGo.
type Game struct {
	Size         board.Size
	Rules        string   // such as NoGo
	Komi         *float64 // nil if the record has none, as in games without a score
	Black, White string   // the players
	Name         string
	Event, Round string
	Date         string // such as 2024-02-29
	Result       Result
	Comment      string // on the whole game

	Setup   board.Stones // the board before the first of Moves
	ToPlay  board.Colour // who makes the first of Moves
	Moves   []Move
	Earlier int // number of moves before Setup, which contains their stones
}

// Move is a stone, or a pass where Point is board.NoPoint.
type Move struct {
	Colour  board.Colour
	Point   board.Point
	Comment string
}

// texts lists the fields that are one line of text with their properties, in the
// order in which they are written.
func (g *Game) texts() []textField {
	return []textField{
		{"PB", &g.Black},
		{"PW", &g.White},
		{"GN", &g.Name},
		{"EV", &g.Event},
		{"RO", &g.Round},
		{"DT", &g.Date},
		{"RE", (*string)(&g.Result)},
	}
}

type textField struct {
	id    string
	field *string
}

// ReadGame interprets the main line of a game. It does not check moves against
// any rules; package game does. If stones are set up after moves, the game
// starts again there: Setup is the board at that node and Moves are the moves
// after it.
func ReadGame(root *Node) (*Game, error) {
	g := &Game{ToPlay: board.Black}
	if err := g.readRoot(root); err != nil {
		return nil, err
	}
	number := 0
	for node := range root.MainLine() {
		number++
		if err := g.readSetup(node); err != nil {
			return nil, fmt.Errorf("node %d of the main line: %w", number, err)
		}
		if err := g.readMove(node); err != nil {
			return nil, fmt.Errorf("move %d: %w", g.Earlier+len(g.Moves)+1, err)
		}
	}
	if len(g.Moves) > 0 {
		g.ToPlay = g.Moves[0].Colour
	}
	return g, nil
}

func (g *Game) readRoot(root *Node) error {
	if game, ok := root.Value("GM"); ok && strings.TrimSpace(game.SimpleText()) != "1" {
		return fmt.Errorf("this is a record of another game: GM[%.20s], Go and NoGo are GM[1]", game.SimpleText())
	}
	g.Size = board.Size{Rows: 19, Cols: 19}
	if size, ok := root.Value("SZ"); ok {
		var err error
		if g.Size, err = ParseSize(size); err != nil {
			return err
		}
	}
	for _, text := range g.texts() {
		value, _ := root.Value(text.id)
		*text.field = value.SimpleText()
	}
	rules, _ := root.Value("RU")
	g.Rules = rules.SimpleText()
	if len(root.Values("B"))+len(root.Values("W")) == 0 {
		comment, _ := root.Value("C")
		g.Comment = comment.Text()
	}
	// Handicap stones are Black's moves, so White plays first.
	if len(root.Values("AB")) > 0 && len(root.Values("AW")) == 0 {
		if handicap, ok := root.Value("HA"); ok && strings.TrimSpace(handicap.SimpleText()) != "0" {
			g.ToPlay = board.White
		}
	}
	return g.readKomi(root)
}

func (g *Game) readKomi(root *Node) error {
	value, _ := root.Value("KM")
	text := strings.TrimSpace(strings.Replace(value.SimpleText(), ",", ".", 1))
	if text == "" {
		return nil
	}
	komi, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(komi) || math.IsInf(komi, 0) {
		return fmt.Errorf("KM[%.20s] is not a komi, a number such as 6.5", value.SimpleText())
	}
	g.Komi = &komi
	return nil
}

// readSetup applies the stones that a node adds or removes and the turn it sets.
func (g *Game) readSetup(node *Node) error {
	var sets [3]board.Set // by colour, Empty for what is removed
	for c, id := range [...]string{"AB", "AW", "AE"} {
		set, err := ParsePoints(g.Size, node.Values(id))
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		sets[c] = set
	}
	all := sets[0].Union(sets[1]).Union(sets[2])
	turn, hasTurn := node.Value("PL")
	if all.IsEmpty() && !hasTurn {
		return nil
	}
	if all.Len() < sets[0].Len()+sets[1].Len()+sets[2].Len() {
		return fmt.Errorf("AB, AW and AE name the same point twice")
	}
	if err := g.startAgain(); err != nil {
		return err
	}
	for c := range g.Setup {
		g.Setup[c] = g.Setup[c].Minus(all).Union(sets[c])
	}
	if hasTurn {
		c, err := board.ParseColour(strings.TrimSpace(turn.SimpleText()))
		if err != nil {
			return fmt.Errorf("PL: %w", err)
		}
		g.ToPlay = c
	}
	return nil
}

// startAgain makes the board after the moves so far the setup. It captures
// stones. A move is refused only if its point is occupied, since the record says
// that it was made.
func (g *Game) startAgain() error {
	anything := weiqi.Rules{Ko: weiqi.Positional, Suicide: true}
	p := weiqi.NewPosition(g.Size)
	p.Stones = g.Setup
	for i, m := range g.Moves {
		p.ToPlay, p.Passes = m.Colour, 0
		next, err := anything.Play(p, m.Point)
		if err != nil {
			return fmt.Errorf("move %d: %w", g.Earlier+i+1, err)
		}
		p = next
		g.ToPlay = p.ToPlay
	}
	g.Setup, g.Earlier, g.Moves = p.Stones, g.Earlier+len(g.Moves), nil
	return nil
}

func (g *Game) readMove(node *Node) error {
	black, white := node.Values("B"), node.Values("W")
	switch len(black) + len(white) {
	case 0:
		return nil
	case 1:
	default:
		return fmt.Errorf("a node may hold one move, this one holds %d", len(black)+len(white))
	}
	colour := board.Black
	if len(white) > 0 {
		colour = board.White
	}
	p, err := ParseMove(g.Size, append(black, white...)[0])
	if err != nil {
		return err
	}
	comment, _ := node.Value("C")
	g.Moves = append(g.Moves, Move{colour, p, comment.Text()})
	return nil
}
