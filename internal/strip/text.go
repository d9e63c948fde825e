package strip

import (
	"errors"
	"fmt"
	"strings"

	"tengen/board"
)

// String draws the strip with x, o and dots.
func (s Strip) String() string {
	var b strings.Builder
	for slot := range int(s.n) + 1 {
		if d := s.digit(1 << slot); d > 0 {
			b.WriteByte(" xo"[d])
		}
		if slot < int(s.n) {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// Format draws a sum.
func Format(sum []Strip) string {
	texts := make([]string, len(sum))
	for i, s := range sum {
		texts[i] = s.String()
	}
	return strings.Join(texts, " + ")
}

// Parse reads a row that is one strip after blocks have shrunk to single stones.
func Parse(text string) (Strip, error) {
	parts, err := Reduce(text)
	if err != nil {
		return Strip{}, err
	}
	if len(parts) > 1 {
		return Strip{}, fmt.Errorf("strip %.70q falls apart into %.70s; one strip is wanted", text, Format(parts))
	}
	return parts[0], nil
}

// Reduce reads a row of any length and takes it apart: blocks shrink to single
// stones, and neighbours of opposite colours are separated. The points of the
// strips, in order, are the empty points of the row from left to right.
func Reduce(row string) ([]Strip, error) {
	cells, err := readCells(row)
	if err != nil {
		return nil, err
	}
	var parts []Strip
	start := 0
	for i := range cells {
		if i+1 < len(cells) && !borders(cells[i], cells[i+1]) {
			continue
		}
		s, err := join(cells[start : i+1])
		if err != nil {
			return nil, fmt.Errorf("strip %.70q, column %d: %w", row, start+1, err)
		}
		parts = append(parts, s)
		start = i + 1
	}
	return parts, nil
}

func readCells(row string) ([]board.Colour, error) {
	if row == "" {
		return nil, errors.New("a strip has no points: give x, o and . such as .x..o")
	}
	cells := make([]board.Colour, 0, len(row))
	for _, r := range row {
		switch r {
		case 'x', 'X', 'b', 'B':
			cells = append(cells, board.Black)
		case 'o', 'O', 'w', 'W':
			cells = append(cells, board.White)
		case '.', '-':
			cells = append(cells, board.Empty)
		default:
			return nil, fmt.Errorf("strip %.70q, column %d: %q is not a stone (x, o) or an empty point (.)", row, len(cells)+1, r)
		}
	}
	return cells, nil
}

// borders reports whether a strip ends between two neighbouring cells.
func borders(a, b board.Colour) bool {
	return a != board.Empty && b != board.Empty && a != b
}

// join makes one strip of cells without borders. Every block then has an empty
// point beside it, unless the block fills the strip.
func join(cells []board.Colour) (s Strip, err error) {
	for _, c := range cells {
		switch c {
		case board.Black:
			s.black |= 1 << s.n
		case board.White:
			s.white |= 1 << s.n
		case board.Empty:
			if s.n == MaxPoints {
				return s, fmt.Errorf("the strip that begins here has more than %d empty points", MaxPoints)
			}
			s.n++
		}
	}
	if s.n == 0 {
		return s, fmt.Errorf("the %s block has no liberty", cells[0])
	}
	return s, nil
}
