package engine

import (
	"fmt"
	"strings"

	"tengen/board"
	"tengen/internal/strip"
	"tengen/nogo"
)

// Strip is a reduced strip of linear NoGo: blocks have shrunk to single stones, and no
// two stones are neighbours. Strips are values and compare with ==; the zero value is
// the strip without points, where nobody can move. docs/strips.md has the theory.
type Strip struct{ strip strip.Strip }

// ParseStrip reads a row such as ..x.o that is one strip once it is reduced.
func ParseStrip(text string) (Strip, error) {
	s, err := strip.Parse(strings.TrimSpace(text))
	return Strip{s}, err
}

// Points is the number of empty points.
func (s Strip) Points() int { return s.strip.Points() }

// String draws the strip with x, o and dots.
func (s Strip) String() string { return s.strip.String() }

// The largest databases of strips that can be built.
const (
	MaxStrips         = strip.MaxBounds   // points of strips with bounds
	MaxSimplestStrips = strip.MaxSimplest // points of strips with simplest equal games
)

// Sum is a sum of positions of NoGo: who is to move plays in one of them.
type Sum struct {
	Rows   []Strip         // reduced
	Boards []nogo.Position // whatever is not a row, or not reduced
}

// ParseSum reads summands with plus signs between them: strips such as .x..o., boards
// such as x../.o. and sizes such as 2x5, which stand for empty boards.
func ParseSum(text string) (Sum, error) {
	var sum Sum
	parts := strings.Split(text, "+")
	for i, part := range parts {
		if err := sum.add(part); err != nil {
			if len(parts) > 1 {
				err = fmt.Errorf("summand %d: %w", i+1, err)
			}
			return Sum{}, err
		}
	}
	return sum, nil
}

// add reads one summand. Only a size has digits, and only a board of more than
// one row has separators.
func (s *Sum) add(text string) error {
	text = strings.ReplaceAll(strings.TrimSpace(text), " ", "")
	if strings.ContainsAny(text, "0123456789") {
		size, err := board.ParseSize(text)
		if err != nil {
			return err
		}
		if size.Rows > 1 {
			s.Boards = append(s.Boards, nogo.NewPosition(size))
			return nil
		}
		text = strings.Repeat(".", size.Cols)
	}
	if strings.ContainsAny(text, "/|\n\r") {
		p, err := nogo.ParsePosition(text)
		s.Boards = append(s.Boards, p)
		return err
	}
	rows, err := strip.Reduce(text)
	for _, row := range rows {
		s.Rows = append(s.Rows, Strip{row})
	}
	return err
}

// String draws the summands, the strips first.
func (s Sum) String() string {
	var texts []string
	for _, row := range s.Rows {
		texts = append(texts, row.String())
	}
	for _, p := range s.Boards {
		texts = append(texts, p.String())
	}
	return strings.Join(texts, " + ")
}

// strips are the rows as the packages below know them.
func (s Sum) strips() []strip.Strip {
	rows := make([]strip.Strip, len(s.Rows))
	for i, row := range s.Rows {
		rows[i] = row.strip
	}
	return rows
}

// ParseRows reads the rows of a SumRequest with plus signs between them.
func ParseRows(text string) ([]nogo.Position, error) {
	var rows []nogo.Position
	for i, part := range strings.Split(text, "+") {
		row, err := nogo.ParsePosition(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("summand %d: %w", i+1, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
