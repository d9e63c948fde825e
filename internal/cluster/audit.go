package cluster

import (
	"context"
	"errors"
	"os"

	"tengen/engine"
	"tengen/internal/wholefile"
	"tengen/proof"
	"tengen/tablebase"
)

// VerifyQuestion tells files to be checked apart, by their checksums.
func VerifyQuestion(sha256 string) string { return "verify " + sha256 }

// Verify checks a certificate with all workers: each fetches it once and checks slices of
// its entries. A check that was stopped goes on where it was.
func Verify(ctx context.Context, c *proof.Certificate, o Options) (proof.Report, error) {
	m, err := begin(ctx, VerifyQuestion(c.Checksum()), o)
	if err != nil {
		return proof.Report{}, err
	}
	defer m.end()
	file, err := wholefile.NewNameless("")
	if err != nil {
		return proof.Report{}, err
	}
	defer file.Close()
	if err := c.Write(file); err != nil {
		return proof.Report{}, err
	}
	object := object{c.Checksum(), c.Bytes()}
	defer m.hub.drop(ctx, m.search, object)
	total := proof.Report{Valid: true}
	t := &sharing[proof.Report]{
		m: m, kind: auditing, name: "certificate", needs: []supply{{object, file}},
		add: func(_ span, _ string, r proof.Report) (bool, error) {
			total = total.And(r)
			return !total.Valid, nil
		},
	}
	// One without entries has a root to check all the same.
	err = t.share(ctx, max(c.Len(), 1), pace{least: 64, most: 1 << 20})
	return total, err
}

// tableReport is what comes of checking a slice of a table.
type tableReport struct {
	tablebase.Verified
	Wrong string `json:",omitempty"`
}

// VerifyTable checks a table of Go, whose checksum is given, as Verify does a certificate.
func VerifyTable(ctx context.Context, path, sha256 string, o Options) (engine.TableVerdict, error) {
	table, err := tablebase.Open(path, 0)
	if err != nil {
		return engine.TableVerdict{}, err
	}
	defer table.Close()
	file, err := wholefile.Open(path)
	if err != nil {
		return engine.TableVerdict{}, err
	}
	defer file.Close()
	total, err := verifyTable(ctx, table, file, sha256, o)
	if err == nil && total.Wrong == "" {
		total.Verified, err = table.Complete(total.Verified)
	}
	v := engine.TableVerdict{Boards: total.Boards, Bans: total.Bans, Positions: total.Positions, Complete: total.Complete}
	if wrong := (*tablebase.Wrong)(nil); errors.As(err, &wrong) {
		v.Failure, err = wrong, nil
	}
	if total.Wrong != "" {
		v.Failure = errors.New(total.Wrong)
	}
	return v, err
}

func verifyTable(ctx context.Context, table *tablebase.Table, file *os.File, sha256 string, o Options) (total tableReport, err error) {
	info, err := file.Stat()
	if err != nil {
		return total, err
	}
	m, err := begin(ctx, VerifyQuestion(sha256), o)
	if err != nil {
		return total, err
	}
	defer m.end()
	object := object{sha256, info.Size()}
	defer m.hub.drop(ctx, m.search, object)
	t := &sharing[tableReport]{
		m: m, kind: tabling, name: "table", needs: []supply{{object, file}},
		add: func(_ span, _ string, r tableReport) (bool, error) {
			total.Verified, total.Wrong = total.And(r.Verified), r.Wrong
			return r.Wrong != "", nil
		},
	}
	return total, t.share(ctx, table.Frames(), pace{least: 1, most: 1 << 20})
}
