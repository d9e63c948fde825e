package solve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/solver/gosearch"
	"tengen/proof/area"
	"tengen/weiqi"
)

// proves reports whether a certificate is asked for.
func (request GoRequest) proves() bool {
	return request.Certificate != "" || request.CertificateTo != nil
}

// errEndlessProof says that neither side has a proof to write.
var errEndlessProof = errors.New("there is no certificate of that or of its contrary: each side can prevent the other's by an endless game, so it depends on what such a game counts")

// prove writes the certificate, if one is asked for.
func (r *areaRun) prove(ctx context.Context) error {
	if !r.request.proves() {
		return nil
	}
	r.setPhase(job.PhaseProof)
	begin := time.Now()
	defer func() { r.result.Proving = time.Since(begin) }()
	claim := r.claim()
	if err := r.confirm(ctx, claim); err != nil {
		return err
	}
	s := r.root
	if claim.Prover == board.Black {
		s.low = max(s.low, claim.Goal)
	} else {
		s.high = min(s.high, -claim.Goal)
	}
	r.found(s) // a bound that is avoided may have had no proof of the contrary yet
	certificate, err := area.Extract(ctx, claim, areaOracle{r.solver}, r.setProved)
	if err != nil {
		return err
	}
	return r.write(certificate)
}

// claim is what a certificate proves.
func (r *areaRun) claim() area.Claim {
	prover, goal := r.request.proven(r.root)
	return area.Claim{Root: r.result.Position, Prover: prover, Goal: goal}
}

// confirm proves a claim. What the other side could not prove is not yet a proof of this
// one.
func (r *areaRun) confirm(ctx context.Context, claim area.Claim) error {
	v, err := r.solver.Prove(ctx, gosearch.Question{Position: claim.Root, Prover: claim.Prover, Goal: claim.Goal}, 0)
	switch {
	case err == nil && v == gosearch.Held:
		err = errEndlessProof
	case err == nil && v != gosearch.Proven:
		err = errGivenUp
	}
	return err
}

func (r *areaRun) write(c *area.Certificate) error {
	if err := writeCertificate(r.request.files, r.request.Certificate, r.request.CertificateTo, c.Write); err != nil {
		return err
	}
	bytes, checksum := c.Sum()
	r.result.Certificate = &CertificateInfo{r.request.Certificate, c.Len(), bytes, checksum}
	return nil
}

// proveSuperko shows which of the bounds proven under basic ko hold under superko: those
// with a certificate by which the prover never recreates a board.
func (r *areaRun) proveSuperko(ctx context.Context) error {
	p := r.result.Position
	if p.Over() {
		return nil
	}
	r.setPhase(job.PhaseProof)
	begin := time.Now()
	defer func() { r.result.Proving = time.Since(begin) }()
	points := p.Size.Points()
	shown := between(-points, points)
	var failed error
	for _, claim := range []area.Claim{{Root: p, Prover: board.Black, Goal: r.basic.low}, {Root: p, Prover: board.White, Goal: -r.basic.high}} {
		if claim.Goal == -points {
			continue
		}
		c, repeats, err := r.extractSuperko(ctx, claim)
		switch {
		case err != nil:
			return err
		case repeats != nil:
			failed = fmt.Errorf("the proof that %s scores at least %d may rest on a repetition, which %s forbids: %w", claim.Prover, claim.Goal, r.request.Rules.Ko, repeats)
			continue
		case claim.Prover == board.Black:
			shown.low = claim.Goal
		default:
			shown.high = -claim.Goal
		}
		r.result.Unrepeated += c.Len()
		r.show(shown)
		if r.request.proves() && claim == r.claim() {
			if err := r.write(c); err != nil {
				return err
			}
		}
	}
	return failed
}

// extractSuperko makes a certificate and checks it, since the search does not.
func (r *areaRun) extractSuperko(ctx context.Context, claim area.Claim) (*area.Certificate, *area.Repetition, error) {
	if err := r.confirm(ctx, claim); err != nil {
		return nil, nil, err
	}
	c, repeats, err := area.ExtractSuperko(ctx, claim, areaOracle{r.solver}, area.SuperkoOptions{Ko: r.request.Rules.Ko, Before: r.before()}, r.setProved)
	if err != nil || repeats != nil {
		return c, repeats, err
	}
	report, err := area.Verify(ctx, c, nil)
	if err == nil && !report.Valid {
		err = report.Failure
	}
	return c, nil, err
}

// before are the positions of the game before the one that is asked about.
func (r *areaRun) before() (list []weiqi.Position) {
	history := weiqi.NewHistory(r.request.Rules, r.request.Position)
	for _, move := range r.request.Moves {
		list = append(list, history.Position())
		if history.Push(move) != nil {
			break // they were checked before
		}
	}
	if start := r.request.Position; len(list) > 0 && start.Passes > 0 {
		start.ToPlay = start.ToPlay.Opponent()
		list = append(list, start)
	}
	return list
}

// areaOracle asks the search for the moves of a certificate.
type areaOracle struct{ solver *gosearch.Solver }

func (o areaOracle) Winning(ctx context.Context, c area.Claim, limit int) (board.Point, int, error) {
	return o.Other(ctx, c, limit, nil)
}

func (o areaOracle) Other(ctx context.Context, c area.Claim, limit int, avoid []board.Point) (board.Point, int, error) {
	return o.solver.Winning(ctx, gosearch.Question{Position: c.Root, Prover: c.Prover, Goal: c.Goal}, limit, avoid...)
}

func (o areaOracle) Keeping(room weiqi.Position, prover board.Colour, eyes int) (board.Point, int, bool) {
	return o.solver.Keeping(room, prover, eyes)
}

func (r *areaRun) setProved(positions int) {
	r.mu.Lock()
	r.proved = positions
	r.mu.Unlock()
}
