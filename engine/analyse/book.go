package analyse

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"tengen/board"
	"tengen/engine/table"
	"tengen/game"
)

// The book has the analyses of first positions of boards that take long to solve: all moves,
// their results and lines. A test makes it (-rewrite) and compares it with the analysis.
//
//go:embed book.jsonl.gz
var bookFile []byte

// bookPage is the answer about a position, as the side to play sees it in its frame.
type bookPage struct {
	Question string     `json:"q"` // as frame.describe writes it
	Best     bookMove   `json:"best"`
	Moves    []bookMove `json:"moves"`
}

// bookMove is a move, and the result of best play after it.
type bookMove struct {
	Move  int     `json:"m"` // the number of a point, row by row, or passNumber
	Value []int   `json:"v"` // of Go score, low, high and distance; of NoGo 1 for a win and -1
	Line  []int   `json:"l"`
	Bound float64 `json:"e,omitempty"` // of error
}

// theBook has the lines of the file by question. A line is decoded when it is needed: decoding
// all takes longer than a small search.
var theBook = sync.OnceValue(func() map[string][]byte {
	unpacked, err := gzip.NewReader(bytes.NewReader(bookFile))
	if err != nil {
		panic(err) // a test reads it
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		panic(err)
	}
	book := map[string][]byte{}
	for line := range bytes.Lines(text) {
		_, rest, _ := bytes.Cut(line, []byte(`"q":"`))
		question, _, _ := bytes.Cut(rest, []byte(`"`))
		book[string(question)] = line
	}
	return book
})

// openAt finds the page about a question.
func openAt(question []byte) (p bookPage, found bool) {
	line, found := theBook()[string(question)]
	if !found {
		return p, false
	}
	if err := json.Unmarshal(line, &p); err != nil {
		panic(err) // a test reads every page
	}
	return p, true
}

// writeBook is the file of some pages.
func writeBook(pages []bookPage) ([]byte, error) {
	var file bytes.Buffer
	packed, err := gzip.NewWriterLevel(&file, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	lines := json.NewEncoder(packed)
	for _, p := range pages {
		if err := lines.Encode(p); err != nil {
			return nil, err
		}
	}
	if err := packed.Close(); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

// recite adds the page about the position and reports whether there is one.
func (i *inquiry) recite() bool {
	if !i.book || i.historic() || i.Endless != table.EndlessDrawn {
		return false
	}
	text, f := canonical(i.Rules, i.position)
	page, found := openAt(text)
	if !found {
		return false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, m := range page.Moves {
		move := f.move(m.Move)
		n := i.classOf(move)
		if i.found[n].Move != move || i.found[n].Grade == GradeExact {
			continue
		}
		i.found[n] = m.finding(f, i, i.found[n])
		i.changed = append(i.changed, n)
	}
	i.root = page.Best.finding(f, i, i.root)
	i.root.Line = nil
	line := f.moves(page.Best.Line)
	i.advice, i.advised, i.line = line[0], true, line
	return true
}

// finding is the result of a move in the book.
func (m bookMove) finding(f frame, i *inquiry, to Finding) Finding {
	to.Grade, to.By, to.ErrorBound = GradeExact, ByBook, m.Bound
	if i.Lines || !i.scored {
		to.Line = f.moves(m.Line)
	}
	if !i.scored {
		to.Winner = i.toPlay.WinsIf(m.Value[0] > 0)
		return to
	}
	score, low, high := m.Value[0], m.Value[1], m.Value[2]
	if i.toPlay == board.White {
		score, low, high = -score, -high, -low
	}
	to.Value = table.Value{Score: score, Ranged: true, Lo: low, Hi: high, Distance: m.Value[3]}
	return to
}

// move is the move with a number in the frame.
func (f frame) move(n int) board.Point {
	if n == passNumber {
		return game.Pass
	}
	return f.point(n)
}

func (f frame) moves(numbers []int) (line []board.Point) {
	for _, n := range numbers {
		line = append(line, f.move(n))
	}
	return line
}

// page makes the page of a settled analysis.
func page(rules game.Rules, a Analysis) (bookPage, error) {
	if !a.Settled() || len(a.Moves) == 0 || a.Best.Name == "" {
		return bookPage{}, fmt.Errorf("not everything is known of\n%s", a.Position.Size.Diagram(a.Position.Stones))
	}
	text, f := canonical(rules, a.Position)
	number := func(p board.Point) int {
		if p == game.Pass {
			return passNumber
		}
		return f.number(p)
	}
	entry := func(found Finding) bookMove {
		m := bookMove{Move: number(found.Move), Bound: found.ErrorBound}
		for _, p := range found.Line {
			m.Line = append(m.Line, number(p))
		}
		switch v := found.Value; {
		case !rules.Scored() && found.Winner.Is(a.Position.ToPlay):
			m.Value = []int{1}
		case !rules.Scored():
			m.Value = []int{-1}
		case a.Position.ToPlay == board.White:
			m.Value = []int{-v.Score, -v.Hi, -v.Lo, v.Distance}
		default:
			m.Value = []int{v.Score, v.Lo, v.Hi, v.Distance}
		}
		return m
	}
	p := bookPage{Question: string(text), Best: entry(a.Best)}
	for _, found := range a.Moves {
		p.Moves = append(p.Moves, entry(found))
	}
	return p, nil
}
