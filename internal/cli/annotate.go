package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/review"
	"tengen/internal/text"
	"tengen/internal/wholefile"
	"tengen/sgf"
	"tengen/weiqi"
)

// annotate holds the flags of one call.
type annotate struct {
	*app
	output string
	game   choice
	rules  choice
	table  string
	time   time.Duration
	limits limits
	again  bool
	json   bool
}

func newAnnotate(a *app) *cobra.Command {
	n := &annotate{app: a, game: oneOf(append([]string{"auto"}, game.Names()...)...), rules: oneOf("auto", "basic", "psk", "ssk")}
	cmd := &cobra.Command{
		Use:   "annotate FILE...",
		Short: "Judge every move of game records",
		Long: `Judge every move of games of NoGo and Go in SGF: its cost, the better move, and the
line after that. The answer is a table. -o writes the records with comments, marks
and the better lines as variations.

Moves are judged exactly where possible: NoGo by searches to the end, Go by the table
of its board or, under superko, by a search. A position of NoGo that is not solved
within --time-per-move is estimated by playouts, and the answer says so. By an
estimate, a move is a mistake if it costs at least 20 % of the wins. Go under basic ko
needs the table of its board. Tables of up to 16 points are built when they are
needed; "tengen table build go SIZE" builds larger ones, of up to 22 points. Boards of
23 to 36 points are searched, and bounds are shown.

A record with RU[NoGo] is a game of NoGo. Any other is a game of Go under basic ko.
--game and --rules override this.

In a folder, all files that end in .sgf are judged, and -o is a folder too. A record
there that is newer than its source is skipped, so the same command continues after a
stop; --again judges all of them again. Comments and marks that a record already has
stay in it.`,
		Example: `  tengen annotate game.sgf
  tengen annotate game.sgf -o judged.sgf --time-per-move 30s
  tengen annotate games -o judged
  tengen annotate 5x5.sgf --game nogo --json`,
		Args: takes(1, math.MaxInt, "a game record, or a folder of them"),
		RunE: func(cmd *cobra.Command, args []string) error { return n.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	fileFlag(cmd, &n.output, "output", "o", "", "record to write, or folder if there are several")
	n.game.register(cmd, "game", "game that was played; auto takes it from the record")
	n.rules.register(cmd, "rules", "repetitions that Go forbids; auto takes the rule from the record")
	fileFlag(cmd, &n.table, "table", "", "", "table of Go for its board (default: the one in the user's cache)")
	flags.DurationVar(&n.time, "time-per-move", 5*time.Second, "time for a position, after which it is estimated (0: no limit)")
	n.limits.register(cmd, "memory for tables, such as 8GiB"+halfMachine)
	flags.BoolVar(&n.again, "again", false, "annotate records again that are annotated already")
	flags.BoolVar(&n.json, "json", false, "print one JSON object")
	return cmd
}

// source is a record to judge, and the file for the answer.
type source struct {
	path   string
	target string // "" for none
}

func (n *annotate) run(ctx context.Context, args []string) error {
	if n.time < 0 {
		return errors.New("a time cannot be below zero")
	}
	sources, folder, err := n.sources(args)
	if err != nil {
		return err
	}
	analyst, err := analyse.New(analyse.Options{
		Limits: n.limits.job(), Table: cmp.Or(n.table, job.Cache),
		Store: "", // a store has no lines of play, and an answer must depend on the record alone
	})
	if err != nil {
		return err
	}
	defer analyst.Close()
	b := &batch{annotate: n, reviewer: review.Reviewer{Analyst: analyst, Time: n.time}, status: newStatus(n.err), folder: folder, all: len(sources)}
	err = b.work(ctx, sources)
	b.status.clear()
	if n.json && len(b.answers) > 0 {
		return errors.Join(n.printJSON(b.object()), err)
	}
	return err
}

// sources lists the records to judge. folder reports whether there may be several.
func (n *annotate) sources(args []string) (list []source, folder bool, err error) {
	folder = len(args) > 1
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, false, err
		}
		if !info.IsDir() {
			list = append(list, source{path: arg})
			continue
		}
		folder = true
		found, err := recordsIn(arg)
		if err != nil {
			return nil, false, err
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		return nil, false, fmt.Errorf("there is no record in %s: the names of records end in .sgf", strings.Join(args, ", "))
	}
	if n.output == "" {
		return list, folder, nil
	}
	return list, folder, n.targets(list, folder)
}

// targets sets the files to write, and checks them before any work.
func (n *annotate) targets(list []source, folder bool) error {
	if !folder {
		list[0].target = n.output
		return n.disk.Check("record", n.output, isAnnotated)
	}
	if info, err := os.Stat(n.output); strings.EqualFold(filepath.Ext(n.output), ".sgf") && (err != nil || !info.IsDir()) {
		return fmt.Errorf("-o %s is the name of one record, and there may be several: give a folder", n.output)
	}
	if err := os.MkdirAll(n.output, 0o777); err != nil {
		return fmt.Errorf("-o %s: the records of a folder are written to a folder: %w", n.output, err)
	}
	taken := map[string]string{}
	for i := range list {
		s := &list[i]
		s.target = filepath.Join(n.output, filepath.Base(s.path))
		if other, ok := taken[s.target]; ok {
			return fmt.Errorf("%s and %s would both become %s: annotate them one after the other", other, s.path, s.target)
		}
		taken[s.target] = s.path
		if err := n.disk.Check("record", s.target, isAnnotated); err != nil {
			return err
		}
	}
	return nil
}

// recordsIn lists the records of a folder by name.
func recordsIn(dir string) (list []source, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.EqualFold(filepath.Ext(e.Name()), ".sgf") {
			continue
		}
		// Reading a pipe might wait for ever. A broken link is reported when it is read.
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			continue
		}
		list = append(list, source{path: path})
	}
	return list, nil
}

