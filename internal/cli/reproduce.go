package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tengen/engine/job"
	"tengen/internal/report"
	"tengen/internal/text"
)

// reproduce holds the flags of one call.
type reproduce struct {
	*app
	list    bool
	dir     string
	max     int
	limit   uint64
	strips  string
	limits  limits
	timeout timeout
	json    bool
}

func newReproduce(a *app) *cobra.Command {
	r := &reproduce{app: a}
	cmd := &cobra.Command{
		Use:   "reproduce [EXPERIMENT ...]",
		Short: "Make the papers' tables and figures again",
		Long: `Make tables and figures of the published papers again, with the published numbers
beside those found now: all of them, or the experiments named. Each is written to
NAME.md, NAME.csv and, if it has a figure, NAME.svg in the directory of --out, and
printed as Markdown.

By default an experiment stops at boards that take seconds; --max sets the points of
the largest board, and --list shows those of the paper. Searches that only serve as a
comparison end after --limit positions and are shown as "more than".

The exit code is 1 if a winner, a score or a value differs from the paper. The report
of an experiment that was stopped is kept and marked as incomplete.`,
		Example: `  tengen reproduce --list
  tengen reproduce
  tengen reproduce linear-growth --max 39
  tengen reproduce superko-openings --max 11
  tengen reproduce linear-ablation --max 30 --limit 100000000 --out ablation`,
		ValidArgs: experimentNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.run(cmd.Context(), cmd.Flags().Changed("max"), args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&r.list, "list", false, "list the experiments")
	dirFlag(cmd, &r.dir, "out", "o", "reproduced", "directory for the files")
	flags.IntVar(&r.max, "max", 0, "points of the largest board (default: boards that take seconds)")
	flags.Uint64Var(&r.limit, "limit", report.DefaultLimit, "positions after which a search for comparison ends")
	fileFlag(cmd, &r.strips, "strips", "", job.Cache, "database of strips for single rows: a file, auto or none")
	countFlag(cmd, &r.limits.threads, "threads", 1, 1, "threads", "threads; with one, the positions repeat exactly")
	flags.Var(&r.limits.memory, "memory", "memory for tables, such as 8GiB"+halfMachine)
	r.timeout.register(cmd)
	flags.BoolVar(&r.json, "json", false, "print one JSON object")
	return cmd
}

func experimentNames() []string {
	var names []string
	for _, e := range report.Experiments() {
		names = append(names, e.Name+"\t"+e.Shows)
	}
	return names
}

func (r *reproduce) run(ctx context.Context, farther bool, args []string) error {
	experiments, err := r.read(farther, args)
	if err != nil {
		return err
	}
	if r.list {
		return r.printList(experiments)
	}
	ctx, cancel := r.timeout.limit(ctx)
	defer cancel()
	// Errors about the directory come before the long work.
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	for _, e := range experiments {
		if err := report.Check(r.app.disk, r.dir, e.Name); err != nil {
			return err
		}
	}
	return r.runAll(ctx, experiments)
}

// read checks the arguments and picks the experiments.
func (r *reproduce) read(farther bool, args []string) ([]report.Experiment, error) {
	var experiments []report.Experiment
	for _, name := range args {
		e, err := report.Find(name)
		if err != nil {
			return nil, err
		}
		experiments = append(experiments, e)
	}
	switch {
	case farther && len(experiments) != 1:
		return nil, errors.New("--max is for one experiment, since each has its own range: name the experiment")
	case farther && r.max < 1:
		return nil, fmt.Errorf("--max %d is not a number of points", r.max)
	case r.limit < 1:
		return nil, errors.New("--limit 0 would end every search: give a number of positions")
	case r.strips == "none":
		r.strips = ""
	}
	if len(experiments) == 0 {
		experiments = report.Experiments()
	}
	return experiments, nil
}

func (r *reproduce) options(status *status) report.Options {
	o := report.Options{Max: r.max, Limit: r.limit, Strips: r.strips, Threads: r.limits.threads, Memory: int64(r.limits.memory)}
	o.Progress = func(p report.Progress) {
		status.show(fmt.Sprintf("%s %d/%d  %s  %s", p.Experiment, p.Done+1, p.All, p.Step, progressLine(p.Search)))
	}
	return o
}

// runAll writes and shows every report, up to the first that is stopped.
func (r *reproduce) runAll(ctx context.Context, experiments []report.Experiment) error {
	status := newStatus(r.err)
	object := reproduceJSON{Reports: []reportJSON{}}
	var stopped error
	differ := false
	for i, e := range experiments {
		found, err := e.Run(ctx, r.options(status))
		status.clear()
		if stop := (*job.Stopped)(nil); err != nil && !errors.As(err, &stop) {
			return err
		}
		stopped = err
		if found.Title != "" {
			if !r.json && i > 0 {
				r.printf("\n")
			}
			files, err := r.show(found)
			differ = differ || len(found.Differences) > 0
			object.Reports = append(object.Reports, newReportJSON(found, files))
			if err != nil {
				stopped = err
			}
		}
		if stopped != nil {
			break
		}
	}
	if r.json {
		stopped = errors.Join(r.printJSON(object), stopped)
	}
	if stopped == nil && differ {
		return errNo
	}
	return stopped
}

// show prints a report and writes its files.
func (r *reproduce) show(found report.Report) ([]string, error) {
	if !r.json {
		found.Markdown(r.out)
	}
	files, err := found.Write(r.disk, r.dir)
	for _, file := range files {
		if !r.json {
			fmt.Fprintf(r.err, "written: %s\n", text.Printable(file))
		}
	}
	return files, err
}

func (r *reproduce) printList(experiments []report.Experiment) error {
	if r.json {
		object := []experimentJSON{}
		for _, e := range experiments {
			object = append(object, experimentJSON{e.Name, e.Shows, e.Source, e.Points.Usual, e.Points.Paper})
		}
		return r.printJSON(map[string]any{"experiments": object})
	}
	table := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "experiment\t--max\tpaper\tshows")
	for _, e := range experiments {
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\n", e.Name, e.Points.Usual, e.Points.Paper, e.Shows)
	}
	return table.Flush()
}

type experimentJSON struct {
	Name   string `json:"name"`
	Shows  string `json:"shows"`
	Source string `json:"source"`
	Max    int    `json:"max"`
	Paper  int    `json:"paper"`
}

// reportJSON has the data of the CSV file, with null for an empty cell.
type reportJSON struct {
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Source      string   `json:"source"`
	Command     string   `json:"command"`
	Columns     []string `json:"columns"`
	Rows        [][]any  `json:"rows"`
	Differences []string `json:"differences,omitempty"`
	Incomplete  string   `json:"incomplete,omitempty"`
	Files       []string `json:"files"`
}

type reproduceJSON struct {
	Reports []reportJSON `json:"reports"`
}

func newReportJSON(r report.Report, files []string) reportJSON {
	return reportJSON{r.Name, r.Title, r.Source, r.Command, r.Data.Columns, r.Data.Rows, r.Differences, r.Incomplete, files}
}
