package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/game"
	"tengen/internal/match"
	"tengen/internal/suite"
	"tengen/internal/text"
	"tengen/internal/wholefile"
)

// runSuite holds the flags of one call.
type runSuite struct {
	*app
	engine   string
	file     string
	time     time.Duration
	grace    time.Duration
	patience time.Duration
	square   bool
	json     bool
}

func newSuite(a *app) *cobra.Command {
	s := &runSuite{app: a}
	cmd := &cobra.Command{
		Use:   "suite",
		Short: "Score a GTP program on exact positions of NoGo",
		Long: `Ask a program that speaks GTP for a move in positions of NoGo whose winning moves are
all known, and count the right and the wrong answers. In every position the side to
play wins, and some of its moves lose.

The built-in suite has boards of 4x4 to 9x9 with at most 14 playable points; "tengen
suite make" makes others for --file. The grade says how hard it is to guess a winning
move: in grade 1 more than half of the moves win, in grade 2 more than a quarter, in
grade 3 more than an eighth, in grade 4 fewer.

An answer is wrong if it is not a move, if the program refuses the board, does not
answer in time, or ends. Then the program is started again. The test ends if a program
does not answer its first command within --patience, or does not answer three times in
a row. Boards that are not square are skipped if list_commands of the program has no
rectangular_boardsize; --square skips them always. Without --engine the suite is shown.`,
		Example: `  tengen suite --engine "tengen gtp --player value"
  tengen suite --engine ./mybot --time-per-move 1s --json
  tengen suite make --seed 7 --sizes 5x5,9x9 -o mine.suite
  tengen suite --file mine.suite --engine ./mybot`,
		Args: noSuiteArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&s.engine, "engine", "", "command of the program")
	fileFlag(cmd, &s.file, "file", "", "", "suite to use (default: the built-in one)")
	flags.DurationVar(&s.time, "time-per-move", 0, "time for a move (default: no limit)")
	flags.DurationVar(&s.grace, "grace", 500*time.Millisecond, "extra time for a move before it counts as too late")
	flags.DurationVar(&s.patience, "patience", match.DefaultPatience, "time after which a program that is under no limit is taken to hang")
	flags.BoolVar(&s.square, "square", false, "leave out boards that are not square")
	flags.BoolVar(&s.json, "json", false, "print one JSON object")
	cmd.AddCommand(newSuiteMake(a))
	return cmd
}

// noSuiteArgs refuses an unknown command, and mentions --file.
func noSuiteArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	near := didYouMean(args[0], commandNames(cmd))
	if near == "" {
		near = fmt.Sprintf(": there is make, and --file %s uses a suite", args[0])
	}
	return fmt.Errorf("%s has no command %q%s", cmd.CommandPath(), args[0], near)
}

func (s *runSuite) run(ctx context.Context) error {
	if s.time < 0 || s.grace < 0 || s.patience <= 0 {
		return errors.New("a time cannot be below zero, and --patience cannot be zero")
	}
	if longest := max(s.time, s.grace, s.patience); longest > maxMatchTime {
		return fmt.Errorf("a time of %v is too long: the longest is %v", longest, maxMatchTime)
	}
	set, err := s.open()
	if err != nil {
		return err
	}
	if s.square {
		set = set.Square()
	}
	if s.engine == "" {
		return s.show(set)
	}
	command, err := match.SplitCommand(s.engine)
	if err != nil {
		return fmt.Errorf("--engine needs the command of a program, such as \"tengen gtp\": %w", err)
	}
	right := 0
	w := newWaits(newStatus(s.err))
	show := func(line string) {
		w.show(line)
		w.begin(1, "waiting for the program")
	}
	show(fmt.Sprintf("0 of %d positions", len(set.Problems)))
	answers, err := set.Run(ctx, suite.Exam{Command: command, Time: s.time, Grace: s.grace, Patience: s.patience, Progress: func(done int, a suite.Answer) {
		if a.Right {
			right++
		}
		line := fmt.Sprintf("%d of %d positions, %d right", done, len(set.Problems), right)
		if failed(a) {
			line += fmt.Sprintf("; on %s it %s", a.Size, a.Said)
		}
		show(line)
	}})
	w.stop()
	silent := (*suite.Silent)(nil)
	if err != nil && ctx.Err() != nil || errors.As(err, &silent) {
		stopped := &job.Stopped{Cause: err, Known: fmt.Sprintf("%d of %d positions were asked, %d right", len(answers), len(set.Problems), right)}
		if silent != nil {
			stopped.Advice = fmt.Sprintf("--patience, now %v, sets the time to wait", s.patience)
		}
		err = stopped
	} else if err != nil {
		return err
	}
	if s.json {
		return errors.Join(s.printJSON(suiteJSON(answers)), err)
	}
	if err == nil || ctx.Err() != nil && len(answers) > 0 {
		s.print(answers)
	}
	return err
}

