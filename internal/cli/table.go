package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/internal/text"
	"tengen/tablebase"
	"tengen/weiqi"
)

func newTable(a *app) *cobra.Command {
	return group("table", "Build, check and ask tables of Go", newTableBuild(a), newTableVerify(a), newTableProbe(a), newTableStats(a), newTableInfo(a))
}

func newTableBuild(a *app) *cobra.Command {
	return group("build", "Solve every position of a board", newTableBuildGo(a))
}

// tableBuild holds the flags of one call.
type tableBuild struct {
	*app
	request table.Request
	loops   choice
	limits  limits
	timeout timeout
	json    bool
}

func newTableBuildGo(a *app) *cobra.Command {
	b := &tableBuild{app: a, loops: oneOf("range", "draw")}
	cmd := &cobra.Command{
		Use:   "go SIZE",
		Short: "Solve every position of Go on a board",
		Long: `Find the score of every position of Go under basic ko on a board of up to 22
points, with every ban of ko and after every pass, and write them to a file.

A table that exists is not replaced, except in the cache by one that keeps more. By
default the table keeps two scores, with endless games lost and won by the side to
play, and the number of moves to the end of won games. --loops draw keeps only the
score with endless games drawn, and --distances=false omits the numbers of moves. Both
make the build quicker and the file smaller. A build that does not fit into --memory
packs its values to about half, and takes several times as long.

Before the build, an estimate of its time is printed, from the size of the table and a
short measurement. During the build a terminal shows the share that is done and an
estimate of the time left.

The file goes to the user's cache, where "tengen solve go" finds it, or to the name
given with -o. The work is saved beside it after five seconds of finding values, then
every half minute (less often if that would take more than a tenth of the time), and
when the build is interrupted. The same command resumes it. A process that is killed
loses the work since the last save.

--values takes the values from a file of docs/checker/area.cu, a program that finds
them on a graphics card within minutes. The table is the same, byte for byte. "tengen
table verify" then checks them like any others.`,
		Example: `  tengen table build go 4x4 -o 4x4.table
  tengen table build go 4x5 --loops draw --distances=false`,
		Args: takes(1, 1, "one board size such as 4x4"),
		RunE: func(cmd *cobra.Command, args []string) error { return b.run(cmd.Context(), args[0]) },
	}
	b.loops.register(cmd, "loops", "scores to keep: over all rules for endless games, or with endless games drawn")
	flags := cmd.Flags()
	fileFlag(cmd, &b.request.Path, "output", "o", "", "file to write (default: in the user's cache)")
	flags.BoolVar(&b.request.Distance, "distances", true, "keep the number of moves to the end of won games")
	fileFlag(cmd, &b.request.Values, "values", "", "", "take the values from this file instead of finding them; with --loops draw --distances=false")
	b.limits.register(cmd, "memory, such as 8GiB"+halfMachine)
	b.timeout.register(cmd)
	flags.BoolVar(&b.json, "json", false, "print one JSON object")
	return cmd
}

// oneTable is the argument of the commands on tables.
var oneTable = takes(1, 1, "one table file")

func (b *tableBuild) run(ctx context.Context, size string) error {
	var err error
	if b.request.Size, err = board.ParseSize(size); err != nil {
		return err
	}
	ctx, cancel := b.timeout.limit(ctx)
	defer cancel()
	b.request.Limits = b.limits.job()
	b.request.Path = cmp.Or(b.request.Path, job.Cache)
	if b.loops.value == tablebase.Range.String() {
		b.request.Loops = tablebase.Range
	}
	if b.request.Values != "" && (b.request.Loops == tablebase.Range || b.request.Distance) {
		return errors.New("--values has scores with endless games drawn and no distances: add --loops draw --distances=false")
	}
	if !b.json {
		b.request.Started = b.announceTable
	}
	status := newStatus(b.err)
	b.request.Progress = func(p table.Progress) { status.show(buildLine(p)) }
	info, report, err := table.Build(ctx, b.request)
	status.clear()
	if err != nil {
		return err
	}
	if b.json {
		return b.printJSON(newTableBuildJSON(info, report))
	}
	if report == nil {
		b.printf("%s exists already\n\n", text.Printable(info.Path))
	}
	b.printTable(info, report, b.request.Values, "")
	return nil
}

