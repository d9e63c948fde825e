package value

import (
	"fmt"
	"strings"

	"tengen/board"
	"tengen/cgt"
)

// Positions of NoGo are terms of formulas as docs/algebra.md has it: rows of points, or a
// size for an empty board. Their one sign in common with formulas is "-", an empty point
// here and a minus there; what could be either is refused, with both readings.
type noGoTerms struct{}

var _ cgt.Positions = noGoTerms{}

const (
	pointSigns = ".-xXbBoOwW"
	blanks     = " \t"
	lineEnds   = "\r\n"
)

// Scan finds a position.
func (noGoTerms) Scan(text string, at int, braces bool) (int, error) {
	s := scan{text: text, begin: at, at: at, separators: "/|"}
	if braces {
		s.separators = "/"
	}
	switch c := text[at]; {
	case isDigit(c):
		return s.size()
	case c == '-' && !s.one(at+1, pointSigns) && !s.one(at+1, s.separators):
		return 0, nil // a sign
	case strings.IndexByte(pointSigns, c) < 0:
		return 0, nil
	}
	return s.board()
}

// Minus refuses a sign after a term and a blank that touches a position.
func (noGoTerms) Minus(text string, at int) error {
	s := scan{text: text, begin: at, at: at}
	if at > 0 && strings.IndexByte(blanks, text[at-1]) >= 0 && s.one(at+1, pointSigns) {
		return s.eitherMinus(at)
	}
	return nil
}

// scan is a position that is being read.
type scan struct {
	text       string
	begin, at  int
	separators string
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// one reports whether one of the signs stands at a place.
func (s *scan) one(at int, signs string) bool {
	return at < len(s.text) && strings.IndexByte(signs, s.text[at]) >= 0
}

// past is the first place from at on where none of the signs stands.
func (s *scan) past(at int, signs string) int {
	for s.one(at, signs) {
		at++
	}
	return at
}

func (s *scan) wrong(at int, format string, args ...any) error {
	return &cgt.SyntaxError{Text: s.text, At: at, Err: fmt.Errorf(format, args...)}
}

const digits = "0123456789"

// size reads an empty board such as 2x5. Digits without points after them are a number
// of the formula.
func (s *scan) size() (int, error) {
	after := s.past(s.at, digits)
	if !s.one(after, pointSigns) || s.text[after] == '-' {
		return 0, nil
	}
	end := after
	for end < len(s.text) && (s.one(end, pointSigns+digits) || 'a' <= s.text[end]|' ' && s.text[end]|' ' <= 'z') {
		end++
	}
	word := s.text[s.begin:end]
	_, err := board.ParseSize(word)
	if err == nil {
		return len(word), nil
	}
	switch points := s.text[after:end]; {
	case strings.Trim(points, pointSigns) == "":
		return 0, s.wrong(s.begin, "%.70q is neither a size such as 3x5 nor a number: for copies of a board write %.70q", word, s.text[s.begin:after]+" "+points)
	case points[0] == '.':
		return 0, s.wrong(s.begin, "%.70q is neither a number nor a board: write fractions as 3/2", word)
	}
	return 0, s.wrong(s.begin, "%w", err)
}

// board reads rows of points. Between the points of a row there may be blanks, but then
// between all: otherwise a sign may be missing.
func (s *scan) board() (int, error) {
	for {
		if err := s.row(); err != nil {
			return 0, err
		}
		next := s.past(s.at, blanks)
		line := s.past(next, blanks+lineEnds)
		switch {
		case s.one(next, s.separators):
			next = s.past(next+1, blanks+lineEnds)
			if !s.one(next, pointSigns) {
				return 0, s.wrong(next, "a row of the board is missing here, after %.70q", strings.TrimSpace(s.text[s.begin:next]))
			}
		case line > next && s.one(next, lineEnds) && s.one(line, pointSigns) && !s.sign(line):
			next = line
		default:
			return s.at - s.begin, s.leading()
		}
		s.at = next
	}
}

// row reads points up to what is none of them.
func (s *scan) row() error {
	begin := s.at
	for groups := 1; ; groups++ {
		group := s.at
		end := s.past(group, pointSigns)
		s.at = end
		next := s.past(end, blanks)
		if s.text[end-1] == '-' && end-1 > s.begin && s.beginsGame(next) {
			if signs := s.text[s.begin:end]; strings.Trim(signs, "-") == "" {
				return s.wrong(s.begin, "%.70q could be read as signs, %.70q, or as empty points and a minus, %.70q: write the one that is meant", signs, strings.Repeat("- ", len(signs))+s.text[next:next+1], strings.Repeat(".", len(signs)-1)+" - "+s.text[next:next+1])
			}
			s.at = end - 1 // a minus before a game that is no position
			return nil
		}
		if next == end || !s.one(next, pointSigns) || s.sign(next) {
			return nil
		}
		switch single := end-group == 1 && s.past(next, pointSigns)-next == 1; {
		case s.text[next] == '-' && !single:
			return s.eitherMinus(next)
		case s.text[end-1] == '-' && !single:
			return s.eitherMinus(end - 1)
		case !single:
			words := strings.Fields(s.text[begin:s.past(next, pointSigns)])
			return s.wrong(next, "a blank within a board could be read as %.70q or as %.70q: write the one that is meant", strings.Join(words, ""), strings.Join(words, " + "))
		}
		s.at = next
	}
}

// sign reports whether what stands at a place, after a blank, is a minus: no point follows
// at once.
func (s *scan) sign(at int) bool { return s.text[at] == '-' && !s.one(at+1, pointSigns) }

// beginsGame reports whether a game that is no position begins at a place.
func (s *scan) beginsGame(at int) bool {
	if at >= len(s.text) {
		return false
	}
	for _, sign := range []string{"{", "(", "*", "^", "v", "±", "↑", "↓", "Tiny(", "Miny("} {
		if strings.HasPrefix(s.text[at:], sign) {
			return true
		}
	}
	return isDigit(s.text[at])
}

// leading refuses a board that begins with "-" and has points written otherwise.
func (s *scan) leading() error {
	if board := s.text[s.begin:s.at]; board[0] == '-' && strings.Contains(board, ".") {
		return s.wrong(s.begin, "\"-\" before a board could be read as %.70q or as %.70q: write the one that is meant", "- "+board[1:], "."+board[1:])
	}
	return nil
}

// eitherMinus refuses a minus with a blank on one side only.
func (s *scan) eitherMinus(at int) error {
	left := strings.TrimRight(s.text[:at], blanks)
	left = left[strings.LastIndexAny(left, blanks+lineEnds+"(+{,")+1:]
	right := strings.TrimLeft(s.text[at+1:], blanks)
	if end := strings.IndexAny(right, blanks+lineEnds+")+},"); end >= 0 {
		right = right[:end]
	}
	return s.wrong(at, "\"-\" could be read as the minus in %.70q or as the empty point in %.70q: write the one that is meant", left+" - "+right, left+"."+right)
}
