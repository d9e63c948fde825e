package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tengen/engine/job"
	"tengen/engine/value"
	"tengen/internal/text"
)

func newStrips(a *app) *cobra.Command {
	return group("strips", "Build and query the database of linear NoGo", newStripsBuild(a), newStripsInfo(a), newStripsLookup(a))
}

// The default sizes of a build.
const (
	usualMax      = 15
	usualSimplest = 10
)

// stripsFlags say which database to build, and where.
type stripsFlags struct {
	max, simplest int
	path          string
}

func (r *stripsFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&r.max, "max", usualMax, fmt.Sprintf("outcome classes of strips with up to this number of points, at most %d", value.MaxStrips))
	flags.IntVar(&r.simplest, "simplest", usualSimplest, fmt.Sprintf("simplest equal games of strips with up to this number of points, at most %d", value.MaxSimplestStrips))
	fileFlag(cmd, &r.path, "output", "o", "", "file to write (default: in the user's cache)")
}

func (r *stripsFlags) request(cmd *cobra.Command) value.StripsRequest {
	if !cmd.Flags().Changed("simplest") {
		r.simplest = max(min(usualSimplest, r.max), 0)
	}
	return value.StripsRequest{Max: r.max, Simplest: r.simplest, Path: cmp.Or(r.path, job.Cache)}
}

func newStripsBuild(a *app) *cobra.Command {
	var which stripsFlags
	var limits limits
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build a database of strips",
		Long: `Build the database of reduced strips of linear NoGo: the outcome class and the
integers next to the value of every strip with up to --max empty points, and the
canonical form and the simplest equal game of every strip with up to --simplest.

It goes to the user's cache, where the other commands find it, or to the file
named with -o. The default size takes a few minutes. The same command continues a
build that was interrupted.`,
		Example: `  tengen strips build
  tengen strips build --max 12 --simplest 8 -o strips.db`,
		Args: takes(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			request := which.request(cmd)
			request.Limits = limits.job()
			return a.buildStrips(cmd.Context(), request, asJSON)
		},
	}
	which.register(cmd)
	limits.register(cmd, "memory, such as 2GiB"+halfMachine)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) buildStrips(ctx context.Context, request value.StripsRequest, asJSON bool) error {
	status := newStatus(a.err)
	if !asJSON {
		request.Started = func(memory int64) { fmt.Fprintf(a.err, "up to %s of memory\n", text.Bytes(memory)) }
	}
	request.Progress = status.strips
	info, built, err := value.BuildStrips(ctx, request)
	status.clear()
	if stopped := (*job.Stopped)(nil); errors.As(err, &stopped) {
		stopped.Advice = "the same command continues the build"
	}
	if err != nil {
		return err
	}
	return a.printBuilt(info, built, asJSON)
}

// strips shows the progress of a database.
func (s *status) strips(section string, done, total uint64) {
	s.show(fmt.Sprintf("%s: %s of %s", section, text.Thousands(done), text.Thousands(total)))
}

func (a *app) printBuilt(info value.StripsInfo, built, asJSON bool) error {
	if asJSON {
		return a.printJSON(newStripsJSON(info))
	}
	if !built {
		a.printf("%s exists already\n\n", text.Printable(info.Path))
	}
	a.printStrips(info)
	return nil
}

// stripsJSON describes a database.
type stripsJSON struct {
	Path      string         `json:"path,omitempty"`
	Positions uint64         `json:"positions"`
	Max       int            `json:"max"`
	Simplest  int            `json:"simplest"`
	Games     int            `json:"games"`
	Bytes     int            `json:"bytes"`
	SHA256    string         `json:"sha256"`
	Frequent  []frequentJSON `json:"frequent,omitzero"` // with --frequent, even if there is none
}

type frequentJSON struct {
	Simplest  string `json:"simplest"`
	Canonical string `json:"canonical"`
	Count     int    `json:"count"`
}

