package cli

import (
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/spf13/cobra"

	"tengen/engine/job"
	"tengen/internal/cluster"
	"tengen/internal/web"
)

// needed refuses flags that have no meaning without --nats.
func (n *natsFlags) needed(cmd *cobra.Command) error {
	for _, name := range []string{"credentials", "token", "tls", "tls-ca", "tls-cert", "tls-key"} {
		if n.url == "" && cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s needs --nats", name)
		}
	}
	return nil
}

// follow reads the status of all masters on the NATS server, until leave is called.
func (n *natsFlags) follow(ctx context.Context) (feed *cluster.Feed, leave func(), err error) {
	access, err := n.access("tengen page")
	if err != nil {
		return nil, nil, err
	}
	w, err := cluster.Watch(ctx, access)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	feed = cluster.NewFeed()
	var side sync.WaitGroup
	side.Go(func() { w.Follow(ctx, feed) })
	return feed, func() {
		cancel()
		side.Wait()
		w.Close()
	}, nil
}

// Limits of the page of a master: memory and cores are for the workers.
const (
	pageMemory  = 256 << 20
	pageThreads = 1
)

// clusterPage is the page that a master serves, with the view of its search.
type clusterPage struct {
	feed *cluster.Feed
	end  func()
}

// servePage listens on an address of this machine. An empty one serves nothing.
func (c *clusterRun) servePage() (*clusterPage, error) {
	p := &clusterPage{feed: cluster.NewFeed(), end: func() {}}
	if c.page == "" {
		return p, nil
	}
	if _, err := web.CheckAddress(c.page, false, nil); err != nil {
		return nil, fmt.Errorf("--page %s is not an address of this machine such as 127.0.0.1:8420: other machines use serve --nats", c.page)
	}
	listener, err := net.Listen("tcp", c.page)
	if err != nil {
		return nil, fmt.Errorf("--page %s: %w", c.page, err)
	}
	server, err := web.New(web.Options{Version: readVersion().Version, Limits: job.Limits{Memory: pageMemory, Threads: pageThreads}, Cluster: p.feed})
	if err != nil {
		listener.Close()
		return nil, err
	}
	fmt.Fprintf(c.err, "tengen: watch it on http://%s/#/cluster\n", listener.Addr())
	ctx, cancel := context.WithCancel(context.Background())
	var side sync.WaitGroup
	side.Go(func() {
		if err := server.Serve(ctx, listener); err != nil {
			fmt.Fprintf(c.err, "tengen: the page has stopped: %v\n", err)
		}
	})
	p.end = func() {
		cancel()
		side.Wait()
		server.Close()
	}
	return p, nil
}
