package cgt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Formula is a sum of games as it was written, before anything is computed. Its terms
// are games in the notation of docs/cgt.md and, if Reading has Positions, positions of a
// game that this package does not know.
type Formula struct {
	text string
	root *expr
}

// Reading says how a text is read. The zero value knows no positions.
type Reading struct {
	Positions Positions // finds terms that are positions; nil for none
	CGSuite   bool      // read texts that CGSuite reads differently as CGSuite does
}

// Positions finds the positions of some game among the terms of a formula. Errors should
// be of the type *SyntaxError, so that they point at the place.
type Positions interface {
	// Scan is the length in bytes of the position that begins at text[at:], 0 if none
	// begins there. Within braces, bars belong to the formula.
	Scan(text string, at int, braces bool) (int, error)
	// Minus refuses a sign at text[at:], after a term, that may belong to a position.
	Minus(text string, at int) error
}

// ParseFormula reads a formula. A fault in it is reported as a *SyntaxError.
func ParseFormula(text string, r Reading) (*Formula, error) {
	if len(text) > mostText {
		return nil, fmt.Errorf("cannot read a formula of %d bytes: at most %d are allowed", len(text), mostText)
	}
	p := parser{text: text, reading: r}
	root, err := p.sum()
	if err == nil && p.at < len(p.text) {
		err = p.unexpected("the end")
	}
	if err != nil {
		return nil, err
	}
	return &Formula{text, root}, nil
}

// Term is a summand of a formula, without parentheses: one position or one game,
// multiplied by Times, which may be negative.
type Term struct {
	Times int
	Text  string // as it was written
	At    int    // where, in bytes

	// Position says that the text is a position; otherwise it is a game.
	Position bool
	expr     *expr
}

// Number is the term as a number, multiplied by Times, if the term was written as a
// number.
func (t Term) Number() (Dyadic, bool) {
	e := t.expr
	if e.kind != exprSimple || e.up != 0 || e.star != 0 {
		return 0, false
	}
	num, _ := e.number.Fraction()
	return NewDyadic(num*int64(t.Times), e.number.exponent())
}

// Terms are the summands, in the order in which they were written.
func (f *Formula) Terms() ([]Term, error) {
	var list []Term
	err := f.flatten(f.root, 1, &list)
	return list, err
}

// mostTimes bounds multiples, and the products of multiples.
const mostTimes = 1000

func (f *Formula) flatten(e *expr, times int, list *[]Term) error {
	switch e.kind {
	case exprSum:
		for _, part := range e.parts {
			if err := f.flatten(part, times, list); err != nil {
				return err
			}
		}
		return nil
	case exprMinus:
		return f.flatten(e.parts[0], -times, list)
	case exprTimes:
		if times *= e.count; max(times, -times) > mostTimes {
			return &SyntaxError{f.text, e.at, fmt.Errorf("%w: more than %d times a game", ErrLimit, mostTimes)}
		}
		return f.flatten(e.parts[0], times, list)
	}
	*list = append(*list, Term{times, f.text[e.at:e.end], e.at, e.kind == exprPosition, e})
	return nil
}

// Positions visits every position, those among the options of games included.
func (f *Formula) Positions(visit func(text string, at int) error) error {
	return f.positions(f.root, visit)
}

func (f *Formula) positions(e *expr, visit func(text string, at int) error) error {
	if e.kind == exprPosition {
		return visit(f.text[e.at:e.end], e.at)
	}
	for _, list := range [2][]*expr{e.parts, e.rights} {
		for _, part := range list {
			if err := f.positions(part, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// Valuer finds the value of a position of a formula.
type Valuer func(position string) (Game, error)

// Evaluate is the value of a term. A formula without positions needs no valuer.
func (a *Arena) Evaluate(t Term, value Valuer) (Game, error) {
	e := evaluation{a, value}
	g, err := e.of(t.expr, t.Text)
	if err != nil {
		return 0, err
	}
	return a.Times(g, t.Times)
}

// Times is n copies of g, or for negative n of −g.
func (a *Arena) Times(g Game, n int) (Game, error) {
	left := uint(n)
	if n < 0 {
		minus, err := a.Neg(g)
		if err != nil {
			return 0, err
		}
		g, left = minus, -left
	}
	total := Game(0)
	for ; left > 0; left >>= 1 {
		var err error
		if left&1 != 0 {
			if total, err = a.Add(total, g); err != nil {
				return 0, err
			}
		}
		if left > 1 {
			if g, err = a.Add(g, g); err != nil {
				return 0, err
			}
		}
	}
	return total, nil
}

// SyntaxError says where a text cannot be read, and why.
type SyntaxError struct {
	Text string
	At   int // in bytes; at the end if something is missing there
	Err  error
}

// Error names the column, in a text of several lines the line as well.
func (e *SyntaxError) Error() string {
	line, column, _ := e.place()
	where := fmt.Sprintf("column %d", column)
	if strings.ContainsAny(strings.TrimSpace(e.Text), "\n") {
		where = fmt.Sprintf("line %d, column %d", line, column)
	}
	return fmt.Sprintf("%s: %v", where, e.Err)
}

func (e *SyntaxError) Unwrap() error { return e.Err }

// place is the line and the column of the error, counted from 1, and that line.
func (e *SyntaxError) place() (line, column int, text string) {
	before := e.Text[:min(e.At, len(e.Text))]
	line = strings.Count(before, "\n") + 1
	begin := strings.LastIndexByte(before, '\n') + 1
	text, _, _ = strings.Cut(e.Text[begin:], "\n")
	return line, utf8.RuneCountInString(before[begin:]) + 1, strings.TrimRight(text, "\r")
}

// shownAround is how many characters Pointer shows before and after the place.
const shownAround = 36

// Pointer shows the place in two lines: the text with a caret below it. Of a long text
// only the part around the place is shown.
func (e *SyntaxError) Pointer() string {
	_, column, text := e.place()
	runes := []rune(strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case !unicode.IsGraphic(r): // it might be a control character
			return '\uFFFD'
		}
		return r
	}, text))
	at := min(column-1, len(runes))
	from, to := max(0, at-shownAround), min(len(runes), at+shownAround)
	head, tail := "", ""
	if from > 0 {
		head = "…"
	}
	if to < len(runes) {
		tail = "…"
	}
	return head + string(runes[from:to]) + tail + "\n" + strings.Repeat(" ", len([]rune(head))+at-from) + "^"
}
