package table_test

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/table"
	"tengen/game"
	"tengen/weiqi"
)

// What is Go on 2×3 worth, and how does the game go? Without a file the table is built in
// memory.
func ExampleOpen() {
	size := board.Size{Rows: 2, Cols: 3}
	opened, err := table.Open(context.Background(), table.Wanted{Size: size})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer opened.Close()
	answer, err := table.Probe(opened.Table, weiqi.NewPosition(size), table.EndlessDrawn)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Score, answer.Lo, answer.Hi, game.MoveNames(size, answer.Line))
	// Output:
	// 0 -6 6 [B1 B2 A1 C2 pass pass]
}
