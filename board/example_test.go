package board_test

import (
	"fmt"

	"tengen/board"
)

// A position as text, its points by name, and its mirror image.
func Example() {
	size, stones, err := board.ParseDiagram("x.../..o./....")
	if err != nil {
		fmt.Println(err)
		return
	}
	stones[board.Black].Add(size.At(0, 3)) // row and column from the bottom left, from 0
	fmt.Print(size.Diagram(stones))
	for p := range stones[board.Black].Points() {
		fmt.Println("Black on", size.Name(p))
	}
	mirror := size.Symmetries()[1]
	for c := range stones {
		stones[c] = size.MapSet(mirror, stones[c])
	}
	fmt.Println(size, size.Line(stones))
	// Output:
	// 3 x . . .
	// 2 . . o .
	// 1 . . . x
	//   A B C D
	// Black on D1
	// Black on A3
	// 3x4 ...x/.o../x...
}

func ExampleSize_ParsePoint() {
	size := board.Size{Rows: 4, Cols: 5}
	p, err := size.ParsePoint("c2")
	fmt.Println(size.Name(p), size.Row(p), size.Col(p), err)
	_, err = size.ParsePoint("F1")
	fmt.Println(err)
	// Output:
	// C2 1 2 <nil>
	// point "F1" is not on a 4x5 board: columns are A to E, rows 1 to 4
}
