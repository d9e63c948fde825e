package retro_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/internal/longtest"
	"tengen/internal/solver/retro"
	"tengen/tablebase"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// The statistics are wins, draws, losses and scores of the side to play over
// all legal boards, the number of boards that depend on the rule for loops,
// and the longest game.
func TestStats(t *testing.T) {
	for _, size := range []string{"2x2", "2x3", "3x3", "2x5", "3x4", "1x10", "3x5", "4x4"} {
		t.Run(size, func(t *testing.T) {
			if size == "3x5" || size == "4x4" {
				longtest.Skip(t)
			}
			if testing.Short() && size != "2x5" {
				t.Skip("one size is raced")
			}
			table, _ := build(t, retro.Options{Size: sizeOf(t, size), Loops: tablebase.Range, Distance: true})
			s, err := table.Stats(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, filepath.Join("testdata", "stats-"+size+".golden"), statsText(s))
		})
	}
}

func statsText(s tablebase.Stats) string {
	var b strings.Builder
	fmt.Fprintf(&b, "positions %d\nwins %d\ndraws %d\nlosses %d\nloops matter %d\nlongest %d\n",
		s.Positions, s.Wins, s.Draws, s.Losses, s.LoopsMatter, s.Longest)
	for _, score := range slices.Sorted(maps.Keys(s.Histogram)) {
		fmt.Fprintf(&b, "score %d: %d\n", score, s.Histogram[score])
	}
	return b.String()
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(read(t, path)); got != want {
		t.Errorf("%s has\n%swant\n%s", path, got, want)
	}
}
