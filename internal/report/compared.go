package report

import (
	"fmt"
	"math/big"

	"tengen/internal/text"
)

// Verdict says how our figure stands beside the published one.
type Verdict string

// The verdicts. Only a fact of the game that Differs without a reason contradicts a paper.
const (
	Equal   Verdict = "equal"
	Better  Verdict = "better"
	Differs Verdict = "differs"
	New     Verdict = "new" // nothing was published
)

// Compared is a published figure beside ours.
type Compared struct {
	What      string  `json:"what"`
	Published string  `json:"published"`
	Ours      string  `json:"ours"`
	Verdict   Verdict `json:"verdict"`
	Why       string  `json:"why,omitempty"`  // the reason of a difference
	Cost      bool    `json:"cost,omitempty"` // of a search, and no fact of the game
}

// fact compares what the game decides.
func (r *Report) fact(what string, ours, published any) {
	if !r.explained(what, ours, published, "") {
		r.differ("%s is %s, and %s in the paper", what, show(ours), show(published))
	}
}

// explained compares what the game decides where a difference has a known reason. It
// reports whether the figures are equal.
func (r *Report) explained(what string, ours, published any, why string) bool {
	c := Compared{What: what, Published: show(published), Ours: show(ours), Verdict: Equal}
	equal := c.Ours == c.Published
	if !equal {
		c.Verdict, c.Why = Differs, why
	}
	r.Compared = append(r.Compared, c)
	return equal
}

// claim compares a statement of the paper with a check of it: failures lists the cases
// where it is false, and why says what is known about them, if anything.
func (r *Report) claim(what string, checked int, failures []string, why string) {
	if checked == 0 {
		return // no case is no evidence
	}
	c := Compared{What: what, Published: "true", Ours: "true in " + cases(checked), Verdict: Equal}
	if len(failures) > 0 {
		c.Ours = fmt.Sprintf("false in %s of %s, first %s", show(len(failures)), cases(checked), failures[0])
		c.Verdict, c.Why = Differs, why
		if why == "" {
			r.differ("%s: %s", what, c.Ours)
		}
	}
	r.Compared = append(r.Compared, c)
}

func cases(n int) string { return text.Plural(n, "case") }

// cost compares what a search costs, where less is better. Unit is written after both.
func (r *Report) cost(what string, ours, published float64, unit, why string) {
	c := Compared{What: what, Published: number(published) + unit, Ours: number(ours) + unit, Verdict: Better, Cost: true}
	switch {
	case ours == published:
		c.Verdict = Equal
	case ours > published:
		c.Verdict, c.Why = Differs, why
	}
	r.Compared = append(r.Compared, c)
}

// news adds a figure that was never published.
func (r *Report) news(what string, ours any) {
	r.Compared = append(r.Compared, Compared{What: what, Published: nothing, Ours: show(ours), Verdict: New})
}

// show writes whole numbers with separators.
func show(x any) string {
	switch x := x.(type) {
	case int:
		if x < 0 {
			return signed(x)
		}
		return text.Thousands(x)
	case uint64:
		return text.Thousands(x)
	case *big.Int:
		if x.IsUint64() {
			return text.Thousands(x.Uint64())
		}
	}
	return fmt.Sprint(x)
}

// comparedTable is the list for people.
func comparedTable(list []Compared) Table {
	t := Table{Columns: []Column{words("what"), numbers("published"), numbers("ours"), words("verdict")}}
	for _, c := range list {
		verdict := string(c.Verdict)
		if c.Why != "" {
			verdict += ": " + c.Why
		}
		t.add(c.What, c.Published, c.Ours, verdict)
	}
	return t
}

// comparedData is the list for programs.
func comparedData(list []Compared) Data {
	d := Data{Columns: []string{"what", "published", "ours", "verdict", "why"}}
	for _, c := range list {
		d.add(c.What, c.Published, c.Ours, string(c.Verdict), c.Why)
	}
	return d
}

// Count is the number of comparisons with a verdict.
func (r Report) Count(v Verdict) (n int) {
	for _, c := range r.Compared {
		if c.Verdict == v {
			n++
		}
	}
	return n
}