// announceTable prints the plan of a build before it begins.
func (a *app) announceTable(p table.Plan) {
	memory := fmt.Sprintf("about %s of memory", text.Bytes(p.Memory))
	if p.Packed() {
		memory = fmt.Sprintf("%s of memory with values packed, which takes several times as long as plain ones in about %s,",
			text.Bytes(p.Memory), text.Bytes(p.Plain))
	}
	resumed := ""
	if p.Resumed {
		resumed = ", resuming"
	}
	fmt.Fprintf(a.err, "building the table of %s: %s and %s on disk, threads: %d%s\n", p.Size, memory, text.Bytes(p.Disk), p.Threads, resumed)
	if p.Time > 0 {
		fmt.Fprintf(a.err, "it takes about %s\n", text.About(p.Time))
	}
}

// tableJSON describes a table.
type tableJSON struct {
	Path      string `json:"path"`
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Size      string `json:"size"`
	Loops     string `json:"loops"`
	Distances bool   `json:"distances"`
	Positions uint64 `json:"positions"`
	Boards    uint64 `json:"boards"`
	Bans      uint64 `json:"bans"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256,omitempty"`
}

func newTableJSON(info table.Info, sum string) tableJSON {
	return tableJSON{
		Path: info.Path, Game: "go", Rules: weiqi.Rules{}.String(), Size: info.Size.String(),
		Loops: info.Loops.String(), Distances: info.Distance,
		Positions: info.Positions, Boards: info.Boards, Bans: info.Bans, Bytes: info.Bytes, SHA256: sum,
	}
}

// tableBuildJSON adds the cost of a build. A table that existed has cost nothing.
type tableBuildJSON struct {
	tableJSON
	Built   bool    `json:"built"`
	Nodes   uint64  `json:"nodes"`
	Changes uint64  `json:"changes"`
	Sweeps  int     `json:"sweeps"`
	Seconds float64 `json:"seconds"`
	Memory  int64   `json:"memory"`
	Packed  bool    `json:"packed,omitempty"`
	Resumed bool    `json:"resumed,omitempty"`
}

func newTableBuildJSON(info table.Info, r *table.Report) tableBuildJSON {
	object := tableBuildJSON{tableJSON: newTableJSON(info, "")}
	if r != nil {
		object.Built, object.Nodes, object.Changes, object.Sweeps = true, r.Visits, r.Changes, r.Sweeps
		object.Seconds, object.Memory, object.Packed, object.Resumed = r.Elapsed.Seconds(), r.Memory, r.Packed, r.Resumed
	}
	return object
}

func (a *app) printTable(info table.Info, report *table.Report, values, sum string) {
	table := newFacts(a.out)
	row := table.rowf
	row("file", "%s", info.Path)
	row("game", "Go on %s, basic ko, no suicide, area score", info.Size)
	row("keeps", "%s", keeps(info.Header))
	row("positions", "%s legal boards as %s, and %s bans of ko", text.Thousands(info.Positions), text.Thousands(info.Boards), text.Thousands(info.Bans))
	row("size", "%s", text.Bytes(info.Bytes))
	table.row("sha256", sum)
	if report != nil {
		if values != "" {
			row("values", "from %s", text.Printable(values))
		} else {
			row("evaluated", "%s positions, %s changed, in %d sweeps", text.Thousands(report.Visits), text.Thousands(report.Changes), report.Sweeps)
		}
		row("time", "%v", report.Elapsed.Round(time.Millisecond))
		packed := ""
		if report.Packed {
			packed = ", values packed"
		}
		row("memory", "%s%s", text.Bytes(report.Memory), packed)
	}
	table.Flush()
}

// keeps describes the values of a table.
func keeps(h tablebase.Header) string {
	text := "scores with endless games drawn"
	if h.Loops == tablebase.Range {
		text = "scores over all rules for endless games"
	}
	if h.Distance {
		text += ", and moves to the end"
	}
	return text
}

