package web

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// routes puts the page, the API and the rest under their paths.
func (s *Server) routes() (http.Handler, error) {
	d := s.desk
	page, err := readPage()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", servePage(page))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", d.ready)
	mux.Handle("GET /metrics", d.counts.handler())
	d.register(humago.New(mux, config(s.options.Version)))
	return counted(d, guarded(s.options.Hosts, gathered(d, d.known.again(mux)))), nil
}

// ready is no as long as nobody else would be let in.
func (d *desk) ready(w http.ResponseWriter, _ *http.Request) {
	if running, waiting := d.analyses.counts(); running >= d.analyses.slots && waiting >= d.analyses.queue {
		w.Header().Set("Retry-After", retryAfter)
		plain(w, http.StatusServiceUnavailable, "The queue is full.")
		return
	}
	plain(w, http.StatusOK, "ready")
}

// config leaves out what huma would load from elsewhere, its page of documentation.
func config(version string) huma.Config {
	c := huma.DefaultConfig("tengen", version)
	c.Info.Description = "Exact play for Go and NoGo on small boards."
	c.DocsPath, c.SchemasPath = "", ""
	c.CreateHooks = nil
	c.Transformers = []huma.Transformer{shorten}
	return c
}

// mostEchoed bounds how much of bad input comes back in an error, in bytes.
const mostEchoed = 200

// shorten cuts values that errors echo.
func shorten(_ huma.Context, _ string, v any) (any, error) {
	if e, ok := v.(*huma.ErrorModel); ok {
		for _, detail := range e.Errors {
			if text := fmt.Sprint(detail.Value); detail.Value != nil && len(text) > mostEchoed {
				detail.Value = strings.ToValidUTF8(text[:mostEchoed], "") + "…"
			}
		}
	}
	return v, nil
}

// register lists the calls.
func (d *desk) register(api huma.API) {
	huma.Register(api, call("about", http.MethodGet, "about", "What this server has"), d.about)
	huma.Register(api, call("position", http.MethodPost, "position", "What a position is by the rules"), d.position)
	huma.Register(api, call("probe", http.MethodPost, "probe", "What is known of a position at once"), d.probe)
	huma.Register(api, streamed(api, "analyse", "Every move's result as it is decided", Queued{}, Update{}, Done{}, Problem{}), d.analyse)
	huma.Register(api, streamed(api, "review", "What the moves of a game cost, from the last to the first", Queued{}, Judged{}, Reviewed{}, Problem{}), d.review)
	huma.Register(api, streamed(api, "table", "Build the table of a board of Go", Queued{}, Building{}, Built{}, Problem{}), d.build)
	huma.Register(api, call("play", http.MethodPost, "play", "A move", busyCodes...), d.play)
	huma.Register(api, call("why", http.MethodPost, "why", "A step of a proof, or the refutation of a move", busyCodes...), d.why)
	huma.Register(api, call("verify", http.MethodPost, "certificates", "Check a certificate and keep it", busyCodes...), d.verify)
	huma.Register(api, call("learn", http.MethodPost, "learn", "A position of NoGo as a sum", busyCodes...), d.learn)
	huma.Register(api, call("results", http.MethodGet, "results", "The published tables beside ours"), d.resultTables)
	huma.Register(api, call("cluster", http.MethodGet, "cluster", "How searches on many machines stand", http.StatusNotFound), d.cluster)
	huma.Register(api, watched(api), d.follow)
	huma.Register(api, call("read-sgf", http.MethodPost, "sgf/read", "Read a game record", busyCodes...), d.readRecord)
	huma.Register(api, call("write-sgf", http.MethodPost, "sgf/write", "Write a game record"), d.writeRecord)
}

// Any request may be turned away before it is read.
var busyCodes = []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}

// call is an operation. Bodies are read, and bounded, before huma sees them.
func call(id, method, path, summary string, codes ...int) huma.Operation {
	o := huma.Operation{OperationID: id, Method: method, Path: "/api/v1/" + path, Summary: summary, BodyReadTimeout: -1, MaxBodyBytes: -1, Errors: codes}
	if method == http.MethodPost {
		o.Errors = append([]int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}, codes...)
	}
	return o
}

// streamed describes a call that answers with events, each named after its data.
func streamed(api huma.API, path, summary string, data ...any) huma.Operation {
	codes := busyCodes
	if path == "table" {
		codes = append([]int{http.StatusForbidden}, codes...)
	}
	o := call(path, http.MethodPost, path, summary, codes...)
	o.Description = "Server-sent events. Closing the connection ends the work."
	o.Responses = eventsOf(api, "Events, of which the last is of one of the last two kinds", data...)
	return o
}

// watched describes the call that goes on for as long as somebody listens.
func watched(api huma.API) huma.Operation {
	o := call("follow-cluster", http.MethodGet, "cluster/events", "How searches on many machines stand, whenever that changes", append(busyCodes, http.StatusNotFound)...)
	o.Description = "Server-sent events, until the connection is closed."
	o.Responses = eventsOf(api, "Events without end", News{})
	return o
}

func eventsOf(api huma.API, description string, data ...any) map[string]*huma.Response {
	var events []*huma.Schema
	for _, d := range data {
		name := strings.ToLower(reflect.TypeOf(d).Name())
		events = append(events, &huma.Schema{
			Title: "Event " + name, Type: huma.TypeObject, Required: []string{"event", "data"},
			Properties: map[string]*huma.Schema{
				"event": {Type: huma.TypeString, Enum: []any{name}},
				"data":  api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(d), true, name),
			},
		})
	}
	return map[string]*huma.Response{"200": {
		Description: description,
		Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{OneOf: events}}}},
	}}
}