func newStripsJSON(info value.StripsInfo) stripsJSON {
	return stripsJSON{
		Path: info.Path, Positions: info.Strips, Max: info.Max, Simplest: info.Simplest,
		Games: info.Games, Bytes: info.Bytes, SHA256: info.SHA256,
	}
}

func (a *app) printStrips(info value.StripsInfo) {
	table := newFacts(a.out)
	row := table.row
	row("file", orInMemory(info.Path))
	row("strips", fmt.Sprintf("%s, with up to %d points", text.Thousands(info.Strips), info.Max))
	if info.Simplest > 0 {
		row("values", fmt.Sprintf("of strips with up to %d points, %s canonical forms", info.Simplest, text.Thousands(info.Games)))
	}
	row("size", text.Bytes(int64(info.Bytes)))
	row("sha256", info.SHA256)
	table.Flush()
}

func orInMemory(path string) string {
	if path == "" {
		return "none: the database is in memory, since the user's cache cannot be written"
	}
	return path
}

func newStripsInfo(a *app) *cobra.Command {
	var frequent, points int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info [FILE]",
		Short: "Describe and check a database of strips",
		Long: `Check a database against its checksums and describe it: the file named, or the
largest in the user's cache. If there is none, a small one is built there first.

With --frequent N the N most frequent values of strips with up to --points points
are listed, with the simplest strip that has each. A value and its negative are
equally frequent, and only one of them is listed.`,
		Example: `  tengen strips info --frequent 11`,
		Args:    takes(0, 1, "a database file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("frequent") && frequent < 1 {
				return fmt.Errorf("--frequent %d is not a number of values", frequent)
			}
			return a.stripsInfo(cmd.Context(), strings.Join(args, ""), frequent, points, asJSON)
		},
	}
	cmd.Flags().IntVar(&frequent, "frequent", 0, "list this number of the most frequent values")
	cmd.Flags().IntVar(&points, "points", 0, "points of the strips to count (default: 8, or what the database has)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// publishedPoints is the size of the strips whose frequencies are published.
const publishedPoints = 8

func (a *app) stripsInfo(ctx context.Context, path string, frequent, points int, asJSON bool) error {
	db, err := value.OpenStrips(ctx, cmp.Or(path, job.Cache))
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Verify(ctx); err != nil {
		return err
	}
	info := db.Info()
	var list []value.FrequentValue
	if frequent > 0 {
		if points == 0 {
			points = min(publishedPoints, info.Simplest)
		}
		if list, err = db.Frequent(ctx, points, frequent); err != nil {
			return err
		}
	}
	if asJSON {
		return a.printJSON(newStripsJSON(info).with(list))
	}
	a.printStrips(info)
	if list != nil {
		a.printf("\nThe most frequent values of strips with up to %d points\n\n", points)
		a.printFrequent(list)
	}
	return nil
}

func (object stripsJSON) with(list []value.FrequentValue) stripsJSON {
	for _, f := range list {
		object.Frequent = append(object.Frequent, frequentJSON{f.Simplest.String(), f.Canonical, f.Count})
	}
	return object
}

func (a *app) printFrequent(list []value.FrequentValue) {
	table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "simplest\tvalue\toccurrences")
	for _, f := range list {
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.Simplest, f.Canonical, text.Thousands(f.Count))
	}
	table.Flush()
}

func newStripsLookup(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "lookup P [FILE]",
		Short: "Find a strip in a database",
		Long: `Find a strip in a database: the file named, or the largest in the user's cache.
If there is none, a small one is built there first. For a sum or a difference such as
"..x - .x." (docs/algebra.md has the notation) the value is computed, and the
simplest equal strip is searched.

The order of strips is by the number of points, then by code: one digit to the
base 3 for each place before, between and after the points, 0 for no stone, 1
for a black and 2 for a white one. The simplest of equal strips is the first.`,
		Example: `  tengen strips lookup ..x.o
  tengen strips lookup "..x - .x."`,
		Args: takes(1, 2, "a strip and at most one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.lookup(cmd.Context(), args[0], strings.Join(args[1:], ""), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) lookup(ctx context.Context, text, path string, asJSON bool) error {
	sum, err := value.Parse(text)
	if err != nil {
		return err
	}
	if p, ok := sum.Position(); !ok || p.Size.Rows > 1 {
		return a.lookupSum(ctx, sum, path, asJSON)
	}
	s, err := value.ParseStrip(sum.String())
	if err != nil {
		return err
	}
	db, err := value.OpenStrips(ctx, cmp.Or(path, job.Cache))
	if err != nil {
		return err
	}
	defer db.Close()
	entry, err := db.Lookup(ctx, s)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(newLookupJSON(entry))
	}
	a.printLookup(entry)
	return nil
}

