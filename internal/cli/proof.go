package cli

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tengen/engine/job"
	"tengen/internal/bigmem"
	"tengen/internal/text"
	"tengen/proof"
	"tengen/proof/area"
	"tengen/proof/superko"
)

func newProof(a *app) *cobra.Command {
	return group("proof", "Check, describe and walk through certificates", newProofVerify(a), newProofStats(a), newProofShow(a))
}

// oneCertificate is the argument of the commands on certificates.
var oneCertificate = takes(1, 1, "one certificate file")

// claimJSON are the fields that all commands on certificates print.
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

func newClaimJSON(c *proof.Certificate) claimJSON {
	return claimJSON{
		Game:         "nogo",
		Size:         c.Size().String(),
		Position:     c.Root().String(),
		ToPlay:       c.ToPlay().String(),
		Winner:       c.Winner().String(),
		EndgameLimit: c.EndgameNodes(),
		Bytes:        c.Bytes(),
		SHA256:       c.Checksum(),
	}
}

// readCertificate reads a file within a limit of memory, by default that of the machine.
func readCertificate(ctx context.Context, path string, memory int64) (*proof.Certificate, error) {
	if memory == 0 {
		memory = bigmem.Machine()
	}
	return proof.ReadFileWithin(ctx, path, memory)
}

func claimSentence(c *proof.Certificate) string {
	return fmt.Sprintf("%s wins %s with %s to play", c.Winner(), c.Size(), c.ToPlay())
}

func newProofVerify(a *app) *cobra.Command {
	var limits limits
	var asJSON bool
	with, rules := oneOf("tengen", "verified"), oneOf("basic", "psk", "ssk")
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a certificate without trusting any solver",
		Long: `Check a certificate: one of NoGo with the rules and small bounded endgame searches
alone, one of a score of Go with the rules and unconditional life alone, and one of a
score under superko with the rules alone. The file says which it is. The exit code is
0 if the proof holds, 1 if it does not, and 2 if the file is not an intact certificate.

A certificate of Go under basic ko may hold under superko too. --rules psk and ssk ask
for positional and situational superko, in a game that begins with its position. It
holds if no play by it makes its winner recreate a board. If that cannot be shown, the
exit code is 1.

--with verified checks the file with tengen-verified, a program extracted from a proof
in Coq (docs/certificate-format.md). It knows NoGo, and uses one thread. Certificates
under superko are checked on one thread too, those of Go on all.`,
		Args: oneCertificate,
		RunE: func(cmd *cobra.Command, args []string) error {
			if with.value == "verified" {
				if area.IsFile(args[0]) || superko.IsFile(args[0]) {
					return fmt.Errorf("%s is about Go, and the verified checker knows NoGo: leave out --with verified", text.Printable(args[0]))
				}
				return a.verifyWithVerified(cmd.Context(), args[0], asJSON)
			}
			if area.IsFile(args[0]) {
				return a.verifyArea(cmd.Context(), args[0], rules.value, limits.job(), asJSON)
			}
			if rules.index() > 0 {
				return fmt.Errorf("%s is not about Go under basic ko: leave out --rules", text.Printable(args[0]))
			}
			return a.verify(cmd.Context(), args[0], limits.job(), asJSON)
		},
	}
	limits.register(cmd, "memory for the certificate, such as 8GiB (default: that of the machine)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	with.register(cmd, "with", "checker: tengen's own, or the verified one")
	rules.register(cmd, "rules", "of Go, under which the proof is to hold")
	return cmd
}

func (a *app) verify(ctx context.Context, path string, limits job.Limits, asJSON bool) error {
	status := newStatus(a.err)
	settled, err := limits.Settle()
	if err != nil {
		return err
	}
	if superko.IsFile(path) {
		return a.verifySuperko(ctx, path, limits.Memory, asJSON)
	}
	certificate, err := readCertificate(ctx, path, limits.Memory)
	if err != nil {
		return err
	}
	report, err := proof.Verify(ctx, certificate, proof.VerifyOptions{
		Threads: settled.Threads, Memory: limits.Memory,
		Progress: func(done, total uint64) {
			status.show(fmt.Sprintf("%s of %s positions", text.Thousands(done), text.Thousands(total)))
		},
	})
	status.clear()
	if err != nil {
		return err
	}
	return a.printVerdict(certificate, report, asJSON)
}

