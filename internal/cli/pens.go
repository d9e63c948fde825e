package cli

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"html"
	"image/color"
	"image/png"
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// svg writes elements.
type svg struct{ strings.Builder }

func newSVG(title string) pen {
	s := new(svg)
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]g" height="%[2]g" viewBox="0 0 %[1]g %[2]g" font-family="Helvetica, Arial, sans-serif" font-size="14">`, pictureWidth, pictureHeight)
	s.printf(`<title>Thermograph of %s</title>`, html.EscapeString(title))
	s.printf(`<rect width="100%%" height="100%%" fill="#fff"/>`)
	return s
}

func (s *svg) printf(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

func (s *svg) line(x1, y1, x2, y2, width float64, ink string) {
	s.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="%g"/>`, x1, y1, x2, y2, ink, width)
}

func (s *svg) path(points [][2]float64, width float64, ink string) {
	s.printf(`<polyline points="%s" fill="none" stroke="%s" stroke-width="%g" stroke-linejoin="round"/>`, pairs(points), ink, width)
}

func (s *svg) area(points [][2]float64, ink string) {
	s.printf(`<polygon points="%s" fill="%s"/>`, pairs(points), ink)
}

func pairs(points [][2]float64) string {
	texts := make([]string, len(points))
	for i, p := range points {
		texts[i] = fmt.Sprintf("%.1f,%.1f", p[0], p[1])
	}
	return strings.Join(texts, " ")
}

func (s *svg) text(x, y float64, anchor, text string, style lettering) {
	text = html.EscapeString(text)
	switch style {
	case heading:
		s.printf(`<text x="%.1f" y="%.1f" text-anchor="%s" font-size="18" font-family="monospace" xml:space="preserve">%s</text>`, x, y, anchor, text)
	case upright:
		s.printf(`<text transform="translate(%.1f %.1f) rotate(-90)" text-anchor="%s">%s</text>`, x, y, anchor, text)
	default:
		s.printf(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, text)
	}
}

func (s *svg) bytes() ([]byte, error) {
	s.printf(`</svg>`)
	return []byte(s.String()), nil
}

// tikz writes commands of TikZ, alone or in a document. A pixel is 1/60 cm, and the second
// coordinate grows upwards.
type tikz struct {
	strings.Builder
	document bool
}

const pixelsPerCentimetre = 60

func newTikZ(title string, document bool) pen {
	t := &tikz{document: document}
	fmt.Fprintf(t, "%% Thermograph of %s\n", oneLine(title))
	if document {
		t.WriteString("\\documentclass[tikz]{standalone}\n\\begin{document}\n")
	}
	for _, ink := range []string{inkBlack, inkWhite, inkAxis, inkGrid} {
		c := inkColour(ink)
		fmt.Fprintf(t, "\\definecolor{%s}{RGB}{%d,%d,%d}\n", inkName(ink), c.R, c.G, c.B)
	}
	t.WriteString("\\begin{tikzpicture}[line cap=butt,line join=round,font=\\sffamily\\footnotesize]\n")
	return t
}

// inkName is a name of letters for a colour.
func inkName(ink string) string {
	return map[string]string{inkBlack: "leftwall", inkWhite: "rightwall", inkAxis: "axis", inkGrid: "grid"}[ink]
}

func (t *tikz) at(x, y float64) string {
	return fmt.Sprintf("(%.3f,%.3f)", x/pixelsPerCentimetre, (pictureHeight-y)/pixelsPerCentimetre)
}

func (t *tikz) joined(points [][2]float64) string {
	texts := make([]string, len(points))
	for i, p := range points {
		texts[i] = t.at(p[0], p[1])
	}
	return strings.Join(texts, " -- ")
}

func (t *tikz) line(x1, y1, x2, y2, width float64, ink string) {
	t.path([][2]float64{{x1, y1}, {x2, y2}}, width, ink)
}

func (t *tikz) path(points [][2]float64, width float64, ink string) {
	fmt.Fprintf(t, "\\draw[%s,line width=%.2fpt] %s;\n", inkName(ink), width*0.4, t.joined(points))
}

func (t *tikz) area(points [][2]float64, ink string) {
	fmt.Fprintf(t, "\\fill[%s] %s -- cycle;\n", inkName(ink), t.joined(points))
}

func (t *tikz) text(x, y float64, anchor, text string, style lettering) {
	options := map[string]string{"start": "base west", "middle": "base", "end": "base east"}[anchor]
	options = "inner sep=0pt,anchor=" + options
	switch style {
	case heading:
		options += ",font=\\ttfamily\\small"
	case upright:
		options += ",rotate=90"
	}
	fmt.Fprintf(t, "\\node[%s] at %s {%s};\n", options, t.at(x, y), escapeTeX(text))
}

// escapeTeX writes the signs of positions and games so that TeX prints them.
func escapeTeX(text string) string {
	return strings.NewReplacer(
		`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "^", `\^{}`, "_", `\_`, "#", `\#`, "$", `\$`, "%", `\%`, "&", `\&`, "~", `\~{}`,
		"|", `\textbar{}`, "<", `\textless{}`, ">", `\textgreater{}`, "*", `$\ast$`, "±", `$\pm$`, "·", `$\cdot$`, "↑", `$\uparrow$`, "↓", `$\downarrow$`,
		"←", `$\leftarrow$`, "→", `$\rightarrow$`, "…", `\dots{}`, "-", `$-$`, "−", `$-$`,
	).Replace(text)
}

