package picture

import (
	"fmt"
	"image/color"
	"strings"
)

// encodeTikZ writes commands of TikZ, alone or in a document.
func encodeTikZ(d Drawing, document bool) []byte {
	_, height := d.extent()
	t := &tikz{height: height}
	d.paint(t)
	var out strings.Builder
	fmt.Fprintf(&out, "%% %s\n", strings.Join(strings.Fields(d.title()), " "))
	if document {
		out.WriteString("\\documentclass[tikz]{standalone}\n\\begin{document}\n")
	}
	out.WriteString("\\begin{tikzpicture}[line cap=butt,line join=round,font=\\sffamily]\n")
	out.WriteString(t.body.String())
	out.WriteString("\\end{tikzpicture}\n")
	if document {
		out.WriteString("\\end{document}\n")
	}
	return []byte(out.String())
}

// tikz has a unit of 1/60 cm, and its second coordinate grows upwards.
type tikz struct {
	height float64
	body   strings.Builder
}

const (
	unitsPerCentimetre = 60
	pointsPerUnit      = 72.27 / 2.54 / unitsPerCentimetre
)

func (t *tikz) printf(format string, args ...any) { fmt.Fprintf(&t.body, format+"\n", args...) }

func (t *tikz) at(x, y float64) string {
	return fmt.Sprintf("(%.3f,%.3f)", x/unitsPerCentimetre, (t.height-y)/unitsPerCentimetre)
}

func (t *tikz) joined(points [][2]float64) string {
	texts := make([]string, len(points))
	for i, p := range points {
		texts[i] = t.at(p[0], p[1])
	}
	return strings.Join(texts, " -- ")
}

// rgb is a colour for xcolor.
func rgb(c color.NRGBA) string {
	return fmt.Sprintf("{rgb,255:red,%d;green,%d;blue,%d}", c.R, c.G, c.B)
}

func (t *tikz) rect(x, y, w, h, radius float64, from, to color.NRGBA) {
	corners := fmt.Sprintf("rounded corners=%.2fpt", radius*pointsPerUnit)
	if from == to {
		t.printf("\\fill[color=%s,%s] %s rectangle %s;", rgb(from), corners, t.at(x, y), t.at(x+w, y+h))
		return
	}
	t.printf("\\shade[top color=%s,bottom color=%s,%s] %s rectangle %s;", rgb(from), rgb(to), corners, t.at(x, y), t.at(x+w, y+h))
}

func (t *tikz) path(points [][2]float64, width float64, c color.NRGBA) {
	t.printf("\\draw[color=%s,line width=%.2fpt] %s;", rgb(c), width*pointsPerUnit, t.joined(points))
}

func (t *tikz) area(points [][2]float64, c color.NRGBA) {
	t.printf("\\fill[color=%s] %s -- cycle;", rgb(c), t.joined(points))
}

func (t *tikz) disc(x, y, r float64, c color.NRGBA) {
	t.printf("\\fill[color=%s,opacity=%.2f] %s circle[radius=%.3f];", rgb(c), float64(c.A)/255, t.at(x, y), r/unitsPerCentimetre)
}

func (t *tikz) ball(x, y, r, opacity float64, light, dark color.NRGBA) {
	t.printf("\\shade[inner color=%s,outer color=%s,opacity=%.2f] %s circle[radius=%.3f];", rgb(light), rgb(dark), opacity, t.at(x, y), r/unitsPerCentimetre)
}

func (t *tikz) ring(x, y, r, width float64, c color.NRGBA) {
	t.printf("\\draw[color=%s,line width=%.2fpt] %s circle[radius=%.3f];", rgb(c), width*pointsPerUnit, t.at(x, y), r/unitsPerCentimetre)
}

func (t *tikz) text(x, y float64, text string, f font) {
	options := [...]string{middle: "mid", start: "mid west", end: "mid east"}[f.anchor]
	size := f.size * pointsPerUnit
	options = fmt.Sprintf("inner sep=0pt,anchor=%s,color=%s,font=%s\\fontsize{%.2f}{%.2f}\\selectfont", options, rgb(f.colour),
		[...]string{plain: "\\sffamily", bold: "\\sffamily\\bfseries", mono: "\\ttfamily"}[f.face], size, 1.2*size)
	if f.turned {
		options += ",rotate=90"
	}
	t.printf("\\node[%s] at %s {%s};", options, t.at(x, y), escapeTeX(text))
}

// escapeTeX escapes the characters of positions and games for TeX.
func escapeTeX(text string) string {
	return strings.NewReplacer(
		`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "^", `\^{}`, "_", `\_`, "#", `\#`, "$", `\$`, "%", `\%`, "&", `\&`, "~", `\~{}`,
		"|", `\textbar{}`, "<", `\textless{}`, ">", `\textgreater{}`, "*", `$\ast$`, "±", `$\pm$`, "·", `$\cdot$`, "↑", `$\uparrow$`, "↓", `$\downarrow$`,
		"←", `$\leftarrow$`, "→", `$\rightarrow$`, "…", `\dots{}`, "-", `$-$`, "−", `$-$`,
	).Replace(text)
}
