package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"tengen/proof"
)

// auditSlice names entries of a certificate that is among the objects.
type auditSlice struct {
	Object string `json:"object"`
	From   int    `json:"from"`
	To     int    `json:"to"`
}

// audited is the certificate that a worker has at hand.
type audited struct {
	object      string
	certificate *proof.Certificate
}

// audit checks a slice of a certificate. The whole of it is fetched once.
func (b *bench) audit(ctx context.Context, h *hub, j job) (*proof.Report, error) {
	if j.Audit == nil {
		return nil, errors.New("a slice of a certificate is empty")
	}
	if b.audited == nil || b.audited.object != j.Audit.Object {
		b.audited = nil
		data, err := h.objects.GetBytes(ctx, j.Audit.Object)
		if err != nil {
			return nil, fmt.Errorf("the certificate cannot be fetched: %w", err)
		}
		c, err := proof.Read(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		b.audited = &audited{j.Audit.Object, c}
	}
	r, err := proof.Verify(ctx, b.audited.certificate, proof.VerifyOptions{Threads: b.threads, From: j.Audit.From, To: j.Audit.To})
	return &r, err
}

// Verify checks a certificate with all workers: each fetches it once and checks slices of
// its entries. A check that is stopped begins anew.
func Verify(ctx context.Context, c *proof.Certificate, o Options) (proof.Report, error) {
	m, err := begin(ctx, VerifyQuestion(c), o)
	if err != nil {
		return proof.Report{}, err
	}
	defer m.end()
	t := &verifying{m: m, c: c, object: m.search + "-" + c.Checksum(), pace: pace{least: 64, most: 1 << 20}}
	t.total.Valid = true
	var data bytes.Buffer
	if err := c.Write(&data); err != nil {
		return proof.Report{}, err
	}
	if _, err := m.hub.objects.PutBytes(ctx, t.object, data.Bytes()); err != nil {
		return proof.Report{}, fmt.Errorf("the certificate cannot be handed to the workers: %w", err)
	}
	defer func() { _ = m.hub.objects.Delete(context.WithoutCancel(ctx), t.object) }()
	err = m.run(ctx, t)
	return t.total, err
}

// VerifyQuestion tells certificates apart.
func VerifyQuestion(c *proof.Certificate) string { return "verify " + c.Checksum() }

// verifying is the task of checking a certificate.
type verifying struct {
	m       *master
	c       *proof.Certificate
	object  string
	at      int // the first entry that has not been given out
	checked int
	back    []auditSlice // that came back unchecked
	out     map[string]auditSlice
	total   proof.Report
	pace    pace
}

func (t *verifying) ahead() int { return 1 }

func (t *verifying) done() bool { return !t.total.Valid || t.at > 0 && t.checked == t.c.Len() }

func (t *verifying) next() (job, bool) {
	var s auditSlice
	switch {
	case len(t.back) > 0:
		s, t.back = t.back[0], t.back[1:]
	case t.at < t.c.Len() || t.at == 0 && len(t.out) == 0:
		s = auditSlice{t.object, t.at, min(t.at+t.pace.size(), t.c.Len())}
		t.at = max(s.To, 1)
	default:
		return job{}, false
	}
	id := fmt.Sprintf("verify-%s-%d-%d", t.m.nonce, s.From, s.To)
	if t.out == nil {
		t.out = map[string]auditSlice{}
	}
	t.out[id] = s
	return job{ID: id, Kind: auditing, Audit: &s}, true
}

func (t *verifying) take(r result) ([]string, error) {
	s, ok := t.out[r.ID]
	if !ok || r.Kind != auditing {
		return nil, nil
	}
	delete(t.out, r.ID)
	switch {
	case r.Failure != "":
		return nil, fmt.Errorf("worker %s cannot check: %s", r.Worker, r.Failure)
	case r.Audit == nil: // dropped
		t.back = append(t.back, s)
		return nil, nil
	}
	t.checked += s.To - s.From
	t.pace.took(s.To-s.From, r.Seconds)
	t.total = t.total.And(*r.Audit)
	return nil, nil
}

func (t *verifying) report(s *Status) {
	s.Question, s.Phase = t.m.about.Question, "verify"
	s.Part, s.Whole = uint64(t.checked), uint64(t.c.Len())
}
