// Package report reproduces the tables and figures of published papers and
// compares its results with the printed ones.
//
// An Experiment asks package engine a series of questions and composes a Report:
// tables for people, the same data for programs, a figure, and a list of the
// facts that differ from the paper. A Report can be rendered as Markdown and CSV
// and written to files. The package prints nothing.
package report

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/bigmem"
	"tengen/internal/text"
)

// Experiment is a table or figure that can be reproduced.
type Experiment struct {
	Name   string
	Shows  string
	Source string
	Points Range

	strips bool // its searches use the database of strips
	run    func(context.Context, *session) (Report, error)
}

// Range bounds the boards of an experiment, in points.
type Range struct {
	Least, Most int
	Usual       int // the default: seconds
	Paper       int // the largest board in the paper
	Beyond      int // past the paper; 0 if no farther
}

// Scale says how far an experiment goes.
type Scale string

// The scales.
const (
	Quick      Scale = "quick"
	PaperScale Scale = "paper"
	Farther    Scale = "beyond"
)

// Scales lists the scales.
func Scales() []Scale { return []Scale{Quick, PaperScale, Farther} }

// At is the largest board at a scale.
func (r Range) At(s Scale) int {
	switch {
	case s == PaperScale, s == Farther && r.Beyond == 0:
		return max(r.Paper, r.Usual)
	case s == Farther:
		return r.Beyond
	}
	return r.Usual
}

// Experiments lists the experiments.
func Experiments() []Experiment {
	return []Experiment{
		frequentExperiment(),
		growthExperiment(),
		openingsExperiment(),
		ablationExperiment(),
		statisticsExperiment(),
		linearDatabaseExperiment(),
		linearSimplestExperiment(),
		linearTheoremsExperiment(),
		linearCanonicalExperiment(),
		rectanglesExperiment(),
		rectanglesRepliesExperiment(),
		rectanglesSymmetryExperiment(),
		rectanglesMirrorExperiment(),
		rectanglesWithinExperiment(),
		rectanglesProofExperiment(),
		rectanglesTableExperiment(),
		rectanglesGamesExperiment(),
		valueWorkedExperiment(),
		valueScatteringExperiment(),
		valueTimesExperiment(),
		valueMatchExperiment(),
		valueOursExperiment(),
		superkoOpeningsExperiment(),
		superkoLinesExperiment(),
		superkoHardestExperiment(),
		superkoKnockoutExperiment(),
		superkoLegalExperiment(),
		superkoExercisesExperiment(),
		superkoBoundsExperiment(),
		superkoIdentitiesExperiment(),
		superkoTheoremsExperiment(),
		superkoPrintedExperiment(),
		superkoProlongedExperiment(),
		strongBitsExperiment(),
		strongStatesExperiment(),
		strongResultsExperiment(),
		strongScoresExperiment(),
		strongCostsExperiment(),
		strongRowsExperiment(),
	}
}

// Find returns the experiment with a name.
func Find(name string) (Experiment, error) {
	for _, e := range Experiments() {
		if e.Name == name {
			return e, nil
		}
	}
	return Experiment{}, fmt.Errorf("there is no experiment %q: choose %s", name, strings.Join(Names(), ", "))
}

// Names lists the names of all experiments.
func Names() (names []string) {
	for _, e := range Experiments() {
		names = append(names, e.Name)
	}
	return names
}

// Options say how far an experiment goes and what it may use.
type Options struct {
	Scale   Scale  // "" for Quick
	Max     int    // points of the largest board; 0 for that of the scale
	Limit   uint64 // positions after which a search for comparison ends; 0 for DefaultLimit
	Strips  string // database for single rows: a file, job.Cache, or "" for none
	Threads int    // 0 for one, with which every count repeats exactly
	Memory  int64  // bytes for tables; 0 for the engine's default
	Program string // version and commit, for the head of the report
	Dir     string // folder in which tables of Go and matches stay for the next run; "" for none
	Resume  bool   // go on with a match that was stopped

	Own      []string // the command of tengen, whose players play in matches
	Opponent []string // the command of a program that value-match plays against; nil for ours

	// Progress is called a few times a second from another goroutine.
	Progress func(Progress)
}

// OpponentExperiment is the one that Options.Opponent is for.
const OpponentExperiment = "value-match"

// DefaultLimit keeps the time of a whole experiment to about a minute.
const DefaultLimit = 1_000_000

