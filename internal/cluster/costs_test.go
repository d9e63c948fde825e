package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tengen/board"
	"tengen/internal/cluster/tree"
)

// BenchmarkCosts measures what a simulation takes from Measured.
//
//	go test ./internal/cluster -run '^$' -bench Costs
func BenchmarkCosts(b *testing.B) {
	b.Run("Send", benchmarkSend)
	b.Run("Fetch", benchmarkFetch)
	b.Run("Call", benchmarkCall)
	for _, workers := range []int{1, 64} {
		b.Run(fmt.Sprintf("Store/%d", workers), func(b *testing.B) { benchmarkStore(b, workers) })
	}
	b.Run("Keep", benchmarkKeep)
	for _, workers := range []int{1, 64, 1024} {
		b.Run(fmt.Sprintf("Decide/%d", workers), func(b *testing.B) { benchmarkDecide(b, workers) })
	}
	for _, workers := range []int{1, 1024} {
		b.Run(fmt.Sprintf("Tell/%d", workers), func(b *testing.B) { benchmarkTell(b, workers) })
	}
	b.Run("Position", benchmarkPosition)
}

func benchmarkHub(b *testing.B) *hub {
	b.Helper()
	s, err := Listen("127.0.0.1:0", "", b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.Close)
	h, err := connect(b.Context(), Access{URL: s.URL()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(h.close)
	return h
}

func someJob(i int) job {
	return job{Protocol: protocol, Search: "some", ID: fmt.Sprint(i), Kind: solving, Size: "5x5", Key: Key{Stones: [2]uint64{uint64(i), 1}}, Budget: 20_000}
}

func benchmarkSend(b *testing.B) {
	h := benchmarkHub(b)
	for i := 0; b.Loop(); i++ {
		if err := h.send(b.Context(), someJob(i)); err != nil {
			b.Fatal(err)
		}
	}
}

// benchmarkFetch is the way of a job from the queue to a worker that waits for one, without
// the sending.
func benchmarkFetch(b *testing.B) {
	h := benchmarkHub(b)
	consumer, err := h.workers(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	var sent atomic.Int64
	var way, sending time.Duration
	for i := 0; b.Loop(); i++ {
		done := make(chan jetstream.Msg)
		go func() {
			batch, err := consumer.Fetch(1)
			if err != nil {
				b.Error(err)
			}
			done <- <-batch.Messages()
			way += time.Duration(time.Now().UnixNano() - sent.Load())
			close(done)
		}()
		began := time.Now()
		if err := h.send(b.Context(), someJob(i)); err != nil {
			b.Fatal(err)
		}
		sending += time.Since(began)
		sent.Store(time.Now().UnixNano())
		_ = (<-done).Ack()
		<-done
	}
	b.ReportMetric(float64(way.Nanoseconds())/float64(b.N), "ns/way")
	b.ReportMetric(float64(sending.Nanoseconds())/float64(b.N), "ns/send")
}

func benchmarkCall(b *testing.B) {
	h := benchmarkHub(b)
	heard := make(chan bool)
	if _, err := h.conn.Subscribe(cancelSubject+"*", func(*nats.Msg) { heard <- true }); err != nil {
		b.Fatal(err)
	}
	_ = h.conn.Flush()
	for b.Loop() {
		h.cancel("some", "job")
		<-heard
	}
}

// benchmarkStore hands results in from several sides at once while a master takes them: the
// time of one with one side, and what the server takes for one with many.
func benchmarkStore(b *testing.B, workers int) {
	h := benchmarkHub(b)
	consumer, err := h.stream.CreateOrUpdateConsumer(b.Context(), resultStream, jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy})
	if err != nil {
		b.Fatal(err)
	}
	taking, err := consumer.Consume(func(m jetstream.Msg) { _ = m.Ack() })
	if err != nil {
		b.Fatal(err)
	}
	defer taking.Stop()
	b.SetParallelism(max(workers/runtime.GOMAXPROCS(0), 1))
	if workers == 1 {
		for b.Loop() {
			_ = h.publish(b.Context(), resultSubject+"some", result{Protocol: protocol})
		}
		return
	}
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if err := h.publish(b.Context(), resultSubject+"some", result{Protocol: protocol}); err != nil {
				b.Error(err)
			}
		}
	})
}

