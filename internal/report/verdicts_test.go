package report

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/weiqi"
)

// small bounds the experiments that compare alone, so that all of them take seconds. The
// other experiments have tests of their own.
var small = map[string]int{
	"linear-database": 6, "linear-simplest": 8, "linear-theorems": 6, "linear-canonical": 9,
	"rectangles-replies": 16, "rectangles-symmetry": 16, "rectangles-mirror": 13, "rectangles-within": 9,
	"rectangles-proof": 16, "rectangles-table": 12, "rectangles-games": 9,
	"value-worked": 81, "value-scattering": 81, "value-times": 81, "value-match": 25, "value-ours": 25,
	"superko-legal": 8, "superko-exercises": 8, "superko-bounds": 5, "superko-identities": 6,
	"superko-theorems": 7, "superko-printed": 7, "superko-prolonged": 8,
	"strong-bits": 25, "strong-states": 9, "strong-results": 9, "strong-scores": 9, "strong-costs": 9, "strong-rows": 9,
}

// The file has every published figure with its verdict, so that none changes unnoticed. run
// fails on a difference without a reason. Verdicts on costs depend on the machine.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("thirty experiments: not in short mode")
	}
	var lines []string
	for _, name := range Names() {
		most, ok := small[name]
		if !ok {
			continue
		}
		for _, c := range run(t, name, Options{Max: most}).Compared {
			verdict := fmt.Sprintf("%s, ours %s", strings.TrimSpace(string(c.Verdict)+" "+c.Why), c.Ours)
			if c.Cost || c.Verdict == New {
				verdict = "not fixed"
			}
			lines = append(lines, fmt.Sprintf("%s | %s | %s | %s", name, c.What, c.Published, verdict))
		}
	}
	golden(t, "verdicts.txt", []byte(strings.Join(lines, "\n")+"\n"))
}

// Every experiment is tested here or in a test of its own, and every one is listed once.
func TestExperimentsAreTested(t *testing.T) {
	names := Names()
	own := []string{
		"linear-values", "linear-growth", "linear-openings", "linear-ablation", "linear-search", "rectangles",
		"superko-openings", "superko-lines", "superko-hardest", "superko-knockout",
	}
	if len(names) < 30 || len(names) != len(small)+len(own) {
		t.Errorf("%d experiments, %d of them tested", len(names), len(small)+len(own))
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			t.Errorf("%s is listed twice", name)
		}
		if _, ok := small[name]; !ok && !slices.Contains(own, name) {
			t.Errorf("%s has no test", name)
		}
	}
}

// Every experiment at the quick scale: no difference without a reason.
func TestQuickScale(t *testing.T) {
	longtest.Skip(t)
	for _, name := range Names() {
		if name != "linear-values" { // it needs a database, which TestValuesOfStrips makes
			run(t, name, Options{})
		}
	}
}

func TestVerdictOfEachKind(t *testing.T) {
	var r Report
	r.fact("a", 1, 1)
	r.fact("b", 1, 2)
	r.explained("c", 1, 2, "so it is")
	r.cost("d", 1, 2, " s", "")
	r.cost("e", 2, 1, " s", "a cost")
	r.news("f", 3)
	r.claim("g", 2, nil, "")
	r.claim("h", 2, []string{"x"}, "")
	r.claim("i", 2, []string{"x"}, "known")
	r.claim("j", 0, nil, "")
	var got []string
	for _, c := range r.Compared {
		got = append(got, c.What+" "+string(c.Verdict))
	}
	want := []string{"a equal", "b differs", "c differs", "d better", "e differs", "f new", "g equal", "h differs", "i differs"}
	if !slices.Equal(got, want) || len(r.Differences) != 2 {
		t.Errorf("%q, differences %q", got, r.Differences)
	}
}

// An altered figure of a paper is a difference, also in the tables that list boards.
func TestAlteredFigures(t *testing.T) {
	published := publishedStrong[0].score
	defer func() { publishedStrong[0].score = published }()
	publishedStrong[0].score = 3
	e, err := Find("strong-results")
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Run(t.Context(), Options{Max: 4})
	if err != nil || len(r.Differences) != 1 {
		t.Errorf("differences %q, error %v", r.Differences, err)
	}
}

