package report

import (
	"image/color"

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
	labelRoom   = 30 // number of labels that fit under a figure
)

// stonesPanel shows winners on lines, one for each y, the first on top.
func stonesPanel(title, x, y string, stones []stone) (*panel, error) {
	p := newPanel(title, x, y)
	var marked plotter.XYs
	widest := 1
	for _, s := range stones {
		marked = append(marked, plotter.XY{X: float64(s.x), Y: float64(s.y)})
		widest = max(widest, s.x)
	}
	for _, ends := range stretches(stones) {
		line, err := plotter.NewLine(ends)
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: color.Gray{0x99}, Width: vg.Points(0.6)}
		p.Add(line)
	}
	marks, err := plotter.NewScatter(marked)
	if err != nil {
		return nil, err
	}
	radius := min(stoneRadius, 0.42*(figureWidth-legendWidth)/vg.Length(widest+2))
	marks.GlyphStyleFunc = func(i int) draw.GlyphStyle { return stoneStyle(stones[i].winner, radius) }
	p.Add(marks)
	p.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	p.X.Min, p.X.Tick.Marker, p.Y.Tick.Marker = 1, wholes(labelRoom), wholes(board.MaxLine)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Tick.Length, axis.Width = 0, 0
	}
	p.legend.Add("Black wins", sample(board.Black))
	p.legend.Add("White wins", sample(board.White))
	return p, nil
}

// stretches returns the lines under the stones, one for each y from its first
// stone to its last.
func stretches(stones []stone) []plotter.XYs {
	var lines []plotter.XYs
	place := map[int]int{}
	for _, s := range stones {
		i, seen := place[s.y]
		if !seen {
			i, place[s.y] = len(lines), len(lines)
			lines = append(lines, plotter.XYs{{X: float64(s.x), Y: float64(s.y)}, {X: float64(s.x), Y: float64(s.y)}})
		}
		lines[i][0].X = min(lines[i][0].X, float64(s.x))
		lines[i][1].X = max(lines[i][1].X, float64(s.x))
	}
	return lines
}

func stoneStyle(c board.Colour, radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: color.Black, Radius: radius, Shape: stoneGlyph(c)}
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

// sample draws a stone in a legend.
type sample board.Colour

func (s sample) Thumbnail(c *draw.Canvas) {
	c.DrawGlyph(stoneStyle(board.Colour(s), stoneRadius), c.Center())
}
