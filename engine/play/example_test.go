package play_test

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/nogo"
)

// A perfect player of NoGo on 3×3.
func ExampleNew() {
	size := board.Size{Rows: 3, Cols: 3}
	mover, err := play.New(context.Background(), play.Options{Kind: play.Perfect, Size: size, Limits: job.Limits{Memory: 16 << 20, Threads: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer mover.Close()
	choice, err := mover.Move(context.Background(), nogo.NewPosition(size), board.Black, play.Budget{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(size.Name(choice.Move), choice.Known)
	// Output:
	// A2 won
}
