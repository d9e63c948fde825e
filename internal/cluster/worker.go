package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// WorkerOptions are those of a worker.
type WorkerOptions struct {
	Access
	Memory  int64 // of its tables
	Threads int
	Log     *slog.Logger

	lie bool // answer the wrong way round, for tests
}

// beat is what a worker says of itself every second.
type beat struct {
	Protocol int     `json:"protocol"`
	Worker   string  `json:"worker"`
	Search   string  `json:"search,omitempty"` // whose job it has; "" if it is idle
	Job      string  `json:"job,omitempty"`
	Nodes    uint64  `json:"nodes"`   // of its searches, in all
	Seconds  float64 `json:"seconds"` // that they took
	Jobs     uint64  `json:"jobs"`    // that it has done
	Memory   int64   `json:"memory"`
	Threads  int     `json:"threads"`
	Leaving  bool    `json:"leaving,omitempty"`
}

// worker takes jobs until it is told to stop.
type worker struct {
	o     WorkerOptions
	hub   *hub
	bench *bench
	log   *slog.Logger

	mu      sync.Mutex
	said    beat
	current context.CancelCauseFunc // ends the job at hand
}

var errNotNeeded = errors.New("the job is not needed any more")

// Work joins a NATS system and does jobs until the context ends. What it was at is then
// left to others at once.
func Work(ctx context.Context, o WorkerOptions) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	h, err := connectPatiently(ctx, o.Access)
	if ctx.Err() != nil {
		return nil // it is told to leave before it has joined
	}
	if err != nil {
		return err
	}
	defer h.close()
	w := &worker{o: o, hub: h, bench: newBench(o.Memory, o.Threads), log: o.Log}
	defer w.bench.close()
	w.said = beat{Protocol: protocol, Worker: o.Name, Memory: o.Memory, Threads: o.Threads}
	banned := make(chan string, 1)
	subscriptions := map[string]nats.MsgHandler{
		cancelSubject + "*": w.heed,
		banSubject + o.Name: func(m *nats.Msg) {
			select {
			case banned <- string(m.Data):
			default:
			}
		},
	}
	for subject, heed := range subscriptions {
		s, err := h.conn.Subscribe(subject, heed)
		if err != nil {
			return fmt.Errorf("the worker cannot listen to the cluster: %w", err)
		}
		defer func() { _ = s.Unsubscribe() }()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var side sync.WaitGroup
	side.Go(func() { w.beats(ctx) })
	defer side.Wait()
	defer stop()
	done := make(chan error, 1)
	go func() { done <- w.loop(ctx) }()
	w.log.Info("joined", "worker", o.Name, "nats", redact(o.URL), "threads", o.Threads)
	select {
	case why := <-banned:
		stop()
		<-done
		return fmt.Errorf("this worker has given a wrong answer and may not go on: %s. Check the memory of the machine", why)
	case err := <-done:
		return err
	}
}

// connectPatiently waits for a server that is not there yet: workers may be started first.
func connectPatiently(ctx context.Context, a Access) (*hub, error) {
	const patience = 30 * time.Second
	for until := time.Now().Add(patience); ; {
		h, err := connect(ctx, a)
		if err == nil || !errors.Is(err, nats.ErrNoServers) || time.Now().After(until) {
			return h, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(time.Second):
		}
	}
}

func redact(url string) string {
	if at := strings.LastIndex(url, "@"); at >= 0 {
		return "…" + url[at:]
	}
	return url
}

// loop takes one job after the other.
func (w *worker) loop(ctx context.Context) error {
	var consumer jetstream.Consumer
	for ctx.Err() == nil {
		err := error(nil)
		if consumer == nil {
			consumer, err = w.hub.workers(ctx)
		}
		if err == nil {
			err = w.next(ctx, consumer)
		}
		if err != nil && ctx.Err() == nil {
			consumer = nil // a server that was lost may have forgotten it
			w.log.Debug("no job", "error", err)
			w.hub.repair(ctx)
			wait(ctx, 200*time.Millisecond)
		}
	}
	w.say(func(b *beat) { b.Leaving, b.Search, b.Job = true, "", "" })
	w.beat()
	return nil
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// workers is the consumer that all workers share: who takes a job has it until it is
// silent for longer than a lease.
func (h *hub) workers(ctx context.Context) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return h.stream.CreateOrUpdateConsumer(ctx, jobStream, jetstream.ConsumerConfig{
		Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxAckPending: 1 << 20, MaxWaiting: 1 << 16,
	})
}

