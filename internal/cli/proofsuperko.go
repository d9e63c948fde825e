package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"tengen/game"
	"tengen/internal/bigmem"
	"tengen/internal/text"
	"tengen/proof/superko"
)

// superkoClaimJSON is what a certificate under superko proves.
type superkoClaimJSON struct {
	Game     string   `json:"game"`
	Size     string   `json:"size"`
	Rules    string   `json:"rules"`
	Position string   `json:"position"` // of the start
	ToPlay   string   `json:"to_play"`  // there
	Passes   uint8    `json:"passes,omitempty"`
	Moves    []string `json:"moves"`
	Prover   string   `json:"prover"`
	Goal     int      `json:"goal"`
	Bytes    int64    `json:"bytes"`
	SHA256   string   `json:"sha256"`
}

func newSuperkoClaimJSON(c *superko.Certificate) superkoClaimJSON {
	claim := c.Claim()
	start := claim.Start
	object := superkoClaimJSON{
		Game: "go", Size: start.Size.String(), Rules: claim.Rules.String(), Position: start.String(), ToPlay: start.ToPlay.String(),
		Passes: start.Passes, Moves: game.MoveNames(start.Size, claim.Moves), Prover: claim.Prover.String(), Goal: claim.Goal,
	}
	object.Bytes, object.SHA256 = c.Sum()
	return object
}

// superkoSentence says what a certificate under superko proves.
func superkoSentence(c *superko.Certificate) string {
	claim := c.Claim()
	start := claim.Start
	where := fmt.Sprintf("on %s with %s to play", start.Size, start.ToPlay)
	if start.Empty().Len() < start.Size.Points() {
		where = fmt.Sprintf("from %s with %s to play", start, start.ToPlay)
	}
	if start.Passes > 0 {
		where += " after a pass"
	}
	if len(claim.Moves) > 0 {
		where += ", after " + strings.Join(game.MoveNames(start.Size, claim.Moves), " ")
	}
	return fmt.Sprintf("%s scores at least %d %s, under %s", claim.Prover, claim.Goal, where, claim.Rules)
}

func (a *app) verifySuperko(ctx context.Context, path string, memory int64, asJSON bool) error {
	c, err := superko.ReadFileWithin(ctx, path, cmp.Or(memory, bigmem.Machine()))
	if err != nil {
		return err
	}
	status := newStatus(a.err)
	r, err := superko.Verify(ctx, c, func(done, total int) {
		status.show(fmt.Sprintf("%s of %s positions", text.Thousands(done), text.Thousands(total)))
	})
	status.clear()
	if err != nil {
		return err
	}
	if asJSON {
		return concluded(r.Valid, a.printJSON(struct {
			superkoClaimJSON
			superko.Report
		}{newSuperkoClaimJSON(c), r}))
	}
	a.printf("%s\n", a.verdictLine(r.Valid, r.Failure, superkoSentence(c), text.Plural(r.Positions, "position"), text.Plural(r.Barred, "repetition")))
	return concluded(r.Valid, nil)
}

// errSuperkoProof is the answer of the commands that do not know certificates under superko.
func errSuperkoProof(path, command string) error {
	return fmt.Errorf("%s is a certificate under superko, which \"proof %s\" does not know: \"tengen proof verify\" checks it", text.Printable(path), command)
}
