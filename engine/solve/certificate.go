package solve

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/solver"
	"tengen/internal/wholefile"
	"tengen/nogo"
	"tengen/proof"
	"tengen/proof/area"
	certificate "tengen/proof/superko"
)

// CertificateInfo describes a certificate that was written.
type CertificateInfo struct {
	Path      string // "" if it went to Request.CertificateTo alone
	Positions int
	Bytes     int64
	Checksum  string // SHA-256 of the file
}

// checkCertificate fails before the search if the certificate cannot be written. It may
// replace another certificate and no other file.
func (request Request) checkCertificate() error {
	if request.Certificate == "" {
		return nil
	}
	return request.files.Check("certificate", request.Certificate, isCertificate)
}

// isCertificate lets a certificate be replaced by one of any kind.
func isCertificate(path string) error {
	if certificate.IsFile(path) {
		_, err := certificate.ReadFile(path)
		return err
	}
	if area.IsFile(path) {
		_, err := area.ReadFile(path)
		return err
	}
	_, err := proof.ReadFile(path)
	return err
}

// proves reports whether a certificate is asked for.
func (request Request) proves() bool {
	return request.Certificate != "" || request.CertificateTo != nil
}

// prove writes the certificate of the answer, if one is asked for.
func (r *run) prove(ctx context.Context) error {
	if !r.request.proves() {
		return nil
	}
	r.setPhase(job.PhaseProof)
	begin := time.Now()
	defer func() { r.result.Proving = time.Since(begin) }()
	certificate, err := proof.Extract(ctx, r.query.Position, r.query.ToPlay, r.result.Winner.Colour(), oracleOf(r.solver),
		proof.ExtractOptions{Threads: r.plan.Threads, Progress: r.setProved, Found: &r.found})
	if err != nil {
		return err
	}
	if err := writeCertificate(r.request.files, r.request.Certificate, r.request.CertificateTo, certificate.Write); err != nil {
		return err
	}
	r.result.Certificate = &CertificateInfo{r.request.Certificate, certificate.Len(), certificate.Bytes(), certificate.Checksum()}
	return nil
}

// writeCertificate writes a certificate to a file, to a writer, or to both.
func writeCertificate(files wholefile.Disk, path string, to io.Writer, write func(io.Writer) error) error {
	if path != "" {
		if err := files.Stream(path, write); err != nil {
			return fmt.Errorf("certificate: %w", err)
		}
	}
	if to != nil {
		if err := write(to); err != nil {
			return fmt.Errorf("certificate: %w", err)
		}
	}
	return nil
}

func (r *run) setProved(p proof.Progress) {
	r.mu.Lock()
	r.proved, r.layer, r.layers = p.Entries, p.Layer, p.Layers
	r.share = float64(p.Done) / float64(max(p.Total, 1))
	r.mu.Unlock()
}

// oracleOf makes an oracle of a solver. A solver for one goroutine gets a lock.
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
