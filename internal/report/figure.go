package report

import (
	"bytes"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"tengen/internal/text"
)

// A figure is 600 points wide, which browsers show as 800 pixels.
const (
	figureWidth = vg.Length(600)
	legendWidth = vg.Length(150)
	margin      = vg.Length(10)
	panelGap    = vg.Length(16)
)

// sans uses the metrics of Liberation Sans, which are those of Arial and Helvetica.
// A viewer may use any of the three.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

const (
	laidOutWith = "font-family:Liberation Sans;"
	shownWith   = "font-family:Liberation Sans,Arial,Helvetica,sans-serif;"
)

// Colours that colour-blind readers can distinguish (Okabe and Ito). Grey replaces
// yellow, which is hard to see on white.
var colours = []color.Color{
	color.RGBA{0x00, 0x00, 0x00, 0xff},
	color.RGBA{0xd5, 0x5e, 0x00, 0xff},
	color.RGBA{0x00, 0x72, 0xb2, 0xff},
	color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff},
	color.RGBA{0xe6, 0x9f, 0x00, 0xff},
	color.RGBA{0x56, 0xb4, 0xe9, 0xff},
	color.RGBA{0x80, 0x80, 0x80, 0xff},
}

var glyphs = []draw.GlyphDrawer{
	draw.CircleGlyph{},
	draw.SquareGlyph{},
	draw.TriangleGlyph{},
	draw.RingGlyph{},
	draw.BoxGlyph{},
	draw.PyramidGlyph{},
	draw.PlusGlyph{},
	draw.CrossGlyph{},
}

var (
	pale = color.Gray{0xdd}
	grid = draw.LineStyle{Color: pale, Width: vg.Points(0.5)}
)

// panel is one chart of a figure. Its legend lies beside the data, never on it.
type panel struct {
	*plot.Plot
	legend plot.Legend
}

func newPanel(title, x, y string) *panel {
	p := &panel{plot.New(), plot.NewLegend()}
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font, p.Title.Padding = sans(13), vg.Points(6)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font, axis.Tick.Label.Font = sans(11), sans(10)
		axis.Label.Padding, axis.Tick.Length = vg.Points(4), vg.Points(5)
	}
	p.legend.TextStyle.Font = sans(10)
	p.legend.Top, p.legend.Left = true, true
	p.legend.Padding = vg.Points(4)
	return p
}

// render draws panels under each other with their axes aligned, as SVG and as PNG.
func render(height vg.Length, panels ...*panel) (svg, png []byte) {
	gaps := panelGap * vg.Length(len(panels)-1)
	whole := 2*margin + gaps + height*vg.Length(len(panels))
	lines := vgsvg.New(figureWidth, whole)
	pixels := vgimg.NewWith(vgimg.UseWH(figureWidth, whole), vgimg.UseDPI(144))
	drawPanels(lines, panels)
	drawPanels(pixels, panels)
	var svgFile, pngFile bytes.Buffer
	_, _ = lines.WriteTo(&svgFile) // a buffer never fails
	_, _ = vgimg.PngCanvas{Canvas: pixels}.WriteTo(&pngFile)
	return bytes.ReplaceAll(svgFile.Bytes(), []byte(laidOutWith), []byte(shownWith)), pngFile.Bytes()
}

func drawPanels(canvas vg.CanvasSizer, panels []*panel) {
	whole := draw.New(canvas)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	paper := draw.Crop(whole, margin, -margin, margin, -margin)

	var column [][]*plot.Plot
	for _, p := range panels {
		column = append(column, []*plot.Plot{p.Plot})
	}
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadY: panelGap}
	places := plot.Align(column, tiles, draw.Crop(paper, 0, -legendWidth, 0, 0))
	for i, p := range panels {
		place := places[i][0]
		p.Draw(place)
		beside := place
		beside.Min.X, beside.Max.X = paper.Max.X-legendWidth+margin, paper.Max.X
		beside.Max.Y -= 2 * margin // under the title
		p.legend.Draw(beside)
	}
}

// series is a line of a chart.
type series struct {
	name   string
	points plotter.XYs
}

// at adds a point, unless its value cannot be shown on a logarithmic axis.
func (s *series) at(x int, y float64) {
	if y > 0 {
		s.points = append(s.points, plotter.XY{X: float64(x), Y: y})
	}
}

