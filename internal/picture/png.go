package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
	"image/png"
	"math"

	"git.sr.ht/~sbinet/gg"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// pixels is the number of pixels of a unit. Two keep pictures sharp on today's
// screens.
const pixels = 2.0

func encodePNG(d Drawing) ([]byte, error) {
	width, height := d.extent()
	p := &pixelPainter{context: gg.NewContext(int(width*pixels), int(height*pixels)), faces: map[sized]xfont.Face{}}
	p.context.Scale(pixels, pixels)
	d.paint(p)
	if p.err != nil {
		return nil, p.err
	}
	var file bytes.Buffer
	if err := png.Encode(&file, p.context.Image()); err != nil {
		return nil, err
	}
	return titled(file.Bytes(), d.title()), nil
}

// pngTitle is the type of a text chunk and its keyword.
const pngTitle = "iTXtTitle\x00\x00\x00\x00\x00"

// titled adds a title to a file. The title goes after the header, which has a fixed
// length.
func titled(file []byte, title string) []byte {
	const header = 8 + 25
	data := []byte(pngTitle + title)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(data)-4))
	chunk = append(chunk, data...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(data))
	return append(append(file[:header:header], chunk...), file[header:]...)
}

type pixelPainter struct {
	context *gg.Context
	faces   map[sized]xfont.Face // those used so far
	err     error
}

// sized is a face in a size.
type sized struct {
	face face
	size float64
}

func (p *pixelPainter) fill(c color.NRGBA) {
	p.context.SetRGBA255(int(c.R), int(c.G), int(c.B), int(c.A))
	p.context.Fill()
}

func (p *pixelPainter) rect(x, y, w, h, radius float64, from, to color.NRGBA) {
	p.context.DrawRoundedRectangle(x, y, w, h, radius)
	if from == to {
		p.fill(from)
		return
	}
	// Gradients are given in pixels.
	gradient := gg.NewLinearGradient(x*pixels, y*pixels, (x+w)*pixels, (y+h)*pixels)
	gradient.AddColorStop(0, from)
	gradient.AddColorStop(1, to)
	p.context.SetFillStyle(gradient)
	p.context.Fill()
}

func (p *pixelPainter) trace(points [][2]float64) {
	for _, q := range points {
		p.context.LineTo(q[0], q[1])
	}
}

func (p *pixelPainter) path(points [][2]float64, width float64, c color.NRGBA) {
	p.trace(points)
	p.context.SetRGBA255(int(c.R), int(c.G), int(c.B), int(c.A))
	p.context.SetLineWidth(width * pixels)
	p.context.Stroke()
}

func (p *pixelPainter) area(points [][2]float64, c color.NRGBA) {
	p.trace(points)
	p.context.ClosePath()
	p.fill(c)
}

func (p *pixelPainter) disc(x, y, r float64, c color.NRGBA) {
	p.context.DrawCircle(x, y, r)
	p.fill(c)
}

func (p *pixelPainter) ball(x, y, r, opacity float64, light, dark color.NRGBA) {
	// As in SVG: the light falls on 0.35 of the width and 0.3 of the height.
	fx, fy := (x-0.3*r)*pixels, (y-0.4*r)*pixels
	light.A, dark.A = uint8(255*opacity), uint8(255*opacity)
	gradient := gg.NewRadialGradient(fx, fy, 0, fx, fy, 1.5*r*pixels)
	gradient.AddColorStop(0, light)
	gradient.AddColorStop(1, dark)
	p.context.DrawCircle(x, y, r)
	p.context.SetFillStyle(gradient)
	p.context.Fill()
}

func (p *pixelPainter) ring(x, y, r, width float64, c color.NRGBA) {
	p.context.SetRGBA255(int(c.R), int(c.G), int(c.B), int(c.A))
	p.context.SetLineWidth(width * pixels)
	p.context.DrawCircle(x, y, r)
	p.context.Stroke()
}

func (p *pixelPainter) text(x, y float64, text string, f font) {
	key := sized{f.face, f.size}
	used, known := p.faces[key]
	if !known {
		ttf := [...][]byte{plain: goregular.TTF, bold: gobold.TTF, mono: gomono.TTF}[f.face]
		var err error
		if used, err = gg.LoadFontFaceFromBytes(ttf, f.size*pixels); err != nil {
			p.err = err
			return
		}
		p.faces[key] = used
	}
	c := f.colour
	p.context.SetFontFace(used)
	p.context.Push()
	p.context.Identity()
	p.context.SetRGBA255(int(c.R), int(c.G), int(c.B), int(c.A))
	if f.turned {
		p.context.RotateAbout(-math.Pi/2, x*pixels, y*pixels)
	}
	p.context.DrawStringAnchored(text, x*pixels, (y+capitals*f.size)*pixels, [...]float64{middle: 0.5, start: 0, end: 1}[f.anchor], 0)
	p.context.Pop()
}
