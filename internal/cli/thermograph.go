package cli

import (
	"fmt"
	"html"
	"strings"

	"tengen/cgt"
	"tengen/internal/wholefile"
)

// writeThermograph draws a thermograph into an SVG file, which appears whole or
// not at all.
func writeThermograph(disk wholefile.Disk, path string, t cgt.Thermograph, title string) error {
	if err := disk.Write(path, []byte(drawThermograph(t, title))); err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
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

const (
	inkBlack = "#111"
	inkWhite = "#d55e00"
	inkAxis  = "#555"
	inkGrid  = "#e6e6e6"
)

// graph is a picture under way. As is the custom the temperature grows upwards
// and values grow to the left, in the same unit, so that walls lean by 45 degrees.
type graph struct {
	strings.Builder
	thermograph cgt.Thermograph
	base        cgt.Dyadic // temperature at the lower edge
	middle      float64    // value in the middle
	unit        float64    // pixels for the number 1
}

func drawThermograph(t cgt.Thermograph, title string) string {
	g := newGraph(t)
	g.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]g" height="%[2]g" viewBox="0 0 %[1]g %[2]g" font-family="Helvetica, Arial, sans-serif" font-size="14">`, pictureWidth, pictureHeight)
	g.printf(`<title>Thermograph of %s</title>`, html.EscapeString(title))
	g.printf(`<rect width="100%%" height="100%%" fill="#fff"/>`)
	g.heading(title)
	g.valueAxis()
	g.temperatureAxis()
	g.wall(t.Right, inkWhite)
	g.wall(t.Left, inkBlack)
	g.mast()
	g.printf(`</svg>`)
	return g.String()
}

// newGraph chooses a unit that leaves room around the walls, and above them for
// the mast. It begins where the text does: at 0, or for numbers at −1.
func newGraph(t cgt.Thermograph) *graph {
	g := &graph{thermograph: t}
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

func (g *graph) printf(format string, args ...any) { fmt.Fprintf(g, format+"\n", args...) }

func (g *graph) x(value cgt.Dyadic) float64 {
	return frameLeft + frameWidth/2 + (g.middle-value.Float64())*g.unit
}

func (g *graph) y(temperature cgt.Dyadic) float64 {
	return frameTop + frameHeight - (temperature-g.base).Float64()*g.unit
}

func (g *graph) line(x1, y1, x2, y2 float64, ink string) {
	g.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>`, x1, y1, x2, y2, ink)
}

func (g *graph) text(x, y float64, anchor, text string) {
	g.printf(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, html.EscapeString(text))
}

// mostTitle is how many characters of a position fit the picture.
const mostTitle = 56

// heading names the position, its numbers and the colours of the walls.
func (g *graph) heading(title string) {
	if runes := []rune(title); len(runes) > mostTitle {
		title = string(runes[:mostTitle]) + "…"
	}
	middle := frameLeft + frameWidth/2
	g.printf(`<text x="%.1f" y="30" text-anchor="middle" font-size="18" font-family="monospace" xml:space="preserve">%s</text>`, middle, html.EscapeString(title))
	t := g.thermograph
	g.text(middle, 54, "middle", fmt.Sprintf("mean %s, temperature %s", t.Mean(), t.Temperature()))
	g.printf(`<rect x="%.1f" y="70" width="22" height="4" fill="%s"/>`, middle-225, inkBlack)
	g.text(middle-195, 77, "start", "left wall: Black moves first")
	g.printf(`<rect x="%.1f" y="70" width="22" height="4" fill="%s"/>`, middle+10, inkWhite)
	g.text(middle+40, 77, "start", "right wall: White moves first")
}

// valueAxis is the lower edge, with a tick at every multiple of the step.
func (g *graph) valueAxis() {
	bottom := frameTop + frameHeight
	step := g.step()
	half := frameWidth / 2 / g.unit
	for v := multiple(g.middle-half, step); v.Float64() <= g.middle+half; v += step {
		g.line(g.x(v), frameTop, g.x(v), bottom, inkGrid)
		g.text(g.x(v), bottom+20, "middle", v.String())
	}
	g.line(frameLeft, bottom, frameLeft+frameWidth, bottom, inkAxis)
	g.text(frameLeft+frameWidth/2, bottom+46, "middle", "← value")
}

// temperatureAxis is the left edge.
func (g *graph) temperatureAxis() {
	step := g.step()
	for t := multiple(g.base.Float64(), step); g.y(t) >= frameTop; t += step {
		g.line(frameLeft, g.y(t), frameLeft+frameWidth, g.y(t), inkGrid)
		g.text(frameLeft-10, g.y(t)+5, "end", t.String())
	}
	g.line(frameLeft, frameTop, frameLeft, frameTop+frameHeight, inkAxis)
	g.printf(`<text transform="translate(22 %.1f) rotate(-90)" text-anchor="middle">temperature →</text>`, frameTop+frameHeight/2)
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
	points := fmt.Sprintf("%.1f,%.1f", g.x(w.At(g.base)), g.y(g.base))
	for _, c := range w {
		if c.At > g.base {
			points += fmt.Sprintf(" %.1f,%.1f", g.x(c.Value), g.y(c.At))
		}
	}
	g.printf(`<polyline points="%s" fill="none" stroke="%s" stroke-width="3" stroke-linejoin="round"/>`, points, ink)
}

// mast goes on for ever, as its head says.
func (g *graph) mast() {
	t := g.thermograph
	x, y := g.x(t.Mean()), g.y(max(t.Temperature(), g.base))
	g.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="5"/>`, x, y, x, frameTop+12, inkAxis)
	g.printf(`<polygon points="%.1f,%.1f %.1f,%.1f %.1f,%.1f" fill="%s"/>`, x, frameTop-2, x-9, frameTop+16, x+9, frameTop+16, inkAxis)
	g.text(x+14, frameTop+18, "start", "mast")
}
