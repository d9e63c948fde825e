// Command moves writes examples for the network that orders moves in large positions of
// NoGo, package movenet. It searches boards after random first moves and writes two kinds
// of files: settled*.bin has positions after a move with the winner and the nodes that it
// took, listed*.bin positions with all their moves. train/moves.py reads them.
//
//	go run ./internal/train/moves -seconds 225 -o examples
//
// With -try it counts the positions that searches with the weights of a file take.
//
//	go run ./internal/train/moves -try net/moves.weights "3x8" "5x5 C3"
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"time"

	"tengen/board"
	"tengen/internal/movenet"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
	"tengen/internal/wholefile"
	"tengen/nogo"
)

func main() {
	out := flag.String("o", "examples", "folder for the examples")
	seconds := flag.Int("seconds", 225, "how long to search")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "searches at a time")
	seed := flag.Uint64("seed", 1, "of first moves and of noise")
	weights := flag.String("try", "", "search the named positions, such as \"5x5 C3\", with this weights file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *weights != "" {
		if err := try(ctx, os.Stdout, *weights, flag.Args(), *workers); err != nil {
			fail(err)
		}
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(*seconds)*time.Second)
	defer cancel()
	if err := run(ctx, *out, *workers, *seed); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "train moves:", err)
	os.Exit(1)
}

// run searches until the context ends.
func run(ctx context.Context, out string, workers int, seed uint64) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for i := range workers {
		wait.Go(func() { errs[i] = work(ctx, out, i, rand.New(rand.NewPCG(seed, uint64(i)))) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// lesson is a board to search: the most open points at the root, and its share of the
// searches.
type lesson struct {
	size  string
	most  int
	share float64
}

var lessons = []lesson{
	{"5x5", 22, 0.22},
	{"4x6", 22, 0.20},
	{"4x7", 22, 0.13},
	{"5x6", 22, 0.12},
	{"3x8", 22, 0.06},
	{"3x9", 22, 0.06},
	{"3x10", 22, 0.05},
	{"4x5", 20, 0.04},
	{"3x7", 20, 0.03},
	{"2x12", 22, 0.03},
	{"2x13", 22, 0.03},
	{"2x15", 22, 0.03},
}

const (
	// spread is the range of open points at the root below the most of a lesson.
	spread = 7
	// budget is the number of nodes of a search.
	budget = 8_000_000
	memory = 512 << 20
)

// work searches one position after the other.
func work(ctx context.Context, out string, number int, dice *rand.Rand) error {
	f := &files{dice: dice}
	for ctx.Err() == nil {
		l := choose(dice)
		size, err := board.ParseSize(l.size)
		if err != nil {
			return err
		}
		q := random(dice, size, l.most-dice.IntN(spread))
		f.begin(size)
		o := sums.Options{Threads: 1, Memory: memory, Recorder: f}
		if !movenet.Knows(size) {
			o.Without = []string{"policy"}
		}
		s, err := sums.New(size, o)
		if err != nil {
			return err
		}
		_, err = s.SolveWithin(ctx, q, budget)
		s.Close()
		if err != nil && !errors.Is(err, solver.ErrBudget) && ctx.Err() == nil {
			return err
		}
	}
	return f.save(wholefile.Disk{}, out, number)
}

func choose(dice *rand.Rand) lesson {
	x := dice.Float64()
	for _, l := range lessons {
		if x -= l.share; x < 0 {
			return l
		}
	}
	return lessons[0]
}

// random plays random moves until a position has few enough open points.
func random(dice *rand.Rand, size board.Size, most int) solver.Query {
	q := solver.Query{Position: nogo.NewPosition(size), ToPlay: board.Black}
	for {
		mine, theirs := q.Position.Legal(q.ToPlay), q.Position.Legal(q.ToPlay.Opponent())
		if mine.Union(theirs).Len() <= most || mine.IsEmpty() {
			return q
		}
		var moves []board.Point
		for p := range mine.Points() {
			moves = append(moves, p)
		}
		q = q.After(moves[dice.IntN(len(moves))])
	}
}
