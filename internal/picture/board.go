package picture

import (
	"image/color"
	"strconv"

	"tengen/board"
)

// Tone is the colour of a mark.
type Tone uint8

// The tones are for moves that keep the result, that give part of it away, and that lose
// it.
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

// Board is a position with the marks that are drawn on it.
type Board struct {
	Size    board.Size
	Stones  board.Stones
	Last    board.Point // the last move, or board.NoPoint
	Marks   map[board.Point]Mark
	Line    []board.Point // best play from here, numbered; a pass is counted and not shown
	ToPlay  board.Colour  // the side that begins the line
	Caption string
}

// The measures of a board. The distance between two points is cell.
const (
	cell    = 48.0
	edge    = 50.0 // from the rim to the first line, room for the coordinates
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

// BoardTitle is the text that titles of boards begin with.
const BoardTitle = "tengen: "

func (b Board) title() string {
	title := BoardTitle + b.Size.Line(b.Stones)
	if b.Caption != "" {
		title += ", " + b.Caption
	}
	return title
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

// at is the place of a point in the picture.
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
		to.text(width/2, height-caption/2-6, b.Caption, font{size: 17, face: bold, colour: ink})
	}
}

// grid draws the wood with its lines and coordinates.
func (b Board) grid(to painter) {
	left, top := b.at(b.Size.At(b.Size.Rows-1, 0))
	right, bottom := b.at(b.Size.At(0, b.Size.Cols-1))
	to.rect(left-0.62*cell, top-0.62*cell, right-left+1.24*cell, bottom-top+1.24*cell, 6, wood[0], wood[1])
	for col := range b.Size.Cols {
		x, _ := b.at(b.Size.At(0, col))
		if top < bottom {
			to.path([][2]float64{{x, top}, {x, bottom}}, 1.2, ink)
		}
		for _, y := range []float64{top - 0.62*cell - 8, bottom + 0.62*cell + 8} {
			to.text(x, y, board.ColumnName(col), font{size: 13, colour: ink})
		}
	}
	for row := range b.Size.Rows {
		_, y := b.at(b.Size.At(row, 0))
		if left < right {
			to.path([][2]float64{{left, y}, {right, y}}, 1.2, ink)
		}
		for _, x := range []float64{left - 0.62*cell - 9, right + 0.62*cell + 9} {
			to.text(x, y, strconv.Itoa(row+1), font{size: 13, colour: ink})
		}
	}
	for _, p := range stars(b.Size) {
		x, y := b.at(p)
		to.disc(x, y, 3.6, ink)
	}
}

// stars lists the star points, which boards mark with dots.
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

// numbers returns the numbers of the moves of the line. A point that occurs twice has
// the number of its first move.
func (b Board) numbers() map[board.Point]int {
	numbers := map[board.Point]int{}
	for i, p := range b.Line {
		if _, again := numbers[p]; !again && b.Size.Contains(p) {
			numbers[p] = i + 1
		}
	}
	return numbers
}

// numbered draws a stone of the line with its number.
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
	inDisc(to, x, y, strconv.Itoa(number), 19, text)
}

// mark draws a result, with the number of the move in the line beside it.
func (b Board) mark(to painter, p board.Point, m Mark, number int) {
	x, y := b.at(p)
	to.disc(x, y, 0.4*cell, paper)
	to.disc(x, y, 0.37*cell, tones[m.Tone])
	inDisc(to, x, y, m.Text, 18, onDark)
	if number > 0 {
		to.disc(x+0.33*cell, y+0.33*cell, 8.5, ink)
		inDisc(to, x+0.33*cell, y+0.33*cell, strconv.Itoa(number), 11, onDark)
	}
}

// inDisc writes a text in a disc, in the given size or in a smaller one that fits.
func inDisc(to painter, x, y float64, text string, size float64, c color.NRGBA) {
	if n := len([]rune(text)); n > 2 {
		size *= 2.2 / float64(n)
	}
	to.text(x, y, text, font{size: size, face: bold, colour: c})
}
