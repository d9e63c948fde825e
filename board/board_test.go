package board_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/board"
)

// sizes covers squares, rectangles both ways, lines and the limits.
var sizes = []board.Size{
	{Rows: 1, Cols: 1},
	{Rows: 1, Cols: 2},
	{Rows: 2, Cols: 1},
	{Rows: 1, Cols: 9},
	{Rows: 9, Cols: 1},
	{Rows: 2, Cols: 5},
	{Rows: 3, Cols: 3},
	{Rows: 4, Cols: 5},
	{Rows: 5, Cols: 4},
	{Rows: 7, Cols: 8},
	{Rows: 8, Cols: 7},
	{Rows: 9, Cols: 9},
	{Rows: 19, Cols: 19},
	{Rows: 19, Cols: 1},
	{Rows: 1, Cols: 63},
}

func TestPointsOfEverySize(t *testing.T) {
	for _, size := range sizes {
		seen := map[board.Point]bool{}
		for _, p := range size.All() {
			if !size.Contains(p) || seen[p] {
				t.Fatalf("%v: point %d is listed twice or is not on the board", size, p)
			}
			seen[p] = true
			if size.At(size.Row(p), size.Col(p)) != p {
				t.Errorf("%v: row and column of %d do not lead back to it", size, p)
			}
		}
		if len(seen) != size.Points() || size.Mask().Len() != size.Points() {
			t.Errorf("%v has %d points, lists %d and masks %d", size, size.Points(), len(seen), size.Mask().Len())
		}
		if size.Contains(board.NoPoint) || size.Contains(size.At(0, size.Cols)) || size.Contains(board.Point(size.Cells())) {
			t.Errorf("%v contains padding", size)
		}
	}
}

func TestNeighboursAreOneStepAway(t *testing.T) {
	for _, size := range sizes {
		for _, p := range size.All() {
			want := 0
			for _, q := range size.All() {
				dr, dc := size.Row(p)-size.Row(q), size.Col(p)-size.Col(q)
				if dr*dr+dc*dc == 1 {
					want++
				}
			}
			list := size.Neighbours(p)
			if len(list) != want {
				t.Errorf("%v %s has %d neighbours, want %d", size, size.Name(p), len(list), want)
			}
			for _, q := range list {
				dr, dc := size.Row(p)-size.Row(q), size.Col(p)-size.Col(q)
				if dr*dr+dc*dc != 1 {
					t.Errorf("%v: %s is not next to %s", size, size.Name(q), size.Name(p))
				}
			}
		}
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]board.Size{"4x5": {Rows: 4, Cols: 5}, "1X63": {Rows: 1, Cols: 63}, "63x1": {Rows: 63, Cols: 1}, "19x19": {Rows: 19, Cols: 19}} {
		if got, err := board.ParseSize(text); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %v, %v", text, got, err)
		}
	}
	for text, sentence := range map[string]string{
		"":                       "is not ROWSxCOLS",
		"4":                      "is not ROWSxCOLS",
		"4x":                     "is not ROWSxCOLS",
		"4x5x6":                  "is not ROWSxCOLS",
		"axb":                    "is not ROWSxCOLS",
		"0x5":                    "has no points",
		"-1x5":                   "has no points",
		"20x20":                  "is too large",
		"1x64":                   "is too large",
		"2x20":                   "is too large",
		"20x2":                   "is too large",
		"64x1":                   "is too large",
		"99999999999999999999x1": "is not ROWSxCOLS",
	} {
		_, err := board.ParseSize(text)
		if err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("ParseSize(%q): %v, want a sentence with %q", text, err, sentence)
		}
	}
}

// The zero value is not a board, but it can be drawn and asked, as in a message of a program.
func TestNoBoard(t *testing.T) {
	var none board.Size
	if got := none.Diagram(board.Stones{}); strings.TrimSpace(got) != "" {
		t.Errorf("drawn as %q", got)
	}
	if p, err := none.ParsePoint("A1"); err == nil {
		t.Errorf("A1 is %d", p)
	}
}

