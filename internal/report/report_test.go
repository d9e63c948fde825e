package report

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/value"
	"tengen/internal/wholefile"
	"tengen/nogo"
)

// run makes a report without a database and fails the test if it is not whole.
func run(t *testing.T, name string, o Options) Report {
	t.Helper()
	e, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Incomplete != "" || len(r.Differences) > 0 {
		t.Errorf("%s: incomplete %q, differences %q", name, r.Incomplete, r.Differences)
	}
	return r
}

// wins plays everything out by the rules alone.
func wins(p nogo.Position, c board.Colour) bool {
	for move := range p.Legal(c).Points() {
		next, err := p.Play(c, move)
		if err != nil {
			panic(err)
		}
		if !wins(next, c.Opponent()) {
			return true
		}
	}
	return false
}

func TestOpeningsByPlayingOut(t *testing.T) {
	t.Parallel()
	r := run(t, "linear-openings", Options{Max: 9})
	i := 0
	for points := 2; points <= 9; points++ {
		size := board.Size{Rows: 1, Cols: points}
		for col := range points {
			next, err := nogo.NewPosition(size).Play(board.Black, size.At(0, col))
			if err != nil {
				t.Fatal(err)
			}
			winner := board.Black
			if wins(next, board.White) {
				winner = board.White
			}
			want := []any{points, col + 1, size.Name(size.At(0, col)), winner.String()}
			if got := r.Data.Rows[i]; !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			i++
		}
	}
	if i != len(r.Data.Rows) {
		t.Errorf("%d openings, want %d", len(r.Data.Rows), i)
	}
}

func TestRectanglesByPlayingOut(t *testing.T) {
	t.Parallel()
	r := run(t, "rectangles", Options{Max: 15})
	for _, cells := range r.Data.Rows {
		size := board.Size{Rows: cells[0].(int), Cols: cells[1].(int)}
		if cells[2] != cells[3] {
			t.Errorf("%v: %v wins, and %v in the paper", size, cells[2], cells[3])
		}
		if size.Points() <= 9 && (cells[2] == "black") != wins(nogo.NewPosition(size), board.Black) {
			t.Errorf("%v: %v does not win when everything is played out", size, cells[2])
		}
	}
	if want := len(sizes(15)); len(r.Data.Rows) != want {
		t.Errorf("%d boards, want %d", len(r.Data.Rows), want)
	}
}

func TestValuesOfStrips(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "strips.db")
	if _, _, err := value.BuildStrips(t.Context(), value.StripsRequest{Max: 8, Simplest: 8, Path: path, Limits: job.Limits{Threads: 1}}); err != nil {
		t.Fatal(err)
	}
	r := run(t, "linear-values", Options{Strips: path})
	for i, p := range publishedValues {
		if want := []any{i, p.simplest, p.canonical, p.count, p.count}; !slices.Equal(r.Data.Rows[i], want) {
			t.Errorf("%v, want %v", r.Data.Rows[i], want)
		}
	}
	e, _ := Find("linear-values")
	if _, err := e.Run(t.Context(), Options{Max: 9, Strips: path}); err == nil {
		t.Error("values of strips with 9 points out of a database to 8")
	}
	if _, err := e.Run(t.Context(), Options{}); err == nil {
		t.Error("values of strips without a database")
	}
}

// Figures 1, 10, 11, 12 and 13 of the paper on Go, up to seven points. run fails on a
// score that differs.
func TestSuperkoReports(t *testing.T) {
	t.Parallel()
	if r := run(t, "superko-openings", Options{Max: 7}); len(r.Data.Rows) != 7+1+2+2+3+3+4 {
		t.Errorf("%d scores", len(r.Data.Rows))
	}
	r := run(t, "superko-lines", Options{Max: 7})
	for _, cells := range r.Data.Rows {
		if cells[2] != cells[3] || cells[6] != true || len(cells[4].(string)) > len(cells[5].(string)) {
			t.Errorf("a line: %v", cells)
		}
	}
	r = run(t, "superko-hardest", Options{})
	for _, cells := range r.Data.Rows {
		// The first of the published lines puts a stone on a stone.
		if cells[1] != cells[6] || cells[11] != (cells[0] != 2) {
			t.Errorf("a reply: %v", cells)
		}
	}
	r = run(t, "superko-knockout", Options{Max: 7})
	if len(r.Data.Rows) != len(knockouts) {
		t.Errorf("%d searches", len(r.Data.Rows))
	}
}

