package sgf

import (
	"fmt"
	"strconv"
	"strings"

	"tengen/board"
)

// letters name the columns from the left and the rows from the top.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Point is the value of a point, or of a pass for board.NoPoint. The size must be
// one that CheckSize accepts.
func Point(size board.Size, p board.Point) Value {
	if p == board.NoPoint {
		return Value{}
	}
	return Value{string([]byte{letters[size.Col(p)], letters[size.Rows-1-size.Row(p)]})}
}

// ParsePoint reads a value that must be a point.
func ParsePoint(size board.Size, v Value) (board.Point, error) {
	text := strings.TrimSpace(v.SimpleText())
	if len(text) != 2 {
		return board.NoPoint, fmt.Errorf("%.20q is not a point, two letters such as cd", text)
	}
	col, down := strings.IndexByte(letters, text[0]), strings.IndexByte(letters, text[1])
	if col < 0 || down < 0 {
		return board.NoPoint, fmt.Errorf("%q is not a point, two letters such as cd", text)
	}
	if col >= size.Cols || down >= size.Rows {
		return board.NoPoint, fmt.Errorf("the point %q is outside a board of %d columns and %d rows", text, size.Cols, size.Rows)
	}
	return size.At(size.Rows-1-down, col), nil
}

// ParseMove reads a point. It returns board.NoPoint for a pass, which is an empty
// value or, on boards of at most 19 rows and columns, tt as before version 4.
func ParseMove(size board.Size, v Value) (board.Point, error) {
	text := strings.TrimSpace(v.SimpleText())
	if text == "" || text == "tt" && max(size.Rows, size.Cols) <= 19 {
		return board.NoPoint, nil
	}
	return ParsePoint(size, v)
}

// Points returns one value for each point of a set, from the top left. They are
// not compressed into rectangles, since some programs do not read those.
func Points(size board.Size, set board.Set) []Value {
	var values []Value
	for row := size.Rows - 1; row >= 0; row-- {
		for col := range size.Cols {
			if p := size.At(row, col); set.Has(p) {
				values = append(values, Point(size, p))
			}
		}
	}
	return values
}

// ParsePoints reads a list of points and of rectangles, "aa:cc", given by two
// opposite corners. A single empty value is the empty list.
func ParsePoints(size board.Size, values []Value) (board.Set, error) {
	var set board.Set
	if len(values) == 1 && values[0] == (Value{}) {
		return set, nil
	}
	for _, v := range values {
		first, second, isRectangle := v.Compose()
		p, err := ParsePoint(size, first)
		if err != nil {
			return set, err
		}
		q := p
		if isRectangle {
			if q, err = ParsePoint(size, second); err != nil {
				return set, err
			}
		}
		for row := min(size.Row(p), size.Row(q)); row <= max(size.Row(p), size.Row(q)); row++ {
			for col := min(size.Col(p), size.Col(q)); col <= max(size.Col(p), size.Col(q)); col++ {
				set.Add(size.At(row, col))
			}
		}
	}
	return set, nil
}

// Size is the value of SZ: one number for a square board, columns and rows
// otherwise.
func Size(size board.Size) Value {
	if size.Rows == size.Cols {
		return Value{strconv.Itoa(size.Cols)}
	}
	return Compose(strconv.Itoa(size.Cols), strconv.Itoa(size.Rows))
}

// ParseSize reads a value of SZ.
func ParseSize(v Value) (board.Size, error) {
	first, second, ok := v.Compose()
	if !ok {
		second = first
	}
	cols, err1 := strconv.Atoi(strings.TrimSpace(first.SimpleText()))
	rows, err2 := strconv.Atoi(strings.TrimSpace(second.SimpleText()))
	if err1 != nil || err2 != nil {
		return board.Size{}, fmt.Errorf("SZ[%.20s] is not a size, such as SZ[9] or SZ[9:5] for 9 columns and 5 rows", v.SimpleText())
	}
	size, err := board.NewSize(rows, cols)
	if err == nil {
		err = CheckSize(size)
	}
	return size, err
}

// CheckSize refuses boards whose points the format cannot name.
func CheckSize(size board.Size) error {
	if _, err := board.NewSize(size.Rows, size.Cols); err != nil {
		return err
	}
	switch {
	case size.Cols > len(letters):
		return fmt.Errorf("a game record cannot name the points of a row of %d: SGF has letters for %d columns", size.Cols, len(letters))
	case size.Rows > len(letters):
		return fmt.Errorf("a game record cannot name the points of a column of %d: SGF has letters for %d rows", size.Rows, len(letters))
	}
	return nil
}
