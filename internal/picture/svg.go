package picture

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"strings"
)

func encodeSVG(d Drawing) []byte {
	s := &svg{gradients: map[string]string{}}
	d.paint(s)
	width, height := d.extent()
	var out bytes.Buffer
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\" font-family=\"DejaVu Sans, Verdana, Helvetica, sans-serif\">\n",
		number(width), number(height), number(width), number(height))
	fmt.Fprintf(&out, "<title>%s</title>\n", html.EscapeString(d.title()))
	fmt.Fprintf(&out, "<defs>\n%s</defs>\n%s</svg>\n", s.definitions.String(), s.body.String())
	return out.Bytes()
}

type svg struct {
	definitions, body strings.Builder
	gradients         map[string]string // ids by definition
}

// number writes a length without needless digits.
func number(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
}

// hex is a colour as SVG writes it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// gradient returns the id of a definition, which is written only once.
func (s *svg) gradient(definition string) string {
	if id, known := s.gradients[definition]; known {
		return id
	}
	id := fmt.Sprintf("g%d", len(s.gradients))
	s.gradients[definition] = id
	fmt.Fprintf(&s.definitions, definition+"\n", id)
	return id
}

func (s *svg) rect(x, y, w, h, radius float64, from, to color.NRGBA) {
	fill := hex(from)
	if from != to {
		fill = "url(#" + s.gradient(fmt.Sprintf("<linearGradient id=\"%%s\" x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\"><stop offset=\"0\" stop-color=\"%s\"/><stop offset=\"1\" stop-color=\"%s\"/></linearGradient>", hex(from), hex(to))) + ")"
	}
	fmt.Fprintf(&s.body, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\" fill=\"%s\"/>\n", number(x), number(y), number(w), number(h), number(radius), fill)
}

func (s *svg) path(points [][2]float64, width float64, c color.NRGBA) {
	fmt.Fprintf(&s.body, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linejoin=\"round\"/>\n", pairs(points), hex(c), number(width))
}

func (s *svg) area(points [][2]float64, c color.NRGBA) {
	fmt.Fprintf(&s.body, "<polygon points=\"%s\" fill=\"%s\"/>\n", pairs(points), hex(c))
}

func pairs(points [][2]float64) string {
	texts := make([]string, len(points))
	for i, p := range points {
		texts[i] = number(p[0]) + "," + number(p[1])
	}
	return strings.Join(texts, " ")
}

func (s *svg) disc(x, y, r float64, c color.NRGBA) {
	opacity := ""
	if c.A != 0xff {
		opacity = fmt.Sprintf(" fill-opacity=\"%s\"", number(float64(c.A)/255))
	}
	fmt.Fprintf(&s.body, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\"%s/>\n", number(x), number(y), number(r), hex(c), opacity)
}

func (s *svg) ball(x, y, r, opacity float64, light, dark color.NRGBA) {
	id := s.gradient(fmt.Sprintf("<radialGradient id=\"%%s\" cx=\"0.35\" cy=\"0.3\" r=\"0.75\"><stop offset=\"0\" stop-color=\"%s\"/><stop offset=\"1\" stop-color=\"%s\"/></radialGradient>", hex(light), hex(dark)))
	fade := ""
	if opacity < 1 {
		fade = fmt.Sprintf(" opacity=\"%s\"", number(opacity))
	}
	fmt.Fprintf(&s.body, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"url(#%s)\"%s/>\n", number(x), number(y), number(r), id, fade)
}

func (s *svg) ring(x, y, r, width float64, c color.NRGBA) {
	fmt.Fprintf(&s.body, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"/>\n", number(x), number(y), number(r), hex(c), number(width))
}

func (s *svg) text(x, y float64, text string, f font) {
	var style strings.Builder
	switch f.face {
	case bold:
		style.WriteString(` font-weight="bold"`)
	case mono:
		style.WriteString(` font-family="monospace" xml:space="preserve"`)
	}
	// Some viewers do not support dominant-baseline.
	down := capitals * f.size
	if f.turned {
		fmt.Fprintf(&style, ` transform="rotate(-90 %s %s)"`, number(x+down), number(y))
		x, down = x+down, 0
	}
	fmt.Fprintf(&s.body, "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" font-size=\"%s\"%s fill=\"%s\">%s</text>\n",
		number(x), number(y+down), [...]string{middle: "middle", start: "start", end: "end"}[f.anchor], number(f.size), style.String(), hex(f.colour), html.EscapeString(text))
}
