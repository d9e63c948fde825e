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
	limit int64 // bytes of each of the two

	mu        sync.RWMutex
	kept      map[string]Done
	texts     map[string][]byte // of probes, by the body that asked
	keptBytes int64
	textBytes int64
}

// mostAsked bounds a question that is kept with its answer, in bytes.
const mostAsked = 1 << 10

func newAnswers(limit int64) *answers {
	return &answers{limit: limit / 2, kept: map[string]Done{}, texts: map[string][]byte{}}
}

// entryBytes are those of an entry beside its text.
const entryBytes = 256

// bytes is about what an answer takes in memory.
func (d Done) bytes() int64 {
	n := d.Best.bytes()
	for _, f := range d.Moves {
		n += f.bytes()
	}
	return n
}

func (f Finding) bytes() int64 {
	n := int64(entryBytes)
	for _, move := range f.Line {
		n += int64(len(move)) + 16
	}
	return n
}

func (a *answers) find(name string) (Done, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	d, found := a.kept[name]
	return d, found
}

func (a *answers) keep(name string, d Done) {
	if !d.Settled || len(name) > mostAsked {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.kept[name]; known {
		return
	}
	if a.keptBytes >= a.limit {
		clear(a.kept)
		a.keptBytes = 0
	}
	a.kept[name] = d
	a.keptBytes += entryBytes + int64(len(name)) + d.bytes()
}

// keepText keeps the answer to a probe as it is sent.
func (a *answers) keepText(body []byte, d Done) {
	text, err := json.Marshal(d)
	if err != nil || !d.Settled || len(body) > mostAsked {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.texts[string(body)]; known {
		return
	}
	if a.textBytes >= a.limit {
		clear(a.texts)
		a.textBytes = 0
	}
	a.texts[string(body)] = text
	a.textBytes += entryBytes + int64(len(body)+len(text))
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
