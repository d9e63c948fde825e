package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"testing"

	"tengen/internal/pages"
)

// The papers in the program are those of docs/data, and both files there agree.
func TestPapersAreThoseOfTheData(t *testing.T) {
	data, err := pages.ReadData("../../docs/data")
	if err != nil {
		t.Fatal(err)
	}
	source := regexp.MustCompile(`^(.*?\*[^*]*\*), (.*)$`)
	var list []Experiment
	for _, row := range data["experiments"].Rows {
		cells, _ := data["experiments"].Row(row[0])
		m := source.FindStringSubmatch(cells["figure"])
		if m == nil {
			t.Fatalf("%s: %q names no paper", row[0], cells["figure"])
		}
		seconds, err := strconv.ParseFloat(cells["time"], 64)
		if err != nil {
			t.Fatal(err)
		}
		e := Experiment{Name: row[0], Paper: m[1], Figure: m[2], Points: int(number(t, cells["points"])), Seconds: seconds, Command: cells["command"]}
		counts := map[string]int{}
		for _, c := range data["papers"].Rows {
			if c[1] == e.Name {
				e.Rows = append(e.Rows, Compared{What: c[2], Published: c[3], Ours: c[4], Verdict: c[5], Why: c[6]})
				counts[c[5]]++
			}
		}
		for _, verdict := range []string{"equal", "better", "differs", "new"} {
			if got := counts[verdict]; strconv.Itoa(got) != cells[verdict] {
				t.Errorf("%s: papers.csv has %d rows that are %s, experiments.csv has %s", e.Name, got, verdict, cells[verdict])
			}
		}
		list = append(list, e)
	}
	want, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *rewrite {
		if err := os.WriteFile("papers.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want, papersFile) {
		t.Error("papers.json is not what docs/data says: run go test ./internal/web -run Papers -rewrite")
	}
	response, err := http.Get(start(t, nil).URL + "/api/v1/papers")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct{ Experiments []Experiment }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || len(answer.Experiments) != len(list) {
		t.Errorf("the server has %d experiments of %d: %v", len(answer.Experiments), len(list), err)
	}
}
