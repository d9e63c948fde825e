package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tengen/game"
	"tengen/internal/text"
	"tengen/proof"
	"tengen/sgf"
)

// proofShow holds the flags of one call.
type proofShow struct {
	*app
	depth  int
	format choice
	json   bool
}

func newProofShow(a *app) *cobra.Command {
	s := &proofShow{app: a, format: oneOf("text", "dot", "json", "sgf")}
	cmd := &cobra.Command{
		Use:   "show FILE [MOVES...]",
		Short: "Walk through a certificate as a game",
		Long: `Walk through a certificate as a game, from its root or from the position after
moves: where the winner is to play, the winning reply; where the loser is, every
move and how it is answered, by an entry of the certificate or by the endgame
search that it leaves the rest to. Of moves that a symmetry of the board exchanges
one is followed.

--depth says how many moves of the loser are followed. As text a move that follows
stands below the answer it follows, a step to the right. dot is for Graphviz, with
arrows dashed where the endgame search stands behind a move. sgf is a game record
with every move as a variation, for Sabaki, GoGui and other editors.

The certificate is taken at its word: verify it first.`,
		Example: `  tengen proof show 4x4.cert
  tengen proof show 4x4.cert A1 C3 --depth 2
  tengen proof show 4x4.cert --depth 3 --format sgf > proof.sgf
  tengen proof show 4x4.cert B2 --format dot | dot -Tsvg > proof.svg`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exactlyOneFile(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.run(cmd.Context(), args[0], strings.Join(args[1:], " "))
		},
	}
	cmd.Flags().IntVar(&s.depth, "depth", 1, "moves of the loser to follow, each with its answer")
	s.format.register(cmd, "format", "what to print")
	cmd.Flags().BoolVar(&s.json, "json", false, "print one JSON object, as --format json")
	return cmd
}

func (s *proofShow) run(ctx context.Context, path, names string) error {
	if s.depth < 0 {
		return fmt.Errorf("--depth %d is not a number of moves", s.depth)
	}
	if s.json && s.format.value != "text" && s.format.value != "json" {
		return fmt.Errorf("--json and --format %s exclude each other: give one of them", s.format.value)
	}
	certificate, err := readCertificate(ctx, path, 0)
	if err != nil {
		return err
	}
	if s.format.value == "sgf" {
		if err := sgf.CheckSize(certificate.Size()); err != nil {
			return fmt.Errorf("--format sgf: %w", err)
		}
	}
	moves, err := certificate.Size().ParsePoints(names)
	if err != nil {
		return err
	}
	root, err := certificate.Walk(ctx, moves, s.depth)
	if errors.Is(err, proof.ErrUnproven) {
		err = fmt.Errorf("%w: \"tengen proof verify\" says where", err)
	}
	if err != nil {
		return err
	}
	t := proofTree{certificate.Root(), certificate.ToPlay(), moves, certificate.Winner(), root}
	switch {
	case s.json || s.format.value == "json":
		return s.printJSON(proofShowJSON{newClaimJSON(certificate), certificate.Len(), game.MoveNames(t.size(), moves), s.depth, t.json(root)})
	case s.format.value == "dot":
		t.dot(s.out)
	case s.format.value == "sgf":
		return t.record(s.out)
	default:
		s.printf("%s: %s\n\n", claimSentence(certificate), text.Plural(certificate.Len(), "entry"))
		t.text(s.out)
	}
	return nil
}

// proofShowJSON is a part of a proof.
type proofShowJSON struct {
	claimJSON
	Entries int           `json:"entries"`
	Moves   []string      `json:"moves"`
	Depth   int           `json:"depth"`
	Proof   proofNodeJSON `json:"proof"`
}
