package proof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"tengen/board"
	"tengen/nogo"
	"tengen/proof"
)

// search is the simplest oracle: it tries every move to the end.
type search struct{}

func (s search) WinningMove(ctx context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	for q := range p.Legal(c).Points() {
		next := p
		next.Stones[c].Add(q)
		if _, err := s.WinningMove(ctx, next, c.Opponent()); err != nil {
			return q, nil
		}
	}
	return board.NoPoint, errors.New("no move wins")
}

// This makes a proof from an oracle, writes it, reads it and checks it. The
// checker trusts neither the oracle nor the file.
func Example() {
	ctx := context.Background()
	root := nogo.NewPosition(board.Size{Rows: 2, Cols: 5})
	made, err := proof.Extract(ctx, root, board.Black, board.Black, search{}, proof.ExtractOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := made.Write(&file); err != nil {
		fmt.Println(err)
		return
	}
	read, err := proof.Read(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := proof.Verify(ctx, read, proof.VerifyOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("valid:", report.Valid, "winner:", read.Winner(), "bytes:", read.Bytes())
	for position, move := range read.Entries() {
		fmt.Println(position, root.Size.Name(move))
	}
	// Output:
	// valid: true winner: black bytes: 102
	// ...../..... B1
	// .x.../...o. D2
}
