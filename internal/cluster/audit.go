package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"

	"tengen/internal/wholefile"
	"tengen/proof"
	"tengen/tablebase"
)

// VerifyQuestion names the check of a file by its checksum.
func VerifyQuestion(sha256 string) string { return "verify " + sha256 }

// Verify checks a certificate with all workers. Each fetches it once and checks slices of
// its entries. The same call continues a check that was stopped.
//
// The master believes a worker that reports no fault, except for the sample that it checks
// itself. It never believes a fault: it checks every one.
func Verify(ctx context.Context, c *proof.Certificate, o Options) (proof.Report, SliceChecks, error) {
	m, err := begin(ctx, VerifyQuestion(c.Checksum()), o)
	if err != nil {
		return proof.Report{}, SliceChecks{}, err
	}
	defer m.end()
	file, err := wholefile.NewNameless("")
	if err != nil {
		return proof.Report{}, SliceChecks{}, err
	}
	defer file.Close()
	if err := c.Write(file); err != nil {
		return proof.Report{}, SliceChecks{}, err
	}
	object := object{c.Checksum(), c.Bytes()}
	defer m.hub.drop(ctx, m.search, object)
	reports := map[int]proof.Report{}
	t := &sharing[proof.Report]{
		m: m, kind: auditing, name: "certificate", needs: []supply{{object, file}},
		add: func(s span, r proof.Report) (bool, error) {
			reports[s.From] = r
			return !r.Valid, nil
		},
		suspect: func(_ span, r proof.Report) bool { return !r.Valid },
		again: func(s span, r proof.Report) (string, *proof.Report, error) {
			mine, err := proof.Verify(ctx, c, proof.VerifyOptions{Threads: 1, From: s.From, To: min(s.To, c.Len())})
			switch {
			case err != nil:
				return "", nil, err
			case mine.Valid && r.Valid && mine.Positions == r.Positions:
				return "", nil, nil
			case !mine.Valid && !r.Valid: // in the master's words
				return "", &mine, nil
			}
			return fmt.Sprintf("it said %s of entries %d to %d, which is false", verdict(r.Valid), s.From+1, s.To), &mine, nil
		},
	}
	// A certificate without entries still has a root to check.
	err = t.share(ctx, max(c.Len(), 1), pace{least: 64, most: 1 << 20})
	total := proof.Report{Valid: true}
	for _, from := range slices.Sorted(maps.Keys(reports)) {
		total = total.And(reports[from])
	}
	return total, t.checks, err
}

func verdict(valid bool) string {
	if valid {
		return "valid"
	}
	return "not valid"
}

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
	if err == nil && total.Wrong == "" {
		total.Verified, err = table.Complete(total.Verified)
	}
	v.Verified = total.Verified
	if wrong := (*tablebase.Wrong)(nil); errors.As(err, &wrong) {
		v.Failure, err = wrong, nil
	}
	if total.Wrong != "" {
		v.Failure = errors.New(total.Wrong)
	}
	return v, checks, err
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
	verifier, err := table.Verifier(ctx, tablebase.Verification{Threads: 1, Memory: tableSample})
	if err != nil {
		return total, checks, err
	}
	defer verifier.Close()
	look := func(s span) (tableReport, error) {
		v, err := verifier.Slice(ctx, s.From, s.To)
		if wrong := (*tablebase.Wrong)(nil); errors.As(err, &wrong) {
			return tableReport{v, wrong.Error()}, nil
		}
		return tableReport{Verified: v}, err
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
			if r.Wrong == "" { // only one frame: a worker with more memory checks a slice much faster
				from := s.From + rand.IntN(max(s.len(), 1))
				mine, err := look(span{from, min(from+1, s.To)})
				if err != nil || mine.Wrong == "" && (s.len() > 1 || mine.Verified == r.Verified) {
					return "", nil, err
				}
			}
			mine, err := look(s)
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
