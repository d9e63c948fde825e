package proof

import (
	"fmt"
	"math/bits"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

// The page says what another program needs to accept the same files. This
// test compares its known answers with those of this package.
func TestThePageKnowsTheAnswers(t *testing.T) {
	text, err := os.ReadFile("../docs/certificate-format.md")
	if err != nil {
		t.Fatal(err)
	}
	static, searches := 0, 0
	row := regexp.MustCompile("(?m)^\\| `([xo./]+)` \\| (black|white) (\\|.*\\|)$")
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		p, err := nogo.ParsePosition(m[1])
		if err != nil {
			t.Fatal(err)
		}
		c := board.Black
		if m[2] == "white" {
			c = board.White
		}
		got := ""
		if cells := strings.Split(m[3], "|"); len(cells) == 5 {
			limit, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(cells[1]), ",", ""))
			if err != nil {
				t.Fatal(err)
			}
			got = searchRow(p, c, cells[1], limit)
			searches++
		} else {
			got = staticRow(p, c)
			static++
		}
		if got != m[3] {
			t.Errorf("%s, %s to move: the page says\n%s, it is\n%s", p, c, m[3], got)
		}
	}
	if static < 10 || searches < 10 {
		t.Errorf("only %d rows of static tests and %d of searches were found", static, searches)
	}
}

func searchRow(p nogo.Position, c board.Colour, limitCell string, limit int) string {
	e := newEndgame(nogo.NewGrid(p.Size), limit)
	r := e.solve(p.Small(), c)
	return fmt.Sprintf("|%s| %s | %d |", limitCell, outcomeName(r), e.nodes)
}

func staticRow(p nogo.Position, c board.Colour) string {
	g, o := nogo.NewGrid(p.Size), c.Opponent()
	var v survey
	v.read(g, p.Small())
	mine, theirs := v.assets(g, c), v.assets(g, o)
	r, slack := v.judge(g, c)
	slackCell := "–"
	if r == unknown {
		slackCell = strconv.Itoa(slack)
	}
	return fmt.Sprintf("| %d | %s | %d | %d | %s | %d | %s | %s |",
		mine.sure, pointNames(p.Size, mine.firm), v.most(g, c, theirs.firm),
		theirs.sure, pointNames(p.Size, theirs.firm), v.most(g, o, mine.firm), outcomeName(r), slackCell)
}

func outcomeName(r outcome) string { return [...]string{"unknown", "won", "lost"}[r] }

func pointNames(size board.Size, set uint64) string {
	names := []string{}
	for ; set != 0; set &= set - 1 {
		names = append(names, size.Name(board.Point(bits.TrailingZeros64(set))))
	}
	if len(names) == 0 {
		return "–"
	}
	return strings.Join(names, " ")
}
