package play_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"tengen/engine/play"
)

// The strengths of levels are those of the table in docs/players.md.
func TestStrengthsAreThoseOfThePage(t *testing.T) {
	text, err := os.ReadFile("../../docs/players.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| ([\d,]+)[^|]*\|[^|]*\|[^|]*\| ?([^|]*?) ?\|[^|]*\|$`).FindAllStringSubmatch(string(text), -1)
	if len(rows) != play.Levels {
		t.Fatalf("%d rows", len(rows))
	}
	for i, s := range play.Strengths() {
		match, evaluations := "", fmt.Sprint(s.Evaluations)
		if s.Games > 0 {
			match = fmt.Sprintf("%d of %d", s.Won, s.Games)
		}
		if s.Level == play.Levels {
			evaluations = "1,400" // in the match; else its time is the limit
		}
		if row := rows[i]; row[1] != fmt.Sprint(s.Level) || row[2] != evaluations || strings.TrimSpace(row[3]) != match {
			t.Errorf("%+v, the page has %q", s, row[0])
		}
	}
}
