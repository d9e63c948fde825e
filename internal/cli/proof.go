package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tengen/engine"
	"tengen/internal/text"
	"tengen/proof"
)

func newProof(a *app) *cobra.Command {
	return group("proof", "Check and describe certificates", newProofVerify(a), newProofStats(a))
}

// exactlyOneFile is the argument of the commands on certificates.
func exactlyOneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes one certificate file, not %d", cmd.CommandPath(), len(args))
	}
	return nil
}

// claimJSON are the fields that both commands share.
type claimJSON struct {
	Game         string `json:"game"`
	Size         string `json:"size"`
	Position     string `json:"position"`
	ToPlay       string `json:"to_play"`
	Winner       string `json:"winner"`
	EndgameLimit int    `json:"endgame_limit"`
	Bytes        int64  `json:"bytes"`
	SHA256       string `json:"sha256"`
}

func newClaimJSON(c engine.Claim) claimJSON {
	return claimJSON{
		Game:         "nogo",
		Size:         c.Position.Size.String(),
		Position:     c.Position.String(),
		ToPlay:       c.ToPlay.String(),
		Winner:       c.Winner.String(),
		EndgameLimit: c.EndgameNodes,
		Bytes:        c.Bytes,
		SHA256:       c.Checksum,
	}
}

func claimSentence(c engine.Claim) string {
	return fmt.Sprintf("%s wins %s with %s to play", c.Winner, c.Position.Size, c.ToPlay)
}

func newProofVerify(a *app) *cobra.Command {
	var threads int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a certificate without trusting any solver",
		Long: `Check a certificate with the rules of NoGo and small bounded endgame searches
alone. The exit code is 0 if the proof holds, 1 if it does not, and 2 if the file
is not an intact certificate.`,
		Args: exactlyOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.verify(cmd.Context(), args[0], threads, asJSON)
		},
	}
	cmd.Flags().IntVar(&threads, "threads", 0, "threads (default: all cores)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) verify(ctx context.Context, path string, threads int, asJSON bool) error {
	status := newStatus(a.err)
	claim, report, err := engine.Verify(ctx, path, max(threads, 0), func(done, total uint64) {
		status.show(fmt.Sprintf("%s of %s positions", text.Thousands(done), text.Thousands(total)))
	})
	status.clear()
	if err != nil {
		return err
	}
	switch {
	case asJSON:
		err = a.printJSON(struct {
			claimJSON
			proof.Report
		}{newClaimJSON(claim), report})
	case report.Valid:
		a.printf("valid: %s, %s positions, %s endgame searches\n", claimSentence(claim), text.Thousands(report.Positions), text.Thousands(report.EndgameSearches))
	default:
		a.printf("not valid: %v\n", report.Failure)
	}
	if err == nil && !report.Valid {
		return errNo
	}
	return err
}

func newProofStats(a *app) *cobra.Command {
	var threads int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats FILE",
		Short: "Count the positions of a proof by depth",
		Long: `Count the proof that a certificate stands for: positions and transpositions by
depth, and how many terminal positions hold an eye. Verify the file first.`,
		Args: exactlyOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.proofStats(cmd.Context(), args[0], threads, asJSON)
		},
	}
	cmd.Flags().IntVar(&threads, "threads", 0, "threads (default: all cores)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) proofStats(ctx context.Context, path string, threads int, asJSON bool) error {
	claim, stats, err := engine.ProofStatistics(ctx, path, max(threads, 0))
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(struct {
			claimJSON
			Entries int `json:"entries"`
			proof.Statistics
		}{newClaimJSON(claim), claim.Entries, stats})
	}
	a.printf("%s: %s entries stand for %s positions\n\n", claimSentence(claim), text.Thousands(claim.Entries), text.Thousands(stats.Positions))
	table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "depth\tpositions\ttranspositions\tshare\t")
	for _, d := range stats.ByDepth {
		fmt.Fprintf(table, "%d\t%s\t%s\t%.1f %%\t\n", d.Depth, text.Thousands(d.Positions), text.Thousands(d.Transpositions), 100*d.Frequency)
	}
	table.Flush()
	a.printf("\nterminal positions: %s, with an eye of the winner %s, of the loser %s\n",
		text.Thousands(stats.Terminal), share(stats.TerminalWithWinnerEye, stats.Terminal), share(stats.TerminalWithLoserEye, stats.Terminal))
	if !stats.PlayedOut {
		a.printf("the %s endgames were too many to play out and count as single positions\n", text.Thousands(stats.Endgames))
	}
	return nil
}

func share(part, whole uint64) string {
	if whole == 0 {
		return "0"
	}
	return fmt.Sprintf("%s (%.1f %%)", text.Thousands(part), 100*float64(part)/float64(whole))
}
