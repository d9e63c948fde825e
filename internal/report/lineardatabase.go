package report

import (
	"context"
	"fmt"
	"time"

	"tengen/cgt"
	"tengen/internal/strip"
	"tengen/internal/text"
)

func linearDatabaseExperiment() Experiment {
	return Experiment{
		Name:   "linear-database",
		Shows:  "NoGo: strips of the database and their outcomes by points",
		Source: linearPaper + ", theorem 3 and section 5.3",
		Points: Range{Least: 3, Most: 15, Usual: 10, Paper: 15},
		run:    filled("The database of strips by points", linearDatabase),
	}
}

func linearDatabase(ctx context.Context, s *session, r *Report) error {
	s.all = 2
	if err := s.begin(ctx, "the codes"); err != nil {
		return err
	}
	for _, x := range []struct{ strip, code string }{{"...", "0000"}, {"x..o.x", "1021"}} {
		parsed, err := strip.Parse(x.strip)
		if err != nil {
			return err
		}
		number, _ := parsed.Code()
		r.fact("the code of "+code(x.strip), fmt.Sprintf("%0*s", parsed.Points()+1, ternary(number)), x.code)
	}
	sum := uint64(0)
	for points := 1; points <= 15; points++ {
		sum += strip.Count(points)
	}
	r.fact("strips with 1 to 15 points", sum, 64_570_077)
	for points := 1; points <= 4; points++ {
		r.fact("reduced rows with "+text.Plural(points, "empty point")+", listed one by one", reducedRows(points), ternaryPower(points+1))
	}
	if err := s.begin(ctx, fmt.Sprintf("a database to %d points", s.Max)); err != nil {
		return err
	}
	at := time.Now()
	db, err := strip.Make(ctx, strip.Options{Max: s.Max, Simplest: min(s.Max, publishedPoints), Threads: s.Threads, Memory: s.Memory})
	if err != nil {
		if ctx.Err() != nil {
			err = stoppedAt(ctx, s.step)
		}
		return err
	}
	defer db.Close()
	s.done = s.all
	table := Table{Columns: []Column{numbers("points"), numbers("strips"), numbers("L"), numbers("R"), numbers("N"), numbers("P")}}
	for points := 1; points <= s.Max; points++ {
		counts := map[cgt.Outcome]int{}
		for code := range strip.Count(points) {
			x, err := strip.At(points, code)
			if err != nil {
				return err
			}
			bounds, _ := db.Bounds(x)
			counts[bounds.Outcome()]++
		}
		table.add(fmt.Sprint(points), show(strip.Count(points)), show(counts[cgt.L]), show(counts[cgt.R]), show(counts[cgt.N]), show(counts[cgt.P]))
		r.fact(text.Plural(points, "point")+": strips", strip.Count(points), ternaryPower(points+1))
		r.news(text.Plural(points, "point")+": second player wins", counts[cgt.P])
	}
	r.Tables = []Table{table}
	r.Notes = []string{fmt.Sprintf("Outcome classes: L and R are wins of Black and White whoever begins, N of who begins, P of who does not. Making the database with simplest equals to %d points took %s.", min(s.Max, publishedPoints), seconds(time.Since(at)))}
	return nil
}

// ternary writes a number to the base 3.
func ternary(n uint64) string {
	if n < 3 {
		return fmt.Sprint(n)
	}
	return ternary(n/3) + fmt.Sprint(n%3)
}

func ternaryPower(n int) uint64 {
	if n == 0 {
		return 1
	}
	return 3 * ternaryPower(n-1)
}

// reducedRows counts the rows with this number of empty points and no two stones beside
// each other.
func reducedRows(points int) (count uint64) {
	var extend func(text string, empty int)
	extend = func(text string, empty int) {
		if empty == points {
			count++
		}
		if len(text) > 2*points {
			return
		}
		if empty < points {
			extend(text+".", empty+1)
		}
		if len(text) == 0 || text[len(text)-1] == '.' {
			extend(text+"x", empty)
			extend(text+"o", empty)
		}
	}
	extend("", 0)
	return count
}
