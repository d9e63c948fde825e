// Package web is the board in the browser: a server with the page embedded and an API
// that answers questions about positions in JSON and server-sent events.
//
// It is thin. Rules and records are those of package game, and everything that takes a
// search is asked of package engine, through one Analyst that all requests share. What
// the package adds is the outside: the words of the API, whose questions wait for whose,
// and what nobody may ask for. docs/api.md shows every call.
package web

import (
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"time"

	"tengen/engine/job"
	"tengen/internal/cluster"
)

// Options say what a server may use.
type Options struct {
	Version string
	// Memory and threads in all, for searches and players, and the time of one analysis.
	job.Limits
	Parallel  int    // analyses that are searched at a time; 0 is two
	Queue     int    // that may wait; 0 is 32
	PerClient int    // running and waiting of one client; 0 is 4
	Store     string // where results are kept, as in analyse.Options
	Builds    bool   // visitors may have tables of Go built that take long
	// Hosts are the names under which requests may come beside loopback's; nil for no
	// others, and "*" for any.
	Hosts []string
	// Proxies are believed when they say in X-Forwarded-For for whom they ask.
	Proxies []netip.Prefix
	// Cluster is what is heard of searches on many machines; nil for no view of them.
	Cluster *cluster.Feed
	Log     *slog.Logger // nil is silence
}

// The usual limits.
const (
	defaultParallel  = 2
	defaultQueue     = 32
	defaultPerClient = 4
	defaultTime      = 10 * time.Minute
)

func (o Options) settle() Options {
	if o.Parallel == 0 {
		o.Parallel = defaultParallel
	}
	if o.Queue == 0 {
		o.Queue = defaultQueue
	}
	if o.PerClient == 0 {
		o.PerClient = defaultPerClient
	}
	if o.Memory == 0 {
		o.Memory = job.DefaultMemory()
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Time == 0 {
		o.Time = defaultTime
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Server answers requests. Its methods may be called by any number of goroutines.
type Server struct {
	options Options
	handler http.Handler
	desk    *desk
}

// New prepares a server. It takes memory when it is first asked.
func New(o Options) (*Server, error) {
	o = o.settle()
	d, err := newDesk(o)
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, desk: d}
	s.handler, err = s.routes()
	return s, err
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close gives everything back. No request may be under way.
func (s *Server) Close() error { return s.desk.close() }