func (t *tikz) bytes() ([]byte, error) {
	t.WriteString("\\end{tikzpicture}\n")
	if t.document {
		t.WriteString("\\end{document}\n")
	}
	return []byte(t.String()), nil
}

// raster draws points.
type raster struct {
	canvas *vgimg.Canvas
	fonts  *font.Cache
	title  string
}

// dotsPerPixel makes pictures sharp on paper and on fine screens.
const dotsPerPixel = 2

func newPNG(title string) pen {
	const pointsPerInch = 72 // and a point of the canvas is a pixel
	canvas := vgimg.NewWith(vgimg.UseWH(vg.Length(pictureWidth), vg.Length(pictureHeight)), vgimg.UseDPI(pointsPerInch*dotsPerPixel))
	return &raster{canvas, font.NewCache(liberation.Collection()), title}
}

// up turns a height around: those of the canvas grow upwards.
func up(y float64) vg.Length { return vg.Length(pictureHeight - y) }

func (r *raster) outline(points [][2]float64) (path vg.Path) {
	for i, p := range points {
		at := vg.Point{X: vg.Length(p[0]), Y: up(p[1])}
		if i == 0 {
			path.Move(at)
		} else {
			path.Line(at)
		}
	}
	return path
}

func (r *raster) line(x1, y1, x2, y2, width float64, ink string) {
	r.path([][2]float64{{x1, y1}, {x2, y2}}, width, ink)
}

func (r *raster) path(points [][2]float64, width float64, ink string) {
	r.canvas.SetColor(inkColour(ink))
	r.canvas.SetLineWidth(vg.Length(width))
	r.canvas.Stroke(r.outline(points))
}

func (r *raster) area(points [][2]float64, ink string) {
	r.canvas.SetColor(inkColour(ink))
	path := r.outline(points)
	path.Close()
	r.canvas.Fill(path)
}

func (r *raster) text(x, y float64, anchor, words string, style lettering) {
	face := font.Font{Typeface: "Liberation", Variant: "Sans", Size: 14}
	if style == heading {
		face = font.Font{Typeface: "Liberation", Variant: "Mono", Size: 18}
	}
	sty := text.Style{
		Color: color.Black, Font: face, Handler: text.Plain{Fonts: r.fonts},
		XAlign: map[string]text.XAlignment{"start": text.XLeft, "middle": text.XCenter, "end": text.XRight}[anchor],
		YAlign: text.YBottom,
	}
	if style == upright {
		sty.Rotation = math.Pi / 2
	}
	// The text is aligned by its lowest line; the letters stand a little above it.
	below := face.Size * 0.22
	at := vg.Point{X: vg.Length(x), Y: up(y) - below}
	if style == upright {
		at = vg.Point{X: vg.Length(x) + below, Y: up(y)}
	}
	whole := draw.New(r.canvas)
	whole.FillText(sty, at, words)
}

// bytes are a PNG with its title in a chunk of text, by which it is known again.
func (r *raster) bytes() ([]byte, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, r.canvas.Image()); err != nil {
		return nil, err
	}
	const headerEnd = 8 + 25 // the signature and the first chunk
	chunk := []byte("tEXtTitle\x00" + pngTitle + latin1(r.title))
	data := append([]byte{}, b.Bytes()[:headerEnd]...)
	data = binary.BigEndian.AppendUint32(data, uint32(len(chunk)-4))
	data = append(data, chunk...)
	data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(chunk))
	return append(data, b.Bytes()[headerEnd:]...), nil
}

const pngTitle = "Thermograph of "

// latin1 is a text in the signs that a chunk of text may have.
func latin1(words string) string {
	var b []byte
	for _, r := range words {
		if r < 32 || r > 255 {
			r = '?'
		}
		b = append(b, byte(r))
	}
	return string(b)
}

// inkColour reads #rgb and #rrggbb.
func inkColour(ink string) color.RGBA {
	digits := strings.TrimPrefix(ink, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	c := color.RGBA{A: 255}
	fmt.Sscanf(digits, "%02x%02x%02x", &c.R, &c.G, &c.B)
	return c
}