// withTable opens a table for a command and closes it.
func withTable(path string, use func(*tablebase.Table, table.Info) error) error {
	t, err := tablebase.Open(path, 0)
	if size, not := board.ParseSize(path); not == nil && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s: \"tengen table build go %s -o FILE\" builds one, and \"tengen solve go %s\" uses the table in the cache", path, size, size)
	}
	if err != nil {
		return err
	}
	defer t.Close()
	info, err := table.Describe(t)
	if err != nil {
		return err
	}
	return use(t, info)
}

func newTableVerify(a *app) *cobra.Command {
	var check tableCheck
	var timeout timeout
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a table by the rules alone",
		Long: `Play every move from every position of a table and compare its score with those
of the positions the moves lead to, by the rules alone. With --sample N, do so from
about N boards chosen at random. The table must also have all legal boards.

A whole table with distances that passes is proved. Without distances the check
shows that the values agree with each other.

The check is quick if all values fit into --memory. Otherwise parts of the file are
decoded several times.

The exit code is 0 if everything is right, 1 if a value is wrong, 2 if the file is
not an intact table, and 3 if the check was stopped.`,
		Example: `  tengen table verify 4x4.table
  tengen table verify 4x5.table --sample 1000000 --seed 7`,
		Args: oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("sample") && check.sample == 0 {
				return fmt.Errorf("--sample 0 is not a number of boards: remove it to check all")
			}
			ctx, cancel := timeout.limit(cmd.Context())
			defer cancel()
			return a.verifyTable(ctx, args[0], check, asJSON)
		},
	}
	cmd.Flags().Uint64Var(&check.sample, "sample", 0, "check about this number of boards (default: all)")
	cmd.Flags().Uint64Var(&check.seed, "seed", 1, "seed of the choice of boards")
	check.limits.register(cmd, "memory, such as 8GiB"+halfMachine)
	timeout.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// announceCheck prints the limits of a verification before it begins.
func (a *app) announceCheck(wanted int64, limits job.Limits) {
	slow := ""
	if wanted > limits.Memory {
		slow = fmt.Sprintf(" (slow: %s would hold all values)", text.Bytes(wanted))
	}
	fmt.Fprintf(a.err, "checking the table: at most %s of memory%s, threads: %d\n", text.Bytes(min(limits.Memory, wanted)), slow, limits.Threads)
}

// tableCheck says how much of a table to verify.
type tableCheck struct {
	sample uint64 // boards, about; 0 for all
	seed   uint64 // of the choice
	limits
}

// tableVerdictJSON is the verdict and the header of the table.
type tableVerdictJSON struct {
	Valid     bool   `json:"valid"`
	Proved    bool   `json:"proved"`
	Failure   string `json:"failure,omitempty"`
	Complete  bool   `json:"complete"`
	Positions uint64 `json:"positions"`
	Boards    uint64 `json:"boards"`
	Bans      uint64 `json:"bans"`
	Path      string `json:"path"`
	Game      string `json:"game"`
	Size      string `json:"size"`
	Loops     string `json:"loops"`
	Distances bool   `json:"distances"`
}

func (a *app) verifyTable(ctx context.Context, path string, check tableCheck, asJSON bool) error {
	return withTable(path, func(t *tablebase.Table, info table.Info) error {
		status := newStatus(a.err)
		limits, err := check.job().Settle()
		if err != nil {
			return err
		}
		how := tablebase.Verification{
			Seed: check.seed, Threads: limits.Threads, Memory: limits.Memory,
			Progress: func(done, all int) {
				status.show(fmt.Sprintf("%.1f %% of %s boards", 100*float64(done)/float64(all), text.Thousands(info.Boards)))
			},
		}
		if !asJSON {
			how.Started = func() { a.announceCheck(t.VerifyMemory(), limits) }
		}
		if check.sample > 0 && check.sample < info.Boards {
			how.Sample = float64(check.sample) / float64(info.Boards)
		}
		seen, err := t.Verify(ctx, how)
		status.clear()
		if wrong := (*tablebase.Wrong)(nil); errors.As(err, &wrong) {
			return a.printTableVerdict(info, seen, wrong, asJSON)
		}
		if err != nil {
			return unread(ctx, "table", err)
		}
		return a.printTableVerdict(info, seen, nil, asJSON)
	})
}