func TestPointNames(t *testing.T) {
	for _, size := range sizes {
		for _, p := range size.All() {
			name := size.Name(p)
			if strings.Contains(name, "I") {
				t.Errorf("%v: point %s uses the letter I", size, name)
			}
			if got, err := size.ParsePoint(strings.ToLower(name)); err != nil || got != p {
				t.Errorf("%v: %s reads back as %v, %v", size, name, got, err)
			}
		}
	}
	row := board.Size{Rows: 1, Cols: 62}
	for col, want := range map[int]string{0: "A1", 24: "Z1", 25: "AA1", 49: "ZZ1", 50: "AAA1", 61: "MMM1"} {
		if got := row.Name(row.At(0, col)); got != want {
			t.Errorf("column %d is %s, not %s", col+1, got, want)
		}
	}
	nine := board.Size{Rows: 9, Cols: 9}
	if got := nine.Name(nine.At(2, 8)); got != "J3" {
		t.Errorf("the ninth column is J, got %s", got)
	}
	for _, bad := range []string{"", "A", "3", "I3", "A0", "K1", "A10", "AB1", "A-1", "3A", "Ä1", "A99999999999999999999"} {
		if p, err := nine.ParsePoint(bad); err == nil {
			t.Errorf("point %q reads as %s", bad, nine.Name(p))
		}
	}
	_, err := nine.ParsePoints("A1 B2, I3")
	if err == nil || !strings.Contains(err.Error(), "move 3") {
		t.Errorf("a bad third move should be called move 3: %v", err)
	}
}

func TestParseColour(t *testing.T) {
	for text, want := range map[string]board.Colour{"b": board.Black, "Black": board.Black, "w": board.White, "WHITE": board.White} {
		if got, err := board.ParseColour(text); err != nil || got != want {
			t.Errorf("ParseColour(%q) = %v, %v", text, got, err)
		}
	}
	if _, err := board.ParseColour("green"); err == nil {
		t.Error("green is a colour")
	}
}

func TestDiagramErrorsNameRowAndColumn(t *testing.T) {
	for text, sentence := range map[string]string{
		"":                             "the position is empty",
		"   \n ":                       "the position is empty",
		"x../.o":                       "row 2 from the top has 2 points, the first row has 3",
		"x../.?.":                      "row 2 from the top, column 2",
		"xé.":                          "row 1 from the top, column 2",
		strings.Repeat(".", 64):        "too large",
		strings.Repeat("./", 63) + ".": "too large",
		"//":                           "no points",
	} {
		_, _, err := board.ParseDiagram(text)
		if err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("ParseDiagram(%q): %v, want a sentence with %q", text, err, sentence)
		}
	}
}

func TestDiagramForms(t *testing.T) {
	want := "x.o/.../..x"
	for _, text := range []string{"x.o/.../..x", "X.O|...|..B", "b-w\n---\n--x\n", "x . o\r\n. . .\r\n. . x", " x.o / ... / ..x "} {
		size, stones, err := board.ParseDiagram(text)
		if err != nil || size.Line(stones) != want {
			t.Errorf("ParseDiagram(%q) reads %q, %v", text, size.Line(stones), err)
		}
	}
}

func TestDiagramShowsCoordinates(t *testing.T) {
	size, stones, err := board.ParseDiagram("x../.o.")
	if err != nil {
		t.Fatal(err)
	}
	want := "2 x . .\n1 . o .\n  A B C\n"
	if got := size.Diagram(stones); got != want {
		t.Errorf("diagram\n%s\nwant\n%s", got, want)
	}
}

func TestSymmetriesFormAGroup(t *testing.T) {
	for _, size := range sizes {
		syms := size.Symmetries()
		if syms[0] != board.Identity {
			t.Errorf("%v: the identity is not first", size)
		}
		images := map[string]bool{}
		for _, sym := range syms {
			var image strings.Builder
			for _, p := range size.All() {
				q := size.Map(sym, p)
				if !size.Contains(q) || size.Map(size.Inverse(sym), q) != p {
					t.Fatalf("%v: symmetry %d loses %s", size, sym, size.Name(p))
				}
				for _, n := range size.Neighbours(p) {
					if !contains(size.Neighbours(q), size.Map(sym, n)) {
						t.Fatalf("%v: symmetry %d tears %s from %s", size, sym, size.Name(p), size.Name(n))
					}
				}
				image.WriteString(size.Name(q) + " ")
			}
			if images[image.String()] {
				t.Errorf("%v: symmetry %d is listed twice", size, sym)
			}
			images[image.String()] = true
			if image.Len() > 0 && sym == board.Identity && !strings.HasPrefix(image.String(), "A1") {
				t.Errorf("%v: the identity moves A1", size)
			}
		}
	}
}

