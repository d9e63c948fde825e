package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
)

// AnalyseBody is a question and how it is to be answered.
type AnalyseBody struct {
	Question
	Estimates bool   `json:"estimates,omitempty" doc:"of NoGo: estimate by playouts what is not proven yet"`
	Endless   string `json:"endless,omitempty" doc:"of Go under basic ko: what a game without end counts for Black: draw (the default), lose or win"`
	Lines     bool   `json:"lines,omitempty" doc:"best play after every move, where a table has it"`
}

func (b AnalyseBody) read() (asked, analyse.Question, error) {
	a, err := b.Question.read()
	if err != nil {
		return a, analyse.Question{}, err
	}
	q := a.question()
	q.Estimates, q.Lines = b.Estimates && !a.scored(), b.Lines
	q.Endless, err = a.endless(b.Endless)
	return a, q, err
}

// name is the key of an analysis among the answers. Estimates are not part of it, since
// only settled answers are kept.
func (b AnalyseBody) name(a asked) string { return fmt.Sprint(a.name(), b.Endless, b.Lines) }

type probeInput struct {
	Body    AnalyseBody
	RawBody []byte
}

// probe answers with all that is known without a search.
func (s *Server) probe(ctx context.Context, in *probeInput) (*body[Done], error) {
	a, q, err := in.Body.read()
	if err != nil {
		return nil, err
	}
	answer, err := s.recall(ctx, in.Body, a, q)
	if err == nil {
		s.known.keepText(in.RawBody, answer)
	}
	return &body[Done]{answer}, err
}

// recall looks an answer up, without a search.
func (s *Server) recall(ctx context.Context, b AnalyseBody, a asked, q analyse.Question) (Done, error) {
	name := b.name(a)
	if answer, found := s.known.find(name); found {
		return answer, nil
	}
	analysis, err := s.analyst.Recall(ctx, q)
	if err != nil {
		return Done{}, wrong("", nil, err)
	}
	answer := done(a.scored(), analysis)
	s.know(name, a, answer)
	return answer, nil
}

// know keeps an answer. If it came from the book of Go, the table of the board is built in
// the background, since the book has only the first moves. Boards beyond the tables have none.
func (s *Server) know(name string, a asked, answer Done) {
	if answer.Best.By == string(analyse.ByBook) && a.scored() && !play.Searched(a.start.Size) {
		s.ahead.build(a.start.Size)
	}
	s.known.keep(name, answer)
}

// Queued is the place of an analysis in the queue.
type Queued struct {
	Place int `json:"place" doc:"1 is the next"`
}

// analyse streams the results of a position's moves as they are decided. Bad questions and
// a full queue are refused before the stream begins.
func (s *Server) analyse(ctx context.Context, in *body[AnalyseBody]) (*huma.StreamResponse, error) {
	a, q, err := in.Body.read()
	if err != nil {
		return nil, err
	}
	answer, err := s.recall(ctx, in.Body, a, q)
	if err != nil {
		return nil, err
	}
	if answer.Settled {
		return streaming(func(_ context.Context, send sender) { send("done", answer) }), nil
	}
	if a.onRow() {
		s.ahead.strips()
	}
	return s.whenFree(ctx, s.analyses, "analysis", func(ctx context.Context, send sender) { s.search(ctx, a, in.Body, q, send) })
}

// whenFree streams the place in the queue until there is a slot, and then the results of
// long work.
func (s *Server) whenFree(ctx context.Context, g *gate, kind string, work func(context.Context, sender)) (*huma.StreamResponse, error) {
	ticket, err := g.enter(clientOf(ctx))
	if err != nil {
		return nil, busy(err)
	}
	understood(ctx)
	return streaming(func(ctx context.Context, send sender) {
		defer ticket.leave()
		if err := ticket.wait(ctx, func(place int) { send("queued", Queued{place}) }); err != nil {
			s.counts.cancelled.Inc()
			send("problem", stopping)
			return
		}
		defer s.counts.time(kind)()
		work(ctx, send)
	}), nil
}

// search runs an analysis that has its slot.
func (s *Server) search(ctx context.Context, a asked, b AnalyseBody, q analyse.Question, send sender) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	limited, cancel := context.WithTimeout(ctx, s.options.Time)
	defer cancel()
	q.Every = 100 * time.Millisecond
	analysis, err := s.analyst.Analyse(limited, q, func(u analyse.Update) {
		if err := send("update", update(a.scored(), u)); err != nil {
			stop(err) // nobody listens
		}
	})
	answer := done(a.scored(), analysis)
	s.know(b.name(a), a, answer)
	var stopped *job.Stopped
	switch {
	case err == nil:
		send("done", answer)
	case ctx.Err() != nil:
		s.counts.cancelled.Inc()
		send("problem", stopping)
	case errors.As(err, &stopped) && errors.Is(err, context.DeadlineExceeded):
		answer.Late, answer.Warnings = true, append(answer.Warnings, s.late())
		send("done", answer)
	default:
		send("problem", s.trouble(err))
	}
}

// late is the warning of an analysis that ran out of time.
func (s *Server) late() string {
	return fmt.Sprintf("Stopped after %s: ask again to continue.", s.options.Time)
}

// busy is the answer to a request that there is no room for.
func busy(err error) error {
	return huma.ErrorWithHeaders(coded(huma.NewError(refusal(err), sentence(err.Error())), codeBusy), http.Header{"Retry-After": {retryAfter}})
}

// retryAfter is when to ask again, in seconds.
const retryAfter = "2"

// refusal is the status: 429 if the client exceeds its share, 503 if the server is full.
func refusal(err error) int {
	if errors.Is(err, errShare) || errors.Is(err, errClientBudget) {
		return http.StatusTooManyRequests
	}
	return http.StatusServiceUnavailable
}

// sender sends one event. An error means that the client is gone.
type sender func(event string, data any) error

// streaming is an answer of server-sent events.
func streaming(body func(ctx context.Context, send sender)) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(h huma.Context) {
		_, w := humago.Unwrap(h)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Accel-Buffering", "no")
		control := http.NewResponseController(w)
		body(h.Context(), func(event string, data any) error {
			text, err := json.Marshal(data)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, text); err != nil {
				return err
			}
			return control.Flush()
		})
	}}
}