// unread is the error of input that was not read to its end. It is a stop if the context has
// ended.
func unread(ctx context.Context, what string, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return &job.Stopped{Cause: ctx.Err(), Known: "the " + what + " has not been read to its end"}
}

// printTableVerdict says whether a table is right. The failure is nil if it is.
func (a *app) printTableVerdict(info table.Info, seen tablebase.Verified, failure error, asJSON bool) error {
	switch {
	case asJSON:
		if err := a.printJSON(newTableVerdictJSON(info, seen, failure)); err != nil {
			return err
		}
	case failure != nil:
		a.printf("%s: %v\n", a.paint(bad, "not valid"), failure)
	default:
		a.printf("%s: %s of Go on %s, %s, %s bans of ko\n%s\n", a.paint(good, "valid"), checked(seen), info.Size, keeps(info.Header), text.Thousands(seen.Bans), shown(info.Header, seen))
	}
	if failure != nil {
		return errNo
	}
	return nil
}

func checked(v tablebase.Verified) string {
	if v.Complete {
		return fmt.Sprintf("all %s positions", text.Thousands(v.Positions))
	}
	return fmt.Sprintf("a sample of %s boards that stand for %s positions", text.Thousands(v.Boards), text.Thousands(v.Positions))
}

// proves reports whether the values of a table that passed are proved: distances show that
// they do not depend on each other in a circle.
func proves(h tablebase.Header, v tablebase.Verified) bool {
	return v.Complete && h.Distance
}

// shown says what a valid table proves.
func shown(h tablebase.Header, v tablebase.Verified) string {
	switch {
	case !h.Distance:
		return "The values agree with each other by the rules. Only a table with distances can be proved."
	case !proves(h, v):
		return "The values of the sample agree with the values that they depend on."
	case h.Loops == tablebase.Range:
		return "The scores are proved, under any rule for endless games."
	}
	return "The scores are proved."
}

func newTableVerdictJSON(info table.Info, v tablebase.Verified, failure error) tableVerdictJSON {
	object := tableVerdictJSON{
		Valid: failure == nil, Proved: failure == nil && proves(info.Header, v), Complete: v.Complete, Positions: v.Positions, Boards: v.Boards, Bans: v.Bans,
		Path: info.Path, Game: "go", Size: info.Size.String(), Loops: info.Loops.String(), Distances: info.Distance,
	}
	if failure != nil {
		object.Failure = failure.Error()
	}
	return object
}

func newTableProbe(a *app) *cobra.Command {
	var start goStart
	var asJSON, stubborn bool
	loops := loopRules()
	cmd := &cobra.Command{
		Use:   "probe FILE",
		Short: "Look a position up in a table",
		Long: `Look a position up: its score, the range over all rules for endless games, the
moves to the end, and the same for every legal move, the best first. Scores are
Black minus White. Without --position it is the empty board. The line is that of
"tengen solve go".`,
		Example: `  tengen table probe 4x4.table --position "..../.xo./.xo./...." --to-play w
  tengen table probe 3x4.table --position ".xo./x.xo/.xo." --to-play w --ko B2 --json`,
		Args: oneTable,
		RunE: func(_ *cobra.Command, args []string) error {
			return a.probeTable(args[0], start, loops, stubborn, asJSON)
		},
	}
	start.register(cmd)
	loops.register(cmd, "loops", "how an endless game counts: as a draw, lost by Black, or won")
	cmd.Flags().BoolVar(&stubborn, "stubborn", false, "in the line, the loser prolongs the game as long as it can")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) probeTable(path string, start goStart, loops choice, stubborn, asJSON bool) error {
	return withTable(path, func(t *tablebase.Table, info table.Info) error {
		size := info.Size
		if start.given() {
			size = board.Size{} // table.Probe checks it
		}
		position, moves, err := start.read(size, weiqi.Rules{})
		if err != nil {
			return err
		}
		if position, err = playGo(position, moves); err != nil {
			return err
		}
		probe := table.Probe
		if stubborn {
			if !t.Header().Distance {
				return fmt.Errorf("--stubborn needs to know how long games last, and %s has no distances: leave it out, or build a table with them", text.Printable(path))
			}
			probe = table.ProbeStubborn
		}
		found, err := probe(t, position, table.Endless(loops.index()))
		if err != nil {
			return err
		}
		g := goAnswer{position: position, Answer: found}
		if asJSON {
			object := g.object(true)
			object.Loops, object.Table = loops.value, path
			return a.printJSON(object)
		}
		a.printf("%s\n%s\n\n", g.diagram(a), a.verdict(g.hue(), g.sentence()))
		table := newFacts(a.out)
		g.rows(table)
		table.Flush()
		a.printf("\n")
		g.list(table)
		table.Flush()
		return nil
	})
}

