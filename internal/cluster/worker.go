package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tengen/internal/text"
)

// WorkerOptions are the options of a worker.
type WorkerOptions struct {
	Access
	Memory  int64 // of its tables
	Threads int
	Log     *slog.Logger

	forge      func(*result) // falsifies results, for tests
	forgeFacts func([]byte)  // falsifies facts, for tests
}

// heartbeat is the message that a worker sends every second.
type heartbeat struct {
	Protocol int     `json:"protocol"`
	Worker   string  `json:"worker"`
	Search   string  `json:"search,omitempty"` // whose job it has; "" if it is idle
	Job      string  `json:"job,omitempty"`
	Nodes    uint64  `json:"nodes"`   // of all its searches
	Seconds  float64 `json:"seconds"` // that they took
	Jobs     uint64  `json:"jobs"`    // done
	Memory   int64   `json:"memory"`
	Threads  int     `json:"threads"`
	Leaving  bool    `json:"leaving,omitempty"`
}

// worker does jobs until it is stopped.
type worker struct {
	o        WorkerOptions
	hub      *hub
	executor *executor
	log      *slog.Logger
	masters  *masters

	mu      sync.Mutex
	state   heartbeat
	current context.CancelCauseFunc // ends the current job
}

var errNotNeeded = errors.New("the job is not needed any more")

// ErrBanned is why a worker that has answered falsely ends.
var ErrBanned = errors.New("this worker is banned")

// grace is how long a worker that is stopped may take to send its result, and how long it
// then waits for a NATS server that does not answer.
const grace = time.Second

// Work joins a NATS system and does jobs until the context ends. Its job then goes to another
// worker at once. Work returns soon after the context ends, even if NATS does not answer: it
// abandons goroutines that still wait for the server.
func Work(ctx context.Context, o WorkerOptions) error {
	if err := checkName("name of a worker", o.Name); err != nil {
		return err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	done := make(chan error, 1)
	go func() { done <- work(ctx, o) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace + grace/2):
		return nil
	}
}

func work(ctx context.Context, o WorkerOptions) error {
	h, err := connectPatiently(ctx, o.Access)
	if ctx.Err() != nil {
		if h != nil {
			h.conn.Close()
		}
		return nil // stopped before it has joined
	}
	if err != nil {
		return err
	}
	defer h.close()
	h.noteServer(o.Log)
	w := &worker{o: o, hub: h, executor: newExecutor(o.Memory, o.Threads), log: o.Log, masters: newMasters(o.Log)}
	defer w.executor.close()
	w.executor.log, w.executor.forge = o.Log, o.forgeFacts
	w.state = heartbeat{Protocol: protocol, Worker: o.Name, Memory: o.Memory, Threads: o.Threads}
	banned := make(chan string, 1)
	subscriptions := map[string]nats.MsgHandler{
		cancelSubject + "*": w.cancelJob,
		masterSubject + "*": w.masters.take,
		banSubject + o.Name: func(m *nats.Msg) {
			select {
			case banned <- string(m.Data):
			default:
			}
		},
	}
	for subject, handle := range subscriptions {
		s, err := h.conn.Subscribe(subject, handle)
		if err != nil {
			return fmt.Errorf("the worker cannot listen to the cluster: %w", err)
		}
		defer func() { _ = s.Unsubscribe() }()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var side sync.WaitGroup
	side.Go(func() { w.sendHeartbeats(ctx) })
	defer side.Wait()
	defer stop()
	done := make(chan error, 1)
	go func() { done <- w.loop(ctx) }()
	w.log.Info("joined", "worker", o.Name, "nats", redact(o.URL), "threads", o.Threads)
	select {
	case why := <-banned:
		w.log.Error("banned", "worker", o.Name, "why", why)
		stop()
		<-done
		return fmt.Errorf("%w: %s. Check the memory of the machine", ErrBanned, text.OneLine(text.Printable(why), mostText))
	case err := <-done:
		w.log.Info("drained", "worker", o.Name, "why", context.Cause(ctx))
		return err
	}
}

// connectPatiently waits for a server that is not there yet: workers may start before it.
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

// loop does one job after the other.
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
	w.update(func(b *heartbeat) { b.Leaving, b.Search, b.Job = true, "", "" })
	w.sendHeartbeat()
	return nil
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// workers is the consumer that all workers share. A worker that takes a job leases it, and
// loses it if it does not renew the lease in time.
func (h *hub) workers(ctx context.Context) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return h.stream.CreateOrUpdateConsumer(ctx, jobStream, jetstream.ConsumerConfig{
		Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxDeliver: mostDelivered, MaxAckPending: 1 << 20, MaxWaiting: 1 << 16,
	})
}

// next does a job, if there is one within two seconds.
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

