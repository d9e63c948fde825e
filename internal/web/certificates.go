package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tengen/board"
	"tengen/nogo"
	"tengen/proof"
	"tengen/proof/area"
	"tengen/proof/superko"
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
	kept  []certificate
	bytes int64
}

// certificate is one of NoGo or one of Go.
type certificate struct {
	nogo *proof.Certificate
	area *area.Certificate // of Go
	WhyCertifies
	bytes int64
}

func ofNoGo(c *proof.Certificate) certificate {
	return certificate{nogo: c, WhyCertifies: certifies(c.Len(), c.Checksum()), bytes: c.Bytes()}
}

func ofGo(c *area.Certificate) certificate {
	bytes, checksum := c.Sum()
	return certificate{area: c, WhyCertifies: certifies(c.Len(), checksum), bytes: bytes}
}

// certifies names a certificate: its id is the first part of the checksum.
func certifies(positions int, checksum string) WhyCertifies {
	return WhyCertifies{checksum[:16], positions, checksum}
}

// held is about the memory of a certificate: an entry is a code and a move.
func (c certificate) held() int64 { return c.bytes + 24*int64(c.Positions) }

func (c *certificates) keep(p certificate) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.ContainsFunc(c.kept, func(other certificate) bool { return other.Checksum == p.Checksum }) {
		return
	}
	c.kept = append(c.kept, p)
	c.bytes += p.held()
	for c.bytes > c.limit && len(c.kept) > 1 {
		c.bytes -= c.kept[0].held()
		c.kept = slices.Delete(c.kept, 0, 1)
	}
}

var errNotKept = errors.New("no certificate of that name is kept here: send it again")

// named finds a certificate by its id; it is empty if there is none.
func (c *certificates) named(id string) certificate {
	for _, p := range c.list() {
		if p.ID == id {
			return p
		}
	}
	return certificate{}
}

// list has the newest first.
func (c *certificates) list() []certificate {
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
		if cert.nogo != nil && covers(cert.nogo, p, toPlay) {
			return cert.nogo
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

type certificateInput struct {
	RawBody []byte `contentType:"application/octet-stream"`
}

// Verdict is the result of checking a certificate.
type Verdict struct {
	ID        string `json:"id"`
	Valid     bool   `json:"valid"`
	Game      string `json:"game" enum:"nogo,go"`
	Size      string `json:"size"`
	Position  string `json:"position"`
	ToPlay    string `json:"to_play"`
	Ko        string `json:"ko,omitempty" doc:"of Go: the point where the side to play may not retake"`
	Passed    bool   `json:"passed,omitempty" doc:"of Go: the last move was a pass"`
	Winner    string `json:"winner" doc:"of Go: the side whose score the certificate is about"`
	AtLeast   *int   `json:"at_least,omitempty" doc:"of Go: the area of that side less the other's is at least this"`
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
	check := s.checkNoGo
	switch {
	case superko.IsStart(in.RawBody):
		return nil, wrong("", nil, known{codeCertificate, errors.New("this certificate is of Go under superko, which a server does not check: use \"tengen proof verify\"")})
	case area.IsStart(in.RawBody):
		check = s.checkGo
	}
	// One half of the share is for the entries, the other for the check.
	v, cert, err := check(limited, bytes.NewReader(in.RawBody), s.options.Memory/proofShare/2)
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
	v.ID, v.Positions, v.Checksum = cert.ID, cert.Positions, cert.Checksum
	if v.Valid {
		s.certificates.keep(cert)
	}
	return &body[Verdict]{v}, nil
}

func (s *Server) checkNoGo(ctx context.Context, file io.Reader, memory int64) (v Verdict, c certificate, err error) {
	cert, err := proof.ReadWithin(ctx, file, memory)
	if err != nil {
		return v, c, err
	}
	report, err := proof.Verify(ctx, cert, proof.VerifyOptions{Threads: s.options.Threads, Memory: memory})
	v = Verdict{
		Valid: report.Valid, Game: "nogo", Size: cert.Size().String(), Position: cert.Size().Line(cert.Root().Stones),
		ToPlay: letter(cert.ToPlay()), Winner: winner(cert.Winner()),
	}
	if report.Failure != nil {
		v.Reason = sentence(report.Failure.Error())
	}
	return v, ofNoGo(cert), err
}

func (s *Server) checkGo(ctx context.Context, file io.Reader, memory int64) (v Verdict, c certificate, err error) {
	cert, err := area.ReadWithin(ctx, file, memory)
	if err != nil {
		return v, c, err
	}
	report, err := area.Verify(ctx, cert, nil)
	claim := cert.Claim()
	root := claim.Root
	v = Verdict{
		Valid: report.Valid, Game: "go", Size: root.Size.String(), Position: root.Size.Line(root.Stones),
		ToPlay: letter(root.ToPlay), Passed: root.Passes > 0, Winner: winner(claim.Prover), AtLeast: &claim.Goal,
	}
	if root.Ko != board.NoPoint {
		v.Ko = root.Size.Name(root.Ko)
	}
	if report.Failure != nil {
		v.Reason = sentence(report.Failure.Error())
	}
	return v, ofGo(cert), err
}