// Progress is the state of a running experiment.
type Progress struct {
	Experiment string
	Step       string // the present search
	Done, All  int    // steps
	Search     solve.Progress
}

// Report is the result of an experiment.
type Report struct {
	Name    string
	Title   string
	Source  string
	Command string // the command that makes it again
	Program string // version and commit
	Machine string // cores and memory
	Seconds float64

	Compared []Compared
	Tables   []Table
	Notes    []string // paragraphs, in Markdown
	Data     Data     // Compared, if the experiment has no other
	Figure   []byte   // SVG
	Picture  []byte   // the same as PNG

	// Differences are facts that contradict the paper. Costs of a search may
	// differ; winners and values may not.
	Differences []string
	// Incomplete says why rows are missing. It is "" for a complete report.
	Incomplete string
}

// Run makes a report. If it is stopped, it returns the finished rows and
// *job.Stopped. Bad input is another error.
func (e Experiment) Run(ctx context.Context, o Options) (Report, error) {
	if err := e.settle(&o); err != nil {
		return Report{}, err
	}
	s, began := &session{Options: o, experiment: e.Name}, time.Now()
	var r Report
	var err error
	if e.strips {
		err = s.describeStrips(ctx)
	}
	if err == nil {
		r, err = e.run(ctx, s)
	}
	var stopped *job.Stopped
	if err != nil && !errors.As(err, &stopped) {
		return Report{}, fmt.Errorf("%s: %w", e.Name, err)
	}
	r.Name, r.Source, r.Command = e.Name, e.Source, o.command(e.Name)
	r.Program, r.Machine, r.Seconds = o.Program, machine(), milliseconds(time.Since(began))
	if r.Data.Columns == nil {
		r.Data = comparedData(r.Compared)
	}
	r.Notes = append(r.Notes, s.notes()...)
	switch {
	case stopped == nil:
	case s.step == "":
		r.Incomplete = "stopped before the first search"
		err = &job.Stopped{Cause: stopped.Cause, Known: e.Name + " has not begun: " + stopped.Known}
	default:
		r.Incomplete = "stopped at " + s.step
		err = &job.Stopped{Cause: stopped.Cause, Known: e.Name + " was stopped at " + s.step}
	}
	return r, err
}

// composed makes a report of the rows that were measured before err ended the work.
func composed[R any](rows []R, err error, compose func([]R) (Report, error)) (Report, error) {
	if len(rows) == 0 {
		return Report{}, err
	}
	report, failed := compose(rows)
	if failed != nil {
		return Report{}, failed
	}
	return report, err
}

// settle fills in defaults and refuses options out of range.
func (e Experiment) settle(o *Options) error {
	if o.Max == 0 {
		o.Max = e.Points.At(o.Scale)
	}
	if least := e.Points.Least; o.Max != least && least == e.Points.Most {
		return fmt.Errorf("%s has boards of %d points, not %d", e.Name, least, o.Max)
	}
	if o.Max < e.Points.Least || o.Max > e.Points.Most {
		return fmt.Errorf("%s has boards of %d to %d points, not %d", e.Name, e.Points.Least, e.Points.Most, o.Max)
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	if o.Threads == 0 {
		o.Threads = 1
	}
	return nil
}

// command spells the options as flags of the command line.
func (o Options) command(name string) string {
	line := fmt.Sprintf("tengen reproduce %s --max %d", name, o.Max)
	if o.Scale != "" && o.Scale != Quick {
		line += " --scale " + string(o.Scale)
	}
	if o.Limit != DefaultLimit {
		line += fmt.Sprintf(" --limit %d", o.Limit)
	}
	switch o.Strips {
	case job.Cache:
	case "":
		line += " --strips none"
	default:
		line += " --strips " + o.Strips
	}
	if len(o.Opponent) > 0 && name == OpponentExperiment {
		line += fmt.Sprintf(" --opponent %q", strings.Join(o.Opponent, " "))
	}
	if o.Threads != 1 {
		line += fmt.Sprintf(" --threads %d", o.Threads)
	}
	return line
}

// machine describes the kind of machine, not which one it is.
func machine() string {
	kind := fmt.Sprintf("%s/%s, %s", runtime.GOOS, runtime.GOARCH, text.Plural(runtime.NumCPU(), "core"))
	if bytes := bigmem.Machine(); bytes > 0 {
		kind += ", " + text.Bytes(bytes) + " of memory"
	}
	return kind
}
