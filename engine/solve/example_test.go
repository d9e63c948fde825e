package solve_test

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/nogo"
)

// Who wins NoGo on 4×4 after Black B2, and with which replies?
func ExampleNoGo() {
	position, err := nogo.ParsePosition("..../..../.x../....")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := solve.NoGo(context.Background(), solve.Request{
		Position: position,
		ToPlay:   board.White,
		EachMove: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Winner, "wins")
	for _, m := range answer.Moves {
		if m.Winner.Is(answer.ToPlay) {
			fmt.Println("with", position.Size.Name(m.Move))
		}
	}
	// Output:
	// white wins
	// with C3
}
