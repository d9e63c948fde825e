package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/engine/job"
	"tengen/internal/longtest"
)

// metric reads one figure of /metrics.
func metric(t testing.TB, server *httptest.Server, name string) float64 {
	t.Helper()
	response, err := http.Get(server.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("no figure %s", name)
	}
	value, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// within waits until something holds.
func within(t testing.TB, limit time.Duration, what string, holds func() bool) time.Duration {
	t.Helper()
	begin := time.Now()
	for !holds() {
		if time.Since(begin) > limit {
			t.Fatalf("%s: not within %s", what, limit)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(begin)
}

// However short the time of an analysis is, a row is decided in the end: what its search
// needs first is not begun anew with every question.
func TestRowsAreDecidedInTheEnd(t *testing.T) {
	server := start(t, func(o *Options) { o.Time = 10 * time.Millisecond })
	var answer Done
	within(t, time.Minute, "the row is decided", func() bool {
		answer, _ = analyseAll(t, server, `{"game":"nogo","size":"1x9"}`)
		return answer.Settled
	})
}

// hard is an analysis that goes on for minutes.
const hard = `{"game":"nogo","size":"6x6","estimates":true}`

// A client that goes away frees its slot and leaves no goroutine behind.
func TestDroppedRequestsFreeTheirWorkers(t *testing.T) {
	server := start(t, func(o *Options) { o.Parallel = 1 })
	analyseAll(t, server, `{"game":"nogo","size":"2x3"}`)
	http.DefaultClient.CloseIdleConnections()
	time.Sleep(50 * time.Millisecond)
	before := runtime.NumGoroutine()
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := listen(t, ctx, server.URL, hard, func(e event) bool { return e.name != "update" })
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		took := within(t, time.Second+busyMachine, "the worker is free", func() bool { return metric(t, server, "tengen_analyses_running") == 0 })
		t.Logf("a dropped request freed its worker after %s", took.Round(time.Millisecond))
	}
	if n := metric(t, server, "tengen_analyses_cancelled_total"); n != 3 {
		t.Errorf("%v analyses were cancelled", n)
	}
	within(t, 5*time.Second, "goroutines are gone", func() bool {
		http.DefaultClient.CloseIdleConnections()
		return runtime.NumGoroutine() <= before
	})
}

// busyMachine is patience for machines that do other work beside the tests.
const busyMachine = 2 * time.Second

// Who waits is told its place, a client has its share, and a full queue turns others away.
func TestQueue(t *testing.T) {
	server := start(t, func(o *Options) { o.Parallel, o.Queue, o.PerClient = 1, 1, 2 })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var clients sync.WaitGroup
	begun := make(chan struct{}, 100)
	clients.Go(func() {
		_, _ = listen(t, ctx, server.URL, hard, func(e event) bool { begun <- struct{}{}; return true })
	})
	<-begun
	places := make(chan Queued, 10)
	waiting, leave := context.WithCancel(t.Context())
	defer leave()
	clients.Go(func() {
		_, _ = listen(t, waiting, server.URL, hard, func(e event) bool {
			var q Queued
			if e.name == "queued" && json.Unmarshal(e.data, &q) == nil {
				places <- q
			}
			return true
		})
	})
	if q := <-places; q.Place != 1 {
		t.Errorf("the place is %d", q.Place)
	}
	for addr, want := range map[string]int{"127.0.0.1": http.StatusTooManyRequests, "127.0.0.9": http.StatusServiceUnavailable} {
		if runtime.GOOS != "linux" && addr != "127.0.0.1" {
			continue // other loopback addresses must be set up
		}
		client := from(addr)
		response, err := client.Post(server.URL+"/api/v1/analyse", "application/json", strings.NewReader(hard))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		client.CloseIdleConnections()
		if response.StatusCode != want || response.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %v", addr, response.StatusCode, response.Header)
		}
	}
	leave()
	within(t, 5*time.Second, "the queue is empty", func() bool { return metric(t, server, "tengen_analyses_queued") == 0 })
	cancel()
	clients.Wait()
}

// from is a client with an address of its own.
func from(addr string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(addr)}}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 1000}}
}