// open reads the suite.
func (s *runSuite) open() (suite.Suite, error) {
	if s.file == "" {
		return suite.Standard()
	}
	file, err := wholefile.Open(s.file)
	if err != nil {
		return suite.Suite{}, err
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return suite.Suite{}, err
	}
	set, err := suite.Parse(data)
	if err != nil {
		return set, fmt.Errorf("%s is not a usable suite: %w", s.file, err)
	}
	return set, nil
}

// cell counts the positions of a board and a grade.
type cell struct {
	right, all int
}

// gradeTable counts positions by board and grade, with a row and a column for all.
type gradeTable struct {
	sizes []board.Size
	cells map[board.Size]*[suite.Grades + 1]cell
}

func (t *gradeTable) add(p suite.Problem, right bool) {
	for _, size := range []board.Size{p.Size, {}} {
		if t.cells == nil {
			t.cells = map[board.Size]*[suite.Grades + 1]cell{}
		}
		if t.cells[size] == nil {
			t.cells[size] = new([suite.Grades + 1]cell)
			if size != (board.Size{}) {
				t.sizes = append(t.sizes, size)
			}
		}
		for _, grade := range []int{p.Grade() - 1, suite.Grades} {
			c := &t.cells[size][grade]
			if c.all++; right {
				c.right++
			}
		}
	}
}

// print writes the table. words spells a cell that has positions.
func (t *gradeTable) print(a *app, words func(cell) string) {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	head := "board"
	for grade := range suite.Grades {
		head += fmt.Sprintf("\tgrade %d", grade+1)
	}
	fmt.Fprintln(w, head+"\tall")
	for _, size := range append(t.sizes, board.Size{}) {
		name := size.String()
		if size == (board.Size{}) {
			name = "all"
		}
		for _, c := range t.cells[size] {
			if c.all == 0 {
				name += "\t-"
			} else {
				name += "\t" + words(c)
			}
		}
		fmt.Fprintln(w, name)
	}
	w.Flush()
}

// show describes a suite.
func (s *runSuite) show(set suite.Suite) error {
	if s.json {
		list := []suiteEntry{}
		for _, p := range set.Problems {
			list = append(list, suiteEntryOf(p))
		}
		return s.printJSON(struct {
			Seed      uint64       `json:"seed"`
			Positions []suiteEntry `json:"positions"`
		}{set.Seed, list})
	}
	var t gradeTable
	for _, p := range set.Problems {
		t.add(p, false)
	}
	t.print(s.app, func(c cell) string { return fmt.Sprint(c.all) })
	s.printf("\n%s of NoGo; --engine CMD asks a program\n", text.Plural(len(set.Problems), "position"))
	return nil
}

func (s *runSuite) print(answers []suite.Answer) {
	var t gradeTable
	for _, a := range answers {
		if !a.Skipped {
			t.add(a.Problem, a.Right)
		}
	}
	t.print(s.app, func(c cell) string { return fmt.Sprintf("%d/%d", c.right, c.all) })
	r := suiteJSON(answers)
	s.printf("\nright  %d\nwrong  %d\ntime   %s in all, %s for the slowest move\n", r.Right, r.Wrong, took(r.Seconds), took(r.Slowest))
	if r.Skipped > 0 {
		s.printf("skipped %s on boards that are not square: it does not know rectangular_boardsize\n", text.Plural(r.Skipped, "position"))
	}
	for _, a := range answers {
		if failed(a) { // one shows what is wrong
			s.printf("on %s it %s\n", a.Size, a.Said)
			break
		}
	}
}

// failed reports an answer that is no move.
func failed(a suite.Answer) bool {
	_, err := game.ParseMove(a.Size, a.Said)
	return !a.Right && !a.Skipped && err != nil
}

func took(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond).String()
}

type suiteEntry struct {
	Size    string   `json:"size"`
	Grade   int      `json:"grade"`
	Open    int      `json:"open"`
	Moves   []string `json:"moves"`
	ToPlay  string   `json:"to_play"`
	Answers []string `json:"answers"`
}

func suiteEntryOf(p suite.Problem) suiteEntry {
	return suiteEntry{
		p.Size.String(), p.Grade(), p.Open(), game.MoveNames(p.Size, p.Moves), p.Position().ToPlay.String(), game.MoveNames(p.Size, p.Answers),
	}
}

type suiteAnswer struct {
	suiteEntry
	Right   bool    `json:"right"`
	Skipped bool    `json:"skipped,omitempty"`
	Said    string  `json:"said"`
	Seconds float64 `json:"seconds"`
}

