// Package picture draws boards and thermographs, as SVG, as PNG and for TeX.
//
// A drawing is described once, as a list of simple shapes. Each form has a painter that
// paints the shapes. The package knows no rules and no results: the caller passes
// everything that is drawn.
package picture

import (
	"image/color"
	"path/filepath"
	"strings"
)

// Drawing can be painted: a Board or a Thermograph.
type Drawing interface {
	title() string // for screen readers, and to recognise the file
	extent() (width, height float64)
	paint(to painter)
}

// Form is a file format, named by the ending of its file names.
type Form string

// The forms: a drawing that scales, pixels, a TeX document, and TikZ commands to include in
// one.
const (
	SVG  Form = ".svg"
	PNG  Form = ".png"
	TeX  Form = ".tex"
	TikZ Form = ".tikz"
)

// FormOf finds the form of a file by its name.
func FormOf(path string) (form Form, ok bool) {
	form = Form(strings.ToLower(filepath.Ext(path)))
	return form, form == SVG || form == PNG || form == TeX || form == TikZ
}

// Encode paints a drawing.
func Encode(d Drawing, f Form) ([]byte, error) {
	switch f {
	case PNG:
		return encodePNG(d)
	case TeX, TikZ:
		return encodeTikZ(d, f == TeX), nil
	}
	return encodeSVG(d), nil
}

// Marks are the texts by which a file of a form is recognised if its title begins with
// title. The file begins with the first text. The others stand near the beginning.
func Marks(f Form, title string) (first string, near []string) {
	switch f {
	case PNG:
		return "\x89PNG\r\n\x1a\n", []string{pngTitle + title}
	case TeX, TikZ:
		return "% " + title, []string{"\\begin{tikzpicture}"}
	}
	return `<svg xmlns="http://www.w3.org/2000/svg"`, []string{"\n<title>" + title}
}

// painter paints shapes. Coordinates are measured from the upper left corner.
type painter interface {
	// rect draws a rectangle, filled with one colour or with a gradient from the top left
	// to the bottom right.
	rect(x, y, w, h, radius float64, from, to color.NRGBA)
	// path draws a line through points.
	path(points [][2]float64, width float64, c color.NRGBA)
	// area draws a filled polygon.
	area(points [][2]float64, c color.NRGBA)
	disc(x, y, r float64, c color.NRGBA)
	// ball draws a disc that is lit from the top left.
	ball(x, y, r, opacity float64, light, dark color.NRGBA)
	ring(x, y, r, width float64, c color.NRGBA)
	// text writes a text so that the middle of its capital letters is at y.
	text(x, y float64, text string, f font)
}

// font is the style of a text.
type font struct {
	size   float64
	face   face
	anchor anchor
	turned bool // by 90 degrees to the left
	colour color.NRGBA
}

type face uint8

const (
	plain face = iota
	bold
	mono // letters of one width
)

// anchor is the part of a text that is at its x.
type anchor uint8

const (
	middle anchor = iota
	start
	end
)

// capitals is the height of the middle of capital letters above the base line, as a part of
// the font size.
const capitals = 0.36
