package board

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Point is a cell number of the padded board; its meaning depends on the Size.
type Point int16

// NoPoint stands for the absence of a point.
const NoPoint Point = -1

const columnLetters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

// ColumnName spells a column: A to Z without I, then AA, BB and so on for long single rows.
// A negative number is no column and has no name.
func ColumnName(col int) string {
	if col < 0 {
		return ""
	}
	n := len(columnLetters)
	return strings.Repeat(string(columnLetters[col%n]), 1+col/n)
}

// Name spells a point as column letter and row number, A1 at the bottom left.
func (s Size) Name(p Point) string {
	if !s.Contains(p) {
		return "none"
	}
	return ColumnName(s.Col(p)) + strconv.Itoa(s.Row(p)+1)
}

// ParsePoint reads a point such as "B3".
func (s Size) ParsePoint(text string) (Point, error) {
	upper := strings.ToUpper(strings.TrimSpace(text))
	letters := strings.TrimRight(upper, "0123456789")
	row, err := strconv.Atoi(upper[len(letters):])
	col := columnOf(letters)
	if err != nil || col < 0 {
		return NoPoint, fmt.Errorf("point %.70q is not a column letter (A, B, … without I) and a row number, such as B3", text)
	}
	if row < 1 || row > s.Rows || col >= s.Cols {
		return NoPoint, fmt.Errorf("point %.70q is not on a %s board: columns are A to %s, rows 1 to %d", text, s, ColumnName(s.Cols-1), s.Rows)
	}
	return s.At(row-1, col), nil
}

// columnOf is the inverse of ColumnName. It is -1 for a text that is not the name of a
// column.
func columnOf(letters string) int {
	if letters == "" {
		return -1
	}
	col := strings.IndexByte(columnLetters, letters[0])
	if col < 0 || strings.Trim(letters, letters[:1]) != "" {
		return -1
	}
	return col + (len(letters)-1)*len(columnLetters)
}

// ParsePoints reads points separated by spaces or commas.
func (s Size) ParsePoints(text string) ([]Point, error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' })
	points := make([]Point, 0, len(fields))
	for i, f := range fields {
		p, err := s.ParsePoint(f)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		points = append(points, p)
	}
	return points, nil
}

// Colour is the colour of a stone or of a player.
type Colour uint8

// The colours; Empty marks a point without a stone.
const (
	Black Colour = iota
	White
	Empty
)

// Opponent exchanges Black and White.
func (c Colour) Opponent() Colour { return c ^ 1 }

// CheckPlayer refuses colours that are neither Black nor White.
func (c Colour) CheckPlayer() error {
	if c > White {
		return errors.New("the side to play must be black or white")
	}
	return nil
}

func (c Colour) String() string {
	switch c {
	case Black:
		return "black"
	case White:
		return "white"
	}
	return "empty"
}

// ParseColour reads b, black, w or white in any case.
func ParseColour(text string) (Colour, error) {
	switch strings.ToLower(text) {
	case "b", "black", "x":
		return Black, nil
	case "w", "white", "o":
		return White, nil
	}
	return Empty, fmt.Errorf("colour %.70q is neither b (black) nor w (white)", text)
}
