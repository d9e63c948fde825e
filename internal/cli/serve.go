package cli

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"tengen/engine/job"
	"tengen/internal/web"
)

// serve holds the flags of one call.
type serve struct {
	*app
	addr      string
	public    bool
	build     bool
	hosts     []string
	proxies   []string
	open      bool
	limits    limits
	parallel  int
	queue     int
	perClient int
	time      time.Duration
	log       bool
	nats      natsFlags
}

func newServe(a *app) *cobra.Command {
	s := &serve{app: a}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the board in the browser",
		Long: `Serve a page to explore perfect play, to play, and to learn why, and its API.
Everything works without a network.

Without --public, only this machine can connect. A request must name the address
itself, a name of this machine or a name given with --host. Behind a proxy such as
nginx, give its address with --trusted-proxy, so that each visitor counts as a client;
docs/server.md has examples. With --build-tables, visitors of a public server may
build large tables of Go. Ctrl-C stops the server. Solved positions are kept for
the next start. docs/api.md shows the API.

With --nats the page also shows the searches of a cluster, as cluster status does.`,
		Example: `  tengen serve
  tengen serve --open
  tengen serve --addr 0.0.0.0:8420 --public --host tengen.example.org
  tengen serve --host tengen.example.org --trusted-proxy 127.0.0.1
  tengen serve --nats nats://master:4222`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.nats.needed(cmd); err != nil {
				return err
			}
			return s.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8420", "address to listen on; port 0 takes a free one")
	flags.BoolVar(&s.public, "public", false, "let other machines connect")
	flags.BoolVar(&s.build, "build-tables", false, "let visitors build large tables of Go, also with --public or --host")
	flags.StringSliceVar(&s.hosts, "host", nil, "host names that requests may use, such as that of a proxy (* for any)")
	flags.StringSliceVar(&s.proxies, "trusted-proxy", nil, "addresses of proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8")
	flags.BoolVar(&s.open, "open", false, "start the browser")
	s.limits.register(cmd, "memory for searches and players, such as 8GiB"+halfMachine)
	countFlag(cmd, &s.parallel, "parallel", 2, 1, "analyses", "analyses at a time, which share memory and threads")
	countFlag(cmd, &s.queue, "queue", 32, 1, "analyses", "analyses that may wait")
	countFlag(cmd, &s.perClient, "per-client", 4, 1, "analyses", "analyses of one client, running and waiting")
	flags.DurationVar(&s.time, "time", 10*time.Minute, "time for one analysis")
	flags.BoolVar(&s.log, "log", false, "write a line for each request to standard error")
	s.nats.register(cmd, "NATS server of a cluster whose searches the page shows, such as nats://host:4222")
	return cmd
}

func (s *serve) run(ctx context.Context) error {
	options, err := s.options()
	if err != nil {
		return err
	}
	listener, err := web.Listen(s.addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	if s.nats.url != "" {
		feed, leave, err := s.nats.follow(ctx)
		if err != nil {
			return err
		}
		defer leave()
		options.Cluster = feed
	}
	web.BoundHeap(options.Memory)
	server, err := web.New(options)
	if err != nil {
		return err
	}
	defer server.Close()
	url := "http://" + listener.Addr().String() + "/"
	fmt.Fprintf(s.err, "tengen: listening on %s (Ctrl-C stops)\n", url)
	if s.open {
		if err := openBrowser(url); err != nil {
			fmt.Fprintf(s.err, "tengen: the browser did not start: %v\n", err)
		}
	}
	return server.Serve(ctx, listener)
}

func (s *serve) options() (web.Options, error) {
	if s.time <= 0 {
		return web.Options{}, fmt.Errorf("--time %s leaves no time for an analysis", s.time)
	}
	if s.limits.memory > 0 && s.limits.memory < leastServed {
		return web.Options{}, fmt.Errorf("--memory %s is too little: give 64MiB or more", &s.limits.memory)
	}
	hosts, err := web.CheckAddress(s.addr, s.public, s.hosts)
	if err != nil {
		return web.Options{}, err
	}
	proxies, err := web.ParseProxies(s.proxies)
	if err != nil {
		return web.Options{}, err
	}
	limits := s.limits.job()
	limits.Memory, limits.Time = cmp.Or(limits.Memory, job.DefaultMemory()), s.time
	o := web.Options{
		Version: readVersion().Version, Hosts: hosts, Proxies: proxies, Limits: limits,
		Builds:   s.build || !s.public && len(s.hosts) == 0,
		Parallel: s.parallel, Queue: s.queue, PerClient: s.perClient, Store: job.Cache,
	}
	if s.log {
		o.Log = slog.New(slog.NewTextHandler(s.err, nil))
	}
	return o, nil
}

// leastServed is the memory of the smallest tables for all work at a time.
const leastServed = 64 << 20

// openBrowser starts the browser of the system, and does not wait for it.
func openBrowser(url string) error {
	command := []string{"xdg-open", url}
	switch runtime.GOOS {
	case "darwin":
		command[0] = "open"
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", url}
	}
	cmd := exec.Command(command[0], command[1:]...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // or the process stays as a zombie
	return nil
}