// lookupSum finds the simplest strip that is equal to a sum.
func (a *app) lookupSum(ctx context.Context, sum value.Sum, path string, asJSON bool) error {
	v, err := value.Find(ctx, value.Request{Sum: sum, Strips: cmp.Or(path, job.Cache)})
	if err != nil {
		return err
	}
	a.warnings(v.Warnings)
	if asJSON {
		object := sumLookupJSON{
			Position: sum.String(), Outcome: v.Outcome.String(), Low: v.Low, High: v.High,
			Canonical: v.Canonical, SimplestPoints: v.Searched,
		}
		if v.Simplest.Points() > 0 {
			object.Simplest = v.Simplest.String()
		}
		return a.printJSON(object)
	}
	a.printf("%s\n\n%s: %s\n\n", sum, v.Outcome, outcomes[v.Outcome])
	table := newFacts(a.out)
	table.row("value", shownForm(v, false))
	table.row("simplest", simplestStrip(v))
	table.rowf("bounds", "%d ≤ value ≤ %d", v.Low, v.High)
	table.Flush()
	return nil
}

// sumLookupJSON is the value of a sum. A sum has no place in the order of strips.
type sumLookupJSON struct {
	Position       string `json:"position"`
	Outcome        string `json:"outcome"`
	Low            int    `json:"low"`
	High           int    `json:"high"`
	Simplest       string `json:"simplest,omitempty"`
	SimplestPoints int    `json:"simplest_points,omitempty"`
	Canonical      string `json:"canonical"`
}

// lookupJSON is the entry of a strip, with the fields that the database has.
type lookupJSON struct {
	Position  string `json:"position"`
	Points    int    `json:"points"`
	Code      uint64 `json:"code"`
	Digits    string `json:"digits"`
	Order     uint64 `json:"order"`
	Outcome   string `json:"outcome"`
	Low       int    `json:"low"`
	High      int    `json:"high"`
	Simplest  string `json:"simplest,omitempty"`
	Canonical string `json:"canonical,omitempty"`
}

func newLookupJSON(e value.StripEntry) lookupJSON {
	object := lookupJSON{
		Position: e.Strip.String(), Points: e.Strip.Points(), Code: e.Code, Digits: digits(e), Order: e.Before,
		Outcome: e.Outcome.String(), Low: e.Low, High: e.High,
	}
	if e.Valued {
		object.Simplest, object.Canonical = e.Simplest.String(), e.Canonical
	}
	return object
}

// digits is the code of a strip to the base 3, with a digit for every place.
func digits(e value.StripEntry) string {
	text := strconv.FormatUint(e.Code, 3)
	return strings.Repeat("0", e.Strip.Points()+1-len(text)) + text
}

func (a *app) printLookup(e value.StripEntry) {
	a.printf("%s\n\n%s: %s\n\n", e.Strip, e.Outcome, outcomes[e.Outcome])
	table := newFacts(a.out)
	row := table.rowf
	if e.Valued {
		row("value", "%s", e.Canonical)
		row("simplest", "%s", e.Simplest)
	}
	row("bounds", "%d ≤ value ≤ %d", e.Low, e.High)
	row("points", "%d", e.Strip.Points())
	row("code", "%s to the base 3, %s", digits(e), text.Thousands(e.Code))
	row("order", "%s strips come before it", text.Thousands(e.Before))
	table.Flush()
}