// playGo makes moves under basic ko.
func playGo(p weiqi.Position, moves []board.Point) (weiqi.Position, error) {
	for i, m := range moves {
		next, err := (weiqi.Rules{}).Play(p, m)
		if err != nil {
			return p, fmt.Errorf("move %d: %w", i+1, err)
		}
		p = next
	}
	return p, nil
}

func newTableStats(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats FILE",
		Short: "Count the results of all positions",
		Long: `Count wins, draws and losses of the side to play, and how often each score occurs,
over all legal boards without a ban of ko and without a pass before. Endless games
count as draws.`,
		Args: oneTable,
		RunE: func(cmd *cobra.Command, args []string) error { return a.tableStats(cmd.Context(), args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// tableStatsJSON counts positions. It has only the fields that the table can answer.
type tableStatsJSON struct {
	Path        string         `json:"path"`
	Game        string         `json:"game"`
	Size        string         `json:"size"`
	Positions   uint64         `json:"positions"`
	Wins        uint64         `json:"wins"`
	Draws       uint64         `json:"draws"`
	Losses      uint64         `json:"losses"`
	Histogram   map[int]uint64 `json:"histogram"`
	LoopsMatter *uint64        `json:"loops_matter,omitempty"`
	Longest     *int           `json:"longest,omitempty"`
}

func (a *app) tableStats(ctx context.Context, path string, asJSON bool) error {
	return withTable(path, func(t *tablebase.Table, info table.Info) error {
		stats, err := t.Stats(ctx)
		if err != nil {
			return unread(ctx, "table", err)
		}
		if asJSON {
			return a.printJSON(newTableStatsJSON(info, stats))
		}
		a.printTableStats(info, stats)
		return nil
	})
}

func newTableStatsJSON(info table.Info, s tablebase.Stats) tableStatsJSON {
	object := tableStatsJSON{
		Path: info.Path, Game: "go", Size: info.Size.String(),
		Positions: s.Positions, Wins: s.Wins, Draws: s.Draws, Losses: s.Losses, Histogram: s.Histogram,
	}
	if info.Loops == tablebase.Range {
		object.LoopsMatter = &s.LoopsMatter
	}
	if info.Distance {
		object.Longest = &s.Longest
	}
	return object
}

func (a *app) printTableStats(info table.Info, s tablebase.Stats) {
	a.printf("Go on %s: %s legal boards, for the side to play\n\n", info.Size, text.Thousands(s.Positions))
	table := newFacts(a.out)
	row := table.row
	row("wins", share(s.Wins, s.Positions))
	row("draws", share(s.Draws, s.Positions))
	row("losses", share(s.Losses, s.Positions))
	if info.Loops == tablebase.Range {
		row("depends on the rule for endless games", share(s.LoopsMatter, s.Positions))
	}
	if info.Distance {
		row("longest win", fmt.Sprintf("%d moves", s.Longest))
	}
	table.Flush()
	a.printf("\n")
	histogram := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(histogram, "score\tpositions\tshare\t")
	for _, score := range slices.Sorted(maps.Keys(s.Histogram)) {
		n := s.Histogram[score]
		fmt.Fprintf(histogram, "%s\t%s\t%.2f %%\t\n", text.Lead(score), text.Thousands(n), 100*float64(n)/float64(s.Positions))
	}
	histogram.Flush()
}

func newTableInfo(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Describe a table and check its checksums",
		Args:  oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTable(args[0], func(t *tablebase.Table, info table.Info) error {
				sum, err := t.Checksum(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(newTableJSON(info, sum))
				}
				a.printTable(info, nil, "", sum)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
