package picture

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"strings"
)

// SVG writes the picture as a drawing that scales.
func (b Board) SVG(w io.Writer) error {
	s := &svg{gradients: map[string]string{}}
	b.paint(s)
	width, height := b.extent()
	var out bytes.Buffer
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\" font-family=\"DejaVu Sans, Verdana, Helvetica, sans-serif\" text-anchor=\"middle\">\n",
		number(width), number(height), number(width), number(height))
	fmt.Fprintf(&out, "<title>tengen: %s</title>\n", html.EscapeString(b.title()))
	fmt.Fprintf(&out, "<defs>\n%s</defs>\n%s</svg>\n", s.definitions.String(), s.body.String())
	_, err := w.Write(out.Bytes())
	return err
}

// title is for readers that cannot see.
func (b Board) title() string {
	line := b.Size.Line(b.Stones)
	if b.Caption == "" {
		return line
	}
	return line + ", " + b.Caption
}

type svg struct {
	definitions, body strings.Builder
	gradients         map[string]string // ids by definition
}

// number writes a length without needless digits.
func number(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
}

// gradient names a definition, which is written once.
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

func (s *svg) line(x1, y1, x2, y2, width float64, c color.NRGBA) {
	fmt.Fprintf(&s.body, "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\" stroke-width=\"%s\" stroke-linecap=\"round\"/>\n",
		number(x1), number(y1), number(x2), number(y2), hex(c), number(width))
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

func (s *svg) text(x, y, size float64, bold bool, c color.NRGBA, text string) {
	weight := ""
	if bold {
		weight = " font-weight=\"bold\""
	}
	// Not every reader knows dominant-baseline: the middle of capitals is 0.36 of the size
	// above the line.
	fmt.Fprintf(&s.body, "<text x=\"%s\" y=\"%s\" font-size=\"%s\"%s fill=\"%s\">%s</text>\n",
		number(x), number(y+0.36*size), number(size), weight, hex(c), html.EscapeString(text))
}
