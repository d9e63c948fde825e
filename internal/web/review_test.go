package web

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"testing"

	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/internal/review"
)

// The page judges a game as annotate and the board in the terminal do.
func TestReviewIsTheOneOfAnnotate(t *testing.T) {
	server := start(t, nil)
	analyst, err := analyse.New(analyse.Options{Table: job.Cache, Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer analyst.Close()
	mistakes := 0
	for _, q := range []Question{
		{Game: "nogo", Size: "3x4", Moves: []string{"A1", "B2", "D3", "C2", "A3", "D1"}},
		{Game: "nogo", Position: "x..../...o.", ToPlay: "w", Moves: []string{"E1", "C2", "A1"}},
		{Game: "go", Size: "2x3", Moves: []string{"A1", "B2", "pass", "C1"}},
	} {
		body, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		var steps []Judged
		var got Reviewed
		status, err := listenTo(t.Context(), server.URL+"/api/v1/review", string(body), func(e event) bool {
			var to any = &got
			if e.name == "judged" {
				steps = append(steps, Judged{})
				to = &steps[len(steps)-1]
			}
			if err := json.Unmarshal(e.data, to); err != nil {
				t.Fatal(e.name, err)
			}
			return true
		})
		if err != nil || status != http.StatusOK {
			t.Fatal(status, err)
		}
		a, err := q.read()
		if err != nil {
			t.Fatal(err)
		}
		want, err := review.Reviewer{Analyst: analyst}.Game(t.Context(), a.game, nil)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(steps)
		if !reflect.DeepEqual(steps, got.Moves) || len(got.Moves) != len(q.Moves) {
			t.Errorf("%s: the steps are %+v, the answer is %+v", body, steps, got)
		}
		for i, j := range want.Moves {
			m := got.Moves[i]
			if m.Move != j.Name() || m.Cost != j.Cost || m.Mistake != j.Mistake() || m.Grade != j.Grade.String() || m.After.Winner != winner(j.After.Winner) || (m.Says == "") != (j.Says() == "") {
				t.Errorf("%s: move %d is %+v, by annotate %+v", body, i+1, m, j)
			}
			if m.Mistake {
				mistakes++
			}
		}
	}
	if mistakes == 0 {
		t.Error("no mistake was found in these games")
	}
	if status, text := post(t, server, "/api/v1/review", `{"game":"nogo","size":"2x2"}`); status != http.StatusUnprocessableEntity {
		t.Errorf("a game without moves: %d %s", status, text)
	}
}
