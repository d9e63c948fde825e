package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"tengen/engine"
	"tengen/internal/cluster"
	"tengen/internal/wholefile"
	"tengen/proof"
)

func newClusterVerify(a *app) *cobra.Command {
	c := &clusterRun{app: a}
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a certificate or a table on many machines",
		Long: `Check a certificate as "proof verify" does, or a table of Go as "table verify" does,
shared out among workers in slices. Each worker fetches the file once. A check that was
stopped goes on where it was when the same command is given again.

A worker checks a table quickly if its memory holds all values, as "table verify" does.

The exit code is 0 if everything is right, 1 if the proof does not hold or a value is
wrong, and 2 if the file is neither an intact certificate nor an intact table.`,
		Example: `  tengen cluster verify 4x6.cert --workers 2
  tengen cluster verify 4x5.table --nats nats://master:4222`,
		Args: exactlyOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := c.timeout.limit(cmd.Context())
			defer cancel()
			table, err := isTable(args[0])
			if err != nil {
				return err
			}
			if table {
				return c.verifyTable(ctx, args[0])
			}
			return c.verifyCertificate(ctx, args[0])
		},
	}
	c.register(cmd)
	return cmd
}

// isTable tells tables from certificates, and from all else, by how they begin.
func isTable(path string) (bool, error) {
	file, err := wholefile.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	start := make([]byte, len(engine.TableMagic))
	n, _ := io.ReadFull(file, start)
	return string(start[:n]) == engine.TableMagic, nil
}

func (c *clusterRun) verifyCertificate(ctx context.Context, path string) error {
	certificate, err := proof.ReadFile(path)
	if err != nil {
		return err
	}
	var report proof.Report
	err = c.share(ctx, cluster.VerifyQuestion(certificate.Checksum()), func(o cluster.Options, _ *status) error {
		report, err = cluster.Verify(ctx, certificate, o)
		return err
	})
	if err != nil {
		return err
	}
	return c.printReport(certificate, report)
}

func (c *clusterRun) verifyTable(ctx context.Context, path string) error {
	return withTable(path, func(t *engine.Table, info engine.TableInfo) error {
		sum, err := t.Checksum(ctx)
		if err != nil {
			return err
		}
		var verdict engine.TableVerdict
		err = c.share(ctx, cluster.VerifyQuestion(sum), func(o cluster.Options, _ *status) error {
			verdict, err = cluster.VerifyTable(ctx, path, sum, o)
			return err
		})
		if err != nil {
			return err
		}
		return c.printTableVerdict(info, verdict, c.json)
	})
}

// printReport says what "proof verify" would.
func (c *clusterRun) printReport(p *proof.Certificate, r proof.Report) error {
	claim := engine.Claim{Position: p.Root(), ToPlay: p.ToPlay(), Winner: p.Winner(), Entries: p.Len(), EndgameNodes: p.EndgameNodes(), Bytes: p.Bytes(), Checksum: p.Checksum()}
	object := verdictJSON{claimJSON: newClaimJSON(claim), Valid: r.Valid, Positions: r.Positions, EndgameSearches: r.EndgameSearches, EndgameNodes: r.EndgameNodes}
	if f := r.Failure; f != nil {
		object.Failure = &failureJSON{f.Position, f.Move, f.Reply, f.Reason}
	}
	return c.printVerdict(claim, object, r.Failure, c.json)
}