var isAnnotated = begins("(;", "AN["+review.Annotator+"]")

// batch judges records one after the other.
type batch struct {
	*annotate
	reviewer review.Reviewer
	status   *status
	folder   bool
	all      int
	done     int
	skipped  int
	shown    bool // a game was printed, so an empty line comes before the next
	answers  []annotationResult
	failures []error
}

// work judges every record. It goes on after a record that cannot be judged.
func (b *batch) work(ctx context.Context, sources []source) error {
	for _, s := range sources {
		if !b.again && b.finished(s) {
			b.skipped++
			continue
		}
		if err := b.record(ctx, s); ctx.Err() != nil {
			return &job.Stopped{Cause: ctx.Err(), Known: b.known()}
		} else if err != nil {
			b.failures = append(b.failures, fmt.Errorf("%s: %w", s.path, err))
			continue
		}
		b.done++
	}
	if b.skipped > 0 && !b.json {
		if b.shown {
			b.printf("\n")
		}
		b.printf("%s skipped: annotated before; --again annotates them again\n", text.Plural(b.skipped, "record"))
	}
	switch len(b.failures) {
	case 0:
		return nil
	case 1:
		return b.failures[0]
	}
	return fmt.Errorf("%w; and %d more of %d records could not be judged", b.failures[0], len(b.failures)-1, b.all)
}

// known says how far the work came.
func (b *batch) known() string {
	known := fmt.Sprintf("%d of %s judged", b.done+b.skipped, text.Plural(b.all, "record"))
	if b.output != "" {
		known += ", and the same command continues from there"
	}
	return known
}

// finished reports whether the annotated record exists and is newer than its source.
func (b *batch) finished(s source) bool {
	if s.target == "" || !b.folder {
		return false
	}
	made, err := os.Stat(s.target)
	if err != nil {
		return false
	}
	given, err := os.Stat(s.path)
	return err == nil && !made.ModTime().Before(given.ModTime()) && isAnnotated(s.target) == nil
}

// record judges all games of a file.
func (b *batch) record(ctx context.Context, s source) error {
	file, err := wholefile.Open(s.path)
	if err != nil {
		return errors.Unwrap(err)
	}
	defer file.Close()
	games, err := sgf.Read(file)
	if err != nil {
		return err
	}
	for i, root := range games {
		where := ""
		if len(games) > 1 {
			where = fmt.Sprintf("game %d: ", i+1)
		}
		answer, err := b.judge(ctx, s, where, root)
		if err != nil {
			return fmt.Errorf("%s%w", where, err)
		}
		answer.File = s.path
		b.answers = append(b.answers, answer)
	}
	if s.target == "" {
		return nil
	}
	var data bytes.Buffer
	if err := sgf.Write(&data, games); err != nil {
		return err
	}
	return b.disk.Write(s.target, data.Bytes())
}

// judge judges a game, writes it into its tree and prints it.
func (b *batch) judge(ctx context.Context, s source, where string, root *sgf.Node) (annotationResult, error) {
	if review.Annotated(root) {
		return annotationResult{}, errors.New("it is annotated already: give the original record")
	}
	record, err := sgf.ReadGame(root)
	if err != nil {
		return annotationResult{}, err
	}
	rules, err := b.ruleset(record)
	if err != nil {
		return annotationResult{}, err
	}
	played, err := game.Replay(rules, record)
	if err != nil && (played == nil || !review.Ended(played)) {
		return annotationResult{}, err
	}
	found, err := b.reviewer.Game(ctx, played, func(at review.Step) {
		b.status.show(fmt.Sprintf("%s: %s%d of %d positions, record %d of %d", s.path, where, at.Done, at.All, b.done+b.skipped+len(b.failures)+1, b.all))
	})
	b.status.clear()
	if missing := (*table.Missing)(nil); errors.As(err, &missing) {
		err = fmt.Errorf("%w: \"tengen table build go %s\" builds it", err, record.Size)
		if b.game.value == "auto" {
			err = fmt.Errorf("%w; without RU[NoGo] the record counts as Go: for NoGo give --game nogo", err)
		}
		return annotationResult{}, err
	} else if err != nil {
		return annotationResult{}, err
	}
	found.AddLate(record)
	for i := range found.Moves {
		found.Moves[i].Number += record.Earlier
	}
	b.warnings(found.Warnings)
	review.Annotate(root, record, found)
	if !b.json {
		b.print(s, where, played, found)
	}
	return annotationOf(played, found), nil
}

