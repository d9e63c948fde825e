package cgt_test

import (
	"fmt"

	"tengen/cgt"
)

func Example() {
	a := cgt.New(cgt.Limits{})
	one, _ := a.Integer(1)
	star, _ := a.Nimber(1)
	g, _ := a.Make([]cgt.Game{one}, []cgt.Game{star})
	h, _ := a.Parse("{2||1|-1}")
	sum, _ := a.Add(g, h)
	less, _ := a.LessEq(g, h)
	fmt.Println(a.String(g), a.Outcome(g), a.Mean(g), a.Temperature(g))
	fmt.Println(a.String(h), a.Outcome(h), a.Mean(h), a.Temperature(h))
	fmt.Println(a.String(sum), a.Outcome(sum), a.Mean(sum), a.Temperature(sum))
	fmt.Println(less)
	// Output:
	// {1|*} L 1/2 1/2
	// {2|±1} L 1 1
	// {3|2*|||2|1*||0|-1*} L 3/2 1
	// false
}
