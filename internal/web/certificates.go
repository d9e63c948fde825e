package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tengen/board"
	"tengen/nogo"
	"tengen/proof"
)

// MaxProof bounds the bytes of a certificate that a client sends.
const MaxProof = 8 << 20

// verifyTime limits the check of a certificate.
const verifyTime = 30 * time.Second

// certificates keeps proofs that the checker has accepted, the newest last, up to a
// number of bytes.
type certificates struct {
	limit int64

	mu    sync.Mutex
	kept  []*proof.Certificate
	bytes int64
}

func (c *certificates) keep(p *proof.Certificate) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.ContainsFunc(c.kept, func(other *proof.Certificate) bool { return other.Checksum() == p.Checksum() }) {
		return
	}
	c.kept = append(c.kept, p)
	c.bytes += held(p)
	for c.bytes > c.limit && len(c.kept) > 1 {
		c.bytes -= held(c.kept[0])
		c.kept = slices.Delete(c.kept, 0, 1)
	}
}

// held is about the memory of a certificate: an entry is a code and a move.
func held(p *proof.Certificate) int64 { return p.Bytes() + 24*int64(p.Len()) }

// named finds a certificate by its id.
func (c *certificates) named(id string) *proof.Certificate {
	for _, p := range c.list() {
		if idOf(p) == id {
			return p
		}
	}
	return nil
}

// list has the newest first.
func (c *certificates) list() []*proof.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.kept)
	slices.Reverse(list)
	return list
}

// covering finds a certificate that may prove a position: the position is its root, or the
// winner is to play and it has an entry, or a move of the loser leads to an entry.
func (c *certificates) covering(p nogo.Position, toPlay board.Colour) *proof.Certificate {
	for _, cert := range c.list() {
		if covers(cert, p, toPlay) {
			return cert
		}
	}
	return nil
}

func covers(cert *proof.Certificate, p nogo.Position, toPlay board.Colour) bool {
	switch {
	case cert.Size() != p.Size:
		return false
	case cert.Root() == p && cert.ToPlay() == toPlay:
		return true
	case cert.Winner() == toPlay:
		_, found := cert.Lookup(p, toPlay)
		return found
	}
	for q := range p.Legal(toPlay).Points() {
		if next, err := p.Play(toPlay, q); err == nil {
			if _, found := cert.Lookup(next, toPlay.Opponent()); found {
				return true
			}
		}
	}
	return false
}

// idOf is the first part of the checksum.
func idOf(p *proof.Certificate) string { return p.Checksum()[:16] }

type certificateInput struct {
	RawBody []byte `contentType:"application/octet-stream"`
}

// Verdict is the result of checking a certificate.
type Verdict struct {
	ID        string `json:"id"`
	Valid     bool   `json:"valid"`
	Size      string `json:"size"`
	Position  string `json:"position"`
	ToPlay    string `json:"to_play"`
	Winner    string `json:"winner"`
	Positions int    `json:"positions"`
	Checksum  string `json:"checksum" doc:"SHA-256 of the file"`
	Reason    string `json:"reason,omitempty" doc:"why it proves nothing"`
}

// verify checks a certificate, and keeps it if it holds.
func (s *Server) verify(ctx context.Context, in *certificateInput) (*body[Verdict], error) {
	leave, err := s.enterShort(ctx, "verify")
	if err != nil {
		return nil, err
	}
	defer leave()
	limit := s.within(verifyTime)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// One half of the share is for the entries, the other for the check.
	memory := s.options.Memory / proofShare / 2
	cert, err := proof.ReadWithin(limited, bytes.NewReader(in.RawBody), memory)
	var report proof.Report
	if err == nil {
		report, err = proof.Verify(limited, cert, proof.VerifyOptions{Threads: s.options.Threads, Memory: memory})
	}
	var large *proof.TooManyEntries
	switch {
	case ctx.Err() != nil:
		return nil, s.failed(ctx, err)
	case limited.Err() != nil:
		return nil, wrong("", nil, known{codeProof, fmt.Errorf("checking it takes more than %s here: use \"tengen proof verify\"", limit)})
	case errors.As(err, &large):
		return nil, coded(huma.NewError(http.StatusRequestEntityTooLarge,
			fmt.Sprintf("The certificate has %d entries, and this server checks %d: use \"tengen proof verify\".", large.Entries, large.Most)), codeLarge)
	case err != nil:
		return nil, wrong("", nil, known{codeCertificate, err})
	}
	v := Verdict{
		ID: idOf(cert), Valid: report.Valid, Size: cert.Size().String(), Position: cert.Size().Line(cert.Root().Stones),
		ToPlay: letter(cert.ToPlay()), Winner: winner(cert.Winner()), Positions: cert.Len(), Checksum: cert.Checksum(),
	}
	if report.Failure != nil {
		v.Reason = sentence(report.Failure.Error())
	}
	if report.Valid {
		s.certificates.keep(cert)
	}
	return &body[Verdict]{v}, nil
}
