// Package picture draws positions on a wooden board: stones, the last move, results on
// points, and a line of play in numbers; as SVG, and as PNG.
//
// A picture is described once, as a few shapes, and the two forms paint these. The
// package knows no rules and no results: who asks for a picture says what stands where.
package picture

import (
	"fmt"
	"image/color"
	"strconv"

	"tengen/board"
)

// Tone is the colour of a mark.
type Tone uint8

// The tones: moves that keep what there is, that give some of it away, and that lose it.
const (
	Good Tone = iota
	Doubtful
	Bad
)

// Mark is a result on an empty point.
type Mark struct {
	Text string // such as + or -3
	Tone Tone
}

// Board is a position and what is to be seen on it.
type Board struct {
	Size    board.Size
	Stones  board.Stones
	Last    board.Point // the last move, or board.NoPoint
	Marks   map[board.Point]Mark
	Line    []board.Point // best play from here, numbered; a pass is counted and not shown
	ToPlay  board.Colour  // who begins the line
	Caption string
}

// The measures, in units of which a point has cell.
const (
	cell    = 48.0
	edge    = 50.0 // from the rim to the first line, for the coordinates
	caption = 40.0
	stone   = 0.47 * cell
)

var (
	ink      = color.NRGBA{0x4a, 0x36, 0x1c, 0xff}
	paper    = color.NRGBA{0xfb, 0xf7, 0xee, 0xff}
	shade    = color.NRGBA{0x20, 0x14, 0x05, 0x50}
	wood     = [2]color.NRGBA{{0xf0, 0xcf, 0x92, 0xff}, {0xdf, 0xb2, 0x6a, 0xff}}
	black    = [2]color.NRGBA{{0x6f, 0x6f, 0x74, 0xff}, {0x12, 0x12, 0x15, 0xff}}
	white    = [2]color.NRGBA{{0xff, 0xff, 0xff, 0xff}, {0xcf, 0xca, 0xc2, 0xff}}
	rim      = color.NRGBA{0x8a, 0x84, 0x7a, 0xff}
	onDark   = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	onLight  = color.NRGBA{0x18, 0x18, 0x1b, 0xff}
	lastMove = color.NRGBA{0xd3, 0x2f, 0x2f, 0xff}
	tones    = [...]color.NRGBA{{0x2e, 0x7d, 0x32, 0xff}, {0xb2, 0x66, 0x00, 0xff}, {0xb7, 0x1c, 0x1c, 0xff}}
)

// painter is a form of picture.
type painter interface {
	// rect is filled with one colour, or from the top left to the bottom right.
	rect(x, y, w, h, radius float64, from, to color.NRGBA)
	line(x1, y1, x2, y2, width float64, c color.NRGBA)
	disc(x, y, r float64, c color.NRGBA)
	// ball is a disc that is lit from the top left.
	ball(x, y, r, opacity float64, light, dark color.NRGBA)
	ring(x, y, r, width float64, c color.NRGBA)
	// text is centred at a point.
	text(x, y, size float64, bold bool, c color.NRGBA, text string)
}

// extent is the size of the picture.
func (b Board) extent() (width, height float64) {
	width = 2*edge + float64(b.Size.Cols-1)*cell
	height = 2*edge + float64(b.Size.Rows-1)*cell
	if b.Caption != "" {
		height += caption
		width = max(width, float64(len([]rune(b.Caption)))*9.5+20)
	}
	return width, height
}

// at is where a point is.
func (b Board) at(p board.Point) (x, y float64) {
	width, _ := b.extent()
	left := (width - float64(b.Size.Cols-1)*cell) / 2
	return left + float64(b.Size.Col(p))*cell, edge + float64(b.Size.Rows-1-b.Size.Row(p))*cell
}

// paint draws everything, from the back to the front.
func (b Board) paint(to painter) {
	width, height := b.extent()
	to.rect(0, 0, width, height, 0, paper, paper)
	b.grid(to)
	for c, light := range [2][2]color.NRGBA{black, white} {
		for p := range b.Stones[c].Points() {
			b.stone(to, p, board.Colour(c), light, 1)
		}
	}
	if b.Last != board.NoPoint && b.Stones.At(b.Last) != board.Empty {
		x, y := b.at(b.Last)
		to.ring(x, y, 0.42*stone, 3, lastMove)
	}
	numbers := b.numbers()
	for _, p := range b.Size.All() {
		if mark, marked := b.Marks[p]; marked {
			b.mark(to, p, mark, numbers[p])
		} else if numbers[p] > 0 && b.Stones.At(p) == board.Empty {
			b.numbered(to, p, numbers[p])
		}
	}
	if b.Caption != "" {
		to.text(width/2, height-caption/2-6, 17, true, ink, b.Caption)
	}
}

