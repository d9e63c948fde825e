package sgf_test

import (
	"testing"

	"tengen/board"
	"tengen/sgf"
)

func TestPointsCountFromTheTop(t *testing.T) {
	for _, c := range []struct{ size, name, letters string }{
		{"9x9", "A9", "aa"},
		{"9x9", "A1", "ai"},
		{"9x9", "J1", "ii"},
		{"5x9", "J5", "ia"},
		{"5x9", "C1", "ce"},
		{"19x19", "T19", "sa"},
		{"1x30", "AA1", "za"},
		{"1x30", "BB1", "Aa"},
		{"1x52", "BB1", "Aa"},
	} {
		size, _ := board.ParseSize(c.size)
		p, err := size.ParsePoint(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := sgf.Point(size, p).Text(); got != c.letters {
			t.Errorf("%s on %s is written as %s, want %s", c.name, c.size, got, c.letters)
		}
	}
}

func TestEveryPointIsReadBack(t *testing.T) {
	for _, text := range []string{"1x1", "3x7", "7x3", "19x19", "19x1", "1x52"} {
		size, _ := board.ParseSize(text)
		for _, p := range size.All() {
			if got, err := sgf.ParseMove(size, sgf.Point(size, p)); got != p || err != nil {
				t.Errorf("%s on %s becomes %s, %v", size.Name(p), size, size.Name(got), err)
			}
		}
		if got, err := sgf.ParsePoints(size, sgf.Points(size, size.Mask())); got != size.Mask() || err != nil {
			t.Errorf("the whole %s board: %v", size, err)
		}
	}
}

func TestPasses(t *testing.T) {
	for _, c := range []struct {
		size, text string
		pass       bool
	}{
		{"19x19", "", true},
		{"19x19", "tt", true},
		{"9x9", "tt", true},
		{"1x19", "tt", true},
		{"1x20", "tt", false},
		{"1x20", "", true},
		{"9x9", " ", true},
		{"9x9", "zz", false},
		{"9x9", "pass", false},
	} {
		size, _ := board.ParseSize(c.size)
		p, err := sgf.ParseMove(size, sgf.Text(c.text))
		if (err == nil) != c.pass || p != board.NoPoint {
			t.Errorf("B[%s] on %s is %v, %v", c.text, c.size, p, err)
		}
	}
}

func TestCompressedLists(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	for text, want := range map[string]string{
		"[aa]":           "x.../..../....",
		"[aa:cb]":        "xxx./xxx./....",
		"[cb:aa]":        "xxx./xxx./....",
		"[ca:ab]":        "xxx./xxx./....",
		"[aa:da][dc]":    "xxxx/..../...x",
		"[bb:bb][bb]":    "..../.x../....",
		"[aa:dc]":        "xxxx/xxxx/xxxx",
		"[a\\\na: ba ]":  "xx../..../....",
		"[]":             "..../..../....",
		"[da]\n[db][dc]": "...x/...x/...x",
	} {
		set, err := sgf.ParsePoints(size, parse(t, "(;AB"+text+")")[0].Values("AB"))
		if got := size.Line(board.Stones{set}); err != nil || got != want {
			t.Errorf("AB%s is %s, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"[aa][ea]":  `the point "ea" is outside a board of 4 columns and 3 rows`,
		"[aa:ad]":   `the point "ad" is outside a board of 4 columns and 3 rows`,
		"[aa][]":    `"" is not a point, two letters such as cd`,
		"[a1]":      `"a1" is not a point, two letters such as cd`,
		"[aa:]":     `"" is not a point, two letters such as cd`,
		"[aa\\:bb]": `"aa:bb" is not a point, two letters such as cd`,
		"[é]":       `"é" is not a point, two letters such as cd`,
	} {
		_, err := sgf.ParsePoints(size, parse(t, "(;AB"+text+")")[0].Values("AB"))
		if err == nil || err.Error() != want {
			t.Errorf("AB%s says %v, want %s", text, err, want)
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]board.Size{
		"9": {Rows: 9, Cols: 9}, "9:5": {Rows: 5, Cols: 9}, "5:9": {Rows: 9, Cols: 5}, " 7 : 7 ": {Rows: 7, Cols: 7}, "52:1": {Rows: 1, Cols: 52},
	} {
		value, _ := parse(t, "(;SZ["+text+"])")[0].Value("SZ")
		size, err := sgf.ParseSize(value)
		if size != want || err != nil {
			t.Errorf("SZ[%s] is %s, %v", text, size, err)
		}
		if again, err := sgf.ParseSize(sgf.Size(size)); again != size || err != nil {
			t.Errorf("%s is written as SZ[%s], read as %s, %v", size, sgf.Size(size), again, err)
		}
	}
	for text, want := range map[string]string{
		"":     "SZ[] is not a size, such as SZ[9] or SZ[9:5] for 9 columns and 5 rows",
		"9x9":  "SZ[9x9] is not a size, such as SZ[9] or SZ[9:5] for 9 columns and 5 rows",
		"9\n9": "SZ[9 9] is not a size, such as SZ[9] or SZ[9:5] for 9 columns and 5 rows",
		"0":    "a 0x0 board has no points",
		"-3:3": "a 3x-3 board has no points",
		"52":   "a 52x52 board is too large: the limit is 19x19, or 63 points in a single row or column",
		"60:1": "a game record cannot name the points of a row of 60: SGF has letters for 52 columns",
		"1:60": "a game record cannot name the points of a column of 60: SGF has letters for 52 rows",
	} {
		value, _ := parse(t, "(;SZ["+text+"])")[0].Value("SZ")
		if _, err := sgf.ParseSize(value); err == nil || err.Error() != want {
			t.Errorf("SZ[%s] says %v, want %s", text, err, want)
		}
	}
}
