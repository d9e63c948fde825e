package web

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tengen/internal/cluster"
)

// News is what is known of the searches on a cluster.
type News struct {
	Searches []ClusterSearch `json:"searches" doc:"those under way first, then the latest"`
	Problem  string          `json:"problem,omitempty" doc:"why nothing is heard of them now"`
}

// ClusterSearch is a search on many machines, as its master last said.
type ClusterSearch struct {
	cluster.Status
	State  string  `json:"state" enum:"running,silent,done" doc:"silent if the master has said nothing for a while"`
	Silent float64 `json:"silent_seconds" doc:"since the master last spoke"`
}

// How often a view is told, at most and at least: faster nobody reads, and a master that
// has fallen silent is no news of its own.
const (
	newsEvery = 500 * time.Millisecond
	newsAfter = 2 * time.Second
)

// Views of a cluster at a time, and those of one client.
const (
	mostViews          = 256
	mostViewsPerClient = 32
)

// news reads the feed. The channel is closed when there is more.
func (d *desk) news() (News, <-chan struct{}) {
	heard, changed, problem := d.options.Cluster.Searches()
	n := News{Searches: []ClusterSearch{}}
	if problem != nil {
		n.Problem = sentence(problem.Error())
	}
	for _, h := range heard {
		s := ClusterSearch{h.Status, "running", time.Since(h.Received).Seconds()}
		switch {
		case h.Done:
			s.State = "done"
		case h.Gone():
			s.State = "silent"
		}
		n.Searches = append(n.Searches, s)
	}
	return n, changed
}

type newsOutput struct{ Body News }

// cluster tells how the searches stand.
func (d *desk) cluster(context.Context, *struct{}) (*newsOutput, error) {
	if d.options.Cluster == nil {
		return nil, noCluster()
	}
	n, _ := d.news()
	return &newsOutput{n}, nil
}

// follow tells it again and again, until nobody listens. A server that stops says the
// latest before it goes.
func (d *desk) follow(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
	if d.options.Cluster == nil {
		return nil, noCluster()
	}
	ticket, err := d.views.enter(clientOf(ctx))
	if err != nil {
		return nil, busy(err)
	}
	understood(ctx)
	return streaming(func(ctx context.Context, send sender) {
		defer ticket.leave()
		for {
			n, changed := d.news()
			if send("news", n) != nil || ctx.Err() != nil {
				return
			}
			pause(ctx, nil, newsEvery)
			pause(ctx, changed, newsAfter)
		}
	}), nil
}

// pause waits for something, but not for long.
func pause(ctx context.Context, something <-chan struct{}, most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-something:
	case <-timer.C:
	}
}

func noCluster() error {
	return huma.Error404NotFound("This server watches no cluster: start it with --nats URL, or a search with --page ADDRESS.")
}
