//go:build !js

package web

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tengen/internal/cluster"
)

// Feed is the status of searches on many machines as it arrives.
type Feed = cluster.Feed

// registerCluster lists the calls about a cluster.
func (s *Server) registerCluster(api huma.API) {
	huma.Register(api, call("cluster", http.MethodGet, "cluster", "The status of searches on many machines", http.StatusNotFound), s.cluster)
	huma.Register(api, watched(api), s.follow)
}

// News is the last status of all searches on a cluster.
type News struct {
	Searches []ClusterSearch `json:"searches" doc:"those under way first, then the latest"`
	Problem  string          `json:"problem,omitempty" doc:"why no status arrives now"`
}

// ClusterSearch is a search on many machines, by the last status of its master.
type ClusterSearch struct {
	cluster.Status
	State  string  `json:"state" enum:"running,silent,done" doc:"silent if the master has sent nothing for a while"`
	Silent float64 `json:"silent_seconds" doc:"since the last status of the master"`
}

// The shortest and the longest time between two events of a view. Nobody reads faster, and
// the feed does not announce that a master has fallen silent.
const (
	newsEvery = 500 * time.Millisecond
	newsAfter = 2 * time.Second
)

// news reads the feed. The channel is closed when the feed changes.
func (s *Server) news() (News, <-chan struct{}) {
	heard, changed, problem := s.options.Cluster.Searches()
	n := News{Searches: []ClusterSearch{}}
	if problem != nil {
		n.Problem = sentence(problem.Error())
	}
	for _, h := range heard {
		state := "running"
		switch {
		case h.Done:
			state = "done"
		case h.Gone():
			state = "silent"
		}
		n.Searches = append(n.Searches, ClusterSearch{h.Status, state, time.Since(h.Received).Seconds()})
	}
	return n, changed
}

// cluster answers with the status of the searches.
func (s *Server) cluster(context.Context, *struct{}) (*body[News], error) {
	if s.options.Cluster == nil {
		return nil, noCluster()
	}
	n, _ := s.news()
	return &body[News]{n}, nil
}

// follow streams the status of the searches until the client closes the connection. A
// server that stops sends the last status first.
func (s *Server) follow(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
	if s.options.Cluster == nil {
		return nil, noCluster()
	}
	ticket, err := s.views.enter(clientOf(ctx))
	if err != nil {
		return nil, busy(err)
	}
	understood(ctx)
	return streaming(func(ctx context.Context, send sender) {
		defer ticket.leave()
		for {
			n, changed := s.news()
			if send("news", n) != nil || ctx.Err() != nil {
				return
			}
			pause(ctx, nil, newsEvery)
			pause(ctx, changed, newsAfter)
		}
	}), nil
}

// pause waits for something, for at most a time.
func pause(ctx context.Context, something <-chan struct{}, most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-something:
	case <-timer.C:
	}
}

// watched describes the call that streams until the client closes the connection.
func watched(api huma.API) huma.Operation {
	o := call("follow-cluster", http.MethodGet, "cluster/events", "The status of searches on many machines, whenever it changes", append(busyCodes, http.StatusNotFound)...)
	o.Description = "Server-sent events, until the connection is closed."
	o.Responses = eventsOf(api, "Events without end", News{})
	return o
}

func noCluster() error {
	return huma.Error404NotFound("This server watches no cluster: start it with --nats URL, or a search with --page ADDRESS.")
}
