package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"tengen/board"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/nogo"
	"tengen/proof"
)

// CertificateInfo describes a certificate that was written.
type CertificateInfo struct {
	Path      string // "" if it went to Request.CertificateTo alone
	Positions int
	Bytes     int64
	Checksum  string // SHA-256 of the file
}

// checkCertificate fails before the search if the proof could not be written after it.
// Only a certificate may be replaced by another.
func (request Request) checkCertificate() error {
	if request.Certificate == "" {
		return nil
	}
	return request.files.Check("certificate", request.Certificate, func(path string) error {
		_, err := proof.ReadFile(path)
		return err
	})
}

// proves reports whether a certificate is asked for.
func (request Request) proves() bool {
	return request.Certificate != "" || request.CertificateTo != nil
}

// frequentCollection is how much garbage there may be, in percent of what is in use.
const frequentCollection = 20

// prove writes the certificate of the answer, if one is asked for.
func (r *run) prove(ctx context.Context) error {
	if !r.request.proves() {
		return nil
	}
	r.setPhase(PhaseProof)
	begin := time.Now()
	defer func() { r.result.Proving = time.Since(begin) }()
	// The lists are long and hold no pointers: to collect often costs little, and
	// keeps the memory near what they take.
	defer debug.SetGCPercent(debug.SetGCPercent(frequentCollection))
	certificate, err := proof.Extract(ctx, r.query.Position, r.query.ToPlay, r.result.Winner, oracleOf(r.solver),
		proof.ExtractOptions{Threads: r.plan.Threads, Progress: r.setProved})
	if err != nil {
		return err
	}
	if path := r.request.Certificate; path != "" {
		if err := r.request.files.Stream(path, certificate.Write); err != nil {
			return fmt.Errorf("certificate: %w", err)
		}
	}
	if w := r.request.CertificateTo; w != nil {
		if err := certificate.Write(w); err != nil {
			return fmt.Errorf("certificate: %w", err)
		}
	}
	r.result.Certificate = &CertificateInfo{r.request.Certificate, certificate.Len(), certificate.Bytes(), certificate.Checksum()}
	return nil
}

func (r *run) setProved(p proof.Progress) {
	r.mu.Lock()
	r.proved, r.layer, r.layers = p.Entries, p.Layer, p.Layers
	r.share = float64(p.Done) / float64(max(p.Total, 1))
	r.mu.Unlock()
}

// oracleOf asks a solver in the way it can bear.
func oracleOf(s solver.Solver) proof.Oracle {
	if o, ok := s.(proof.Oracle); ok {
		return o
	}
	return &oracle{solver: s}
}

// oracle lets many extracting goroutines ask one solver.
type oracle struct {
	mu     sync.Mutex
	solver solver.Solver
}

func (o *oracle) WinningMove(ctx context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	answer, err := o.solver.Solve(ctx, solver.Query{Position: p, ToPlay: c})
	if err != nil {
		return board.NoPoint, err
	}
	if answer.Winner != c {
		return board.NoPoint, fmt.Errorf("the solver contradicts itself: %s does not win %s to play in %s", c, c, p)
	}
	return answer.Move, nil
}

// certificateBook lets a player follow a certificate, on both sides of it.
type certificateBook struct {
	*proof.Certificate
}

// Lookup knows the winner's positions, which the certificate lists, and the
// loser's: those that a listed move leads to, and the root.
func (b certificateBook) Lookup(p nogo.Position, c board.Colour) (board.Colour, board.Point, bool) {
	winner := b.Winner()
	if p.Size != b.Size() {
		return board.Empty, board.NoPoint, false
	}
	if c == winner {
		move, ok := b.Certificate.Lookup(p, c)
		return winner, move, ok
	}
	for stone := range p.Stones[winner].Points() {
		before := p
		before.Stones[winner].Remove(stone)
		if move, ok := b.Certificate.Lookup(before, winner); ok && sameClass(before, winner, move, stone) {
			return winner, board.NoPoint, true
		}
	}
	return winner, board.NoPoint, p == b.Root() && c == b.ToPlay()
}

// sameClass reports whether a symmetry of the position exchanges two moves.
func sameClass(p nogo.Position, c board.Colour, a, b board.Point) bool {
	for _, class := range player.Classes(p, c) {
		if slices.Contains(class, a) {
			return slices.Contains(class, b)
		}
	}
	return false
}