type suiteResult struct {
	Right   int           `json:"right"`
	Wrong   int           `json:"wrong"`
	Skipped int           `json:"skipped,omitempty"`
	Seconds float64       `json:"seconds"`
	Slowest float64       `json:"slowest"`
	Results []suiteAnswer `json:"results"`
}

func suiteJSON(answers []suite.Answer) suiteResult {
	r := suiteResult{Results: []suiteAnswer{}}
	for _, a := range answers {
		switch {
		case a.Right:
			r.Right++
		case a.Skipped:
			r.Skipped++
		default:
			r.Wrong++
		}
		r.Seconds, r.Slowest = r.Seconds+a.Seconds, max(r.Slowest, a.Seconds)
		r.Results = append(r.Results, suiteAnswer{suiteEntryOf(a.Problem), a.Right, a.Skipped, a.Said, a.Seconds})
	}
	return r
}

// makeSuite holds the flags of one call.
type makeSuite struct {
	*app
	output  string
	seed    uint64
	sizes   []string
	count   int
	threads int
	json    bool
}

func newSuiteMake(a *app) *cobra.Command {
	m := &makeSuite{app: a}
	plan := suite.StandardPlan()
	for _, size := range plan.Sizes {
		m.sizes = append(m.sizes, size.String())
	}
	cmd := &cobra.Command{
		Use:   "make -o FILE",
		Short: "Make a suite of exact positions",
		Long: `Make a suite from random games: late positions of NoGo, solved
move by move. Before the file is written, they are solved again by a plain search of all
moves. The same seed makes the same suite.`,
		Example: `  tengen suite make --seed 7 -o mine.suite
  tengen suite make --seed 7 --sizes 5x5,9x9 --count 40 -o mine.suite`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return m.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	fileFlag(cmd, &m.output, "output", "o", "", "file to write")
	flags.Uint64Var(&m.seed, "seed", plan.Seed, "seed of the random games")
	flags.StringSliceVar(&m.sizes, "sizes", m.sizes, "boards, of 12 points or more")
	flags.IntVar(&m.count, "count", plan.Count, "positions on each board")
	threadsFlag(cmd, &m.threads)
	flags.BoolVar(&m.json, "json", false, "print one JSON object")
	return cmd
}

var isSuite = begins("tengen suite ")

func (m *makeSuite) run(ctx context.Context) error {
	plan, err := m.plan()
	if err != nil {
		return err
	}
	if err := m.disk.Check("suite", m.output, isSuite); err != nil {
		return err
	}
	analyst, err := analyse.New(analyse.Options{Limits: job.Limits{Memory: exactMemory, Threads: m.threads}, Table: job.Cache})
	if err != nil {
		return err
	}
	defer analyst.Close()
	status := newStatus(m.err)
	done := 0
	plan.Progress = func(n, all int) {
		done = n
		status.show(fmt.Sprintf("%d of %d positions", n, all))
	}
	set, err := suite.Make(ctx, plan, analyst)
	status.clear()
	if ctx.Err() != nil {
		return &job.Stopped{Cause: ctx.Err(), Known: fmt.Sprintf("%s found; no file is written", text.Plural(done, "position"))}
	}
	if err != nil {
		return err
	}
	if err := m.write(set); err != nil {
		return err
	}
	if m.json {
		return m.printJSON(struct {
			Path      string `json:"path"`
			Positions int    `json:"positions"`
			Seed      uint64 `json:"seed"`
		}{m.output, len(set.Problems), set.Seed})
	}
	m.printf("%s in %s, solved twice\n", text.Plural(len(set.Problems), "position"), text.Printable(m.output))
	return nil
}

func (m *makeSuite) write(set suite.Suite) error { return m.disk.Write(m.output, set.Encode()) }

func (m *makeSuite) plan() (suite.Plan, error) {
	plan := suite.Plan{Seed: m.seed, Count: m.count}
	switch {
	case m.output == "":
		return plan, errors.New("a suite needs a file: give -o FILE")
	case m.count < 1 || m.count > 10000:
		return plan, fmt.Errorf("--count %d is not a number of positions from 1 to 10000", m.count)
	}
	for _, word := range trimmed(m.sizes) {
		size, err := board.ParseSize(word)
		if err != nil {
			return plan, fmt.Errorf("--sizes: %w", err)
		}
		if size.Points() < suite.LeastPoints {
			return plan, fmt.Errorf("--sizes: %s is too small: a board of a suite has %d points or more", strings.ToLower(word), suite.LeastPoints)
		}
		plan.Sizes = append(plan.Sizes, size)
	}
	return plan, nil
}