func benchmarkKeep(b *testing.B) {
	s, _, err := openStore(filepath.Join(b.TempDir(), "store"), "question", "some")
	if err != nil {
		b.Fatal(err)
	}
	defer s.close()
	for i := 0; b.Loop(); i++ {
		if err := s.put(about{}, decidedBucket, someJob(i).Key.String(), record{Outcome: 1, Nodes: 12345, Worker: "worker"}); err != nil {
			b.Fatal(err)
		}
	}
}

// benchmarkDecide is the master's own time for a job, from its result to the next.
func benchmarkDecide(b *testing.B, workers int) {
	var total Simulated
	for b.Loop() {
		m := Made{Nodes: 3e9, Moves: 20, First: 0.8, Spread: 1, Kept: 1, Seed: 1}
		s, err := SimulateMade(context.Background(), m, workers, Measured, tree.Budgets{})
		if err != nil {
			b.Fatal(err)
		}
		total.Jobs += s.Jobs
		total.Positions = s.Positions
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(total.Jobs), "ns/job")
	b.ReportMetric(float64(total.Positions), "positions")
}

func benchmarkTell(b *testing.B, workers int) {
	d := (&simulation{}).newMaster(workers)
	d.hub = benchmarkHub(b)
	for b.Loop() {
		d.publishStatus(&madeProblem{}, false)
	}
}

// benchmarkPosition is the memory of the master for a position of the upper tree.
func benchmarkPosition(b *testing.B) {
	var bytes float64
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := tree.NewSearch(Key{}, tree.Default)
		keys := []Key{{}}
		for s.Len() < 200_000 {
			var branches []tree.Branch[Key]
			for i := range 20 {
				branches = append(branches, tree.Branch[Key]{Key: Key{Stones: [2]uint64{uint64(s.Len() + i), 1}}})
				keys = append(keys, branches[i].Key)
			}
			s.Expand(keys[0], branches)
			keys = keys[1:]
		}
		keys = nil
		runtime.GC()
		runtime.ReadMemStats(&after)
		bytes = float64(after.HeapAlloc-before.HeapAlloc) / float64(s.Len())
		runtime.KeepAlive(s)
	}
	b.ReportMetric(bytes, "B/position")
}

// BenchmarkTraffic counts what goes through the server while two workers solve 4x5.
func BenchmarkTraffic(b *testing.B) {
	for b.Loop() {
		s, err := Listen("127.0.0.1:0", "", b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		ctx, stop := context.WithCancel(b.Context())
		var workers sync.WaitGroup
		for i := range 2 {
			workers.Go(func() {
				_ = Work(ctx, WorkerOptions{Access: Access{URL: s.URL(), Name: workerName(i)}, Memory: 64 << 20, Threads: 1})
			})
		}
		store := filepath.Join(b.TempDir(), "store")
		a, err := Solve(ctx, Question{Position: empty(b, "4x5"), ToPlay: board.Black}, Options{Access: Access{URL: s.URL()}, Store: store})
		if err != nil {
			b.Fatal(err)
		}
		v, err := s.inner.Varz(nil)
		if err != nil {
			b.Fatal(err)
		}
		stop()
		workers.Wait()
		s.Close()
		kept, err := os.Stat(store)
		if err != nil {
			b.Fatal(err)
		}
		for name, value := range map[string]float64{
			"jobs": float64(a.Jobs), "nodes": float64(a.Nodes), "s": a.Seconds,
			"in-msgs": float64(v.InMsgs), "out-msgs": float64(v.OutMsgs), "in-B": float64(v.InBytes), "out-B": float64(v.OutBytes),
			"store-B": float64(kept.Size()), "server-rss": float64(v.Mem),
		} {
			b.ReportMetric(value, name)
		}
	}
}
