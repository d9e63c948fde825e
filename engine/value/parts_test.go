package value_test

import (
	"testing"

	"tengen/cgt"
	"tengen/engine/job"
	"tengen/engine/value"
	"tengen/nogo"
)

// The parts of a position add up to its value, and each of its open points is in one.
func TestPartsAddUp(t *testing.T) {
	for _, diagram := range []string{"..x.o..", "x.o.x./.....o", "....", "x.x/.x./x.x", "xx.oo/.x.o./xx.oo", "x/./o/./."} {
		p, err := nogo.ParsePosition(diagram)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := value.FindParts(t.Context(), p, job.Limits{Memory: 64 << 20})
		if err != nil || !parts.Known {
			t.Fatalf("%s: %v", diagram, err)
		}
		whole, err := value.Find(t.Context(), value.Request{Sum: value.Of(p), Limits: job.Limits{Memory: 64 << 20}})
		if err != nil {
			t.Fatal(err)
		}
		if parts.Sum.Canonical != whole.Canonical || parts.Sum.Outcome != whole.Outcome {
			t.Errorf("%s: the parts add up to %s, the whole is %s", diagram, parts.Sum.Canonical, whole.Canonical)
		}
		arena := cgt.New(cgt.Limits{})
		total, err := arena.Integer(0)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts.Parts {
			g, err := arena.Parse(part.Value.Canonical)
			if err != nil {
				t.Fatal(err)
			}
			if total, err = arena.Add(total, g); err != nil {
				t.Fatal(err)
			}
		}
		if got := arena.String(total); got != whole.Canonical {
			t.Errorf("%s: the values of the parts add up to %s, not %s", diagram, got, whole.Canonical)
		}
		open := p.Legal(0).Union(p.Legal(1))
		count := 0
		for _, part := range parts.Parts {
			for _, q := range part.Points {
				if count++; !open.Has(q) {
					t.Errorf("%s: %s is closed", diagram, p.Size.Name(q))
				}
			}
		}
		if count != open.Len() {
			t.Errorf("%s: %d of %d open points are in parts", diagram, count, open.Len())
		}
	}
}

// Values that need too much memory are left out without an error.
func TestPartsBeyondMemory(t *testing.T) {
	p, err := nogo.ParsePosition("...../...../...../...../.....")
	if err != nil {
		t.Fatal(err)
	}
	parts, err := value.FindParts(t.Context(), p, job.Limits{Memory: 1 << 20})
	if err != nil || parts.Known || len(parts.Parts) != 1 || parts.Parts[0].Known {
		t.Errorf("%+v %v", parts, err)
	}
}
