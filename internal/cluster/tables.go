package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"

	"tengen/internal/wholefile"
	"tengen/tablebase"
)

// tableReport is the result of checking a slice of a table.
type tableReport struct {
	tablebase.Verified
	Wrong string `json:",omitempty"`
}

func (r tableReport) and(next tableReport) tableReport {
	return tableReport{r.And(next.Verified), cmp.Or(r.Wrong, next.Wrong)}
}

// TableVerdict is what the check of a table has seen, and what is wrong, nil if nothing.
type TableVerdict struct {
	tablebase.Verified
	Failure error
}

// VerifyTable checks a table of Go with this checksum, as Verify checks a certificate.
func VerifyTable(ctx context.Context, path, sha256 string, o Options) (v TableVerdict, checks SliceChecks, err error) {
	table, err := tablebase.Open(path, 0)
	if err != nil {
		return v, checks, err
	}
	defer table.Close()
	file, err := wholefile.Open(path)
	if err != nil {
		return v, checks, err
	}
	defer file.Close()
	total, checks, err := verifyTable(ctx, table, file, sha256, o)
	v.Verified = total.Verified
	switch {
	case err != nil:
		return v, checks, err
	case total.Wrong != "":
		v.Failure = errors.New(total.Wrong)
		return v, checks, nil
	}
	v.Verified, err = complete(ctx, table, total.Verified)
	if wrong := (*tablebase.Wrong)(nil); errors.As(err, &wrong) {
		v.Failure, err = wrong, nil
	}
	return v, checks, err
}

// complete compares the counts of all workers with what the table must hold. Counts that are
// wrong may be the fault of a worker: they are believed only if the master finds the same.
func complete(ctx context.Context, table *tablebase.Table, v tablebase.Verified) (tablebase.Verified, error) {
	sum, err := table.Complete(v)
	if err == nil {
		return sum, nil
	}
	if v, err = table.Count(ctx, 0, table.Frames(), runtime.GOMAXPROCS(0)); err != nil {
		return v, err
	}
	return table.Complete(v)
}

// tableSample is the memory of the master for checking frames of a table. It is small, so
// successors are looked up in the file, which is slow.
const tableSample = 64 << 20

func verifyTable(ctx context.Context, table *tablebase.Table, file *os.File, sha256 string, o Options) (total tableReport, checks SliceChecks, err error) {
	info, err := file.Stat()
	if err != nil {
		return total, checks, err
	}
	m, err := begin(ctx, VerifyQuestion(sha256), o)
	if err != nil {
		return total, checks, err
	}
	defer m.end()
	object := object{sha256, info.Size()}
	defer m.hub.drop(ctx, m.search, object)
	check := &tableCheck{threads: 1, memory: tableSample}
	defer check.close()
	if err := check.open(ctx, table); err != nil {
		return total, checks, err
	}
	reports := map[int]tableReport{}
	t := &sharing[tableReport]{
		m: m, kind: tabling, name: "table", needs: []supply{{object, file}},
		add: func(s span, r tableReport) (bool, error) {
			reports[s.From] = r
			return r.Wrong != "", nil
		},
		suspect: func(_ span, r tableReport) bool { return r.Wrong != "" },
		again: func(s span, r tableReport) (string, *tableReport, error) {
			if r.Wrong == "" {
				// Only one frame is checked: a worker with more memory checks a slice much
				// faster. All are counted.
				counts, err := table.Count(ctx, s.From, s.To, 1)
				if err != nil {
					return "", nil, err
				}
				from := s.From + rand.IntN(max(s.len(), 1))
				mine, err := check.slice(ctx, span{from, min(from+1, s.To)})
				if err != nil || mine.Wrong == "" && counts == r.Verified {
					return "", nil, err
				}
			}
			mine, err := check.slice(ctx, s)
			switch {
			case err != nil:
				return "", nil, err
			case mine == r:
				return "", nil, nil
			case mine.Wrong != "" && r.Wrong != "": // in the master's words
				return "", &mine, nil
			}
			return fmt.Sprintf("it said %s of frames %d to %d, which is false", verdict(r.Wrong == ""), s.From+1, s.To), &mine, nil
		},
	}
	err = t.share(ctx, table.Frames(), pace{least: 1, most: 1 << 20})
	for _, from := range slices.Sorted(maps.Keys(reports)) {
		total = total.and(reports[from])
	}
	return total, t.checks, err
}

// tableCheck is the check of a table in slices.
type tableCheck struct {
	threads  int
	memory   int64
	verifier *tablebase.Verifier
	closers  []func() // called by close, the last one first
}

func (c *tableCheck) load(ctx context.Context, file *wholefile.Nameless, bytes int64) error {
	c.closers = append(c.closers, func() { file.Close() })
	table, err := tablebase.New(file, bytes, 0)
	if err != nil {
		return err
	}
	c.closers = append(c.closers, func() { table.Close() })
	return c.open(ctx, table)
}

func (c *tableCheck) open(ctx context.Context, table *tablebase.Table) (err error) {
	c.verifier, err = table.Verifier(ctx, tablebase.Verification{Threads: c.threads, Memory: c.memory})
	if err == nil {
		c.closers = append(c.closers, c.verifier.Close)
	}
	return err
}

func (c *tableCheck) cut(ctx context.Context, s span) (any, error) { return c.slice(ctx, s) }

func (c *tableCheck) slice(ctx context.Context, s span) (tableReport, error) {
	if c.verifier == nil {
		return tableReport{}, errors.New("the table to check is missing")
	}
	v, err := c.verifier.Slice(ctx, s.From, s.To)
	if wrong := (*tablebase.Wrong)(nil); errors.As(err, &wrong) {
		return tableReport{v, wrong.Error()}, nil
	}
	return tableReport{Verified: v}, err
}

func (c *tableCheck) close() {
	for _, closer := range slices.Backward(c.closers) {
		closer()
	}
}
