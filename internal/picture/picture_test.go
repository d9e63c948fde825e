package picture

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"strings"
	"testing"

	"tengen/board"
)

func example(t *testing.T, size string) Board {
	t.Helper()
	s, err := board.ParseSize(size)
	if err != nil {
		t.Fatal(err)
	}
	b := Board{Size: s, Last: s.At(0, 0), ToPlay: board.White, Caption: "Black & <White>"}
	b.Stones[board.Black].Add(s.At(0, 0))
	if s.Points() > 3 {
		points := s.All()
		b.Marks = map[board.Point]Mark{points[1]: {"−12", Bad}, points[2]: {"+", Good}}
		b.Line = []board.Point{points[2], board.NoPoint, points[3], points[2]}
	}
	return b
}

// Pictures of all sizes can be read by others, are alike from run to run, and have on
// them what was asked for.
func TestPictures(t *testing.T) {
	for _, size := range []string{"1x1", "1x20", "20x1", "3x5", "19x19"} {
		b := example(t, size)
		var first, again, pixels bytes.Buffer
		if err := b.SVG(&first); err != nil {
			t.Fatal(err)
		}
		if err := b.SVG(&again); err != nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
			t.Errorf("%s: a second drawing differs: %v", size, err)
		}
		for d := xml.NewDecoder(&again); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", size, err)
			}
		}
		if !strings.Contains(first.String(), "Black &amp; &lt;White&gt;") {
			t.Errorf("%s: there is no caption", size)
		}
		if len(b.Marks) > 0 && !strings.Contains(first.String(), ">−12<") {
			t.Errorf("%s: a mark is missing", size)
		}
		if size == "19x19" {
			continue // takes long in pixels, and is like the others
		}
		if err := b.PNG(&pixels); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(pixels.Bytes(), []byte("tengen: ")) {
			t.Errorf("%s: the file is not signed", size)
		}
		width, height := b.extent()
		if img, err := png.Decode(&pixels); err != nil || img.Bounds().Dx() != int(2*width) || img.Bounds().Dy() != int(2*height) {
			t.Errorf("%s: %v", size, err)
		}
	}
}
