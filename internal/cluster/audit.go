package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tengen/internal/wholefile"
	"tengen/proof"
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
	check := certificateCheck{certificate: c, threads: 1}
	reports := map[int]proof.Report{}
	t := &sharing[proof.Report]{
		m: m, kind: auditing, name: "certificate", needs: []supply{{object, file}},
		add: func(s span, r proof.Report) (bool, error) {
			reports[s.From] = r
			return !r.Valid, nil
		},
		suspect: func(_ span, r proof.Report) bool { return !r.Valid },
		again: func(s span, r proof.Report) (string, *proof.Report, error) {
			mine, err := check.slice(ctx, s)
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

// certificateCheck is the check of a certificate in slices.
type certificateCheck struct {
	certificate *proof.Certificate
	threads     int
	memory      int64
}

func (c *certificateCheck) load(ctx context.Context, file *wholefile.Nameless, _ int64) (err error) {
	c.certificate, err = proof.ReadWithin(ctx, file, c.memory)
	return errors.Join(err, file.Close())
}

func (c *certificateCheck) cut(ctx context.Context, s span) (any, error) { return c.slice(ctx, s) }

func (c *certificateCheck) slice(ctx context.Context, s span) (proof.Report, error) {
	if c.certificate == nil {
		return proof.Report{}, errors.New("the certificate to check is missing")
	}
	return proof.Verify(ctx, c.certificate, proof.VerifyOptions{Threads: c.threads, From: s.From, To: min(s.To, c.certificate.Len())})
}

func (c *certificateCheck) close() {}
