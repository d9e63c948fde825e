package strip_test

import (
	"slices"
	"strings"

	"tengen/board"
)

// oracle plays out sums of rows by the rules of NoGo, on text alone, and
// remembers who wins. It shares nothing with the package.
type oracle struct {
	simplify func(row string) []string // reduces a row after a move
	known    map[string]bool
}

// newOracle leaves rows as they are.
func newOracle() *oracle {
	return &oracle{func(row string) []string { return []string{row} }, make(map[string]bool)}
}

// newReducingOracle rewrites rows by theorems 1 and 2, and treats a row and its
// reverse as one, so that it can go further.
func newReducingOracle() *oracle {
	return &oracle{func(row string) []string {
		parts := strings.Split(reduceText(row), " + ")
		for i, p := range parts {
			parts[i] = min(p, reverseText(p))
		}
		return parts
	}, make(map[string]bool)}
}

// wins reports whether c, to move, wins the sum of some rows and free moves,
// those of Black positive.
func (o *oracle) wins(rows []string, free int, c board.Colour) bool {
	slices.Sort(rows)
	key := strings.Join(rows, "+") + string(rune('A'+2*(free+20)+int(c)))
	if won, ok := o.known[key]; ok {
		return won
	}
	won := false
	if step := 2*int(c) - 1; free*step < 0 {
		won = !o.wins(slices.Clone(rows), free+step, c.Opponent())
	}
	for i, row := range rows {
		for at := 0; at < len(row) && !won; at++ {
			if next := row[:at] + "xo"[c:c+1] + row[at+1:]; row[at] == '.' && breathes(next) {
				after := slices.Concat(rows[:i], o.simplify(next), rows[i+1:])
				won = !o.wins(after, free, c.Opponent())
			}
		}
	}
	o.known[key] = won
	return won
}

// breathes reports whether every block of a row has a liberty.
func breathes(row string) bool {
	for i := 0; i < len(row); {
		j := i
		for j < len(row) && row[j] == row[i] {
			j++
		}
		if row[i] != '.' && (i == 0 || row[i-1] != '.') && (j == len(row) || row[j] != '.') {
			return false
		}
		i = j
	}
	return true
}

// isZero reports whether a sum is a win for whoever moves second.
func (o *oracle) isZero(rows ...string) bool {
	return !o.wins(slices.Clone(rows), 0, board.Black) && !o.wins(slices.Clone(rows), 0, board.White)
}

// outcome is the letter of the outcome class.
func (o *oracle) outcome(row string) string {
	black, white := o.wins([]string{row}, 0, board.Black), o.wins([]string{row}, 0, board.White)
	switch {
	case black && white:
		return "N"
	case black:
		return "L"
	case white:
		return "R"
	}
	return "P"
}

// eachRow visits all rows of a length in which every block has a liberty.
func eachRow(length int, visit func(string)) {
	row := make([]byte, length)
	var fill func(int)
	fill = func(i int) {
		if i < length {
			for _, cell := range []byte(".xo") {
				row[i] = cell
				fill(i + 1)
			}
		} else if breathes(string(row)) {
			visit(string(row))
		}
	}
	fill(0)
}
