//go:build !js

package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// counts are the figures for Prometheus, in a registry of their own.
type counts struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	took      *prometheus.HistogramVec
	work      *prometheus.HistogramVec
	cancelled prometheus.Counter
}

func newCounts(s *Server) *counts {
	c := &counts{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tengen_http_requests_total", Help: "Requests answered, by route and status.",
		}, []string{"route", "code"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tengen_http_request_seconds", Help: "Time to answer a request, by route.", Buckets: prometheus.ExponentialBuckets(0.0005, 4, 10),
		}, []string{"route"}),
		work: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tengen_work_seconds", Help: "Time at work, without waiting, by kind.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 10),
		}, []string{"kind"}),
		cancelled: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "tengen_analyses_cancelled_total", Help: "Analyses that their client or the server ended.",
		}),
	}
	gauge := func(name, help string, value func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
	}
	c.registry.MustRegister(
		c.requests, c.took, c.work, c.cancelled, collectors.NewGoCollector(),
		gauge("tengen_analyses_running", "Analyses at work.", func() int { n, _ := s.analyses.counts(); return n }),
		gauge("tengen_analyses_queued", "Analyses that wait.", func() int { _, n := s.analyses.counts(); return n }),
		gauge("tengen_short_running", "Moves, proofs and values at work.", func() int { n, _ := s.short.counts(); return n }),
		gauge("tengen_requests_open", "Requests under way, without streams.", func() int { return s.questions.holds().requests + s.files.holds().requests }),
		gauge("tengen_requests_bytes", "Memory that is held for bodies of requests.", func() int { return int(s.questions.holds().bytes + s.files.holds().bytes) }),
		gauge("tengen_short_queued", "Moves, proofs and values that wait.", func() int { _, n := s.short.counts(); return n }),
	)
	return c
}

// serve answers Prometheus.
func (c *counts) serve(mux *http.ServeMux) {
	mux.Handle("GET /metrics", promhttp.HandlerFor(c.registry, promhttp.HandlerOpts{}))
}

// time measures a piece of work until the function that it returns is called.
func (c *counts) time(kind string) func() {
	begin := time.Now()
	return func() { c.work.WithLabelValues(kind).Observe(time.Since(begin).Seconds()) }
}

// answered counts a request.
func (c *counts) answered(route string, code int, took time.Duration) {
	c.requests.WithLabelValues(route, strconv.Itoa(code)).Inc()
	c.took.WithLabelValues(route).Observe(took.Seconds())
}