// ruleset takes the rules from the flags, or else from the record.
func (b *batch) ruleset(record *sgf.Game) (game.Rules, error) {
	rules := game.Recorded(record)
	var err error
	if b.game.value != "auto" {
		if rules, err = game.ParseRules(b.game.value); err != nil {
			return nil, err
		}
	}
	if b.rules.value != "auto" {
		if !rules.Scored() {
			return nil, errors.New("--rules are for Go, and this is a game of NoGo")
		}
		ko, err := weiqi.ParseRules(b.rules.value)
		return game.Go{Rules: ko}, err
	}
	return rules, nil
}

func (b *batch) print(s source, where string, g *game.Game, r review.Review) {
	if b.folder || where != "" {
		if b.shown {
			b.printf("\n")
		}
		b.shown = true
		b.printf("%s\n", text.Printable(strings.TrimSpace(s.path+" "+strings.TrimSuffix(where, ": "))))
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "move\t\t\tthen\t\tcost\tbetter")
	for _, j := range r.Moves {
		line, then := "", j.After.String()
		if j.Late {
			then = "after the end"
		}
		if j.Mistake() && j.Known {
			line = strings.Join(betterLine(j), " ")
			if j.Cut {
				line += " " + game.Ellipsis
			}
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", j.Number, j.Colour, j.Name(), then, grade(j), j.CostWords(), line)
	}
	w.Flush()
	for row := range strings.Lines(table.String()) {
		b.printf("%s\n", strings.TrimRight(row, " \n"))
	}
	b.printf("\n%s on %s: %s\n", g.Rules(), g.Position().Size, r.Summary())
}

// grade marks a result that is not exact.
func grade(j review.Judgement) string {
	switch j.After.Grade {
	case analyse.GradeEstimated:
		return "estimate"
	case analyse.GradeBounded:
		return "bounds"
	}
	return ""
}

// betterLine is the better move and the line after it.
func betterLine(j review.Judgement) []string {
	if len(j.Line) > 0 && j.Line[0] == j.Best {
		return game.MoveNames(j.Size, j.Line)
	}
	return []string{j.BestName()}
}

type annotationResult struct {
	File     string           `json:"file"`
	Game     string           `json:"game"`
	Rules    string           `json:"rules,omitempty"`
	Size     string           `json:"size"`
	Exact    int              `json:"exact"`
	Mistakes mistakeCount     `json:"mistakes"`
	Moves    []judgementEntry `json:"moves"`
}

type mistakeCount struct {
	Black int `json:"black"`
	White int `json:"white"`
}

type judgementEntry struct {
	Number   int      `json:"number"`
	Colour   string   `json:"colour"`
	Move     string   `json:"move"`
	Result   any      `json:"result"` // "black" or "white", in Go the score; null if it is not known
	Grade    string   `json:"grade"`
	By       string   `json:"by,omitempty"`
	WinShare *float64 `json:"win_share,omitempty"`
	Lo       *int     `json:"lo,omitempty"`
	Hi       *int     `json:"hi,omitempty"`
	Best     *string  `json:"best"`
	Cost     *float64 `json:"cost"`
	Mistake  bool     `json:"mistake"`
	Late     bool     `json:"after_end,omitempty"`
	Line     []string `json:"line,omitempty"`
}

func annotationOf(g *game.Game, r review.Review) annotationResult {
	a := annotationResult{
		Game: g.Rules().Name(), Size: g.Position().Size.String(), Exact: r.Graded(analyse.GradeExact),
		Mistakes: mistakeCount{len(r.Mistakes(board.Black)), len(r.Mistakes(board.White))}, Moves: []judgementEntry{},
	}
	if g.Rules().Scored() {
		a.Rules = g.Rules().Label()
	}
	for _, j := range r.Moves {
		a.Moves = append(a.Moves, entryOf(j))
	}
	return a
}

func entryOf(j review.Judgement) judgementEntry {
	e := judgementEntry{Number: j.Number, Colour: j.Colour.String(), Move: j.Name(), Grade: j.After.Grade.String(), By: string(j.After.By), Mistake: j.Mistake(), Late: j.Late}
	switch w := j.After; {
	case w.Grade == analyse.GradeExact && w.Scored:
		e.Result = w.Score
	case w.Grade == analyse.GradeExact:
		e.Result = w.Winner.String()
	case w.Grade == analyse.GradeBounded:
		e.Lo, e.Hi = &w.Low, &w.High
	case w.Grade == analyse.GradeEstimated:
		e.WinShare = &w.Share
	}
	if j.Grade != analyse.GradeUnknown {
		e.Cost = &j.Cost
	}
	if j.Known {
		best := j.BestName()
		e.Best = &best
	}
	if j.Mistake() && j.Known {
		e.Line = betterLine(j)
	}
	return e
}

// object is the object of --json: the game itself if there is only one.
func (b *batch) object() any {
	if !b.folder && len(b.answers) == 1 {
		return b.answers[0]
	}
	return struct {
		Records []annotationResult `json:"records"`
	}{slices.Clone(b.answers)}
}
