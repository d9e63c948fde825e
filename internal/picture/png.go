package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
	"image/png"
	"io"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// pixels is how many a unit has, so that pictures are sharp on today's screens.
const pixels = 2.0

// PNG writes the picture in pixels.
func (b Board) PNG(w io.Writer) error {
	width, height := b.extent()
	p := &pixelPainter{context: gg.NewContext(int(width*pixels), int(height*pixels)), faces: map[face]font.Face{}}
	p.context.Scale(pixels, pixels)
	b.paint(p)
	if p.err != nil {
		return p.err
	}
	var file bytes.Buffer
	if err := png.Encode(&file, p.context.Image()); err != nil {
		return err
	}
	_, err := w.Write(signed(file.Bytes(), "tengen: "+b.title()))
	return err
}

// signed adds a title to a file, by which it is known again. It goes after the header,
// which has a fixed length.
func signed(file []byte, title string) []byte {
	const header = 8 + 25
	data := append([]byte("iTXtTitle\x00\x00\x00\x00\x00"), title...)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(data)-4))
	chunk = append(chunk, data...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(data))
	return append(append(file[:header:header], chunk...), file[header:]...)
}

type pixelPainter struct {
	context *gg.Context
	faces   map[face]font.Face // that have been used
	err     error
}

// face is a font in a size.
type face struct {
	bold bool
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

func (p *pixelPainter) line(x1, y1, x2, y2, width float64, c color.NRGBA) {
	p.context.SetRGBA255(int(c.R), int(c.G), int(c.B), int(c.A))
	p.context.SetLineWidth(width * pixels)
	p.context.DrawLine(x1, y1, x2, y2)
	p.context.Stroke()
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

func (p *pixelPainter) text(x, y, size float64, bold bool, c color.NRGBA, text string) {
	used, known := p.faces[face{bold, size}]
	if !known {
		ttf := goregular.TTF
		if bold {
			ttf = gobold.TTF
		}
		var err error
		if used, err = gg.LoadFontFaceFromBytes(ttf, size*pixels); err != nil {
			p.err = err
			return
		}
		p.faces[face{bold, size}] = used
	}
	p.context.SetFontFace(used)
	p.context.Push()
	p.context.Identity()
	p.context.SetRGBA255(int(c.R), int(c.G), int(c.B), int(c.A))
	p.context.DrawStringAnchored(text, x*pixels, (y+0.36*size)*pixels, 0.5, 0)
	p.context.Pop()
}
