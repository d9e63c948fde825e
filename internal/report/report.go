// Package report makes the tables and figures of the published papers again and
// puts the printed figures beside its own.
//
// An Experiment asks package engine a series of questions and composes a Report:
// tables for people, the same data for programs, a figure, and a list of the
// facts in which it differs from the paper. A Report can be rendered as Markdown
// and CSV and kept as files; nothing here prints.
package report

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tengen/engine"
)

// Experiment is a table or figure that can be made again.
type Experiment struct {
	Name   string
	Shows  string
	Source string
	Points Range

	run func(context.Context, *session) (Report, error)
}

// Range is how far an experiment can go, in points of the board.
type Range struct {
	Least, Most int
	Usual       int // unless told otherwise
	Paper       int // how far the paper goes
}

// Experiments lists what can be reproduced.
func Experiments() []Experiment {
	return []Experiment{
		frequentExperiment(),
		growthExperiment(),
		openingsExperiment(),
		ablationExperiment(),
		statisticsExperiment(),
		rectanglesExperiment(),
		superkoOpeningsExperiment(),
		superkoLinesExperiment(),
		superkoHardestExperiment(),
		superkoKnockoutExperiment(),
	}
}

// Find returns the experiment of a name.
func Find(name string) (Experiment, error) {
	var names []string
	for _, e := range Experiments() {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Experiment{}, fmt.Errorf("there is no experiment %q: choose %s", name, strings.Join(names, ", "))
}

// Options say how far an experiment goes and what it may use.
type Options struct {
	Max     int    // points of the largest board; 0 for the usual
	Limit   uint64 // positions after which a search that only serves comparison is given up; 0 for DefaultLimit
	Strips  string // database for single rows: a file, engine.CachedStrips, or "" to go without
	Threads int    // 0 for one, with which every count repeats exactly
	Memory  int64  // bytes for tables; 0 for the engine's default

	// Progress is called a few times a second from another goroutine.
	Progress func(Progress)
}

// DefaultLimit keeps the whole of an experiment to a minute or so.
const DefaultLimit = 1_000_000

// Progress is a glance at a running experiment.
type Progress struct {
	Experiment string
	Step       string // what is being searched
	Done, All  int    // steps
	Search     engine.Progress
}

// Report is what an experiment found.
type Report struct {
	Name    string
	Title   string
	Source  string
	Command string // makes it again

	Tables []Table
	Notes  []string // paragraphs, in Markdown
	Data   Data
	Figure []byte // SVG

	// Differences are facts that contradict the paper. Costs of a search may
	// differ; winners and values may not.
	Differences []string
	// Incomplete says why rows are missing, and is "" for a whole report.
	Incomplete string
}

// Run makes a report. One that was stopped comes back with the rows that were
// finished and *engine.Stopped; bad input comes back as a plain error.
func (e Experiment) Run(ctx context.Context, o Options) (Report, error) {
	if err := e.settle(&o); err != nil {
		return Report{}, err
	}
	s := &session{Options: o, experiment: e.Name}
	r, err := e.run(ctx, s)
	var stopped *engine.Stopped
	if err != nil && !errors.As(err, &stopped) {
		return Report{}, fmt.Errorf("%s: %w", e.Name, err)
	}
	r.Name, r.Source, r.Command = e.Name, e.Source, o.command(e.Name)
	r.Notes = append(r.Notes, s.notes()...)
	switch {
	case stopped == nil:
	case s.step == "":
		r.Incomplete = "stopped before the first search"
		err = &engine.Stopped{Cause: stopped.Cause, Known: e.Name + " has not begun: " + stopped.Known}
	default:
		r.Incomplete = "stopped at " + s.step
		err = &engine.Stopped{Cause: stopped.Cause, Known: e.Name + " came as far as " + s.step}
	}
	return r, err
}

// settle fills in what was left to default and refuses what cannot be done.
func (e Experiment) settle(o *Options) error {
	if o.Max == 0 {
		o.Max = e.Points.Usual
	}
	if least := e.Points.Least; o.Max != least && least == e.Points.Most {
		return fmt.Errorf("%s goes to boards of %d points, not %d", e.Name, least, o.Max)
	}
	if o.Max < e.Points.Least || o.Max > e.Points.Most {
		return fmt.Errorf("%s goes to boards of %d to %d points, not %d", e.Name, e.Points.Least, e.Points.Most, o.Max)
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
	text := fmt.Sprintf("tengen reproduce %s --max %d", name, o.Max)
	if o.Limit != DefaultLimit {
		text += fmt.Sprintf(" --limit %d", o.Limit)
	}
	switch o.Strips {
	case engine.CachedStrips:
	case "":
		text += " --strips none"
	default:
		text += " --strips " + o.Strips
	}
	if o.Threads != 1 {
		text += fmt.Sprintf(" --threads %d", o.Threads)
	}
	return text
}
