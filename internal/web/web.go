// Package web is the board in the browser: a server with the page embedded and an API
// that answers questions about positions in JSON and server-sent events.
//
// It is thin. Package game has the rules and the records, and package engine the searches,
// through one Analyst that all requests share. This package adds the API, the queue and the
// limits. docs/api.md shows every call.
package web

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"time"

	"tengen/engine/analyse"
	"tengen/engine/job"
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
	// Hosts are the host names that requests may use, beside those of loopback; "*" is any.
	Hosts []string
	// Proxies are trusted to name their clients in X-Forwarded-For.
	Proxies []netip.Prefix
	// Cluster is the status of searches on many machines; nil for no view of them.
	Cluster *Feed
	Log     *slog.Logger // nil is silence
}

// settle puts the defaults in.
func (o Options) settle() Options {
	o.Parallel = cmp.Or(o.Parallel, 2)
	o.Queue = cmp.Or(o.Queue, 32)
	o.PerClient = cmp.Or(o.PerClient, 4)
	o.Memory = cmp.Or(o.Memory, job.DefaultMemory())
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	o.Time = cmp.Or(o.Time, 10*time.Minute)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Server answers requests. Its methods may be called by any number of goroutines.
type Server struct {
	options      Options
	handler      http.Handler
	analyst      *analyse.Analyst
	analyses     *gate // work of minutes
	short        *gate // work of seconds
	views        *gate // of a cluster
	builds       *gate // of tables
	questions    *budget
	files        *budget
	known        *answers
	movers       *movers
	certificates *certificates
	counts       *counts
	results      []byte // of the API
	ahead        *ahead
}

// Shares of the memory. Tables of Go are mapped and not counted.
const (
	analystShare = 2 // a half
	playerShare  = 4 // a quarter
	proofShare   = 8 // an eighth for each proof or value under way
	bodyShare    = 8 // an eighth for bodies of questions, and one for files
	answerShare  = 16
	shortSlots   = 2 // moves, proofs, values and records at a time
)

// Views of a cluster at a time, and those of one client.
const (
	mostViews          = 256
	mostViewsPerClient = 32
)

// New prepares a server. Searches take their memory when they begin.
func New(o Options) (*Server, error) {
	o = o.settle()
	// One place more than there are slots, so that short work that needs a search does
	// not wait behind analyses that may take minutes, and one for a table that is built.
	places := o.Parallel + 1
	if o.Builds {
		places++
	}
	analyst, err := analyse.New(analyse.Options{
		Limits:   job.Limits{Memory: o.Memory / analystShare, Threads: o.Threads},
		Parallel: places,
		Store:    o.Store, Table: tables,
	})
	if err != nil {
		return nil, err
	}
	results, err := Results()
	if err != nil {
		return nil, err
	}
	s := &Server{
		options: o, analyst: analyst,
		analyses:     newGate(o.Parallel, o.Queue, o.PerClient),
		short:        newGate(shortSlots, o.Queue, o.PerClient),
		views:        newGate(mostViews, 0, mostViewsPerClient),
		builds:       newGate(1, o.Queue, 1),
		known:        newAnswers(o.Memory / answerShare),
		movers:       &movers{memory: o.Memory / playerShare / shortSlots, threads: o.Threads},
		certificates: &certificates{limit: max(o.Memory/proofShare, MaxProof)},
		results:      results,
		ahead:        newAhead(analyst, o.Log),
	}
	s.questions, s.files = budgets(o.Memory)
	s.counts = newCounts(s)
	s.handler, err = s.routes()
	return s, err
}

// within is a time that no request exceeds.
func (s *Server) within(limit time.Duration) time.Duration { return min(limit, s.options.Time) }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close waits for the work under way and frees everything. No request may be under way.
func (s *Server) Close() error {
	s.ahead.close()
	s.analyses.empty.Wait()
	s.short.empty.Wait()
	s.views.empty.Wait()
	s.builds.empty.Wait()
	return errors.Join(s.movers.close(), s.analyst.Close())
}