// printVerdict says whether a proof holds, and if not, where it fails.
func (a *app) printVerdict(c *proof.Certificate, r proof.Report, asJSON bool) error {
	if asJSON {
		return concluded(r.Valid, a.printJSON(verdictJSON{newClaimJSON(c), r, ""}))
	}
	a.printf("%s\n", a.verdictLine(r.Valid, r.Failure, claimSentence(c), text.Plural(r.Positions, "position"), text.Plural(r.EndgameSearches, "endgame search")))
	return concluded(r.Valid, nil)
}

// verdictLine says that a certificate is valid, and what it proves, or where it fails.
func (a *app) verdictLine(valid bool, failure any, proves ...string) string {
	if !valid {
		return fmt.Sprintf("%s: %v", a.paint(bad, "not valid"), failure)
	}
	return a.paint(good, "valid") + ": " + strings.Join(proves, ", ")
}

// concluded is how a command ends that has printed whether something holds.
func concluded(holds bool, printed error) error {
	if printed == nil && !holds {
		return errNo
	}
	return printed
}

// verdictJSON is the result of a check.
type verdictJSON struct {
	claimJSON
	proof.Report
	Checker string `json:"checker,omitempty"` // if it is not tengen's own
}

func newProofStats(a *app) *cobra.Command {
	var threads int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats FILE",
		Short: "Count the positions of a proof by depth",
		Long: `Count the positions of the proof in a certificate: positions and transpositions by
depth, and terminal positions with an eye. Of a certificate of Go its entries are
counted by depth. Verify the file first.`,
		Args: oneCertificate,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.proofStats(cmd.Context(), args[0], threads, asJSON)
		},
	}
	threadsFlag(cmd, &threads)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) proofStats(ctx context.Context, path string, threads int, asJSON bool) error {
	limits, err := job.Limits{Threads: threads}.Settle()
	if err != nil {
		return err
	}
	if area.IsFile(path) {
		return a.areaStats(ctx, path, asJSON)
	}
	if superko.IsFile(path) {
		return errSuperkoProof(path, "stats")
	}
	certificate, err := readCertificate(ctx, path, 0)
	if err != nil {
		return err
	}
	stats, err := proof.Stats(ctx, certificate, proof.StatsOptions{Threads: limits.Threads})
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(proofStatsJSON{newClaimJSON(certificate), certificate.Len(), stats})
	}
	a.printf("%s: %s for %s\n\n", claimSentence(certificate), text.Plural(certificate.Len(), "entry"), text.Plural(stats.Positions, "position"))
	table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "depth\tpositions\ttranspositions\tshare\t")
	for _, d := range stats.ByDepth {
		fmt.Fprintf(table, "%d\t%s\t%s\t%.1f %%\t\n", d.Depth, text.Thousands(d.Positions), text.Thousands(d.Transpositions), 100*d.Frequency)
	}
	table.Flush()
	a.printf("\nterminal positions: %s, with an eye of the winner %s, of the loser %s\n",
		text.Thousands(stats.Terminal), share(stats.TerminalWithWinnerEye, stats.Terminal), share(stats.TerminalWithLoserEye, stats.Terminal))
	if !stats.PlayedOut {
		a.printf("the %s endgames were not played out, since they are too many: each counts as one position\n", text.Thousands(stats.Endgames))
	}
	return nil
}

// proofStatsJSON counts a proof.
type proofStatsJSON struct {
	claimJSON
	Entries int `json:"entries"`
	proof.Statistics
}

func share(part, whole uint64) string {
	if whole == 0 {
		return "0"
	}
	return fmt.Sprintf("%s (%.1f %%)", text.Thousands(part), 100*float64(part)/float64(whole))
}
