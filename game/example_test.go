package game_test

import (
	"fmt"
	"os"
	"strings"

	"tengen/board"
	"tengen/game"
)

// A game of NoGo from the first move to the last.
func Example() {
	size := board.Size{Rows: 2, Cols: 2}
	g := game.New(game.NoGo{}, game.NewPosition(size))
	moves, err := game.ParseMoves(size, "A1 B2 A2")
	if err == nil {
		err = g.PlayAll(moves)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(size.Diagram(g.Position().Stones))
	fmt.Println(g.Play(size.At(0, 1)))
	if end, over := g.End(); over {
		fmt.Println(end)
	}
	// Output:
	// 2 x o
	// 1 x .
	//   A B
	// white may not play B1: the stone would have no liberty
	// White has no legal move: black wins
}

// The same with the rules of Go, chosen by name, up to the score.
func ExampleParseRules() {
	rules, err := game.ParseRules("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	start, err := game.ParsePosition(rules, ".x./.x./.xo")
	if err != nil {
		fmt.Println(err)
		return
	}
	start.ToPlay = board.White
	g := game.New(rules, start)
	g.Komi = 0.5
	fmt.Println(game.MoveNames(start.Size, []board.Point{start.Size.At(1, 2), game.Pass}), g.Legal(board.White).Len(), "points open to White")
	for range 2 {
		if err := g.Play(game.Pass); err != nil {
			fmt.Println(err)
		}
	}
	end, _ := g.End()
	fmt.Println(end)
	fmt.Println(end.Result())
	// Output:
	// [C2 pass] 5 points open to White
	// both sides have passed: black wins by 4.5
	// B+4.5
}

// A record is replayed by the rules it names, and written with a move more.
func ExampleReplay() {
	record, err := game.ReadRecord(strings.NewReader("(;GM[1]FF[4]RU[NoGo]SZ[4:3]PB[Ann];B[bb];W[da])"))
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := game.Replay(game.Recorded(record), record)
	if err == nil {
		err = g.Play(g.Position().Size.At(1, 2))
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	again := g.Record()
	again.Black = record.Black
	if err := game.WriteRecord(os.Stdout, again); err != nil {
		fmt.Println(err)
	}
	// Output:
	// (;GM[1]FF[4]CA[UTF-8]AP[tengen]RU[NoGo]SZ[4:3]PB[Ann];B[bb];W[da];B[cb])
}
