package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tengen/engine"
	"tengen/internal/text"
)

func newProof(a *app) *cobra.Command {
	return group("proof", "Check, describe and walk through certificates", newProofVerify(a), newProofStats(a), newProofShow(a))
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
	claim, report, err := engine.Verify(ctx, engine.ProofRequest{
		Path: path, Limits: engine.Limits{Threads: max(threads, 0)},
		Progress: func(done, total uint64) {
			status.show(fmt.Sprintf("%s of %s positions", text.Thousands(done), text.Thousands(total)))
		},
	})
	status.clear()
	if err != nil {
		return err
	}
	return a.printVerdict(claim, newVerdictJSON(claim, report), report.Failure, asJSON)
}

// printVerdict says whether a proof holds, and if not what is wrong with it.
func (a *app) printVerdict(claim engine.Claim, v verdictJSON, failure error, asJSON bool) error {
	var err error
	switch {
	case asJSON:
		err = a.printJSON(v)
	case v.Valid:
		a.printf("%s: %s, %s, %s\n", a.paint(good, "valid"), claimSentence(claim), text.Plural(v.Positions, "position"), text.Plural(v.EndgameSearches, "endgame search"))
	default:
		a.printf("%s: %v\n", a.paint(bad, "not valid"), failure)
	}
	if err == nil && !v.Valid {
		return errNo
	}
	return err
}

// verdictJSON is the result of a check.
type verdictJSON struct {
	claimJSON
	Valid           bool         `json:"valid"`
	Positions       uint64       `json:"positions"`
	EndgameSearches uint64       `json:"endgame_searches"`
	EndgameNodes    uint64       `json:"endgame_nodes"`
	Failure         *failureJSON `json:"failure,omitempty"`
}

type failureJSON struct {
	Position string `json:"position"`
	Move     string `json:"move,omitempty"`
	Reply    string `json:"reply,omitempty"`
	Reason   string `json:"reason"`
}

func newVerdictJSON(claim engine.Claim, r engine.ProofReport) verdictJSON {
	object := verdictJSON{newClaimJSON(claim), r.Valid, r.Positions, r.EndgameSearches, r.EndgameNodes, nil}
	if f := r.Failure; f != nil {
		object.Failure = &failureJSON{f.Position, f.Move, f.Reply, f.Reason}
	}
	return object
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
	claim, stats, err := engine.CountProof(ctx, engine.ProofRequest{Path: path, Limits: engine.Limits{Threads: max(threads, 0)}})
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(newProofStatsJSON(claim, stats))
	}
	a.printf("%s: %s for %s\n\n", claimSentence(claim), text.Plural(claim.Entries, "entry"), text.Plural(stats.Positions, "position"))
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

// proofStatsJSON counts a proof.
type proofStatsJSON struct {
	claimJSON
	Entries               int         `json:"entries"`
	PlayedOut             bool        `json:"played_out"`
	Positions             uint64      `json:"positions"`
	Transpositions        uint64      `json:"transpositions"`
	ByDepth               []depthJSON `json:"by_depth"`
	Endgames              uint64      `json:"endgames"`
	Terminal              uint64      `json:"terminal"`
	TerminalWithWinnerEye uint64      `json:"terminal_with_winner_eye"`
	TerminalWithLoserEye  uint64      `json:"terminal_with_loser_eye"`
}

type depthJSON struct {
	Depth          int     `json:"depth"`
	Positions      uint64  `json:"positions"`
	Transpositions uint64  `json:"transpositions"`
	Frequency      float64 `json:"transposition_frequency"`
}

func newProofStatsJSON(claim engine.Claim, s engine.ProofStatistics) proofStatsJSON {
	object := proofStatsJSON{
		newClaimJSON(claim), claim.Entries, s.PlayedOut, s.Positions, s.Transpositions, nil,
		s.Endgames, s.Terminal, s.TerminalWithWinnerEye, s.TerminalWithLoserEye,
	}
	for _, d := range s.ByDepth {
		object.ByDepth = append(object.ByDepth, depthJSON(d))
	}
	return object
}

func share(part, whole uint64) string {
	if whole == 0 {
		return "0"
	}
	return fmt.Sprintf("%s (%.1f %%)", text.Thousands(part), 100*float64(part)/float64(whole))
}
