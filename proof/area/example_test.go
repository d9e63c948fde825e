package area_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"tengen/board"
	"tengen/proof/area"
	"tengen/weiqi"
)

// centre is an oracle that knows one thing: on 1×3 the centre wins everything, since
// White can then play nowhere.
type centre struct{}

func (centre) Winning(_ context.Context, c area.Claim, _ int) (board.Point, int, error) {
	if c.Root != weiqi.NewPosition(c.Root.Size) {
		return board.NoPoint, 0, errors.New("this is not the empty board")
	}
	return c.Root.Size.At(0, 1), 1, nil
}

// A proof is made of what an oracle says, written, read again and checked. The checker
// trusts neither the oracle nor the file.
func Example() {
	ctx := context.Background()
	claim := area.Claim{Root: weiqi.NewPosition(board.Size{Rows: 1, Cols: 3}), Prover: board.Black, Goal: 3}
	made, err := area.Extract(ctx, claim, centre{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := made.Write(&file); err != nil {
		fmt.Println(err)
		return
	}
	read, err := area.Read(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := area.Verify(ctx, read, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("valid:", report.Valid)
	fmt.Println(read.Claim())
	for position, step := range read.Entries() {
		fmt.Println(position, claim.Root.Size.Name(step.Move))
	}
	// Output:
	// valid: true
	// black scores at least 3 from ..., black to play
	// ... B1
}
