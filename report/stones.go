package report

import (
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tengen/board"
)

// stone is a mark in a picture of winners: black where Black wins.
type stone struct {
	x, y   int
	winner board.Colour
}

const (
	stoneRadius = vg.Length(5.2)
	stoneRow    = vg.Length(15)
)

// stonesPanel shows winners on lines, one for each y, the first on top.
func stonesPanel(title, x, y string, stones []stone) (*panel, error) {
	p := newPanel(title, x, y)
	ends := map[int]span{}
	var order []int
	var xys plotter.XYs
	for _, s := range stones {
		xys = append(xys, plotter.XY{X: float64(s.x), Y: float64(s.y)})
		e, seen := ends[s.y]
		if !seen {
			order = append(order, s.y)
			e = span{s.x, s.x}
		}
		ends[s.y] = span{min(e.from, s.x), max(e.to, s.x)}
	}
	for _, y := range order {
		line, err := plotter.NewLine(plotter.XYs{{X: float64(ends[y].from), Y: float64(y)}, {X: float64(ends[y].to), Y: float64(y)}})
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: color.Gray{0x99}, Width: vg.Points(0.6)}
		p.Add(line)
	}
	marks, err := plotter.NewScatter(xys)
	if err != nil {
		return nil, err
	}
	marks.GlyphStyleFunc = func(i int) draw.GlyphStyle { return stoneStyle(stones[i].winner) }
	p.Add(marks)
	p.X.Min, p.Y.Scale = 1, plot.InvertedScale{Normalizer: plot.LinearScale{}}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Tick.Marker, axis.Tick.Length, axis.Width = plot.TickerFunc(every), 0, 0
	}
	p.legend.Add("Black wins", sample(board.Black))
	p.legend.Add("White wins", sample(board.White))
	return p, nil
}

// span is the stretch of a line that has stones.
type span struct{ from, to int }

// every labels every whole number.
func every(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for n := int(least); n <= int(most); n++ {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	return ticks
}

func stoneStyle(c board.Colour) draw.GlyphStyle {
	return draw.GlyphStyle{Color: color.Black, Radius: stoneRadius, Shape: stoneGlyph(c)}
}

// stoneGlyph is a disc with an outline, filled with the colour of the stone.
type stoneGlyph board.Colour

func (g stoneGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	if board.Colour(g) == board.White {
		c.SetColor(color.White)
		draw.CircleGlyph{}.DrawGlyph(c, style, at)
		draw.RingGlyph{}.DrawGlyph(c, style, at)
		return
	}
	draw.CircleGlyph{}.DrawGlyph(c, style, at)
}

// sample is a stone in a legend.
type sample board.Colour

func (s sample) Thumbnail(c *draw.Canvas) {
	c.DrawGlyph(stoneStyle(board.Colour(s)), c.Center())
}
