package cli

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tengen/internal/cluster"
)

// gauges are the metrics of a master, from its last status.
var gauges = []struct {
	name, help string
	value      func(*cluster.Status) float64
}{
	{"workers", "Workers that have joined.", func(s *cluster.Status) float64 { return float64(len(s.Workers)) }},
	{"banned_workers", "Workers that are banned, for false answers or for failures.", func(s *cluster.Status) float64 { return float64(len(s.Banned)) }},
	{"jobs_out", "Jobs with workers, or waiting for one.", func(s *cluster.Status) float64 { return float64(s.Out) }},
	{"jobs_done_total", "Jobs done.", func(s *cluster.Status) float64 { return float64(s.Jobs) }},
	{"nodes_total", "Positions searched by jobs that are done.", func(s *cluster.Status) float64 { return float64(s.Nodes) }},
	{"nodes_per_second", "Speed of all workers together.", func(s *cluster.Status) float64 { return s.Rate }},
	{"tree_positions", "Positions of the upper tree.", func(s *cluster.Status) float64 { return float64(s.Positions) }},
	{"decided_positions", "Positions decided by jobs.", func(s *cluster.Status) float64 { return float64(s.Decided) }},
	{"part", "Moves, lines, entries or positions of a layer that are done.", func(s *cluster.Status) float64 { return float64(s.Part) }},
	{"whole", "All moves, lines, entries or positions of the layer.", func(s *cluster.Status) float64 { return float64(s.Whole) }},
	{"doubts_total", "Times that answers were taken back.", func(s *cluster.Status) float64 { return float64(s.Epoch) }},
}

// clusterMetrics serves the last status that was set.
type clusterMetrics struct {
	last   atomic.Pointer[cluster.Status]
	server *http.Server
}

// serveMetrics listens on an address. An empty one serves nothing.
func serveMetrics(address string) (*clusterMetrics, error) {
	m := &clusterMetrics{}
	if address == "" {
		return m, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w", address, err)
	}
	registry := prometheus.NewRegistry()
	for _, g := range gauges {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "tengen", Subsystem: "cluster", Name: g.name, Help: g.help}, func() float64 {
			if s := m.last.Load(); s != nil {
				return g.value(s)
			}
			return 0
		}))
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	m.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := m.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			m.server.Close()
		}
	}()
	return m, nil
}

func (m *clusterMetrics) set(s cluster.Status) { m.last.Store(&s) }

func (m *clusterMetrics) close() {
	if m.server != nil {
		m.server.Close()
	}
}
