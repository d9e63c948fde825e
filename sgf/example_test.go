package sgf_test

import (
	"fmt"
	"os"

	"tengen/board"
	"tengen/sgf"
)

func ExampleReadGame() {
	games, err := sgf.Parse([]byte("(;GM[1]FF[4]RU[NoGo]SZ[4:3]PB[Ann]PW[Bob]RE[B+R];B[bb];W[da];B[cb])"))
	if err != nil {
		fmt.Println(err)
		return
	}
	game, err := sgf.ReadGame(games[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(game.Black, "against", game.White, "on", game.Size)
	for _, m := range game.Moves {
		fmt.Println(m.Colour, game.Size.Name(m.Point))
	}
	// Output:
	// Ann against Bob on 3x4
	// black B2
	// white D3
	// black C2
}

func ExampleGame_Tree() {
	size := board.Size{Rows: 3, Cols: 4}
	game := &sgf.Game{
		Size: size, Rules: "NoGo", Black: "Ann", White: "Bob",
		Result: sgf.Win(board.Black, sgf.ByResignation),
		Moves: []sgf.Move{
			{Colour: board.Black, Point: size.At(1, 1)},
			{Colour: board.White, Point: size.At(2, 3), Comment: "This loses."},
		},
	}
	root, err := game.Tree()
	if err != nil {
		fmt.Println(err)
		return
	}
	better := root.Children[0].Play(size, board.White, size.At(1, 2))
	better.Annotate("The point to play.")
	if err := sgf.Write(os.Stdout, sgf.Collection{root}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// (;GM[1]FF[4]CA[UTF-8]AP[tengen]RU[NoGo]SZ[4:3]PB[Ann]PW[Bob]RE[B+R];B[bb]
	// (;W[da]C[This loses.])
	// (;W[cb]C[The point to play.]))
}
