package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tengen/engine/job"
	"tengen/internal/match"
	"tengen/internal/report"
	"tengen/internal/text"
)

// reproduce holds the flags of one call.
type reproduce struct {
	*app
	list    bool
	scale   string
	resume  bool
	against string // command of an opponent
	dir     string
	max     int
	limit   uint64
	strips  string
	limits  limits
	timeout timeout
	json    bool

	own      string   // the program that runs
	opponent []string // against, as words
}

func newReproduce(a *app) *cobra.Command {
	r := &reproduce{app: a}
	cmd := &cobra.Command{
		Use:   "reproduce [EXPERIMENT ...]",
		Short: "Make the papers' tables and figures again",
		Long: `Make tables and figures of the published papers again, with the published numbers
beside those found now: all of them, or the experiments named. Each is written to
NAME.md, NAME.csv, NAME.json and, if it has a figure, NAME.svg and NAME.png in the
directory of --out, and printed as Markdown. report.html has all of them on one page.

--scale quick stops at boards that take seconds, paper at those of the paper, and
beyond goes farther; --list shows the boards. --max is for one experiment. Searches
that only serve as a comparison end after --limit positions and are shown as "more
than".

Tables of Go and games of matches stay in the directory of --out, so that other
experiments and later runs use them. value-match plays against --opponent CMD, a
program that speaks GTP, or else against uct: 200 games, and 6 with --scale quick.

The exit code is 1 if a winner, a score or a value differs from the paper and the
reason is not known. The report of an experiment that was stopped is kept and marked
as incomplete. --resume takes complete reports from the directory if the same program
would make them again by the same command.`,
		Example: `  tengen reproduce --list
  tengen reproduce
  tengen reproduce --scale paper --resume
  tengen reproduce value-match --scale paper --opponent "./mybot --gtp"
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
	flags.StringVar(&r.scale, "scale", string(report.Quick), "how far to go: "+text.List(report.Scales()))
	flags.BoolVar(&r.resume, "resume", false, "take complete reports from the directory")
	flags.StringVar(&r.against, "opponent", "", "command of a GTP program that value-match plays against")
	flags.IntVar(&r.max, "max", 0, "points of the largest board (default: that of the scale)")
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
	if err := report.CheckPage(r.app.disk, r.dir); err != nil {
		return err
	}
	for _, e := range experiments {
		if err := report.Check(r.app.disk, r.dir, e.Name); err != nil {
			return err
		}
	}
	return r.runAll(ctx, experiments, args)
}

// read checks the arguments and picks the experiments.
func (r *reproduce) read(farther bool, args []string) ([]report.Experiment, error) {
	var experiments []report.Experiment
	for _, name := range args {
		e, err := report.Find(name)
		if err != nil {
			if near := didYouMean(name, report.Names()); near != "" {
				return nil, fmt.Errorf("there is no experiment %q%s", name, near)
			}
			return nil, err
		}
		experiments = append(experiments, e)
	}
	if !slices.Contains(report.Scales(), report.Scale(r.scale)) {
		return nil, fmt.Errorf("there is no scale %q: choose %s", r.scale, text.List(report.Scales()))
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
	return experiments, r.readOpponent(experiments)
}

func (r *reproduce) readOpponent(experiments []report.Experiment) (err error) {
	if r.own, err = os.Executable(); err != nil || r.against == "" {
		return err
	}
	if !slices.ContainsFunc(experiments, func(e report.Experiment) bool { return e.Name == report.OpponentExperiment }) {
		return fmt.Errorf("--opponent is for %s: name it too", report.OpponentExperiment)
	}
	if r.opponent, err = match.SplitCommand(r.against); err != nil {
		return fmt.Errorf("--opponent: %w", err)
	}
	return nil
}

func (r *reproduce) options(status *status) report.Options {
	v := readVersion()
	o := report.Options{
		Scale: report.Scale(r.scale), Max: r.max, Limit: r.limit, Strips: r.strips, Threads: r.limits.threads, Memory: int64(r.limits.memory), Dir: r.dir, Resume: r.resume,
		Own: []string{r.own}, Opponent: r.opponent,
	}
	if o.Program = "tengen " + v.Version; v.Revision != "" {
		o.Program += " (" + v.Revision + ")"
	}
	o.Progress = func(p report.Progress) {
		status.show(fmt.Sprintf("%s %d/%d  %s  %s", p.Experiment, p.Done+1, p.All, p.Step, progressLine(p.Search)))
	}
	return o
}

// runAll writes and shows every report, up to the first that is stopped.
func (r *reproduce) runAll(ctx context.Context, experiments []report.Experiment, args []string) error {
	status := newStatus(r.err)
	object := reproduceJSON{Reports: []reportJSON{}}
	var reports []report.Report
	var stopped error
	differ := false
	for i, e := range experiments {
		found, err := r.runOne(ctx, e, r.options(status))
		status.clear()
		if stop := (*job.Stopped)(nil); err != nil && !errors.As(err, &stop) {
			return err
		}
		stopped = err
		if found.Title != "" {
			if !r.json && i > 0 {
				r.printf("\n")
			}
			reports = append(reports, found)
			files, err := r.show(found, reports, args)
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

// runOne runs an experiment, unless an earlier run has finished it.
func (r *reproduce) runOne(ctx context.Context, e report.Experiment, o report.Options) (report.Report, error) {
	if r.resume {
		if found, ok := e.Stored(r.dir, o); ok {
			return found, nil
		}
	}
	return e.Run(ctx, o)
}

// write writes the files of a report, and the page of all reports so far.
func (r *reproduce) write(found report.Report, reports []report.Report, args []string) ([]string, error) {
	files, err := found.Write(r.disk, r.dir)
	if err != nil {
		return files, err
	}
	command := found.Command
	if len(args) != 1 {
		command = strings.Join(append([]string{"tengen reproduce", "--scale", r.scale}, args...), " ")
	}
	page, err := report.WritePage(r.disk, r.dir, command, reports)
	if err != nil {
		return files, err
	}
	return append(files, page), nil
}

// show prints a report and writes its files.
func (r *reproduce) show(found report.Report, reports []report.Report, args []string) ([]string, error) {
	if !r.json {
		found.Markdown(r.out)
	}
	files, err := r.write(found, reports, args)
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
			object = append(object, experimentJSON{e.Name, e.Shows, e.Source, e.Points.Usual, e.Points.Paper, e.Points.At(report.Farther)})
		}
		return r.printJSON(map[string]any{"experiments": object})
	}
	table := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "experiment\tquick\tpaper\tbeyond\tshows")
	for _, e := range experiments {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%s\n", e.Name, e.Points.At(report.Quick), e.Points.At(report.PaperScale), e.Points.At(report.Farther), e.Shows)
	}
	return table.Flush()
}

type experimentJSON struct {
	Name   string `json:"name"`
	Shows  string `json:"shows"`
	Source string `json:"source"`
	Max    int    `json:"max"`
	Paper  int    `json:"paper"`
	Beyond int    `json:"beyond"`
}

// reportJSON has the data of the CSV file, with null for an empty cell.
type reportJSON struct {
	Name        string            `json:"name"`
	Title       string            `json:"title"`
	Source      string            `json:"source"`
	Command     string            `json:"command"`
	Columns     []string          `json:"columns"`
	Rows        [][]any           `json:"rows"`
	Compared    []report.Compared `json:"compared"`
	Differences []string          `json:"differences,omitempty"`
	Incomplete  string            `json:"incomplete,omitempty"`
	Files       []string          `json:"files"`
}

type reproduceJSON struct {
	Reports []reportJSON `json:"reports"`
}

func newReportJSON(r report.Report, files []string) reportJSON {
	return reportJSON{r.Name, r.Title, r.Source, r.Command, r.Data.Columns, r.Data.Rows, r.Compared, r.Differences, r.Incomplete, files}
}
