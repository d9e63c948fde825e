package web

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
)

// answers keeps settled analyses, which never change, for the next who asks. When it is
// full it begins anew, which is simple and costs a lookup in the store.
type answers struct {
	mu    sync.RWMutex
	kept  map[string]Done
	texts map[string][]byte // of probes, by the body that asked
}

// mostAnswers are some tens of mebibytes.
const mostAnswers = 4096

// mostAsked bounds a body that is kept with its answer, in bytes.
const mostAsked = 1 << 10

func newAnswers() *answers { return &answers{kept: map[string]Done{}, texts: map[string][]byte{}} }

func (a *answers) find(name string) (Done, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	d, found := a.kept[name]
	return d, found
}

func (a *answers) keep(name string, d Done) {
	if !d.Settled {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.kept) >= mostAnswers {
		clear(a.kept)
	}
	a.kept[name] = d
}

// keepText keeps the answer to a probe as it is sent.
func (a *answers) keepText(body []byte, d Done) {
	text, err := json.Marshal(d)
	if err != nil || !d.Settled || len(body) > mostAsked {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.texts) >= mostAnswers {
		clear(a.texts)
	}
	a.texts[string(body)] = text
}

// probeRoute is where probes are asked.
const probeRoute = "POST /api/v1/probe"

// again answers probes that were asked before, word for word: a thousand readers of one
// page ask the same. Bodies have been gathered.
func (a *answers) again(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := r.Body.(gatheredBody)
		if !ok || r.URL.Path != "/api/v1/probe" || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			next.ServeHTTP(w, r)
			return
		}
		a.mu.RLock()
		text, found := a.texts[string(body.text)]
		a.mu.RUnlock()
		if !found {
			next.ServeHTTP(w, r)
			return
		}
		r.Pattern = probeRoute
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(text))) // in one piece
		w.Write(text)
	})
}
