package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"tengen/game"
	"tengen/internal/text"
	"tengen/proof"
	"tengen/proof/area"
	"tengen/proof/superko"
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
		Long: `Walk through a certificate as a game, from its root or from the position after some
moves. If the winner is to play, the winning reply is shown. If the loser is to play,
every move is shown with its answer, which is an entry of the certificate or comes
from an endgame search. Of moves that a symmetry of the board exchanges, one is
followed.

--depth is the number of moves of the loser to follow. In text, a move is indented
below the answer that it follows. dot is for Graphviz; a dashed arrow is a move of an
endgame search. sgf is a game record with every move as a variation, for Sabaki, GoGui
and other editors.

Of a certificate of Go the prover's moves are shown, down to where enough points are
safe or the game is over.

The certificate is not checked: verify it first.`,
		Example: `  tengen proof show 4x4.cert
  tengen proof show 4x4.cert A1 C3 --depth 2
  tengen proof show 4x4.cert --depth 3 --format sgf > proof.sgf
  tengen proof show 4x4.cert B2 --format dot | dot -Tsvg > proof.svg`,
		Args: takes(1, math.MaxInt, "a certificate file, and moves"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.run(cmd.Context(), args[0], strings.Join(args[1:], " "))
		},
	}
	countFlag(cmd, &s.depth, "depth", 1, 0, "moves", "moves of the loser to follow, each with its answer")
	s.format.register(cmd, "format", "form of the output")
	cmd.Flags().BoolVar(&s.json, "json", false, "print one JSON object, as --format json")
	return cmd
}

func (s *proofShow) run(ctx context.Context, path, names string) error {
	if s.json && s.format.value != "text" && s.format.value != "json" {
		return fmt.Errorf("--json and --format %s exclude each other: give one of them", s.format.value)
	}
	if area.IsFile(path) {
		return s.showArea(ctx, path, names)
	}
	if superko.IsFile(path) {
		return errSuperkoProof(path, "show")
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
