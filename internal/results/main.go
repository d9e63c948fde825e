// Command results makes docs/data/nogo.csv: it solves every rectangle of a range of
// sizes with one thread and an empty table, writes the certificate, checks it, and
// prints a row for each board. Single rows are searched with the database of strips in
// the user's cache, as by tengen solve. With -tables it makes the tables of the
// documentation from all files of docs/data instead, and with -papers the files of the
// reproduced papers from folders of tengen reproduce.
//
//	go run ./internal/results -to 20
//	go run ./internal/results -tables .
//	go run ./internal/results -papers . PAPER-FOLDER QUICK-FOLDER
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/pages"
	"tengen/internal/wholefile"
	"tengen/nogo"
	"tengen/proof"
)

func main() {
	from := flag.Int("from", 1, "least number of points")
	to := flag.Int("to", 20, "greatest number of points")
	memory := flag.Int64("memory", 4<<30, "bytes for the table")
	dir := flag.String("certificates", "", "directory that keeps the certificates (default: none are kept)")
	commit := flag.String("commit", "0000000", "commit of the program, for the first line")
	tables := flag.String("tables", "", "make the tables of the documentation of the project in this directory")
	reproduced := flag.String("papers", "", "make the files of the papers of the project in this directory, from the folders given")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch {
	case *tables != "":
		err = fill(*tables)
	case *reproduced != "":
		err = papers(*reproduced, flag.Args())
	default:
		fmt.Printf("# commit: %s\n# command: make results RESULTS=\"-from %d -to %d\"\n", *commit, *from, *to)
		err = run(ctx, os.Stdout, *from, *to, *memory, *dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, from, to int, memory int64, dir string) error {
	if dir == "" {
		temporary, err := os.MkdirTemp("", "tengen-results")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		dir = temporary
	}
	fmt.Fprintln(w, "# format: board,text,number,number s,number MiB,number,number,code")
	fmt.Fprintln(w, "board,winner,positions searched,time,table,certificate: positions,bytes,SHA-256")
	for _, size := range rectangles(from, to) {
		if err := row(ctx, w, size, memory, filepath.Join(dir, size.String()+".cert")); err != nil {
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
func row(ctx context.Context, w io.Writer, size board.Size, memory int64, certificate string) error {
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
	_, err = fmt.Fprintf(w, "%v,%s,%d,%.2f,%.1f,%d,%d,%s\n", size, result.Winner, result.Nodes, result.Elapsed.Seconds(),
		float64(result.Memory)/(1<<20), c.Len(), c.Bytes(), c.Checksum())
	return err
}

// fill writes the tables of every page of a project.
func fill(dir string) error {
	data, err := pages.ReadData(filepath.Join(dir, "docs", "data"))
	if err != nil {
		return err
	}
	docs, err := filepath.Glob(filepath.Join(dir, "docs", "*.md"))
	if err != nil {
		return err
	}
	for _, name := range append(docs, filepath.Join(dir, "README.md")) {
		page, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		filled, err := data.Fill(string(page))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if filled != string(page) {
			if err := (wholefile.Disk{}).Write(name, []byte(filled)); err != nil {
				return err
			}
		}
	}
	return nil
}
