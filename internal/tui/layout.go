package tui

import (
	"strconv"

	"tengen/board"
)

// layout holds the places of things on a screen: the board in the middle, a title
// above it and lines of text below. If the board is larger than the screen, a window
// that follows the cursor shows a part of it.
type layout struct {
	size          board.Size
	width, height int // of the screen
	pitch, rise   int // from a point to its neighbours, in columns and lines
	roomy         bool
	left, top     int // of the first visible column and line of points
	cols, rows    int // number that are visible
	window
}

// window is the first visible column and row, rows counted from the top.
type window struct{ col, row int }

// The smallest screen on which anything is drawn.
const (
	leastWidth  = 24
	leastHeight = 8
)

// Lines above and below the points: title, letters; status, text, keys. With more
// room the letters are below too, there is a second line of text, and the parts have
// space between them.
const (
	tightAbove, tightBelow = 2, 3
	roomyAbove, roomyBelow = 3, 7
)

// arrange chooses the largest layout that shows the whole board. If there is none,
// it is the smallest layout, with the part of the board that fits. That part is the
// one seen before, if it contains the point to show; otherwise the point is in the
// middle. It returns false if the screen is too small.
func arrange(size board.Size, width, height int, before window, show board.Point) (l layout, ok bool) {
	if width < leastWidth || height < leastHeight {
		return layout{}, false
	}
	screen := layout{size: size, width: width, height: height}
	small := 1 + len(board.ColumnName(size.Cols-1))
	for _, l := range []layout{screen.scaled(4, 2, true), screen.scaled(4, 2, false), screen.scaled(small, 1, true)} {
		if l.cols == size.Cols && l.rows == size.Rows {
			return l.centred(), true
		}
	}
	if l = screen.scaled(small, 1, true); l.rows < size.Rows {
		l = screen.scaled(small, 1, false)
	}
	l.col = scroll(size.Cols, l.cols, before.col, size.Col(show))
	l.row = scroll(size.Rows, l.rows, before.row, size.Rows-1-size.Row(show))
	return l.centred(), true
}

// scaled shows all points that fit at a distance from each other.
func (l layout) scaled(pitch, rise int, roomy bool) layout {
	l.pitch, l.rise, l.roomy = pitch, rise, roomy
	l.cols = min(l.size.Cols, (l.width-2*l.gutter()-1)/pitch+1)
	l.rows = min(l.size.Rows, max(l.height-l.above()-l.below()-1, 0)/rise+1)
	return l
}

// scroll is the first of n lines to show; seen is the number of visible lines.
func scroll(n, seen, first, show int) int {
	if show < first || show >= first+seen {
		first = show - seen/2
	}
	return min(max(first, 0), n-seen)
}

func (l layout) centred() layout {
	l.left = (l.width-l.boardWidth())/2 + l.gutter()
	l.top = (l.height-l.boardHeight()-l.above()-l.below())/2 + l.above()
	return l
}

// gutter is the room for row numbers on either side, with space for a bracket around
// the first point of the row.
func (l layout) gutter() int { return len(strconv.Itoa(l.size.Rows)) + l.bracket() }

// bracket is the distance of a bracket from its point.
func (l layout) bracket() int { return l.pitch / 2 }

func (l layout) boardWidth() int { return 2*l.gutter() + (l.cols-1)*l.pitch + 1 }

func (l layout) boardHeight() int { return (l.rows-1)*l.rise + 1 }

func (l layout) above() int {
	if l.roomy {
		return roomyAbove
	}
	return tightAbove
}

func (l layout) below() int {
	if l.roomy {
		return roomyBelow
	}
	return tightBelow
}

// cell is the place of a point on the screen, if it is visible.
func (l layout) cell(p board.Point) (x, y int, seen bool) {
	col, row := l.size.Col(p)-l.col, l.size.Rows-1-l.size.Row(p)-l.row
	seen = col >= 0 && col < l.cols && row >= 0 && row < l.rows
	return l.left + col*l.pitch, l.top + row*l.rise, seen
}

// point is the point at a place of the screen. Where points are far apart, the cells
// next to a point belong to it too. Other places between points belong to none.
func (l layout) point(x, y int) (board.Point, bool) {
	reach := (l.pitch - 1) / 2
	dx, dy := x-l.left+reach, y-l.top
	if dx < 0 || dy < 0 || dx%l.pitch > 2*reach || dy%l.rise != 0 {
		return board.NoPoint, false
	}
	col, row := dx/l.pitch, dy/l.rise
	if col >= l.cols || row >= l.rows {
		return board.NoPoint, false
	}
	return l.size.At(l.size.Rows-1-row-l.row, col+l.col), true
}
