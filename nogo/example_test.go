package nogo_test

import (
	"fmt"

	"tengen/board"
	"tengen/nogo"
)

// Neither capture nor suicide is allowed. The side that cannot move loses.
func Example() {
	p, err := nogo.ParsePosition("xo./.../...")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Legal(board.Black).Len(), "points for Black,", p.Legal(board.White).Len(), "for White")
	a2 := p.Size.At(1, 0)
	_, err = p.Play(board.White, a2)
	fmt.Println(err)
	p, err = p.Play(board.Black, a2)
	fmt.Println(p, err)
	// Output:
	// 7 points for Black, 6 for White
	// white may not play A2: it would take the last liberty of a black block
	// xo./x../... <nil>
}
