package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tengen/engine/table"
	"tengen/internal/cluster"
	"tengen/internal/text"
	"tengen/proof"
	"tengen/tablebase"
)

func newClusterVerify(a *app) *cobra.Command {
	c := &clusterRun{app: a}
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a certificate or a table on many machines",
		Long: `Check a certificate of NoGo as "proof verify" does, or a table of Go as "table verify" does,
in slices that workers check. Each worker fetches the file once. The same command
continues a check that was stopped.

This program checks the first slice of each worker itself, one in 24 of the others, and
every fault. It does not check the rest. A worker that reports falsely is banned, and its slices
go to others. If you do not trust the workers, use "proof verify" or "table verify".

A worker checks a table quickly if its memory holds all values, as "table verify" does.

The exit code is 0 if everything is right, 1 if the proof does not hold or a value is
wrong, and 2 if the file is neither an intact certificate nor an intact table.`,
		Example: `  tengen cluster verify 4x6.cert --workers 2
  tengen cluster verify 4x5.table --nats nats://master:4222`,
		Args: takes(1, 1, "one certificate or table"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := c.timeout.limit(cmd.Context())
			defer cancel()
			table, err := startsWith(args[0], tablebase.Magic)
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

func (c *clusterRun) verifyCertificate(ctx context.Context, path string) error {
	certificate, err := readCertificate(ctx, path, 0)
	if err != nil {
		return unread(ctx, "certificate", err)
	}
	var report proof.Report
	var checks cluster.SliceChecks
	err = c.share(ctx, cluster.VerifyQuestion(certificate.Checksum()), func(o cluster.Options, _ *status) error {
		report, checks, err = cluster.Verify(ctx, certificate, o)
		return err
	})
	if err != nil {
		return err
	}
	c.printChecks(checks)
	return c.printVerdict(certificate, report, c.json)
}

func (c *clusterRun) verifyTable(ctx context.Context, path string) error {
	return withTable(path, func(t *tablebase.Table, info table.Info) error {
		sum, err := t.Checksum(ctx)
		if err != nil {
			return unread(ctx, "table", err)
		}
		var verdict cluster.TableVerdict
		var checks cluster.SliceChecks
		err = c.share(ctx, cluster.VerifyQuestion(sum), func(o cluster.Options, _ *status) error {
			verdict, checks, err = cluster.VerifyTable(ctx, path, sum, o)
			return err
		})
		if err != nil {
			return err
		}
		c.printChecks(checks)
		return c.printTableVerdict(info, verdict.Verified, verdict.Failure, c.json)
	})
}

// printChecks says how many slices were checked twice.
func (c *clusterRun) printChecks(k cluster.SliceChecks) {
	fmt.Fprintf(c.err, "tengen: %s by %s; this program checked %s of them again, in whole or in part, chosen at random, and not the others\n",
		text.Plural(k.Slices, "slice"), text.Plural(len(k.Workers), "worker"), text.Thousands(k.Again))
	if len(k.Banned) > 0 {
		fmt.Fprintf(c.err, "tengen: banned for a false report, and all its slices done by others: %s\n", text.Printable(strings.Join(k.Banned, ", ")))
	}
}
