package value

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tengen/board"
	"tengen/cgt"
	"tengen/internal/strip"
	"tengen/nogo"
)

// Sum is a sum of games, as Parse reads it: who is to move plays in one of them.
type Sum []Summand

// Summand is a position of NoGo or a game that is none.
type Summand struct {
	// Position has the colours exchanged if it was to be subtracted. A game that is no
	// position has one of size 0×0.
	Position nogo.Position
	terms    []cgt.Term // of a game, to be added up
}

// Of is the sum of positions.
func Of(positions ...nogo.Position) Sum {
	sum := make(Sum, len(positions))
	for i, p := range positions {
		sum[i].Position = p
	}
	return sum
}

// mostSummands bounds sums with their multiples multiplied out.
const mostSummands = 200

// Parse reads sums, differences and multiples of positions of NoGo, of sizes such as
// 2x5, which stand for empty boards, and of games, by the grammar of docs/algebra.md. What
// is wrong with the text is a *cgt.SyntaxError.
func Parse(text string) (Sum, error) { return parseSum(text, false) }

// ParseCGSuite is Parse, but where a text means something else to CGSuite it is read
// as CGSuite reads it.
func ParseCGSuite(text string) (Sum, error) { return parseSum(text, true) }

func parseSum(text string, cgsuite bool) (Sum, error) {
	formula, err := cgt.ParseFormula(text, cgt.Reading{Positions: noGoTerms{}, CGSuite: cgsuite})
	if err != nil {
		return nil, unknownSign(err)
	}
	err = formula.Positions(func(position string, at int) error {
		if _, err := readPosition(position); err != nil {
			return misplaced(text, position, at, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	terms, err := formula.Terms()
	if err != nil {
		return nil, err
	}
	var sum Sum
	for _, t := range terms {
		if !t.Position {
			sum = append(sum, Summand{terms: []cgt.Term{t}})
			continue
		}
		var s Summand
		if s.Position, err = readPosition(t.Text); err != nil {
			return nil, misplaced(text, t.Text, t.At, err)
		}
		if t.Times < 0 {
			s = s.inverse()
		}
		if len(sum)+max(t.Times, -t.Times) > mostSummands {
			return nil, &cgt.SyntaxError{Text: text, At: t.At, Err: fmt.Errorf("with this the sum has more than %d boards", mostSummands)}
		}
		sum = append(sum, slices.Repeat(Sum{s}, max(t.Times, -t.Times))...)
	}
	if len(sum) == 0 {
		nothing, err := gameSummand("0")
		return Sum{nothing}, err
	}
	return sum, nil
}

// unknownSign says so if the place of an error has a sign that no sum has.
func unknownSign(err error) error {
	const known = pointSigns + digits + " \t\r\n/|,(){}<>[]+-*^v_±↑↓·"
	var syntax *cgt.SyntaxError
	if !errors.As(err, &syntax) || syntax.At >= len(syntax.Text) {
		return err
	}
	r, _ := utf8.DecodeRuneInString(syntax.Text[syntax.At:])
	if strings.ContainsRune(known, r) {
		return err
	}
	before := syntax.Text[:syntax.At]
	board := before[len(strings.TrimRight(before, pointSigns+"/|")):]
	reason := fmt.Errorf("%q is not a stone (x, o), an empty point (.) or a sign of a game", r)
	if board != "" {
		row := 1 + strings.Count(board, "/") + strings.Count(board, "|")
		column := len(board) - strings.LastIndexAny(board, "/|")
		reason = fmt.Errorf("row %d from the top, column %d: %q is not a stone (x, o) or an empty point (.)", row, column, r)
	}
	return &cgt.SyntaxError{Text: syntax.Text, At: syntax.At, Err: reason}
}

// readPosition reads a board, or the size of an empty one.
func readPosition(text string) (nogo.Position, error) {
	if isDigit(text[0]) {
		size, err := board.ParseSize(text)
		return nogo.NewPosition(size), err
	}
	return nogo.ParsePosition(text)
}

// misplaced points at the stone that an error is about, or at the board.
func misplaced(text, position string, at int, err error) error {
	var captured *nogo.CaptureError
	if errors.As(err, &captured) {
		at += placeOf(position, captured)
	}
	return &cgt.SyntaxError{Text: text, At: at, Err: fmt.Errorf("board %.70q: %w", strings.Join(strings.Fields(position), " "), err)}
}

// placeOf is where a stone stands in the text of a board.
func placeOf(position string, at *nogo.CaptureError) int {
	left := at.Row()*at.Size.Cols + at.Size.Col(at.Point)
	for i := range len(position) {
		if strings.IndexByte(pointSigns, position[i]) < 0 {
			continue
		}
		if left == 0 {
			return i
		}
		left--
	}
	return 0
}

// IsPosition reports whether the summand is a position of NoGo.
func (s Summand) IsPosition() bool { return s.Position.Size.Rows > 0 }

// Integer is the integer that the summand was written as, if it was.
func (s Summand) Integer() (int, bool) {
	if len(s.terms) != 1 {
		return 0, false
	}
	x, ok := s.terms[0].Number()
	num, den := x.Fraction()
	return int(num), ok && den == 1
}

// String is a board, or a game as it was written.
func (s Summand) String() string {
	if s.IsPosition() {
		return s.Position.String()
	}
	texts := make([]string, len(s.terms))
	for i, t := range s.terms {
		texts[i] = spellTerm(t)
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, " + ") + ")"
}

func spellTerm(t cgt.Term) string {
	x, isNumber := t.Number()
	switch {
	case t.Times == 1:
		return t.Text
	case isNumber:
		return x.String()
	case t.Times == -1:
		return "-(" + t.Text + ")"
	}
	return fmt.Sprintf("%d·(%s)", t.Times, t.Text)
}

// gameSummand is a game in the notation of package cgt.
func gameSummand(text string) (Summand, error) {
	formula, err := cgt.ParseFormula(text, cgt.Reading{})
	if err != nil {
		return Summand{}, err
	}
	terms, err := formula.Terms()
	return Summand{terms: terms}, err
}

// inverse exchanges the players.
func (s Summand) inverse() Summand {
	stones := &s.Position.Stones
	stones[board.Black], stones[board.White] = stones[board.White], stones[board.Black]
	s.terms = slices.Clone(s.terms)
	for i := range s.terms {
		s.terms[i].Times *= -1
	}
	return s
}

// Minus is the difference of two sums: the one, and the other with the players exchanged.
func (s Sum) Minus(other Sum) Sum {
	difference := slices.Clone(s)
	for _, t := range other {
		difference = append(difference, t.inverse())
	}
	return difference
}

// String writes the summands with plus signs between them.
func (s Sum) String() string {
	texts := make([]string, len(s))
	for i, t := range s {
		texts[i] = t.String()
	}
	return strings.Join(texts, " + ")
}

// Position is the one position that the sum is, if it is one.
func (s Sum) Position() (nogo.Position, bool) {
	if len(s) != 1 || !s[0].IsPosition() {
		return nogo.Position{}, false
	}
	return s[0].Position, true
}

// Positions are the summands that are positions of NoGo.
func (s Sum) Positions() []nogo.Position {
	var list []nogo.Position
	for _, t := range s {
		if t.IsPosition() {
			list = append(list, t.Position)
		}
	}
	return list
}

// Reduced is the sum of the strips that its boards fall apart into, if it has only boards
// of one row.
func (s Sum) Reduced() (string, bool) {
	var all []strip.Strip
	for _, t := range s {
		if !t.IsPosition() || t.Position.Size.Rows != 1 {
			return "", false
		}
		parts, err := stripsOf(t.Position)
		if err != nil {
			return "", false
		}
		all = append(all, parts...)
	}
	return strip.Format(all), true
}

// stripsOf takes a board of one row or one column apart.
func stripsOf(p nogo.Position) ([]strip.Strip, error) {
	return strip.Reduce(strings.ReplaceAll(p.String(), "/", ""))
}