// The published moves of Go are on their boards.
func TestPublishedStrong(t *testing.T) {
	for _, b := range publishedStrong {
		if _, err := b.ParsePoint(b.move); err != nil || b.score > b.Points() || b.Rows > b.Cols {
			t.Errorf("%s: %+v, %v", b.name(), b, err)
		}
	}
	if n := len(strongTo(20)); n != 15 {
		t.Errorf("%d boards with up to 20 points", n)
	}
}

func TestExchangedDigits(t *testing.T) {
	for _, x := range []struct {
		a, b uint64
		want bool
	}{{11_126_253, 11_122_653, true}, {12, 21, true}, {10, 1, true}, {123, 321, false}, {55, 55, false}, {7, 8, false}} {
		if got := exchanged(x.a, x.b); got != x.want {
			t.Errorf("%d and %d: %v", x.a, x.b, got)
		}
	}
}

// Burnside's lemma counts what listing all boards does, on squares too.
func TestOrbits(t *testing.T) {
	for _, size := range []board.Size{{Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}, {Rows: 3, Cols: 3}, {Rows: 1, Cols: 5}} {
		grid, found := weiqi.NewGrid(size), map[[2]board.Set]bool{}
		var fill func(points []board.Point, stones [2]board.Set)
		fill = func(points []board.Point, stones [2]board.Set) {
			if len(points) > 0 {
				fill(points[1:], stones)
				for c := range stones {
					next := stones
					next[c].Add(points[0])
					fill(points[1:], next)
				}
				return
			}
			if !grid.Sound(stones[0][0], stones[1][0]) {
				return
			}
			for _, sym := range size.Symmetries() {
				if found[[2]board.Set{size.MapSet(sym, stones[0]), size.MapSet(sym, stones[1])}] {
					return
				}
			}
			found[stones] = true
		}
		fill(size.All(), [2]board.Set{})
		if got := orbits(size).Int64(); got != int64(len(found)) {
			t.Errorf("%v has %d boards up to symmetry, and %d are listed", size, got, len(found))
		}
	}
}

// A table of Go is built once, its cost is kept, and the reports are those of tables that are
// built anew.
func TestSharedTables(t *testing.T) {
	dir := t.TempDir()
	first := run(t, "strong-results", Options{Max: 6, Dir: dir})
	path := filepath.Join(dir, "tables", "go-2x3.table")
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	costs := run(t, "strong-costs", Options{Max: 6, Dir: dir})
	if after, err := os.Stat(path); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the table was built again: %v", err)
	}
	if anew := run(t, "strong-results", Options{Max: 6}); !reflect.DeepEqual(first.Compared, anew.Compared) {
		t.Errorf("with a folder\n%v\nwithout\n%v", first.Compared, anew.Compared)
	}
	if anew := run(t, "strong-costs", Options{Max: 6}); len(costs.Compared) != len(anew.Compared) {
		t.Errorf("%d costs of kept tables, %d of new ones", len(costs.Compared), len(anew.Compared))
	}
}

// Positions of a row have different keys.
func TestRowKeys(t *testing.T) {
	keys := map[uint64]weiqi.Position{}
	add := func(p weiqi.Position) {
		if other, ok := keys[rowKey(p)]; ok && other != p {
			t.Errorf("%+v and %+v have one key", p, other)
		}
		keys[rowKey(p)] = p
	}
	err := everyRow(6, func(p weiqi.Position) error {
		add(p)
		for q := range (weiqi.Rules{}).Legal(p).Points() {
			if next, err := (weiqi.Rules{}).Play(p, q); err == nil {
				add(next)
			}
		}
		p.Passes = 1
		add(p)
		return nil
	})
	if err != nil || len(keys) < 1000 {
		t.Errorf("%d keys: %v", len(keys), err)
	}
}
