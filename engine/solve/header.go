package solve

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"tengen/engine/job"
	"tengen/internal/method"
	"tengen/internal/text"
	"tengen/proof"
)

// header must match a request for its checkpoint to be resumed. It does not have memory and
// threads: they change the speed only.
type header struct {
	Game     string   `json:"game"`
	Method   string   `json:"method"`
	Search   string   `json:"search,omitempty"` // which search of the method, if there are several
	Size     string   `json:"size"`
	Position string   `json:"position"`
	ToPlay   string   `json:"to_play"`
	Within   *int     `json:"within,omitempty"`
	Attacker string   `json:"attacker,omitempty"`
	Without  []string `json:"without,omitempty"`

	// The cost of the table so far. It need not match.
	Work job.Cost `json:"work"`
}

// spent is the work of this run and of those it resumes, proofs not counted.
func (r *run) spent() job.Cost {
	stats := r.solver.Stats()
	r.mu.Lock()
	searched := r.searched
	r.mu.Unlock()
	if searched == 0 {
		searched = time.Since(r.start)
	}
	return job.Cost{
		Nodes:      r.past.Nodes + stats.Nodes,
		Seconds:    r.past.Seconds + searched.Seconds(),
		ErrorBound: r.past.ErrorBound + stats.ErrorBound,
	}
}

func (r *run) header() header {
	h := header{
		Game:     "nogo",
		Method:   r.plan.Method,
		Size:     r.query.Position.Size.String(),
		Position: r.query.Position.String(),
		ToPlay:   r.query.ToPlay.String(),
		Without:  slices.Compact(slices.Sorted(slices.Values(r.request.Without))),
	}
	if r.plan.Method == method.Sums && r.request.search().OnRow() {
		h.Search = "rows"
	}
	if r.query.Limited {
		plies := r.query.Plies
		h.Within, h.Attacker = &plies, r.query.Attacker.String()
	}
	return h
}

// With is the header with the cost so far.
func (h header) With(spent job.Cost) any {
	h.Work = spent
	return h
}

// Differs names the first difference that forbids resuming.
func (h header) Differs(from []byte) string {
	var have header
	if err := json.Unmarshal(from, &have); err != nil {
		return err.Error()
	}
	for _, field := range []struct{ name, have, want string }{
		{"game", have.Game, h.Game},
		{"method", have.Method, h.Method},
		{"search", orNone(have.Search), orNone(h.Search)},
		{"size", have.Size, h.Size},
		{"position", have.Position, h.Position},
		{"side to play", have.ToPlay, h.ToPlay},
		{"limit on moves", within(have), within(h)},
		{"list of parts left out", orNone(text.List(have.Without)), orNone(text.List(h.Without))},
	} {
		if field.have != field.want {
			return fmt.Sprintf("its %s is %q, not %q", field.name, field.have, field.want)
		}
	}
	return ""
}

func within(h header) string {
	if h.Within == nil {
		return "none"
	}
	return fmt.Sprintf("%d for %s", *h.Within, h.Attacker)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// saved is what a checkpoint keeps: what is found of the certificate, and the table behind it,
// which is read to the end of the file.
type saved struct {
	found *proof.Found
	table job.Saver
}

func (s saved) Save(w io.Writer) error {
	if err := s.found.Save(w); err != nil {
		return err
	}
	return s.table.Save(w)
}

func (s saved) Load(r io.Reader) error {
	if err := s.found.Load(r); err != nil {
		return err
	}
	return s.table.Load(r)
}

// save writes the checkpoint. If that fails, it warns, and the search continues.
func (r *run) save() {
	if err := r.checkpoint.Save(r.spent(), saved{&r.found, r.solver}); err != nil {
		r.warn("the checkpoint could not be written: %v", err)
	}
}
