package tablebase_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"tengen/board"
	"tengen/engine/table"
	"tengen/tablebase"
	"tengen/weiqi"
)

// A table of all positions of 2×3 is made once and then probed. Probing and
// verifying need only this package and the rules.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "2x3.table")
	size := board.Size{Rows: 2, Cols: 3}
	if _, _, err := table.Build(ctx, table.Request{Size: size, Distance: true, Path: path}); err != nil {
		fmt.Println(err)
		return
	}

	table, err := tablebase.Open(path, tablebase.DefaultCache)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer table.Close()
	position, err := weiqi.ParsePosition(".x./...")
	if err != nil {
		fmt.Println(err)
		return
	}
	position.ToPlay = board.White
	answer, err := table.Probe(position)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, move := range answer.Moves {
		name := "pass"
		if move.Point != weiqi.Pass {
			name = size.Name(move.Point)
		}
		fmt.Printf("%s %d\n", name, move.Score)
	}
	verified, err := table.Verify(ctx, tablebase.Verification{})
	fmt.Println(verified.Positions, "positions, all of them:", verified.Complete, err)
	// Output:
	// B1 0
	// A1 -6
	// C1 -6
	// A2 -6
	// C2 -6
	// pass -6
	// 489 positions, all of them: true <nil>
}
