// Command ordering trains the learned ordering of method sums, a small network. It searches
// boards, settles all moves of a share of the positions it visits, and fits the network to
// them. The searches use the present network, so another run continues from its weights.
//
//	go run ./internal/train/ordering -o internal/solver/sums/ordering.weights
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"

	"tengen/internal/wholefile"
)

func main() {
	out := flag.String("o", "ordering.weights", "file for the weights")
	without := flag.String("without", "", "parts of the search to do without, such as judge")
	scale := flag.Float64("scale", 1, "how many positions, as a share of those that the weights in use were made from")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *without, *scale); err != nil {
		fmt.Fprintln(os.Stderr, "train ordering:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, without string, scale float64) error {
	var parts []string
	if without != "" {
		parts = strings.Split(without, ",")
	}
	examples, err := collect(ctx, parts, scale)
	if err != nil {
		return err
	}
	net := train(ctx, examples)
	if err := ctx.Err(); err != nil {
		return err
	}
	return net.save(wholefile.Disk{}, out)
}

func (n *network) save(disk wholefile.Disk, out string) error {
	data, err := n.weights().Bytes()
	if err != nil {
		return err
	}
	return disk.Write(out, data)
}

// collect takes the examples of all lessons.
func collect(ctx context.Context, without []string, scale float64) ([]example, error) {
	found := make([][]example, len(lessons))
	errs := make([]error, len(lessons))
	var wait sync.WaitGroup
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, l := range lessons {
		wait.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			found[i], errs[i] = l.examples(ctx, int(scale*float64(l.positions)), without)
			fmt.Printf("%-5s %6d positions\n", l.size, len(found[i]))
		})
	}
	wait.Wait()
	var all []example
	for _, list := range found {
		all = append(all, list...)
	}
	return all, errors.Join(errs...)
}