// growthPanel shows lines over the number of points of a row, on a logarithmic
// scale.
func growthPanel(title, unit string, lines ...series) (*panel, error) {
	p := newPanel(title, "points of the row", unit)
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decades{}
	p.X.Tick.Marker = wholes(16)
	p.Add(&plotter.Grid{Horizontal: grid})
	for i, line := range lines {
		if err := p.line(i, line); err != nil {
			return nil, err
		}
	}
	p.Y.Min, p.Y.Max = wholeDecades(p.Y.Min, p.Y.Max)
	return p, nil
}

// line draws line number i. The number determines its colour and its marks.
func (p *panel) line(i int, line series) error {
	if len(line.points) == 0 {
		return nil
	}
	l, s, err := plotter.NewLinePoints(line.points)
	if err != nil {
		return err
	}
	c := colours[i%len(colours)]
	l.Color, l.Width = c, vg.Points(1.2)
	s.Color, s.Shape, s.Radius = c, glyphs[i%len(glyphs)], vg.Points(2.6)
	p.Add(l, s)
	p.legend.Add(line.name, l, s)
	return nil
}

// bars is a group of columns of a chart, one for each label.
type bars struct {
	name   string
	values plotter.Values
}

// barPanel shows groups of columns side by side.
func barPanel(title, x, y string, labels []string, groups ...bars) (*panel, error) {
	p := newPanel(title, x, y)
	p.Y.Min, p.Y.Tick.Marker = 0, plot.TickerFunc(countTicks)
	p.Add(&plotter.Grid{Horizontal: grid})
	room := (figureWidth - legendWidth - 80) / vg.Length(max(1, len(labels)))
	width := min(room*0.8, 40) / vg.Length(len(groups))
	for i, group := range groups {
		b, err := plotter.NewBarChart(group.values, width)
		if err != nil {
			return nil, err
		}
		b.Color, b.LineStyle.Width = colours[2-i%2], 0
		b.Offset = width * (vg.Length(i) - vg.Length(len(groups)-1)/2)
		p.Add(b)
		p.legend.Add(group.name, b)
	}
	p.NominalX(labels...)
	p.X.Min, p.X.Max, p.X.Width = -0.6, float64(len(labels))-0.4, 0
	p.Y.Max *= 1.05
	return p, nil
}

// decades marks powers of ten.
type decades struct{}

func (decades) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(least)); e <= math.Ceil(math.Log10(most)); e++ {
		power := math.Pow(10, e)
		ticks = append(ticks, plot.Tick{Value: power, Label: number(power) + clearance})
		for k := 2.0; k <= 9; k++ {
			ticks = append(ticks, plot.Tick{Value: k * power})
		}
	}
	return ticks
}

// clearance keeps the labels of a vertical axis away from its marks, even if the
// viewer's font is wider than the layout expects.
const clearance = "  "

// wholeDecades widens a range to powers of ten. Without data the range is infinite.
func wholeDecades(least, most float64) (float64, float64) {
	if least > most {
		return 1, 10
	}
	low := math.Floor(math.Log10(least))
	high := max(low+1, math.Ceil(math.Log10(most)))
	return math.Pow(10, low), math.Pow(10, high)
}

// wholes marks whole numbers. It labels every one, or only every second, fifth or
// tenth to bound the number of labels.
func wholes(labels float64) plot.TickerFunc {
	return func(least, most float64) []plot.Tick {
		step := 1
		for _, s := range []int{2, 5, 10} {
			if (most-least)/float64(step) > labels {
				step = s
			}
		}
		var ticks []plot.Tick
		for n := int(math.Ceil(least)); n <= int(most); n++ {
			tick := plot.Tick{Value: float64(n)}
			if n%step == 0 {
				tick.Label = strconv.Itoa(n)
			}
			ticks = append(ticks, tick)
		}
		return ticks
	}
}

// countTicks marks three to six round numbers.
func countTicks(_, most float64) []plot.Tick {
	step := max(1, math.Pow(10, math.Floor(math.Log10(most))-1))
	for _, factor := range []float64{2, 2.5, 2, 2} {
		if most/step <= 6 {
			break
		}
		step *= factor
	}
	var ticks []plot.Tick
	for x := 0.0; x <= most; x += step {
		ticks = append(ticks, plot.Tick{Value: x, Label: number(x) + clearance})
	}
	return ticks
}

// number writes large numbers with separators and small ones plainly.
func number(x float64) string {
	if x == math.Trunc(x) && x >= 0 && x < 1e18 {
		return text.Thousands(uint64(x))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