// grid is the wood with its lines and coordinates.
func (b Board) grid(to painter) {
	left, top := b.at(b.Size.At(b.Size.Rows-1, 0))
	right, bottom := b.at(b.Size.At(0, b.Size.Cols-1))
	to.rect(left-0.62*cell, top-0.62*cell, right-left+1.24*cell, bottom-top+1.24*cell, 6, wood[0], wood[1])
	for col := range b.Size.Cols {
		x, _ := b.at(b.Size.At(0, col))
		if top < bottom {
			to.line(x, top, x, bottom, 1.2, ink)
		}
		for _, y := range []float64{top - 0.62*cell - 8, bottom + 0.62*cell + 8} {
			to.text(x, y, 13, false, ink, board.ColumnName(col))
		}
	}
	for row := range b.Size.Rows {
		_, y := b.at(b.Size.At(row, 0))
		if left < right {
			to.line(left, y, right, y, 1.2, ink)
		}
		for _, x := range []float64{left - 0.62*cell - 9, right + 0.62*cell + 9} {
			to.text(x, y, 13, false, ink, strconv.Itoa(row+1))
		}
	}
	for _, p := range stars(b.Size) {
		x, y := b.at(p)
		to.disc(x, y, 3.6, ink)
	}
}

// stars are the points that boards for players have dots on.
func stars(size board.Size) (list []board.Point) {
	if size.Rows != size.Cols || size.Rows < 9 || size.Rows%2 == 0 {
		return nil
	}
	near, far := 2, size.Rows-3
	if size.Rows > 11 {
		near, far = 3, size.Rows-4
	}
	middle := size.Rows / 2
	for _, row := range []int{near, middle, far} {
		for _, col := range []int{near, middle, far} {
			if size.Rows > 13 || (row == middle) == (col == middle) {
				list = append(list, size.At(row, col))
			}
		}
	}
	return list
}

func (b Board) stone(to painter, p board.Point, c board.Colour, light [2]color.NRGBA, opacity float64) {
	x, y := b.at(p)
	if opacity == 1 {
		to.disc(x+1.6, y+2.4, stone, shade)
	}
	to.ball(x, y, stone, opacity, light[0], light[1])
	if c == board.White {
		to.ring(x, y, stone, 0.8, rim)
	}
}

// numbers are those of the line, of a point that comes again the first.
func (b Board) numbers() map[board.Point]int {
	numbers := map[board.Point]int{}
	for i, p := range b.Line {
		if _, again := numbers[p]; !again && b.Size.Contains(p) {
			numbers[p] = i + 1
		}
	}
	return numbers
}

// numbered is a stone of the line.
func (b Board) numbered(to painter, p board.Point, number int) {
	c, text := b.ToPlay, onDark
	if number%2 == 0 {
		c = c.Opponent()
	}
	light := black
	if c == board.White {
		light, text = white, onLight
	}
	b.stone(to, p, c, light, 0.82)
	x, y := b.at(p)
	to.text(x, y, fit(strconv.Itoa(number), 19), true, text, strconv.Itoa(number))
}

// mark is a result, with the number of the move in the line beside it.
func (b Board) mark(to painter, p board.Point, m Mark, number int) {
	x, y := b.at(p)
	to.disc(x, y, 0.4*cell, paper)
	to.disc(x, y, 0.37*cell, tones[m.Tone])
	to.text(x, y, fit(m.Text, 18), true, onDark, m.Text)
	if number > 0 {
		to.disc(x+0.33*cell, y+0.33*cell, 8.5, ink)
		to.text(x+0.33*cell, y+0.33*cell, fit(strconv.Itoa(number), 11), true, onDark, strconv.Itoa(number))
	}
}

// fit is the size at which a text goes into its disc.
func fit(text string, size float64) float64 {
	if n := len([]rune(text)); n > 2 {
		return size * 2.2 / float64(n)
	}
	return size
}

// hex is a colour as SVG writes it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
