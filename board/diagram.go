package board

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Stones holds the stones on a board, by colour. It knows no rules.
type Stones [2]Set

// At is the colour at p.
func (s Stones) At(p Point) Colour {
	switch {
	case s[Black].Has(p):
		return Black
	case s[White].Has(p):
		return White
	}
	return Empty
}

// Check refuses sizes that NewSize refuses, stones that are not on the board, and points that
// hold stones of both colours.
func (s Size) Check(stones Stones) error {
	if _, err := NewSize(s.Rows, s.Cols); err != nil {
		return err
	}
	if s.Small() && NewGrid(s).holds(stones) {
		return nil
	}
	for c, set := range stones {
		for p := range set.Points() {
			switch {
			case !s.Contains(p):
				return fmt.Errorf("a %s stone is not on the %s board", Colour(c), s)
			case Colour(c) == White && stones[Black].Has(p):
				return fmt.Errorf("%s holds stones of both colours", s.Name(p))
			}
		}
	}
	return nil
}

// ParseDiagram reads rows from the top, separated by '/', '|' or line ends.
func ParseDiagram(text string) (Size, Stones, error) {
	oneSeparator := strings.NewReplacer("\r\n", "/", "\n", "/", "\r", "/", "|", "/")
	rows := strings.Split(oneSeparator.Replace(strings.TrimSpace(text)), "/")
	for i := range rows {
		rows[i] = strings.ReplaceAll(strings.TrimSpace(rows[i]), " ", "")
	}
	if len(rows) == 1 && rows[0] == "" {
		return Size{}, Stones{}, errors.New("the position is empty: give rows of x, o and . such as x../.o./..x")
	}
	width := len([]rune(rows[0]))
	size, err := NewSize(len(rows), width)
	if err != nil {
		return Size{}, Stones{}, err
	}
	var stones Stones
	for i, line := range rows {
		runes := []rune(line)
		if len(runes) != width {
			return Size{}, Stones{}, fmt.Errorf("row %d from the top has %d points, the first row has %d", i+1, len(runes), width)
		}
		for col, r := range runes {
			p := size.At(len(rows)-1-i, col)
			switch r {
			case 'x', 'X', 'b', 'B':
				stones[Black].Add(p)
			case 'o', 'O', 'w', 'W':
				stones[White].Add(p)
			case '.', '-':
			default:
				return Size{}, Stones{}, fmt.Errorf("row %d from the top, column %d: %q is not a stone (x, o) or an empty point (.)", i+1, col+1, r)
			}
		}
	}
	return size, stones, nil
}

// Line writes the stones in the form ParseDiagram reads, rows joined by '/'.
func (s Size) Line(stones Stones) string {
	var b strings.Builder
	for row := s.Rows - 1; row >= 0; row-- {
		for col := range s.Cols {
			b.WriteByte("xo."[stones.At(s.At(row, col))])
		}
		if row > 0 {
			b.WriteByte('/')
		}
	}
	return b.String()
}

// Diagram draws the board with coordinates for people.
func (s Size) Diagram(stones Stones) string {
	return s.DiagramFunc(func(p Point) string { return "xo."[stones.At(p) : stones.At(p)+1] })
}

// DiagramFunc draws a board with the text that cell returns for each point.
func (s Size) DiagramFunc(cell func(Point) string) string {
	return s.DiagramPainted(cell, func(_ Point, text string) string { return text })
}

// DiagramPainted is DiagramFunc with a second step: each cell is padded to its width
// and then passed to paint. So paint may add terminal colours, which have no width.
func (s Size) DiagramPainted(cell func(Point) string, paint func(p Point, text string) string) string {
	width := 1
	for _, p := range s.All() {
		width = max(width, len([]rune(cell(p))))
	}
	width = max(width, len(ColumnName(s.Cols-1)))
	margin := len(strconv.Itoa(s.Rows))
	var b strings.Builder
	for row := s.Rows - 1; row >= 0; row-- {
		fmt.Fprintf(&b, "%*d", margin, row+1)
		for col := range s.Cols {
			p := s.At(row, col)
			b.WriteString(" " + paint(p, fmt.Sprintf("%*s", width, cell(p))))
		}
		b.WriteByte('\n')
	}
	b.WriteString(strings.Repeat(" ", margin))
	for col := range s.Cols {
		fmt.Fprintf(&b, " %*s", width, ColumnName(col))
	}
	return b.String() + "\n"
}