// TestGrowthAsksTheEngine compares the positions with those of the same questions
// asked one by one.
func TestGrowthAsksTheEngine(t *testing.T) {
	t.Parallel()
	r := run(t, "linear-growth", Options{Max: 15})
	methods := map[string]solve.Method{"tengen": solve.Auto, "sbh": solve.SBH}
	for _, cells := range r.Data.Rows {
		request := afterSecond(cells[1].(int))
		request.Method, request.Threads = methods[cells[0].(string)], 1
		result, err := solve.NoGo(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if cells[2] != result.Nodes {
			t.Errorf("%v, but the engine searches %d positions", cells, result.Nodes)
		}
	}
	if len(r.Data.Rows) != 2*8 {
		t.Errorf("%d rows, want two for each of 1×8 to 1×15", len(r.Data.Rows))
	}
}

func TestStatisticsAddUp(t *testing.T) {
	t.Parallel()
	r := run(t, "linear-search", Options{Max: 18})
	request := afterSecond(18)
	request.Threads = 1
	result, err := solve.NoGo(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[any]uint64{}
	for _, cells := range r.Data.Rows {
		sums[cells[0]] += cells[2].(uint64)
	}
	if sums["depth"] != result.Nodes || sums["parts"] != result.Nodes {
		t.Errorf("%d positions by depth and %d by parts, of %d", sums["depth"], sums["parts"], result.Nodes)
	}
}

// TestLimit sets a limit at which every search that has a limit is given up, and
// checks that none is tried again.
func TestLimit(t *testing.T) {
	t.Parallel()
	r := run(t, "linear-ablation", Options{Max: 21, Limit: 1})
	for _, cells := range r.Data.Rows {
		whole := cells[1] == ""
		if cells[3] == whole {
			t.Errorf("%v", cells)
		}
		if !whole && (cells[0] != firstAblation || cells[2] != uint64(1)) {
			t.Errorf("%v goes on over the limit", cells)
		}
	}
	if text := markdown(r); !strings.Contains(text, "more than 1 |") || !strings.Contains(text, "--limit 1 --strips none\n") {
		t.Errorf("the limit does not show:\n%s", text)
	}
}

func TestStoppedKeepsWhatIsFinished(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := Experiment{Name: "cut", Points: Range{Least: 1, Most: 9, Usual: 9, Paper: 9}, run: func(ctx context.Context, s *session) (Report, error) {
		if _, err := s.solve(ctx, "the first", afterSecond(9), unlimited); err != nil {
			return Report{}, err
		}
		cancel()
		_, err := s.solve(ctx, "the second", afterSecond(9), 1)
		return Report{Title: "one of two"}, err
	}}
	r, err := e.Run(ctx, Options{})
	var stopped *job.Stopped
	if !errors.As(err, &stopped) || !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if r.Title == "" || r.Incomplete != "stopped at the second" {
		t.Errorf("report %+v", r)
	}
}

func TestStoppedBeforeTheFirst(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // the database is not there
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, e := range Experiments() {
		r, err := e.Run(ctx, Options{Max: min(e.Points.Least+20, e.Points.Most), Strips: job.Cache})
		stopped := (*job.Stopped)(nil)
		if !errors.As(err, &stopped) || r.Title != "" {
			t.Fatalf("%s: report %q, error %v", e.Name, r.Title, err)
		}
		if strings.HasSuffix(err.Error(), " ") || strings.HasSuffix(r.Incomplete, " ") {
			t.Errorf("%s: a sentence ends with nothing: %q, %q", e.Name, err, r.Incomplete)
		}
	}
}

func TestRangeIsChecked(t *testing.T) {
	for _, e := range Experiments() {
		if p := e.Points; p.Least > p.Usual || p.Usual > p.Most || p.Paper > p.Most || p.Beyond > p.Most || p.Beyond > 0 && p.Beyond < p.Paper {
			t.Errorf("%s: range %+v", e.Name, p)
		}
		for _, points := range []int{-1, e.Points.Least - 1, e.Points.Most + 1} {
			if points == 0 {
				continue // stands for the usual
			}
			if _, err := e.Run(t.Context(), Options{Max: points}); err == nil || !strings.Contains(err.Error(), e.Name) {
				t.Errorf("%s to %d points: error %v", e.Name, points, err)
			}
		}
	}
	if _, err := Find("linear"); err == nil || !strings.Contains(err.Error(), "linear-growth") {
		t.Errorf("an unknown experiment: error %v", err)
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	r := run(t, "linear-openings", Options{Max: 4})
	for range 2 { // the second time over existing files
		files, err := r.Write(wholefile.Disk{}, dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) != 5 {
			t.Errorf("files %q", files)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"linear-openings.csv", "linear-openings.json", "linear-openings.md", "linear-openings.png", "linear-openings.svg"}; !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	if _, err := r.Write(wholefile.Disk{}, filepath.Join(dir, names[0])); err == nil {
		t.Error("files were written into a file")
	}
}

func markdown(r Report) string {
	var b strings.Builder
	r.Markdown(&b)
	return b.String()
}
