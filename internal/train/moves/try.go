package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"tengen/board"
	"tengen/internal/movenet"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
	"tengen/nogo"
)

// tryMemory is enough to lose nothing from the table on boards to 27 points.
const tryMemory = 2 << 30

// try searches positions with the network of a file, several at a time with one thread
// each, and writes how many positions each took.
func try(ctx context.Context, to io.Writer, file string, positions []string, workers int) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	net, err := movenet.Read(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var wait sync.WaitGroup
	var write sync.Mutex
	free := make(chan struct{}, max(1, workers))
	errs := make([]error, len(positions))
	for i, name := range positions {
		wait.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			nodes, err := count(ctx, name, net)
			write.Lock()
			defer write.Unlock()
			if err != nil {
				errs[i] = fmt.Errorf("%s: %w", name, err)
				return
			}
			fmt.Fprintf(to, "%s: %d positions\n", name, nodes)
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// count solves one position, a size and moves to play first, and returns how many positions
// that took.
func count(ctx context.Context, name string, net *movenet.Net) (uint64, error) {
	words := strings.Fields(name)
	if len(words) == 0 {
		return 0, errors.New("a size is missing, such as 5x5")
	}
	size, err := board.ParseSize(words[0])
	if err != nil {
		return 0, err
	}
	q := solver.Query{Position: nogo.NewPosition(size), ToPlay: board.Black}
	for _, word := range words[1:] {
		p, err := size.ParsePoint(word)
		if err != nil {
			return 0, err
		}
		if !q.Position.Legal(q.ToPlay).Has(p) {
			return 0, fmt.Errorf("%s is no legal move there", word)
		}
		q = q.After(p)
	}
	s, err := sums.New(size, sums.Options{Threads: 1, Memory: tryMemory, Net: net})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	_, err = s.Solve(ctx, q)
	return s.Stats().Nodes, err
}
