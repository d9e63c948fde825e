package suite

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/internal/longtest"
)

func analyst(t *testing.T) *analyse.Analyst {
	t.Helper()
	a, err := analyse.New(analyse.Options{Table: job.Cache, Limits: job.Limits{Memory: 128 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// The answers of the suite agree with a search that knows only the rules.
func TestStandardSuiteBySecondSearch(t *testing.T) {
	s, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Problems) != 84 || !bytes.Equal(s.Encode(), standard) || len(standard) > 200_000 {
		t.Errorf("%d positions in %d bytes", len(s.Problems), len(standard))
	}
	for i, p := range s.Problems {
		if !longtest.On() && (i%7 > 0 || testing.Short() && i%4 > 0) { // a sample with all boards and grades
			continue
		}
		if err := p.Check(t.Context()); err != nil {
			t.Errorf("position %d: %v", i+1, err)
		}
	}
}

// The second search finds a wrong answer, and one that is missing.
func TestCheckFindsErrors(t *testing.T) {
	s, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	p := s.Problems[0]
	for move := range p.Legal().Points() {
		wrong := p
		if p.Right(move) {
			wrong.Answers = slices.DeleteFunc(slices.Clone(p.Answers), func(a board.Point) bool { return a == move })
		} else {
			wrong.Answers = append(slices.Clone(p.Answers), move)
		}
		if wrong.Check(t.Context()) == nil {
			t.Errorf("%s may be an answer or not", p.Size.Name(move))
		}
	}
}

func TestMake(t *testing.T) {
	plan := Plan{Seed: 3, Sizes: []board.Size{{Rows: 4, Cols: 4}, {Rows: 8, Cols: 8}}, Count: 4}
	if longtest.On() {
		plan = StandardPlan()
	}
	s, err := Make(t.Context(), plan, analyst(t))
	if err != nil {
		t.Fatal(err)
	}
	grades := map[int]int{}
	for _, p := range s.Problems {
		grades[p.Grade()]++
	}
	if len(s.Problems) != plan.Count*len(plan.Sizes) || len(grades) != Grades {
		t.Errorf("%d positions of grades %v", len(s.Problems), grades)
	}
	again, err := Parse(s.Encode())
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("%v: it is read as another one", err)
	}
	if longtest.On() && !bytes.Equal(s.Encode(), standard) {
		t.Error("the plan of the suite makes another one")
	}
}

func TestGrades(t *testing.T) {
	s, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Problems {
		share, want := float64(len(p.Answers))/float64(p.Legal().Len()), 4
		for grade, least := range []float64{0.5, 0.25, 0.125} {
			if share > least {
				want = grade + 1
				break
			}
		}
		if p.Grade() != want || p.Open() > mostOpen {
			t.Errorf("%d of %d moves win, and that is grade %d; %d points are open", len(p.Answers), p.Legal().Len(), p.Grade(), p.Open())
		}
	}
}

func TestBadFiles(t *testing.T) {
	good := string(standard)
	sealed := func(body string) string {
		return format + "\n" + body + "sha256 " + checksum([]byte(format+"\n"+body)) + "\n"
	}
	for text, want := range map[string]string{
		"":                                         "does not begin",
		"(;SZ[3])":                                 "does not begin",
		good[:len(good)/2]:                         "cut off",
		strings.Replace(good, "A1", "A2", 1):       "altered",
		good + "\n":                                "altered",
		sealed("seed 1\n"):                         "no positions",
		sealed("seed x\n"):                         "line 2",
		sealed("seed 1\n4x4 A1\n"):                 "line 3: a position is",
		sealed("seed 1\n99x99: A1 -> A2\n"):        "line 3",
		sealed("seed 1\n4x4: A1 A1 -> A2\n"):       "line 3: move 2",
		sealed("seed 1\n4x4: A1 -> A1\n"):          "A1 is not an answer",
		sealed("seed 1\n4x4: A1 -> B1 B1\n"):       "B1 is not an answer",
		sealed("seed 1\n1x3: A1 -> C1\n"):          "nothing to find",
		sealed("seed 1\n4x4: A1 -> Z9\n"):          "line 3",
		sealed("seed 1\n4x4: A1 B2 C3 D4 -> Z9\n"): "line 3",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(standard)
	f.Add([]byte("tengen suite 1\nseed 1\nsha256 00\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := Parse(data); err == nil && len(s.Problems) == 0 {
			t.Errorf("%q was taken", data)
		}
	})
}

// Any text between the first line and the checksum is parsed or refused without a
// panic.
func FuzzPositions(f *testing.F) {
	f.Add("4x4: B2 D2 -> D1 C2")
	f.Fuzz(func(t *testing.T, line string) {
		var s Suite
		if err := s.add(line); err == nil {
			if p := s.Problems[0]; p.Grade() < 1 || p.Grade() > Grades || !p.Right(p.Answers[0]) {
				t.Errorf("%q is %+v", line, p)
			}
		}
	})
}

func FuzzAnswer(f *testing.F) {
	f.Add("b A1")
	f.Fuzz(func(t *testing.T, text string) {
		size := board.Size{Rows: 4, Cols: 4}
		if move, err := parse(size, text); err == nil && move != board.NoPoint && !size.Contains(move) {
			t.Errorf("%q is %v", text, move)
		}
	})
}

// A program that never answered is given up at once. One that has answered is given up
// after three silences in a row.
func TestSilences(t *testing.T) {
	p := Problem{Size: board.Size{Rows: 4, Cols: 5}}
	for _, test := range []struct {
		unanswered []string // command by position, "" for an answer
		want       string
	}{
		{[]string{"rectangular_boardsize 5 4"}, "the program has not answered rectangular_boardsize 5 4, its first command"},
		{[]string{"genmove black", "", "genmove black", "rectangular_boardsize 5 4", ""}, ""},
		{[]string{"", "genmove black", "clear_board", "genmove white"}, "the program has not answered 3 times in a row, the last time genmove white"},
	} {
		var s silences
		for i, command := range test.unanswered {
			last := i == len(test.unanswered)-1
			got := ""
			if err := s.count(p, command); err != nil {
				got = err.Error()
			}
			if want := test.want; last && got != want || !last && got != "" {
				t.Errorf("%q, position %d: %q, want %q at the end", test.unanswered, i+1, got, want)
			}
		}
	}
}
