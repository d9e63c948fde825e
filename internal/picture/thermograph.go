package picture

import (
	"fmt"
	"image/color"

	"tengen/cgt"
)

// Thermograph is a thermograph with the name of its game.
type Thermograph struct {
	Of    string
	Walls cgt.Thermograph
}

// ThermographTitle is the text that titles of thermographs begin with.
const ThermographTitle = "Thermograph of "

func (t Thermograph) title() string { return ThermographTitle + t.Of }

func (t Thermograph) extent() (width, height float64) { return pictureWidth, pictureHeight }

func (t Thermograph) paint(to painter) {
	to.rect(0, 0, pictureWidth, pictureHeight, 0, onDark, onDark)
	g := newGraph(to, t.Walls)
	g.heading(t.Of)
	g.valueAxis()
	g.temperatureAxis()
	g.wall(t.Walls.Right, inkWhite)
	g.wall(t.Walls.Left, inkBlack)
	g.mast()
}

// Sizes in pixels: the picture, and the frame in it that the axes enclose.
const (
	pictureWidth  = 720.0
	pictureHeight = 540.0
	frameLeft     = 84.0
	frameTop      = 92.0
	frameWidth    = pictureWidth - frameLeft - 28
	frameHeight   = pictureHeight - frameTop - 64
	tickDistance  = 56.0 // at least
)

var (
	inkBlack = color.NRGBA{0x11, 0x11, 0x11, 0xff}
	inkWhite = color.NRGBA{0xd5, 0x5e, 0x00, 0xff}
	inkAxis  = color.NRGBA{0x55, 0x55, 0x55, 0xff}
	inkGrid  = color.NRGBA{0xe6, 0xe6, 0xe6, 0xff}
)

// label is the font of everything but the heading.
func label(a anchor) font { return font{size: 14, anchor: a, colour: inkBlack} }

// graph is a picture while it is drawn. By custom the temperature grows upwards
// and values grow to the left. Both use the same unit, so that walls lean by 45
// degrees.
type graph struct {
	painter
	thermograph cgt.Thermograph
	base        cgt.Dyadic // temperature at the lower edge
	middle      float64    // value in the middle
	unit        float64    // pixels for the number 1
}

// newGraph chooses a unit that leaves room around the walls, and above them for
// the mast. The lower edge is at the temperature 0, or at −1 for numbers, as in
// the text form.
func newGraph(p painter, t cgt.Thermograph) *graph {
	g := &graph{painter: p, thermograph: t}
	if t.Temperature() < 0 {
		g.base = -cgt.One
	}
	left, right := t.Left.At(g.base).Float64(), t.Right.At(g.base).Float64()
	width, height := left-right, (t.Temperature() - g.base).Float64()
	if width == 0 && height == 0 {
		height = 1 // a mast alone
	}
	g.middle = (left + right) / 2
	g.unit = min(frameWidth/(1.25*width+0.25*height), frameHeight/(1.5*height))
	return g
}

func (g *graph) x(value cgt.Dyadic) float64 {
	return frameLeft + frameWidth/2 + (g.middle-value.Float64())*g.unit
}

func (g *graph) y(temperature cgt.Dyadic) float64 {
	return frameTop + frameHeight - (temperature-g.base).Float64()*g.unit
}

// mostTitle is the number of characters of a title that fit the picture.
const mostTitle = 56

// heading names the position, its numbers and the colours of the walls.
func (g *graph) heading(title string) {
	if runes := []rune(title); len(runes) > mostTitle {
		title = string(runes[:mostTitle]) + "…"
	}
	centre := frameLeft + frameWidth/2
	g.text(centre, 24, title, font{size: 18, face: mono, colour: inkBlack})
	t := g.thermograph
	g.text(centre, 49, fmt.Sprintf("mean %s, temperature %s", t.Mean(), t.Temperature()), label(middle))
	g.key(centre-225, inkBlack, "left wall: Black moves first")
	g.key(centre+10, inkWhite, "right wall: White moves first")
}

// key draws an entry of the legend.
func (g *graph) key(x float64, ink color.NRGBA, text string) {
	g.area([][2]float64{{x, 70}, {x + 22, 70}, {x + 22, 74}, {x, 74}}, ink)
	g.text(x+30, 72, text, label(start))
}

// valueAxis is the lower edge, with a tick at every multiple of the step.
func (g *graph) valueAxis() {
	bottom := frameTop + frameHeight
	step := g.step()
	half := frameWidth / 2 / g.unit
	for v := multiple(g.middle-half, step); v.Float64() <= g.middle+half; v += step {
		g.path([][2]float64{{g.x(v), frameTop}, {g.x(v), bottom}}, 1, inkGrid)
		g.text(g.x(v), bottom+15, v.String(), label(middle))
	}
	g.path([][2]float64{{frameLeft, bottom}, {frameLeft + frameWidth, bottom}}, 1, inkAxis)
	g.text(frameLeft+frameWidth/2, bottom+41, "← value", label(middle))
}

// temperatureAxis is the left edge.
func (g *graph) temperatureAxis() {
	step := g.step()
	for t := multiple(g.base.Float64(), step); g.y(t) >= frameTop; t += step {
		g.path([][2]float64{{frameLeft, g.y(t)}, {frameLeft + frameWidth, g.y(t)}}, 1, inkGrid)
		g.text(frameLeft-10, g.y(t), t.String(), label(end))
	}
	g.path([][2]float64{{frameLeft, frameTop}, {frameLeft, frameTop + frameHeight}}, 1, inkAxis)
	g.text(17, frameTop+frameHeight/2, "temperature →", font{size: 14, turned: true, colour: inkBlack})
}

// step is the distance of ticks, a power of two.
func (g *graph) step() cgt.Dyadic {
	step := cgt.Dyadic(1)
	for step.Float64()*g.unit < tickDistance {
		step *= 2
	}
	return step
}

// multiple is the first multiple of step that is not below x.
func multiple(x float64, step cgt.Dyadic) cgt.Dyadic {
	m := cgt.Dyadic(x/step.Float64()) * step
	for m.Float64() < x {
		m += step
	}
	for (m - step).Float64() >= x {
		m -= step
	}
	return m
}

// wall draws a wall between the base and the mast.
func (g *graph) wall(w cgt.Wall, ink color.NRGBA) {
	points := [][2]float64{{g.x(w.At(g.base)), g.y(g.base)}}
	for _, c := range w {
		if c.At > g.base {
			points = append(points, [2]float64{g.x(c.Value), g.y(c.At)})
		}
	}
	g.path(points, 3, ink)
}

// mast draws the mast. Its arrow head says that it has no end.
func (g *graph) mast() {
	t := g.thermograph
	x, y := g.x(t.Mean()), g.y(max(t.Temperature(), g.base))
	g.path([][2]float64{{x, y}, {x, frameTop + 12}}, 5, inkAxis)
	g.area([][2]float64{{x, frameTop - 2}, {x - 9, frameTop + 16}, {x + 9, frameTop + 16}}, inkAxis)
	g.text(x+14, frameTop+13, "mast", label(start))
}
