package retro_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/retro"
	"tengen/tablebase"
	"tengen/weiqi"
)

// build makes a table in a temporary directory and opens it.
func build(t testing.TB, o retro.Options) (*tablebase.Table, retro.Report) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	report, err := retro.Build(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, path), report
}

func open(t testing.TB, path string) *tablebase.Table {
	t.Helper()
	table, err := tablebase.Open(path, 1<<28)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Close() })
	return table
}

func sizeOf(t testing.TB, text string) board.Size {
	t.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// truths are the published scores of best play, Black first, and of every
// opening: one point for each symmetry class, row by row within one quadrant.
// Openings without a published score are left out.
var truths = []struct {
	size     string
	score    int
	openings []int
}{
	{"1x1", 0, nil},
	{"1x2", 0, []int{-2}},
	{"1x3", 3, []int{-3, 3}},
	{"1x4", 4, []int{-4, 4}},
	{"1x5", 0, []int{-5, 0, 0}},
	{"1x6", 0, []int{-6, 0, 0}},
	{"1x7", 0, []int{-3, 0, 0, 0}},
	{"1x8", 0, []int{-1, 0, 0, 0}},
	{"1x9", 0, nil},
	{"1x10", 0, nil},
	{"1x11", 0, nil},
	{"1x12", 0, nil},
	{"1x13", 0, nil},
	{"1x14", 0, nil},
	{"2x2", 0, []int{0}},
	{"2x3", 0, []int{-6, 0}},
	{"2x4", 8, []int{-8, 8}},
	{"2x5", 10, []int{-10, 10, 10}},
	{"2x6", 12, []int{-12, 12, 12}},
	{"2x7", 14, []int{-14, -2, 14, 14}},
	{"3x3", 9, []int{-9, 3, 3, 9}},
	{"3x4", 4, []int{-12, 3, 0, 4}},
	{"3x5", 15, []int{-15, 1, 0, -15, 15, 15}},
	// The boards from here on are for the long run.
	{"2x8", 16, []int{-16, 0, 0, 16}},
	{"4x4", 1, []int{-16, -16, -16, 1}},
	{"1x15", 0, nil},
	{"1x16", 0, nil},
	{"1x17", 0, nil},
	{"1x18", 0, nil},
	{"1x19", 0, nil},
	{"1x20", 0, nil},
	{"2x9", 18, nil},
	{"3x6", 18, nil},
}

const quickTruths = 23

func TestTruths(t *testing.T) {
	for i, truth := range truths {
		t.Run(truth.size, func(t *testing.T) {
			if i >= quickTruths {
				longtest.Skip(t)
			}
			if testing.Short() && sizeOf(t, truth.size).Points() > 12 {
				t.Skip("short")
			}
			table, _ := build(t, retro.Options{Size: sizeOf(t, truth.size)})
			checkTruth(t, table, truth.score, truth.openings)
		})
	}
}

func checkTruth(t *testing.T, table *tablebase.Table, score int, openings []int) {
	t.Helper()
	size := table.Header().Size
	answer, err := table.Probe(weiqi.NewPosition(size))
	if err != nil {
		t.Fatal(err)
	}
	if answer.Score != score {
		t.Errorf("%s is worth %d, want %d", size, answer.Score, score)
	}
	if openings == nil {
		return
	}
	worth := map[board.Point]int{}
	for _, m := range answer.Moves {
		worth[m.Point] = m.Score
	}
	var got []int
	for row := range (size.Rows + 1) / 2 {
		for col := range (size.Cols + 1) / 2 {
			got = append(got, worth[size.At(row, col)])
		}
	}
	if !slices.Equal(got, openings) {
		t.Errorf("the openings of %s are worth %v, want %v", size, got, openings)
	}
}

// Published ranges over the rules for loops.
func TestRanges(t *testing.T) {
	for size, want := range map[string][3]int{
		"1x6": {-6, 0, 6},
		"3x3": {9, 9, 9},
		"3x4": {4, 4, 12},
		"4x4": {1, 1, 16},
	} {
		t.Run(size, func(t *testing.T) {
			if size == "4x4" {
				longtest.Skip(t)
			}
			table, _ := build(t, retro.Options{Size: sizeOf(t, size), Loops: tablebase.Range})
			v, err := table.Value(weiqi.NewPosition(table.Header().Size))
			if err != nil {
				t.Fatal(err)
			}
			if got := [3]int{v.Lo, v.Score, v.Hi}; got != want {
				t.Errorf("%s is worth %v, want %v", size, got, want)
			}
		})
	}
}

// For any values kept and any number of threads, every value agrees with the
// rules, and tables of the same kind are identical.
func TestSettings(t *testing.T) {
	names := []string{"1x1", "1x2", "1x7", "2x2", "2x3", "3x2", "2x4", "3x3", "2x5", "5x2", "1x9"}
	if longtest.Raced {
		names = names[:8]
	}
	for _, name := range names {
		size := sizeOf(t, name)
		for _, loops := range []tablebase.Loops{tablebase.Drawn, tablebase.Range} {
			for _, distance := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %s %v", name, loops, distance), func(t *testing.T) {
					table, _ := build(t, retro.Options{Size: size, Loops: loops, Distance: distance, Threads: 3})
					v, err := table.Verify(context.Background(), tablebase.Verification{Threads: 2})
					if err != nil || !v.Complete {
						t.Error(v, err)
					}
				})
			}
		}
	}
}
