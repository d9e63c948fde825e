package report

import (
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/value"
)

// The paper on rectangles says that it solves 50 boards, all with up to 27 points.
func TestPublishedRectanglesAreComplete(t *testing.T) {
	boards := sizes(27)
	if len(boards) != 50 {
		t.Errorf("%d boards with up to 27 points", len(boards))
	}
	for _, b := range boards {
		if _, ok := publishedWinner(b.Size); !ok {
			t.Errorf("%s is missing", b.name())
		}
	}
	for _, size := range []board.Size{{Rows: 4, Cols: 7}, {Rows: 2, Cols: 14}, {Rows: 1, Cols: 40}, {Rows: 6, Cols: 6}} {
		if _, ok := publishedWinner(size); ok {
			t.Errorf("%v was never published", size)
		}
	}
}

func TestDifferencesShow(t *testing.T) {
	wrong := board.White // 2×2 and every row after its second point are Black's
	beyond := openingsRow{winners: make([]board.Colour, publishedOpenings+1)}
	for i := range beyond.winners {
		beyond.winners[i] = board.Black
	}
	middle := (publishedOpenings + 1) / 2
	beyond.winners[middle-1], beyond.winners[middle] = board.White, board.White

	tests := map[string]struct {
		compose func() (Report, error)
		want    int
	}{
		"rectangles": {func() (Report, error) {
			return composeRectangles([]rectangle{{board.Size{Rows: 2, Cols: 2}, search{winner: wrong}}})
		}, 1},
		"growth": {func() (Report, error) {
			return composeGrowth([]growthRow{{points: 9, ours: search{winner: wrong, positions: 1}}})
		}, 1},
		"first moves": {func() (Report, error) {
			return composeFirstMoves([]firstMoves{{5, []int{-5, 1, 0}, superkoSearch{score: 1}}})
		}, 2},
		"lines": {func() (Report, error) {
			return composeLines([]shortLine{{points: 5, begin: []int{2}, score: 1}})
		}, 1},
		"hardest": {func() (Report, error) {
			return composeHardest([]hardReply{{published: publishedHardest[0], short: shortLine{begin: []int{1, 2}}}})
		}, 1},
		"knockout": {func() (Report, error) {
			return composeKnockout([]knocked{{knockouts[0], knockoutInstances[0], .44, superkoSearch{score: 1, positions: 1}}})
		}, 1},
		"ablation": {func() (Report, error) {
			row := ablationRow{20, make([]*search, len(variants()))}
			for i := range row.searches {
				row.searches[i] = &search{winner: wrong, positions: 1}
			}
			return composeAblation([]ablationRow{row})
		}, len(variants())},
		"values": {func() (Report, error) {
			x, err := value.ParseStrip(".")
			if err != nil {
				return Report{}, err
			}
			return composeFrequent(publishedPoints, []value.FrequentValue{{Simplest: x, Canonical: "0", Count: 1}})
		}, 1},
		// A winning end point on a row longer than the published ones is news, not
		// a difference.
		"openings": {func() (Report, error) { return composeOpenings([]openingsRow{beyond}) }, 0},
		"openings of 1×7": {func() (Report, error) {
			all := []board.Colour{0, 0, 0, 0, 0, 0, 0}
			return composeOpenings([]openingsRow{{winners: all}})
		}, 2},
	}
	for name, test := range tests {
		r, err := test.compose()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(r.Differences) != test.want {
			t.Errorf("%s: differences %q, want %d", name, r.Differences, test.want)
		}
		if strings.Contains(markdown(r), "## Differences") != (test.want > 0) {
			t.Errorf("%s: the Markdown does not tell", name)
		}
	}
}
