package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/engine/value"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// made lists reports with invented costs, so that they are the same in every run.
func made(t *testing.T) map[string]func() (Report, error) {
	b, w := board.Black, board.White
	cost := func(positions uint64) search {
		return search{winner: b, positions: positions, elapsed: time.Duration(positions) * time.Millisecond}
	}
	given := search{over: true, positions: 1_000_000, elapsed: time.Second}
	return map[string]func() (Report, error){
		"values": func() (Report, error) {
			var list []value.FrequentValue
			for _, p := range publishedValues {
				s, err := value.ParseStrip(p.simplest)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, value.FrequentValue{Simplest: s, Canonical: p.canonical, Count: p.count})
			}
			list[8].Count = 283
			return composeFrequent(publishedPoints, list)
		},
		"growth": func() (Report, error) {
			var rows []growthRow
			for n := 19; n <= 28; n++ {
				rows = append(rows, growthRow{points: n, ours: cost(3 << (n - 19))})
			}
			plain := cost(1234)
			rows[0].plain, rows[1].plain = &plain, &given
			return composeGrowth(rows)
		},
		"openings": func() (Report, error) {
			return composeOpenings([]openingsRow{
				{winners: []board.Colour{b, b}},
				{winners: []board.Colour{w, b, w}, search: cost(12)},
				{winners: []board.Colour{w, b, w, w}, search: cost(1200)},
			})
		},
		"ablation": func() (Report, error) {
			rows := []ablationRow{{points: 20}, {points: 21}}
			for i := range variants() {
				short, long := cost(uint64(1000+200*i)), cost(uint64(3000+500*i))
				rows[0].searches, rows[1].searches = append(rows[0].searches, &short), append(rows[1].searches, &long)
			}
			rows[0].searches[2], rows[1].searches[2] = &given, nil
			return composeAblation(rows)
		},
		"statistics": func() (Report, error) {
			return composeStatistics(12, 6, solve.Profile{
				NodesByDepth: []uint64{1, 2, 3}, LeavesByDepth: []uint64{0, 0, 4, 5},
				NodesByParts: []uint64{0, 4, 2}, LeavesByParts: []uint64{1, 8},
				NodeSizes: []uint64{3, 0, 0, 5}, LeafSizes: []uint64{8},
			})
		},
		"superko-openings": func() (Report, error) {
			x := superkoSearch{positions: 1234, elapsed: 5 * time.Millisecond}
			return composeFirstMoves([]firstMoves{{1, nil, x}, {5, []int{-5, 0, 1}, x}, {13, []int{-1, 2}, x}})
		},
		"superko-lines": func() (Report, error) {
			return composeLines([]shortLine{
				{points: 5, begin: []int{2}, published: []int{2, 4}, ours: cellPoints([]int{4}), theirs: cellPoints([]int{4})},
				{points: 8, begin: []int{4}, published: []int{4, 7}, score: 2, ours: cellPoints([]int{7, 2})},
				{points: 10, begin: []int{1}, score: -3, ours: cellPoints([]int{2})},
			})
		},
		"superko-hardest": func() (Report, error) {
			x := hardReply{published: publishedHardest[0], found: superkoSearch{score: -3, positions: 57282, elapsed: time.Second, depth: 17}}
			x.short = shortLine{begin: []int{1, 2}, published: []int{1, 2, 7}, ours: cellPoints([]int{7, 5})}
			return composeHardest([]hardReply{x})
		},
		"superko-knockout": func() (Report, error) {
			var list []knocked
			for i, k := range knockouts {
				list = append(list, knocked{k, knockoutInstances[0], k.seconds[0], superkoSearch{score: -2, positions: uint64(1000 + 100*i), elapsed: time.Second}})
			}
			return composeKnockout(list)
		},
		"rectangles": func() (Report, error) {
			boards := sizes(5)
			for i := range boards {
				boards[i].search = cost(uint64(i))
				boards[i].winner, _ = publishedWinner(boards[i].Size)
			}
			return composeRectangles(append(boards, rectangle{board.Size{Rows: 4, Cols: 7}, cost(7_000_000)}))
		},
	}
}

func TestGoldenReports(t *testing.T) {
	for name, compose := range made(t) {
		r, err := compose()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r.Name, r.Source, r.Command = name, "A paper", "tengen reproduce "+name
		var data bytes.Buffer
		if err := r.Data.CSV(&data); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".md", []byte(markdown(r)))
		golden(t, name+".csv", data.Bytes())
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	is, was := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(is), len(was)) {
		if i >= len(is) || i >= len(was) || is[i] != was[i] {
			t.Errorf("line %d of %s is\n%s\nwant\n%s\nif it changed on purpose, run this test with -rewrite", i+1, name, line(is, i), line(was, i))
			return
		}
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "the end"
}

// TestFigures checks that the same data make the same bytes, that these are
// well-formed, and that no number is NaN or infinite.
func TestFigures(t *testing.T) {
	for name, compose := range made(t) {
		first, err := compose()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := compose()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Figure, again.Figure) {
			t.Errorf("%s: a second figure of the same data differs", name)
		}
		if err := wellFormed(first.Figure); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, bad := range []string{"NaN", "Inf", laidOutWith} {
			if bytes.Contains(first.Figure, []byte(bad)) {
				t.Errorf("%s: the figure has %q", name, bad)
			}
		}
	}
}

func wellFormed(svg []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestFiguresOfLittle checks charts of very little data or none.
func TestFiguresOfLittle(t *testing.T) {
	empty := search{winner: board.Black}
	one := search{winner: board.Black, positions: 1, elapsed: time.Second}
	for name, compose := range map[string]func() (Report, error){
		"growth of nothing": func() (Report, error) { return composeGrowth([]growthRow{{points: 8, ours: empty}}) },
		"growth of one":     func() (Report, error) { return composeGrowth([]growthRow{{points: 8, ours: one}}) },
		"one board": func() (Report, error) {
			return composeRectangles([]rectangle{{board.Size{Rows: 1, Cols: 1}, search{winner: board.White}}})
		},
		"one value": func() (Report, error) {
			x, err := value.ParseStrip("..")
			if err != nil {
				return Report{}, err
			}
			return composeFrequent(1, []value.FrequentValue{{Simplest: x, Canonical: "*", Count: 1}})
		},
		"one position": func() (Report, error) {
			return composeStatistics(8, 1, solve.Profile{NodesByDepth: []uint64{1}})
		},
	} {
		r, err := compose()
		if err == nil {
			err = wellFormed(r.Figure)
		}
		if err != nil || len(r.Figure) == 0 || bytes.Contains(r.Figure, []byte("NaN")) {
			t.Errorf("%s: a figure of %d bytes, error %v", name, len(r.Figure), err)
		}
	}
	r, err := composeStatistics(8, 0, solve.Profile{})
	if err != nil || len(r.Figure) > 0 || strings.Contains(markdown(r), "svg") {
		t.Errorf("a search that meets nothing has a figure, error %v", err)
	}
}