// do does one job and renews its lease meanwhile. It acknowledges the job when the server
// has its result.
func (w *worker) do(ctx context.Context, message jetstream.Msg) {
	j, err := decodeJob(message.Data())
	if err != nil { // nobody will ever understand it
		w.hub.poison(w.log, "job", err, message.Data())
		_ = message.Term()
		return
	}
	jobCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.mu.Lock()
	w.current = cancel
	w.state.Search, w.state.Job = j.Search, j.ID
	w.mu.Unlock()
	w.masters.add(j.Search)
	w.sendHeartbeat()
	var side sync.WaitGroup
	side.Go(func() { w.hold(jobCtx, message) })
	began := time.Now()
	r := w.answer(jobCtx, j, deliveries(message))
	if r.Seconds == 0 {
		r.Seconds = time.Since(began).Seconds()
	}
	r.Facts = w.executor.published.Swap(0)
	if w.o.forge != nil {
		w.o.forge(&r)
	}
	cause := context.Cause(jobCtx)
	cancel(nil)
	side.Wait()
	w.update(func(b *heartbeat) {
		b.Search, b.Job = "", ""
		b.Nodes += r.Nodes
		b.Seconds += r.Seconds
		b.Jobs++
	})
	if ctx.Err() != nil && !r.answers() {
		_ = message.Nak() // another takes it at once
		w.log.Info("job handed back", "job", j.String(), "why", context.Cause(ctx))
		return
	}
	if cause != nil && r.Failure != "" {
		r.Failure = "" // cancelled, not failed
	}
	// A worker that is stopped meanwhile still sends its result, but not for long: another
	// worker can do the job again.
	insisting, end := context.WithTimeout(ctx, time.Minute)
	defer end()
	late, left := shortlyAfter(insisting, grace/2)
	defer left()
	if err := w.hub.publish(late, resultSubject+j.Search, r); err != nil {
		w.log.Warn("a result could not be sent", "job", j.String(), "error", err)
		return
	}
	_ = message.Ack()
}

// hold renews the lease of a job.
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

// cancelJob ends the current job if the message cancels it.
func (w *worker) cancelJob(m *nats.Msg) {
	search := strings.TrimPrefix(m.Subject, cancelSubject)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state.Search == search && (w.state.Job == string(m.Data) || string(m.Data) == "*") && w.current != nil {
		w.current(errNotNeeded)
	}
}

func (w *worker) update(change func(*heartbeat)) {
	w.mu.Lock()
	change(&w.state)
	w.mu.Unlock()
}

func (w *worker) sendHeartbeat() {
	w.mu.Lock()
	data, err := json.Marshal(w.state)
	w.mu.Unlock()
	if err == nil {
		_ = w.hub.conn.Publish(heartbeatSubject, data)
	}
}

func (w *worker) sendHeartbeats(ctx context.Context) {
	for ctx.Err() == nil {
		w.sendHeartbeat()
		w.masters.checkSilence(w.hub.conn.IsConnected())
		wait(ctx, heartbeatEvery)
	}
}

// mostTaken is how many workers may take a job and die before it is refused as harmful.
const mostTaken = 8

// deliveries is how often the server has delivered a message.
func deliveries(m jetstream.Msg) uint64 {
	about, err := m.Metadata()
	if err != nil {
		return 1
	}
	return about.NumDelivered
}

// answer does a job. If that fails or panics, the result says why.
func (w *worker) answer(ctx context.Context, j job, taken uint64) (r result) {
	r = result{Protocol: protocol, Search: j.Search, ID: j.ID, Epoch: j.Epoch, Kind: j.Kind, Worker: w.o.Name, Key: j.Key}
	if taken > mostTaken {
		r.Spoilt, r.Failure = true, fmt.Sprintf("%d workers have taken it and never answered", taken-1)
		return r
	}
	defer func() {
		if why := recover(); why != nil {
			w.log.Error("a job cannot be done", "job", j.ID, "panic", why, "stack", string(debug.Stack()))
			r.Failure = fmt.Sprintf("the program has failed: %v", why)
		}
	}()
	err := w.executor.prepare(ctx, w.hub, j, w.o.Name)
	if err == nil {
		switch j.Kind {
		case solving:
			err = w.executor.solve(ctx, j, &r)
		case proving:
			r.Proof, err = w.executor.prove(ctx, j, &r)
		case batching:
			r.Batch, err = w.executor.batch(ctx, j, &r)
		case auditing, tabling, stripping:
			r.Slice, err = w.executor.slice(ctx, w.hub, j, &r)
			r.Missing = errors.Is(err, errMissing)
		}
	}
	if err != nil {
		r.Failure = err.Error()
	}
	return r
}
