package superko_test

import (
	"bytes"
	"context"
	"fmt"

	"tengen/board"
	"tengen/proof/superko"
	"tengen/weiqi"
)

// On 1×3 the centre wins everything, since White can then play nowhere: a proof of two
// entries. The second is the empty board. It is written, read again and checked.
func Example() {
	size := board.Size{Rows: 1, Cols: 3}
	centre := size.At(0, 1)
	made, err := superko.New(superko.Claim{
		Rules: weiqi.Rules{Ko: weiqi.Positional}, Start: weiqi.NewPosition(size), Prover: board.Black, Goal: 3,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var after board.Stones
	after[board.Black].Add(centre)
	made.Add(superko.Entry{Stones: after, ToPlay: board.White})
	made.Add(superko.Entry{ToPlay: board.Black, Moves: []board.Point{centre}, After: []int{0}})
	var file bytes.Buffer
	if err := made.Write(&file); err != nil {
		fmt.Println(err)
		return
	}
	read, err := superko.Read(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := superko.Verify(context.Background(), read, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("valid:", report.Valid)
	fmt.Println(read.Claim())
	// Output:
	// valid: true
	// black scores at least 3 from ..., black to play, under psk
}