func contains(list []board.Point, p board.Point) bool {
	for _, q := range list {
		if q == p {
			return true
		}
	}
	return false
}

func TestPermuterAgreesWithMapSet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range sizes {
		if !size.Small() {
			continue
		}
		for _, sym := range size.Symmetries() {
			permuter := board.NewPermuter(size, sym)
			for range 50 {
				x := random.Uint64() & size.Mask()[0]
				if got, want := permuter.Map(x), size.MapSet(sym, board.Set{x})[0]; got != want {
					t.Fatalf("%v symmetry %d of %x: %x, want %x", size, sym, x, got, want)
				}
			}
		}
	}
}

func TestSetOperations(t *testing.T) {
	size := board.Size{Rows: 19, Cols: 19}
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var a, b board.Set
		inA, inB := map[board.Point]bool{}, map[board.Point]bool{}
		for _, p := range size.All() {
			if random.IntN(2) == 0 {
				a.Add(p)
				inA[p] = true
			}
			if random.IntN(3) == 0 {
				b.Add(p)
				inB[p] = true
			}
		}
		if a.Len() != len(inA) {
			t.Fatalf("set of %d points counts %d", len(inA), a.Len())
		}
		last := board.NoPoint
		for p := range a.Points() {
			if p <= last || !inA[p] {
				t.Fatalf("points out of order or unknown: %d after %d", p, last)
			}
			last = p
		}
		for _, p := range size.All() {
			if a.Union(b).Has(p) != (inA[p] || inB[p]) || a.Minus(b).Has(p) != (inA[p] && !inB[p]) {
				t.Fatalf("union or difference is wrong at %s", size.Name(p))
			}
			a.Remove(p)
		}
		if !a.IsEmpty() || a != board.SetOf() {
			t.Fatal("a set with every point removed is not empty")
		}
	}
}

func FuzzParseDiagram(f *testing.F) {
	for _, seed := range []string{"", "x../.o.", ".x..o.", "x|o\n.", "é/", strings.Repeat(".", 63), "x..\r\n...", "////"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		size, stones, err := board.ParseDiagram(text)
		if err != nil {
			return
		}
		line := size.Line(stones)
		size2, stones2, err := board.ParseDiagram(line)
		if err != nil || size2 != size || stones2 != stones {
			t.Errorf("%q reads as %q, which does not read back: %v", text, line, err)
		}
		if stones[board.Black].Minus(stones[board.White]) != stones[board.Black] {
			t.Errorf("%q puts two stones on one point", text)
		}
	})
}

func FuzzParsePoint(f *testing.F) {
	for _, seed := range []string{"A1", "t19", "AA1", "I9", "", " b2 ", "A+1", "ſ1", "A٣"} {
		f.Add(seed, 19, 19)
		f.Add(seed, 1, 63)
	}
	f.Fuzz(func(t *testing.T, text string, rows, cols int) {
		size, err := board.NewSize(rows, cols)
		if err != nil {
			return
		}
		p, err := size.ParsePoint(text)
		if err != nil {
			return
		}
		if !size.Contains(p) {
			t.Fatalf("%q on %v is not on the board", text, size)
		}
		if q, err := size.ParsePoint(size.Name(p)); err != nil || q != p {
			t.Errorf("%q reads as %s, which does not read back: %v", text, size.Name(p), err)
		}
	})
}

func FuzzParseSize(f *testing.F) {
	for _, seed := range []string{"4x5", "1X63", "x", "-1x-1", "+3x3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		size, err := board.ParseSize(text)
		if err != nil {
			return
		}
		if again, err := board.ParseSize(size.String()); err != nil || again != size {
			t.Errorf("%q reads as %v, which does not read back: %v", text, size, err)
		}
	})
}
