// Command appraisal trains the appraisal of the tree search. The player plays games of
// 9×9 against itself, and the weights of shapes are fitted to the results. It plays
// without the present appraisal: games in which both sides make the shapes they know to
// be good teach less.
//
//	go run ./internal/train/appraisal -o internal/player/appraisal.weights
//
// An interrupt ends the games. The command then learns from the finished ones.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"tengen/internal/wholefile"
)

func main() {
	out := flag.String("o", "appraisal.weights", "file for the weights")
	games := flag.Int("games", 8000, "how many games to learn from")
	playouts := flag.Int("playouts", 500, "playouts for each move")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *games, *playouts); err != nil {
		fmt.Fprintln(os.Stderr, "train appraisal:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string, games, playouts int) error {
	played, err := playAll(ctx, games, playouts)
	if err != nil {
		return err
	}
	if len(played) < heldBack {
		return errors.New("there are too few games to learn from")
	}
	test, examples := split(played)
	l := newLearner()
	for round := range rounds {
		l.round(examples)
		fmt.Printf("round %d: %.4f of what was learned, %.4f of %d other positions\n", round+1, l.loss(examples), l.loss(test), len(test))
	}
	return l.save(wholefile.Disk{}, out)
}

func (l *learner) save(disk wholefile.Disk, out string) error {
	return disk.Write(out, l.weights().Bytes())
}

// One game in heldBack is not learned from; it measures the result.
const heldBack = 16

// split takes the examples out of games: first the test examples, then the rest.
func split(games [][]example) (test, rest []example) {
	for i, g := range games {
		if i%heldBack == 0 {
			test = append(test, g...)
		} else {
			rest = append(rest, g...)
		}
	}
	return test, rest
}
