// Command scaling makes the table and the figure of docs/cluster.md that show how far a
// cluster scales. It runs the master's own code in virtual time, with measured costs of
// messages, on a real board and on trees that are made up.
//
// The table goes to standard error, the figure to standard output:
//
//	go run ./internal/cluster/scaling > docs/cluster-scaling.svg
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"tengen/board"
	"tengen/internal/cluster"
	"tengen/internal/cluster/tree"
	"tengen/internal/report"
	"tengen/internal/text"
	"tengen/nogo"
)

func main() {
	boards := flag.String("boards", "4x5", "boards to search, separated by commas")
	most := flag.Int("most", 1024, "most workers; on boards at most 64")
	only := flag.Bool("statistics", false, "print only the statistics of boards that trees are made up from")
	also := flag.Bool("made", true, "also trees that are made up")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	list := strings.Split(*boards, ",")
	err := error(nil)
	if *only {
		err = statistics(ctx, list)
	} else {
		err = run(ctx, list, *most, *also)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scaling:", err)
		os.Exit(1)
	}
}

// problem is one curve.
type problem struct {
	name string
	most int // workers
	run  func(ctx context.Context, workers int) (cluster.Simulated, error)
}

func run(ctx context.Context, boards []string, most int, also bool) error {
	problems, err := searched(boards)
	if err != nil {
		return err
	}
	if also {
		problems = append(problems,
			made("made up, 8·10⁵", cluster.Like4x5.Nodes, cluster.Measured),
			made("made up, 10⁹", 1e9, cluster.Measured),
			made("10⁹, no flushes", 1e9, cluster.Unflushed),
			made("made up, 10¹¹", 1e11, cluster.Measured),
		)
	}
	var lines []report.Line
	for _, p := range problems {
		line, err := curve(ctx, p, min(most, p.most))
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	svg, err := report.Scaling(lines)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(svg)
	return err
}

// statistics prints the statistics of the upper trees of boards.
func statistics(ctx context.Context, boards []string) error {
	for _, name := range boards {
		size, err := board.ParseSize(name)
		if err != nil {
			return err
		}
		m, err := cluster.Statistics(ctx, empty(size), cluster.Measured, cluster.Options{})
		if err != nil {
			return err
		}
		fmt.Printf("%s: %.0f positions, %d moves, the first wins %.2f of won ones, logarithms of siblings differ by %.2f\n", size, m.Nodes, m.Moves, m.First, m.Spread)
	}
	return nil
}

func empty(size board.Size) cluster.Question {
	return cluster.Question{Position: nogo.Position{Size: size}, ToPlay: board.Black}
}

// searched are the boards: their jobs are searched for real.
func searched(boards []string) ([]problem, error) {
	var list []problem
	for _, name := range boards {
		if name == "" {
			continue
		}
		size, err := board.ParseSize(name)
		if err != nil {
			return nil, err
		}
		list = append(list, problem{size.String(), 64, func(ctx context.Context, workers int) (cluster.Simulated, error) {
			return cluster.Simulate(ctx, empty(size), workers, cluster.Measured, cluster.Options{})
		}})
	}
	return list, nil
}

// made is a problem that is too large to be searched here, like 4x5 but for its size.
func made(name string, nodes float64, costs cluster.Costs) problem {
	m := cluster.Like4x5
	m.Nodes = nodes
	return problem{name, 1024, func(ctx context.Context, workers int) (cluster.Simulated, error) {
		return cluster.SimulateMade(ctx, m, workers, costs, tree.Budgets{})
	}}
}

// curve prints a table, a row for each number of workers.
func curve(ctx context.Context, p problem, most int) (report.Line, error) {
	fmt.Fprintf(os.Stderr, "\n%s\n\n", p.name)
	fmt.Fprintln(os.Stderr, "| workers | seconds | speed-up | efficiency | positions | beside one worker | cancelled | jobs | tree | waiting | master busy | checking | facts |")
	fmt.Fprintln(os.Stderr, "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	line := report.Line{Name: p.name, Efficiency: map[int]float64{}}
	var one cluster.Simulated
	for workers := 1; workers <= most; workers *= 2 {
		s, err := p.run(ctx, workers)
		if err != nil {
			return line, err
		}
		if workers == 1 {
			one = s
		}
		up := one.Seconds / s.Seconds
		line.Efficiency[workers] = up / float64(workers)
		fmt.Fprintf(os.Stderr, "| %d | %.3f | %.1f | %.2f | %s | %.2f | %s | %s | %s | %s | %s | %s | %s |\n",
			workers, s.Seconds, up, up/float64(workers), text.Thousands(s.Nodes), float64(s.Nodes)/float64(one.Nodes),
			percent(float64(s.Dropped)/float64(s.Nodes)), text.Thousands(s.Jobs), text.Thousands(uint64(s.Positions)),
			percent(1-s.Searching), percent(s.Master), percent(s.Checking), text.Thousands(s.Facts/16))
	}
	return line, nil
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
