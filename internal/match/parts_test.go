package match

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/game"
)

func TestSplitCommand(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"tengen gtp --time 1s", []string{"tengen", "gtp", "--time", "1s"}},
		{`  "a b" 'c "d"' e\ f g"h"i ""`, []string{"a b", `c "d"`, "e f", "ghi", ""}},
		{`'\' "\""`, []string{`\`, `"`}},
	} {
		if got, err := SplitCommand(test.text); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q is %q, %v, want %q", test.text, got, err, test.want)
		}
	}
	for _, bad := range []string{"", "  ", `"open`, `a\`, `""`} {
		if got, err := SplitCommand(bad); err == nil {
			t.Errorf("%q is %q", bad, got)
		}
	}
}

func TestWhatProgramsAreToldOfTheClock(t *testing.T) {
	for _, test := range []struct {
		perGame, spent time.Duration
		want           string
	}{
		{5 * time.Second, 0, "5"},
		{5 * time.Second, 1200 * time.Millisecond, "3"},
		{2500 * time.Millisecond, 1200 * time.Millisecond, "1.3"},
		{900 * time.Millisecond, 100*time.Millisecond + 1, "0.799"},
		{900 * time.Millisecond, time.Second, "0"},
	} {
		if got := (Clock{PerGame: test.perGame}).left(test.spent); got != test.want {
			t.Errorf("of %v, %v spent, %s is left, want %s", test.perGame, test.spent, got, test.want)
		}
	}
}

func FuzzSplitCommand(f *testing.F) {
	f.Add(`a "b c" 'd' \e`)
	f.Fuzz(func(t *testing.T, text string) {
		words, err := SplitCommand(text)
		if err != nil {
			return
		}
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		again, err := SplitCommand(strings.Join(quoted, " "))
		if err != nil || !reflect.DeepEqual(again, words) {
			t.Errorf("%q is %q and then %q, %v", text, words, again, err)
		}
	})
}

func TestReadOpenings(t *testing.T) {
	o := Options{Rules: game.NoGo{}, Size: board.Size{Rows: 3, Cols: 3}}
	set, err := ReadOpenings(strings.NewReader("# the corners\nA1 C3\n\n B2 # the centre\r\n"), o)
	if err != nil || len(set) != 2 || len(set[0]) != 2 || len(set[1]) != 1 {
		t.Errorf("%v, %v", set, err)
	}
	for text, want := range map[string]string{
		"":               "there is no opening",
		"A1\nA1 A1":      "line 2: move 2: white may not play A1",
		"A1 D1":          "line 1: move 2: point \"D1\" is not on a 3x3 board",
		"A1 B1 A2 B2 A3": "line 1",
	} {
		if set, err := ReadOpenings(strings.NewReader(text), o); text == "A1 B1 A2 B2 A3" {
			if err == nil && o.playable(set[0]) != nil {
				t.Error("an opening that ends the game was taken")
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	o.Size = board.Size{Rows: 1, Cols: 2}
	if _, err := ReadOpenings(strings.NewReader("A1 B1"), o); err == nil {
		t.Error("an opening that ends the game was taken")
	}
}

func FuzzReadOpenings(f *testing.F) {
	f.Add("A1 C3\n# x\nB2")
	f.Fuzz(func(t *testing.T, text string) {
		size := board.Size{Rows: 3, Cols: 4}
		for _, rules := range game.All() {
			o := Options{Rules: rules, Size: size}
			set, err := ReadOpenings(strings.NewReader(text), o)
			if err != nil {
				continue
			}
			for _, moves := range set {
				if err := o.playable(moves); err != nil {
					t.Fatalf("%q: %v", text, err)
				}
			}
		}
	})
}

func FuzzParseLog(f *testing.F) {
	good, err := newLog(Options{Rules: game.NoGo{}, Size: board.Size{Rows: 3, Cols: 3}}).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"format":"tengen match 2","games":[{"black":"c"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, err := parseLog(data); err == nil && l.Sum == "" {
			t.Error("a log without a checksum was taken")
		}
	})
}

func TestElo(t *testing.T) {
	for _, test := range []struct {
		points [2]float64
		elo    float64
	}{
		{[2]float64{0, 0}, 0},
		{[2]float64{50, 50}, 0},
		{[2]float64{75, 25}, 190.85},
		{[2]float64{10, 90}, -381.70},
		{[2]float64{20, 0}, 645.11},
	} {
		if got := Elo(test.points); math.Abs(got-test.elo) > 0.01 {
			t.Errorf("Elo of %v is %.2f, want %.2f", test.points, got, test.elo)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		wins := [2]float64{float64(rapid.IntRange(0, 10000).Draw(t, "a")) / 2, float64(rapid.IntRange(0, 10000).Draw(t, "b")) / 2}
		elo := Elo(wins)
		low, high := Interval(wins)
		backLow, backHigh := Interval([2]float64{wins[1], wins[0]})
		switch {
		case !(low <= elo && elo <= high) || math.IsInf(low, 0) || math.IsInf(high, 0):
			t.Fatalf("%v: %v is not in %v to %v", wins, elo, low, high)
		case math.Abs(low+backHigh) > 1e-3 || math.Abs(high+backLow) > 1e-3:
			t.Fatalf("%v: %v to %v is not the mirror of %v to %v", wins, low, high, backLow, backHigh)
		}
	})
}

func TestInterval(t *testing.T) {
	for _, test := range []struct {
		points    [2]float64
		low, high float64
	}{
		{[2]float64{0, 0}, -1124.573, 1124.573}, // the arcsine law: shares of sin²(π/80) and cos²(π/80)
		{[2]float64{1, 0}, -305.804, 1365.487},
		{[2]float64{20, 0}, 351.718, 1846.136},
		{[2]float64{23, 7}, 67.258, 361.571},
		{[2]float64{65.5, 34.5}, 40.814, 184.155},
		{[2]float64{2286, 1714}, 39.159, 60.917},
		{[2]float64{0, 5000}, -2803.152, -1319.549},
	} {
		if low, high := Interval(test.points); math.Abs(low-test.low) > 0.001 || math.Abs(high-test.high) > 0.001 {
			t.Errorf("%v: %.3f to %.3f, want %.3f to %.3f", test.points, low, high, test.low, test.high)
		}
	}
}

// The exact probability that the interval holds the true value: the sum over all scores of
// 50 games whose interval holds it.
func TestIntervalKeepsItsPromise(t *testing.T) {
	const games = 50
	worst, mean, count := 1.0, 0.0, 0.0
	for share := 0.02; share <= 0.98; share += 0.01 {
		covered := 0.0
		for wins := 0; wins <= games; wins++ {
			low, high := Interval([2]float64{float64(wins), float64(games - wins)})
			if elo := eloOf(share); elo < low || elo > high {
				continue
			}
			all, _ := math.Lgamma(games + 1)
			w, _ := math.Lgamma(float64(wins + 1))
			l, _ := math.Lgamma(float64(games - wins + 1))
			covered += math.Exp(all - w - l + float64(wins)*math.Log(share) + float64(games-wins)*math.Log(1-share))
		}
		worst, mean, count = min(worst, covered), mean+covered, count+1
	}
	if mean /= count; worst < 0.88 || math.Abs(mean-0.95) > 0.01 {
		t.Errorf("the interval holds the truth with probability %.3f on average, %.3f at worst", mean, worst)
	}
}

func TestVerdict(t *testing.T) {
	test := Test{Low: 0, High: 50}
	for _, c := range []struct {
		points         [2]float64
		done, accepted bool
	}{
		{[2]float64{0, 0}, false, false},
		{[2]float64{30, 0}, true, true},
		{[2]float64{0, 30}, true, false},
		{[2]float64{55, 45}, false, false},
		{[2]float64{2000, 2000}, true, false},
		{[2]float64{2286, 1714}, true, true}, // 50 Elo
	} {
		if v := test.Verdict(c.points); v.Done != c.done || v.Accepted != c.accepted {
			t.Errorf("%v: %+v", c.points, v)
		}
	}
}

// With several games at a time, only the first game of many pairs may be over. A had Black
// in all of these, so the test waits. A pair is two games of one opening, and pairs count
// in their order.
func TestTheTestIsAskedAfterPairs(t *testing.T) {
	games := func(winner func(number int) Side, numbers ...int) (list []Record) {
		for _, n := range numbers {
			list = append(list, Record{Number: n, Black: Side((n - 1) % 2), Winner: winner(n)})
		}
		return list
	}
	black := func(n int) Side { return Side((n - 1) % 2) }
	alwaysA := func(int) Side { return A }
	var many []int
	for n := range 40 {
		many = append(many, n+1)
	}
	for _, test := range []struct {
		name  string
		games []Record
		done  bool
	}{
		{"first games alone", games(black, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23), false},
		{"a gap in the first pair", games(alwaysA, append([]int{2}, many[2:]...)...), false},
		{"whole pairs", games(alwaysA, many...), true},
		{"wins of Black", games(black, many[:8]...), false},
		{"an answer stays", append(games(alwaysA, many[:20]...), games(func(int) Side { return B }, many[20:]...)...), true},
	} {
		o := Options{Programs: make([][]string, 2), Names: []string{"a", "b"}, Test: &Test{Low: 0, High: 200}}
		m := &referee{options: o, log: &log{Games: test.games}}
		if m.decided() != test.done || m.result().Test.Done != test.done {
			t.Errorf("%s: decided %v, %+v", test.name, m.decided(), m.result().Test)
		}
	}
}
