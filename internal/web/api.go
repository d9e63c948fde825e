package web

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// routes maps paths to handlers.
func (s *Server) routes() (http.Handler, error) {
	mux := http.NewServeMux()
	if err := servePage(mux); err != nil {
		return nil, err
	}
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", s.ready)
	s.counts.serve(mux)
	api := humago.New(mux, config(s.options.Version))
	s.register(api)
	return s.counted(guarded(s.options.Hosts, s.gathered(s.known.again(byMethod(api.OpenAPI().Paths, mux))))), nil
}

// byMethod refuses a call by another method than its own. The mux does not: the page takes GET
// of every path.
func byMethod(calls map[string]*huma.PathItem, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call, found := calls[r.URL.Path]
		methods := []string{http.MethodPost}
		if found && call.Post == nil {
			methods = []string{http.MethodGet, http.MethodHead}
		}
		if !found || slices.Contains(methods, r.Method) {
			next.ServeHTTP(w, r)
			return
		}
		allow := strings.Join(methods, ", ")
		w.Header().Set("Allow", allow)
		problem(w, http.StatusMethodNotAllowed, "", fmt.Sprintf("This address takes %s, not %s.", allow, r.Method))
	})
}

// ready answers 503 while the queue is full.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	if running, waiting := s.analyses.counts(); running >= s.analyses.slots && waiting >= s.analyses.queue {
		w.Header().Set("Retry-After", retryAfter)
		plain(w, http.StatusServiceUnavailable, "The queue is full.")
		return
	}
	plain(w, http.StatusOK, "ready")
}

// plain answers with one sentence.
func plain(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(len(sentence)+1))
	w.WriteHeader(status)
	fmt.Fprintln(w, sentence)
}

// config switches off huma's page of documentation, which loads scripts from another site.
func config(version string) huma.Config {
	c := huma.DefaultConfig("tengen", version)
	c.Info.Description = "Exact play for Go and NoGo on small boards."
	c.DocsPath, c.SchemasPath = "", ""
	c.CreateHooks = nil
	c.Transformers = []huma.Transformer{shorten}
	return c
}

// mostEchoed bounds the bytes of bad input that an error repeats.
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
func (s *Server) register(api huma.API) {
	huma.Register(api, call("about", http.MethodGet, "about", "The games, players and limits of this server"), s.about)
	huma.Register(api, call("position", http.MethodPost, "position", "A position by the rules: its legal moves and its result"), s.position)
	huma.Register(api, call("probe", http.MethodPost, "probe", "The results that are known without a search"), s.probe)
	huma.Register(api, streamed(api, "analyse", "Every move's result as it is decided", Queued{}, Update{}, Done{}, Problem{}), s.analyse)
	huma.Register(api, streamed(api, "review", "The cost of each move of a game, from the last to the first", Queued{}, Judged{}, Reviewed{}, Problem{}), s.review)
	huma.Register(api, streamed(api, "table", "Build the table of a board of Go", Queued{}, Building{}, Built{}, Problem{}), s.build)
	huma.Register(api, call("play", http.MethodPost, "play", "A move", busyCodes...), s.play)
	huma.Register(api, call("why", http.MethodPost, "why", "A step of a proof, or the refutation of a move", busyCodes...), s.why)
	huma.Register(api, call("verify", http.MethodPost, "certificates", "Check a certificate of NoGo or of Go and keep it", busyCodes...), s.verify)
	huma.Register(api, call("learn", http.MethodPost, "learn", "A position of NoGo as a sum", busyCodes...), s.learn)
	huma.Register(api, documented(api, "results", "The published tables beside ours", resultsOutputBody{}), s.resultTables)
	huma.Register(api, documented(api, "papers", "The papers' figures beside ours", papersOutputBody{}), s.papers)
	s.registerCluster(api)
	huma.Register(api, call("read-sgf", http.MethodPost, "sgf/read", "Read a game record", busyCodes...), s.readRecord)
	huma.Register(api, call("write-sgf", http.MethodPost, "sgf/write", "Write a game record"), s.writeRecord)
}

// busyCodes are the refusals that come before a request is read.
var busyCodes = []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}

// call is an operation. Bodies are read, and bounded, before huma sees them.
func call(id, method, path, summary string, codes ...int) huma.Operation {
	o := huma.Operation{OperationID: id, Method: method, Path: "/api/v1/" + path, Summary: summary, BodyReadTimeout: -1, MaxBodyBytes: -1, Errors: codes}
	if method == http.MethodPost {
		o.Errors = append([]int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}, codes...)
	}
	return o
}

// documented describes a call that answers with a document, whose content is that of a value.
func documented(api huma.API, path, summary string, content any) huma.Operation {
	o := call(path, http.MethodGet, path, summary)
	schema := api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(content), true, path)
	o.Responses = map[string]*huma.Response{"200": {Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}}
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
	o.Responses = eventsOf(api, "Events. The last one is of one of the last two kinds", data...)
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
