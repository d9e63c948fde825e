package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"tengen/cgt"
	"tengen/internal/wholefile"
)

// plots are the kinds of pictures, by the end of the name.
var plots = map[string]func(title string) pen{
	".svg":  newSVG,
	".png":  newPNG,
	".tex":  func(title string) pen { return newTikZ(title, true) },
	".tikz": func(title string) pen { return newTikZ(title, false) },
}

// plotKind finds the kind of a picture, or refuses its name.
func plotKind(path string) (func(title string) pen, error) {
	if kind, ok := plots[strings.ToLower(filepath.Ext(path))]; ok {
		return kind, nil
	}
	return nil, fmt.Errorf("--plot %s: thermographs are drawn as SVG, PNG or TikZ, give a name that ends in .svg, .png, .tex or .tikz", path)
}

// writeThermograph draws a thermograph into a file of the kind that its name says, which
// appears whole or not at all.
func writeThermograph(disk wholefile.Disk, path string, t cgt.Thermograph, title string) error {
	kind, err := plotKind(path)
	if err != nil {
		return err
	}
	data, err := drawThermograph(kind(title), t, title)
	if err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	if err := disk.Write(path, data); err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
}

// pen draws in pixels, from the upper left corner.
type pen interface {
	line(x1, y1, x2, y2, width float64, ink string)
	path(points [][2]float64, width float64, ink string)
	area(points [][2]float64, ink string)
	text(x, y float64, anchor, text string, style lettering)
	bytes() ([]byte, error)
}

// lettering is how a text is set.
type lettering uint8

const (
	label   lettering = iota
	heading           // larger, of letters of one width
	upright           // turned by a quarter to the left
)

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

const (
	inkBlack = "#111"
	inkWhite = "#d55e00"
	inkAxis  = "#555"
	inkGrid  = "#e6e6e6"
)

// graph is a picture under way. As is the custom the temperature grows upwards
// and values grow to the left, in the same unit, so that walls lean by 45 degrees.
type graph struct {
	pen
	thermograph cgt.Thermograph
	base        cgt.Dyadic // temperature at the lower edge
	middle      float64    // value in the middle
	unit        float64    // pixels for the number 1
}

func drawThermograph(p pen, t cgt.Thermograph, title string) ([]byte, error) {
	g := newGraph(p, t)
	g.heading(title)
	g.valueAxis()
	g.temperatureAxis()
	g.wall(t.Right, inkWhite)
	g.wall(t.Left, inkBlack)
	g.mast()
	return g.bytes()
}

// newGraph chooses a unit that leaves room around the walls, and above them for
// the mast. It begins where the text does: at 0, or for numbers at −1.
func newGraph(p pen, t cgt.Thermograph) *graph {
	g := &graph{pen: p, thermograph: t}
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

// mostTitle is how many characters of a position fit the picture.
const mostTitle = 56

// heading names the position, its numbers and the colours of the walls.
func (g *graph) heading(title string) {
	if runes := []rune(title); len(runes) > mostTitle {
		title = string(runes[:mostTitle]) + "…"
	}
	middle := frameLeft + frameWidth/2
	g.text(middle, 30, "middle", title, heading)
	t := g.thermograph
	g.text(middle, 54, "middle", fmt.Sprintf("mean %s, temperature %s", t.Mean(), t.Temperature()), label)
	g.key(middle-225, inkBlack, "left wall: Black moves first")
	g.key(middle+10, inkWhite, "right wall: White moves first")
}

// key explains a colour.
func (g *graph) key(x float64, ink, text string) {
	g.area([][2]float64{{x, 70}, {x + 22, 70}, {x + 22, 74}, {x, 74}}, ink)
	g.text(x+30, 77, "start", text, label)
}

// valueAxis is the lower edge, with a tick at every multiple of the step.
func (g *graph) valueAxis() {
	bottom := frameTop + frameHeight
	step := g.step()
	half := frameWidth / 2 / g.unit
	for v := multiple(g.middle-half, step); v.Float64() <= g.middle+half; v += step {
		g.line(g.x(v), frameTop, g.x(v), bottom, 1, inkGrid)
		g.text(g.x(v), bottom+20, "middle", v.String(), label)
	}
	g.line(frameLeft, bottom, frameLeft+frameWidth, bottom, 1, inkAxis)
	g.text(frameLeft+frameWidth/2, bottom+46, "middle", "← value", label)
}

// temperatureAxis is the left edge.
func (g *graph) temperatureAxis() {
	step := g.step()
	for t := multiple(g.base.Float64(), step); g.y(t) >= frameTop; t += step {
		g.line(frameLeft, g.y(t), frameLeft+frameWidth, g.y(t), 1, inkGrid)
		g.text(frameLeft-10, g.y(t)+5, "end", t.String(), label)
	}
	g.line(frameLeft, frameTop, frameLeft, frameTop+frameHeight, 1, inkAxis)
	g.text(22, frameTop+frameHeight/2, "middle", "temperature →", upright)
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

// wall draws what lies between the base and the mast.
func (g *graph) wall(w cgt.Wall, ink string) {
	points := [][2]float64{{g.x(w.At(g.base)), g.y(g.base)}}
	for _, c := range w {
		if c.At > g.base {
			points = append(points, [2]float64{g.x(c.Value), g.y(c.At)})
		}
	}
	g.path(points, 3, ink)
}

// mast goes on for ever, as its head says.
func (g *graph) mast() {
	t := g.thermograph
	x, y := g.x(t.Mean()), g.y(max(t.Temperature(), g.base))
	g.line(x, y, x, frameTop+12, 5, inkAxis)
	g.area([][2]float64{{x, frameTop - 2}, {x - 9, frameTop + 16}, {x + 9, frameTop + 16}}, inkAxis)
	g.text(x+14, frameTop+18, "start", "mast", label)
}
