package weiqi_test

import (
	"fmt"

	"tengen/board"
	"tengen/weiqi"
)

// A ko: Black takes a stone, and White may not take back at once.
func Example() {
	p, err := weiqi.ParsePosition(".xo./xo.o/.xo./....")
	if err != nil {
		fmt.Println(err)
		return
	}
	var rules weiqi.Rules // basic ko, no suicide
	c3, b3 := p.Size.At(2, 2), p.Size.At(2, 1)
	p, err = rules.Play(p, c3)
	fmt.Println(p, err)
	_, err = rules.Play(p, b3)
	fmt.Println(err)
	p, _ = rules.Play(p, weiqi.Pass)
	p, _ = rules.Play(p, weiqi.Pass)
	fmt.Println("over:", p.Over(), "Black leads by", p.Score())
	// Output:
	// .xo./x.xo/.xo./.... <nil>
	// white may not play B3: it would retake the ko at once
	// over: true Black leads by 2
}

// Under superko a move may be forbidden by any earlier board.
func ExampleHistory() {
	h := weiqi.NewHistory(weiqi.TrompTaylor, weiqi.NewPosition(board.Size{Rows: 1, Cols: 2}))
	for _, q := range []board.Point{0, 1, 0} {
		fmt.Println(h.Push(q), h.Position())
	}
	// Output:
	// <nil> x.
	// <nil> .o
	// black may not play A1: the board would repeat an earlier one .o
}
