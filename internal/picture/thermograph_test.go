package picture

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/cgt"
	"tengen/internal/strip"
)

// Every thermograph of a short strip makes a well-formed drawing. Nothing lies
// outside it. The walls begin at the stops and end at the foot of the mast.
func TestThermographPictures(t *testing.T) {
	arena := cgt.New(cgt.Limits{})
	values := strip.NewValues(arena)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "points")
		s, err := strip.At(n, rapid.Uint64Range(0, strip.Count(n)-1).Draw(t, "code"))
		if err != nil {
			t.Fatal(err)
		}
		game, err := values.Of(s)
		if err != nil {
			t.Fatal(err)
		}
		title := s.String() + " <&>"
		drawn, err := Encode(Thermograph{title, arena.Thermograph(game)}, SVG)
		if err != nil {
			t.Fatal(err)
		}
		p := readPicture(t, string(drawn))
		right, left := p.walls[0], p.walls[1]
		last := func(w [][2]float64) [2]float64 { return w[len(w)-1] }
		if last(left) != last(right) || last(left) != p.mast {
			t.Errorf("%s: walls end at %v and %v, the mast begins at %v", s, last(left), last(right), p.mast)
		}
		if left[0][0] > right[0][0] {
			t.Errorf("%s: the left wall begins at %v, to the right of %v", s, left[0], right[0])
		}
		for _, x := range p.xs {
			if x < 0 || x > pictureWidth {
				t.Errorf("%s: %v is outside", s, x)
			}
		}
		for _, y := range p.ys {
			if y < 0 || y > pictureHeight {
				t.Errorf("%s: %v is outside", s, y)
			}
		}
	})
}

type drawing struct {
	xs, ys []float64
	walls  [][][2]float64
	mast   [2]float64
}

func readPicture(t *rapid.T, text string) (p drawing) {
	for decoder := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			return p
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if element, ok := token.(xml.StartElement); ok {
			p.add(t, element)
		}
	}
}

func (p *drawing) add(t *rapid.T, element xml.StartElement) {
	attributes := make(map[string]string)
	for _, a := range element.Attr {
		attributes[a.Name.Local] = a.Value
		switch a.Name.Local {
		case "x":
			p.xs = append(p.xs, parse(t, a.Value))
		case "y":
			p.ys = append(p.ys, parse(t, a.Value))
		}
	}
	var points [][2]float64
	for _, pair := range strings.Fields(attributes["points"]) {
		x, y, _ := strings.Cut(pair, ",")
		points = append(points, [2]float64{parse(t, x), parse(t, y)})
		p.xs, p.ys = append(p.xs, parse(t, x)), append(p.ys, parse(t, y))
	}
	switch attributes["stroke-width"] {
	case "3":
		p.walls = append(p.walls, points)
	case "5":
		p.mast = points[0]
	}
}

func parse(t *rapid.T, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
