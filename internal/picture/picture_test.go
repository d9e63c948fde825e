package picture

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"strings"
	"testing"

	"tengen/board"
	"tengen/cgt"
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

func encode(t *testing.T, d Drawing, f Form) []byte {
	t.Helper()
	data, err := Encode(d, f)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Files of every form are recognised by their marks, and a board is not taken for a
// thermograph.
func TestFilesAreKnownAgain(t *testing.T) {
	arena := cgt.New(cgt.Limits{})
	one, err := arena.Integer(1)
	if err != nil {
		t.Fatal(err)
	}
	drawings := map[string]Drawing{
		BoardTitle:       example(t, "3x5"),
		ThermographTitle: Thermograph{Of: "1", Walls: arena.Thermograph(one)},
	}
	for _, f := range []Form{SVG, PNG, TeX, TikZ} {
		for title, d := range drawings {
			file := string(encode(t, d, f))
			for other := range drawings {
				first, near := Marks(f, other)
				known := strings.HasPrefix(file, first)
				for _, mark := range near {
					known = known && strings.Contains(file, mark)
				}
				if known != (title == other) {
					t.Errorf("%s of %q: known as %q is %v", f, title, other, known)
				}
			}
		}
	}
}

// Pictures of all sizes can be read by other programs, are the same in every run, and
// show what was asked for.
func TestPictures(t *testing.T) {
	for _, size := range []string{"1x1", "1x20", "20x1", "3x5", "19x19"} {
		b := example(t, size)
		first, again := encode(t, b, SVG), encode(t, b, SVG)
		if !bytes.Equal(first, again) {
			t.Errorf("%s: a second drawing differs", size)
		}
		for d := xml.NewDecoder(bytes.NewReader(again)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", size, err)
			}
		}
		if !strings.Contains(string(first), "Black &amp; &lt;White&gt;") {
			t.Errorf("%s: there is no caption", size)
		}
		if len(b.Marks) > 0 && !strings.Contains(string(first), ">−12<") {
			t.Errorf("%s: a mark is missing", size)
		}
		if size == "19x19" {
			continue // slow in pixels, and like the others
		}
		pixels := encode(t, b, PNG)
		width, height := b.extent()
		if img, err := png.Decode(bytes.NewReader(pixels)); err != nil || img.Bounds().Dx() != int(2*width) || img.Bounds().Dy() != int(2*height) {
			t.Errorf("%s: %v", size, err)
		}
	}
}
