package book

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"tengen/board"
	"tengen/engine/table"
	"tengen/game"
)

// Go is the book of a board of Go under basic ko: a page for each position from a table, or
// lists of positions from certificates.
type Go struct {
	Header
	lines map[string][]byte // of JSON, by the questions
	lists []list            // the highest goal first
}

// Page is the answer of a table about a position, as the side to play sees it in a frame.
// Endless games are drawn.
type Page struct {
	Question string `json:"q"` // as Canonical writes it
	Best     Move   `json:"best"`
	Moves    []Move `json:"moves"`
	// Line is best play as table.Probe shows it. Round says that it repeats itself from
	// the move after Before on.
	Line   []int `json:"pv"`
	Round  bool  `json:"round,omitempty"`
	Before int   `json:"before,omitempty"`
}

// Move is a move, and the result of best play after it.
type Move struct {
	Move  int    `json:"m"` // as Frame.Number has it
	Value [4]int `json:"v"` // score, lowest, highest and distance, as those of table.Value
	Line  []int  `json:"l"` // from the move on
	// Why is Line if the loser resists as long as it can; Round says that it repeats itself.
	// Books that were made before this was kept have none.
	Why   []int `json:"w,omitempty"`
	Round bool  `json:"r,omitempty"`
}

var goShelf shelf[Go]

// OfGo is the book of a board, nil if there is none.
func OfGo(size board.Size) *Go {
	return goShelf.find(Header{Game: game.Go{}.Name(), Size: size.Lying()}, parseGo)
}

// The content of a file of Go from a table is a page to a line. A line is read when it is
// asked for.
func parseGo(h Header, content []byte) (*Go, error) {
	if h.Certified {
		return parseLists(h, content)
	}
	b := &Go{Header: h, lines: map[string][]byte{}}
	for line := range bytes.Lines(content) {
		_, rest, _ := bytes.Cut(line, []byte(`"q":"`))
		question, _, _ := bytes.Cut(rest, []byte(`"`))
		b.lines[string(question)] = line
	}
	return b, nil
}

// Len is the number of pages, or of listed positions.
func (b *Go) Len() int {
	n := len(b.lines)
	for _, l := range b.lists {
		n += l.Len()
	}
	return n
}

// Page finds the page about a position, and the frame in which it is seen.
func (b *Go) Page(p game.Position) (page Page, f Frame, found bool) {
	if b == nil {
		return page, f, false
	}
	question, f := Canonical(game.Go{}, p)
	line, found := b.lines[string(question)]
	if !found || json.Unmarshal(line, &page) != nil || len(page.Moves) == 0 {
		return page, f, false
	}
	return page, f, true
}

// Of is what the page says of a move.
func (p Page) Of(f Frame, move board.Point) (m Move, found bool) {
	n := slices.IndexFunc(p.Moves, func(m Move) bool { return f.Point(m.Move) == move })
	if n < 0 {
		return m, false
	}
	return p.Moves[n], true
}

// ValueOf is the value of a move for Black.
func (m Move) ValueOf(toPlay board.Colour) table.Value {
	score, low, high := m.Value[0], m.Value[1], m.Value[2]
	if toPlay == board.White {
		score, low, high = -score, -high, -low
	}
	return table.Value{Score: score, Ranged: true, Lo: low, Hi: high, Distance: m.Value[3]}
}

// NewMove is a move of a page.
func NewMove(f Frame, toPlay board.Colour, move board.Point, v table.Value, line []board.Point) Move {
	score, low, high := v.Score, v.Lo, v.Hi
	if toPlay == board.White {
		score, low, high = -score, -high, -low
	}
	return Move{Move: f.Number(move), Value: [4]int{score, low, high, v.Distance}, Line: f.Numbers(line)}
}

// Answer is the page as table.Probe would answer.
func (p Page) Answer(f Frame, toPlay board.Colour) table.Answer {
	a := table.Answer{Value: p.Best.ValueOf(toPlay), Line: f.Points(p.Line), Round: p.Round, Before: p.Before}
	moves := slices.Clone(p.Moves)
	slices.SortFunc(moves, func(x, y Move) int { // as the table orders them
		far := cmp.Compare(x.Value[3], y.Value[3])
		if x.Value[0] < 0 {
			far = -far
		}
		return cmp.Or(cmp.Compare(y.Value[0], x.Value[0]), far, cmp.Compare(y.Value[1], x.Value[1]), cmp.Compare(y.Value[2], x.Value[2]),
			cmp.Compare(uint16(f.Point(x.Move)), uint16(f.Point(y.Move))))
	})
	for _, m := range moves {
		a.Moves = append(a.Moves, table.Move{Move: f.Point(m.Move), Value: m.ValueOf(toPlay)})
	}
	return a
}

// GoFile is the book of some pages.
func GoFile(h Header, pages []Page) ([]byte, error) {
	h.Game, h.Size = game.Go{}.Name(), h.Size.Lying()
	var content bytes.Buffer
	lines := json.NewEncoder(&content)
	for _, p := range pages {
		if err := lines.Encode(p); err != nil {
			return nil, err
		}
	}
	return pack(h, content.Bytes())
}
