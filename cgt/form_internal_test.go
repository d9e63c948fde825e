package cgt

import "testing"

// When the counter of epochs overflows, the marks of old epochs are
// cleared.
func TestEpochsBeginAnew(t *testing.T) {
	a := New(Limits{})
	texts := []string{"{3||2|1}", "{4|2||1|0}", "{^|*}", "{0|||0||-1|-2}", "±(2,{3|1})"}
	var games []Game
	for _, text := range texts {
		g, err := a.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	for i := range a.form.known {
		a.form.known[i] = epochStep | 15 // would answer yes to the first form
	}
	a.form.epoch = 1<<32 - epochStep
	for i, g := range games {
		made, err := a.Make(a.Left(g), a.Right(g))
		if err != nil || made != g {
			t.Fatalf("%s was made again as %s with error %v", texts[i], a.String(made), err)
		}
	}
	if a.form.epoch != epochStep*mark(len(games)) {
		t.Errorf("the epoch is %d: it did not begin anew", a.form.epoch)
	}
}