// next takes a job and does it, or finds none within a while.
func (w *worker) next(ctx context.Context, consumer jetstream.Consumer) error {
	soon, cancel := context.WithTimeout(ctx, 2*time.Second) // so that a lost server is noticed
	defer cancel()
	batch, err := consumer.Fetch(1, jetstream.FetchContext(soon))
	if err != nil {
		return err
	}
	for message := range batch.Messages() {
		w.do(ctx, message)
	}
	if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, jetstream.ErrNoMessages) {
		return err
	}
	return nil
}

// do does one job: its lease is renewed meanwhile, and the job is only acknowledged when
// its result has arrived.
func (w *worker) do(ctx context.Context, message jetstream.Msg) {
	var j job
	if err := json.Unmarshal(message.Data(), &j); err != nil || j.Protocol != protocol {
		w.log.Warn("a job is not understood", "error", err, "protocol", j.Protocol)
		_ = message.NakWithDelay(lease)
		return
	}
	jobCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.mu.Lock()
	w.current = cancel
	w.said.Search, w.said.Job = j.Search, j.ID
	w.mu.Unlock()
	w.beat()
	var side sync.WaitGroup
	side.Go(func() { w.hold(jobCtx, message) })
	began := time.Now()
	r := w.answer(jobCtx, j)
	if r.Seconds == 0 {
		r.Seconds = time.Since(began).Seconds()
	}
	r.Facts = w.bench.told.Swap(0)
	cause := context.Cause(jobCtx)
	cancel(nil)
	side.Wait()
	w.say(func(b *beat) {
		b.Search, b.Job = "", ""
		b.Nodes += r.Nodes
		b.Seconds += r.Seconds
		b.Jobs++
	})
	if ctx.Err() != nil && r.Outcome == 0 && !r.Opened {
		_ = message.Nak() // another takes it at once
		return
	}
	if cause != nil && r.Failure != "" {
		r.Failure = "" // dropped, not failed
	}
	// Once the search has a result the worker stays for as long as it takes to hand it in.
	late, end := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer end()
	if err := w.hub.publish(late, resultSubject+j.Search, r); err != nil {
		w.log.Warn("a result could not be handed in", "job", j.ID, "error", err)
		return
	}
	_ = message.Ack()
}

// hold renews the lease.
func (w *worker) hold(ctx context.Context, message jetstream.Msg) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(lease / 4):
			_ = message.InProgress()
		}
	}
}

// heed ends the job at hand if it is among those that are not needed any more.
func (w *worker) heed(m *nats.Msg) {
	search := strings.TrimPrefix(m.Subject, cancelSubject)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.said.Search == search && (w.said.Job == string(m.Data) || string(m.Data) == "*") && w.current != nil {
		w.current(errNotNeeded)
	}
}

func (w *worker) say(change func(*beat)) {
	w.mu.Lock()
	change(&w.said)
	w.mu.Unlock()
}

func (w *worker) beat() {
	w.mu.Lock()
	data, err := json.Marshal(w.said)
	w.mu.Unlock()
	if err == nil {
		_ = w.hub.conn.Publish(beatSubject, data)
	}
}

func (w *worker) beats(ctx context.Context) {
	for ctx.Err() == nil {
		w.beat()
		wait(ctx, beatEvery)
	}
}

// answer works a job out. A failure is the job's, not the worker's.
func (w *worker) answer(ctx context.Context, j job) (r result) {
	r = result{Protocol: protocol, Search: j.Search, ID: j.ID, Epoch: j.Epoch, Kind: j.Kind, Worker: w.o.Name, Key: j.Key}
	err := w.bench.sit(ctx, w.hub, j, w.o.Name)
	if err == nil {
		switch j.Kind {
		case solving:
			err = w.bench.solve(ctx, j, &r)
		case proving:
			r.Proof, err = w.bench.prove(ctx, j, &r)
		case batching:
			r.Batch, err = w.bench.batch(ctx, j, &r)
		case auditing, tabling, stripping:
			r.Slice, err = w.bench.slice(ctx, w.hub, j, &r)
			r.Missing = errors.Is(err, errMissing)
		default:
			err = fmt.Errorf("a job of kind %q is not known", j.Kind)
		}
	}
	if w.o.lie {
		r.Outcome = -r.Outcome
	}
	if err != nil {
		r.Failure = err.Error()
	}
	return r
}
