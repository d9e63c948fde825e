package cli

import (
	"github.com/spf13/cobra"

	"tengen/engine"
	"tengen/internal/cluster"
	"tengen/proof"
)

func newClusterVerify(a *app) *cobra.Command {
	c := &clusterRun{app: a}
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a certificate on many machines",
		Long: `Check a certificate as "proof verify" does, shared out among workers in slices of its
entries. The exit code is 0 if the proof holds, 1 if it does not, and 2 if the file is
not an intact certificate.`,
		Example: "  tengen cluster verify 4x6.cert --workers 2",
		Args:    exactlyOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := c.timeout.limit(cmd.Context())
			defer cancel()
			certificate, err := proof.ReadFile(args[0])
			if err != nil {
				return err
			}
			status := newStatus(c.err)
			o, workers, err := c.options(cluster.VerifyQuestion(certificate), c.watch(status))
			if err != nil {
				return err
			}
			report, err := cluster.Verify(ctx, certificate, o)
			workers.dismiss()
			status.clear()
			if err != nil {
				return c.stopped(ctx, err)
			}
			return c.printReport(certificate, report)
		},
	}
	c.register(cmd)
	return cmd
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