// When the server stops, who listens is told so, and everything ends.
func TestShutdown(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s, err := New(Options{Store: job.Cache, Limits: job.Limits{Memory: 128 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	last := ""
	_, err = listen(t, t.Context(), "http://"+listener.Addr().String(), hard, func(e event) bool {
		stop()
		last = e.name
		return true
	})
	if err != nil || last != "problem" {
		t.Errorf("%v, and the last event is %q", err, last)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	http.DefaultClient.CloseIdleConnections()
}

// Probes of known positions, all at once. The figures are for a reader; a test of a busy
// machine holds nobody to times.
func TestLoadProbes(t *testing.T) {
	clients, rounds := 1000, 5
	if testing.Short() {
		clients, rounds = 100, 2
	}
	server := start(t, nil)
	body := `{"game":"nogo","size":"3x4"}`
	analyseAll(t, server, body)
	client := from("127.0.0.1")
	defer client.CloseIdleConnections()
	times := make([]time.Duration, clients*rounds)
	var all sync.WaitGroup
	for round := range rounds {
		for i := range clients {
			all.Go(func() {
				begin := time.Now()
				response, err := client.Post(server.URL+"/api/v1/probe", "application/json", strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				defer response.Body.Close()
				answer, err := io.ReadAll(response.Body)
				if err != nil || response.StatusCode != http.StatusOK || !strings.HasPrefix(string(answer), `{"known":true`) {
					t.Errorf("%d %v", response.StatusCode, err)
				}
				times[round*clients+i] = time.Since(begin)
			})
		}
		all.Wait()
	}
	warm := times[clients:] // without the opening of connections
	slices.Sort(warm)
	t.Logf("%d probes, %d at once: median %s, p99 %s, slowest %s", len(warm), clients,
		warm[len(warm)/2], warm[len(warm)*99/100], warm[len(warm)-1])
}

// Fifty clients start analyses at once: some run, some wait, some are turned away, all get
// an answer, and memory stays within its limit.
func TestLoadAnalyses(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other loopback addresses must be set up")
	}
	const memory = 256 << 20
	clients, each := 50, time.Second
	switch {
	case testing.Short():
		clients, each = 12, time.Second/2
	case longtest.On():
		each = 3 * time.Second
	}
	server := start(t, func(o *Options) { o.Memory, o.Parallel, o.Queue, o.Time = memory, 2, 16, each })
	before := resident(t)
	var mu sync.Mutex
	outcomes := map[string]int{}
	var most uint64
	var all sync.WaitGroup
	begin := time.Now()
	for i := range clients {
		all.Go(func() {
			client := from(fmt.Sprintf("127.0.1.%d", i+1))
			defer client.CloseIdleConnections()
			body := fmt.Sprintf(`{"game":"nogo","size":"6x6","estimates":true,"moves":["%s"]}`, string("ABCDEF"[i%6])+strconv.Itoa(i/6%6+1))
			response, err := client.Post(server.URL+"/api/v1/analyse", "application/json", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			defer response.Body.Close()
			text, _ := io.ReadAll(response.Body)
			outcome := strconv.Itoa(response.StatusCode)
			if response.StatusCode == http.StatusOK {
				outcome = "none"
				if names := regexp.MustCompile(`(?m)^event: (\w+)$`).FindAllSubmatch(text, -1); len(names) > 0 {
					outcome = string(names[len(names)-1][1])
				}
			}
			mu.Lock()
			defer mu.Unlock()
			outcomes[outcome]++
			most = max(most, resident(t))
		})
	}
	all.Wait()
	t.Logf("%d clients at once: %v in %s, memory grew by at most %d MiB of %d MiB", clients, outcomes, time.Since(begin).Round(time.Second/10), (most-min(most, before))>>20, memory>>20)
	if outcomes["done"]+outcomes["503"] != clients || outcomes["done"] < 2 {
		t.Errorf("outcomes: %v", outcomes)
	}
	if most > before+memory {
		t.Errorf("memory grew from %d to %d MiB", before>>20, most>>20)
	}
}

// resident is what the process has in memory.
func resident(t testing.TB) uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseUint(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * uint64(os.Getpagesize())
}
