// Command results makes the rows of docs/results.md: it solves every rectangle
// of a range of sizes with one thread and an empty table, writes the
// certificate, checks it, and prints a line of Markdown for each board. Single rows
// are searched with the database of strips in the user's cache, as by tengen solve.
//
//	go run ./internal/results -to 20
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/text"
	"tengen/nogo"
	"tengen/proof"
)

func main() {
	from := flag.Int("from", 1, "least number of points")
	to := flag.Int("to", 20, "greatest number of points")
	memory := flag.Int64("memory", 4<<30, "bytes for the table")
	dir := flag.String("certificates", "", "directory that keeps the certificates (default: none are kept)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *from, *to, *memory, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, from, to int, memory int64, dir string) error {
	if dir == "" {
		temporary, err := os.MkdirTemp("", "tengen-results")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		dir = temporary
	}
	fmt.Println("| board | winner | positions searched | time | table | certificate: positions | bytes | SHA-256 |")
	fmt.Println("|---|---|---:|---:|---:|---:|---:|---|")
	for _, size := range rectangles(from, to) {
		if err := row(ctx, size, memory, filepath.Join(dir, size.String()+".cert")); err != nil {
			return fmt.Errorf("%v: %w", size, err)
		}
	}
	return nil
}

// rectangles lists the boards in the order of their points, flat ones first.
func rectangles(from, to int) []board.Size {
	var list []board.Size
	for rows := 1; rows*rows <= to; rows++ {
		for cols := rows; rows*cols <= to; cols++ {
			if rows*cols >= from {
				list = append(list, board.Size{Rows: rows, Cols: cols})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b board.Size) int { return cmp.Compare(a.Points(), b.Points()) })
	return list
}

// row solves one board and fails unless the checker accepts the certificate.
func row(ctx context.Context, size board.Size, memory int64, certificate string) error {
	result, err := solve.NoGo(ctx, solve.Request{
		Position: nogo.NewPosition(size), Method: solve.Sums, Limits: job.Limits{Memory: memory, Threads: 1}, Certificate: certificate, Strips: job.Cache,
	})
	if err != nil {
		return err
	}
	c, err := proof.ReadFile(certificate)
	if err != nil {
		return err
	}
	report, err := proof.Verify(ctx, c, proof.VerifyOptions{})
	if err != nil {
		return err
	}
	if !report.Valid || !result.Winner.Is(c.Winner()) {
		return fmt.Errorf("the certificate is not accepted: %v", report.Failure)
	}
	fmt.Printf("| %d×%d | %s | %s | %.2f s | %s | %s | %s | `%s` |\n", size.Rows, size.Cols, result.Winner,
		text.Thousands(result.Nodes), result.Elapsed.Seconds(), text.Bytes(result.Memory),
		text.Thousands(c.Len()), text.Thousands(c.Bytes()), c.Checksum())
	return nil
}
