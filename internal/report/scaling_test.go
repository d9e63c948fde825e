package report

import (
	"bytes"
	"testing"
)

func TestScaling(t *testing.T) {
	lines := []Line{{Name: "one", Efficiency: map[int]float64{1: 1, 2: 0.8, 4: 0.4}}, {Name: "other", Efficiency: map[int]float64{1: 1}}}
	svg, err := Scaling(lines)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<svg", ">one<", ">other<", ">½"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("no %q", want)
		}
	}
	if again, _ := Scaling(lines); !bytes.Equal(again, svg) {
		t.Error("the same lines are drawn in another way")
	}
}
