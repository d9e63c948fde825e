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
)

// AnalyseBody is a question and how it is to be answered.
type AnalyseBody struct {
	Question
	Estimates bool   `json:"estimates,omitempty" doc:"of NoGo: estimate by playouts what is not proven yet"`
	Endless   string `json:"endless,omitempty" doc:"of Go under basic ko: what a game without end counts for Black: draw (the default), lose or win"`
	Lines     bool   `json:"lines,omitempty" doc:"best play after every move, where a table has it"`
}

type analyseInput struct{ Body AnalyseBody }

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

// name tells analyses apart that have different answers. Estimates do not count: what is
// kept is settled.
func (b AnalyseBody) name(a asked) string { return fmt.Sprint(a.name(), b.Endless, b.Lines) }

type probeInput struct {
	Body    AnalyseBody
	RawBody []byte
}

type doneOutput struct{ Body Done }

// probe tells what is known at once.
func (d *desk) probe(_ context.Context, in *probeInput) (*doneOutput, error) {
	a, q, err := in.Body.read()
	if err != nil {
		return nil, err
	}
	answer, err := d.recall(in.Body, a, q)
	if err == nil {
		d.known.keepText(in.RawBody, answer)
	}
	return &doneOutput{answer}, err
}

// recall finds what is known without a search.
func (d *desk) recall(b AnalyseBody, a asked, q analyse.Question) (Done, error) {
	name := b.name(a)
	if answer, found := d.known.find(name); found {
		return answer, nil
	}
	analysis, err := d.analyst.Recall(q)
	if err != nil {
		return Done{}, wrong("", nil, err)
	}
	answer := done(a.scored(), analysis)
	d.know(name, a, answer)
	return answer, nil
}

// know keeps an answer. What the book has said of Go the table will say too, with longer
// memory: the table is built meanwhile.
func (d *desk) know(name string, a asked, answer Done) {
	if answer.Best.By == string(analyse.ByBook) && a.scored() {
		d.ahead.build(a.start.Size)
	}
	d.known.keep(name, answer)
}

// Queued says that an analysis waits for others.
type Queued struct {
	Place int `json:"place" doc:"1 is the next"`
}

// analyse streams the results of a position's moves as they are decided. What is wrong
// with the question, and that there is no room, is said before the stream begins.
func (d *desk) analyse(ctx context.Context, in *analyseInput) (*huma.StreamResponse, error) {
	a, q, err := in.Body.read()
	if err != nil {
		return nil, err
	}
	answer, err := d.recall(in.Body, a, q)
	if err != nil {
		return nil, err
	}
	if answer.Settled {
		return streaming(func(_ context.Context, send sender) { send("done", answer) }), nil
	}
	if a.onRow() {
		d.ahead.strips()
	}
	return d.whenFree(ctx, d.analyses, "analysis", func(ctx context.Context, send sender) { d.search(ctx, a, in.Body, q, send) })
}

// whenFree streams long work once there is a slot for it, and until then the place in the
// queue.
func (d *desk) whenFree(ctx context.Context, g *gate, kind string, work func(context.Context, sender)) (*huma.StreamResponse, error) {
	ticket, err := g.enter(clientOf(ctx))
	if err != nil {
		return nil, busy(err)
	}
	understood(ctx)
	return streaming(func(ctx context.Context, send sender) {
		defer ticket.leave()
		if err := ticket.wait(ctx, func(place int) { send("queued", Queued{place}) }); err != nil {
			d.counts.cancelled.Inc()
			send("problem", stopping)
			return
		}
		defer d.counts.time(kind)()
		work(ctx, send)
	}), nil
}

// search runs an analysis that has its slot.
func (d *desk) search(ctx context.Context, a asked, b AnalyseBody, q analyse.Question, send sender) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	limited, cancel := context.WithTimeout(ctx, d.options.Time)
	defer cancel()
	q.Every = 100 * time.Millisecond
	analysis, err := d.analyst.Analyse(limited, q, func(u analyse.Update) {
		if err := send("update", update(a.scored(), u)); err != nil {
			stop(err) // nobody listens
		}
	})
	answer := done(a.scored(), analysis)
	d.know(b.name(a), a, answer)
	var stopped *job.Stopped
	switch {
	case err == nil:
		send("done", answer)
	case ctx.Err() != nil:
		d.counts.cancelled.Inc()
		send("problem", stopping)
	case errors.As(err, &stopped) && errors.Is(err, context.DeadlineExceeded):
		answer.Late, answer.Warnings = true, append(answer.Warnings, d.late())
		send("done", answer)
	default:
		send("problem", d.trouble(err))
	}
}

// late is the warning that not everything could be done in time.
func (d *desk) late() string {
	return fmt.Sprintf("Stopped after %s: ask again and it goes on from here.", d.options.Time)
}

// busy is the answer to a request that there is no room for.
func busy(err error) error {
	return huma.ErrorWithHeaders(coded(huma.NewError(refusal(err), sentence(err.Error())), codeBusy), http.Header{"Retry-After": {retryAfter}})
}

// retryAfter is when to ask again, in seconds.
const retryAfter = "2"

// refusal tells a client that asks too much from a server that has too much to do.
func refusal(err error) int {
	if errors.Is(err, errShare) || errors.Is(err, errClientBudget) {
		return http.StatusTooManyRequests
	}
	return http.StatusServiceUnavailable
}

// sender sends one event. After an error nobody listens any more.
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
