package analyse_test

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/game"
)

// Every move of NoGo on 2×3: all of them lose.
func ExampleAnalyst() {
	analyst, err := analyse.New(analyse.Options{Limits: job.Limits{Memory: 64 << 20, Threads: 1}, NoBook: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer analyst.Close()
	question := analyse.Question{Rules: game.NoGo{}, Start: game.NewPosition(board.Size{Rows: 2, Cols: 3})}
	analysis, err := analyst.Analyse(context.Background(), question, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, found := range analysis.Moves {
		fmt.Println(found.Name, found.Winner, found.Grade)
	}
	// Output:
	// A1 white exact
	// C1 white exact
	// A2 white exact
	// C2 white exact
	// B1 white exact
	// B2 white exact
}
