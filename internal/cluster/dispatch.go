package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// task is work that is shared out in jobs.
type task interface {
	// next is a job for a worker that is idle, if there is one now.
	next() (job, bool)
	// take takes a result in, for good: afterwards it may be forgotten elsewhere. It
	// returns the jobs that are not needed any more. Results may come twice, and of jobs
	// that an earlier run gave out.
	take(r result) (idle []string, err error)
	// done reports whether nothing is left to do.
	done() bool
	// ahead is how many jobs may wait for each worker that has one.
	ahead() int
	// report says how far the task is.
	report(*Status)
}

// sent is a job that is with a worker or waits for one.
type sent struct {
	job  job
	seen time.Time // when it was sent, or when its worker last spoke of it
	lost bool      // its answer was not taken
}

// dispatcher gives the jobs of a task out and takes their results in. One goroutine does
// all of that; others only bring what NATS delivers.
type dispatcher struct {
	hub      *hub
	post     post
	search   string
	log      *slog.Logger
	progress func(Status)

	began   time.Time
	sent    map[string]*sent
	workers map[string]*colleague
	banned  map[string]bool
	beats   chan beat
	results chan delivered
	nodes   uint64  // of searches, not of proofs
	error   float64 // bound, as in an answer
	jobs    uint64
	facts   uint64
	before  time.Duration // of earlier runs
}

// colleague is a worker as the master sees it.
type colleague struct {
	beat
	seen time.Time
}

type delivered struct {
	result
	kept func() error // says that it need not be delivered again
}

// post carries what a dispatcher says to workers: NATS, or the clock of a simulation.
type post interface {
	// send sends a job that must arrive.
	send(ctx context.Context, j job) error
	// cancel calls a job back, or all of a search by "*". It may be lost.
	cancel(search, id string)
}

const (
	// gone is how long a worker is silent before it counts no more.
	gone = 5 * time.Second
	// lostAfter is how long a job is not heard of before it is looked for.
	lostAfter = 2 * lease
	tick      = 250 * time.Millisecond
)

func newDispatcher(h *hub, search string, log *slog.Logger, progress func(Status)) *dispatcher {
	return &dispatcher{
		hub: h, post: h, search: search, log: log, progress: progress, began: time.Now(),
		sent: map[string]*sent{}, workers: map[string]*colleague{}, banned: map[string]bool{},
		beats: make(chan beat, 1024), results: make(chan delivered, 64),
	}
}

// listen brings in what workers say until the context ends.
func (d *dispatcher) listen(ctx context.Context) (stop func(), err error) {
	heard, err := d.hub.conn.Subscribe(beatSubject, func(m *nats.Msg) {
		var b beat
		if json.Unmarshal(m.Data, &b) != nil || b.Protocol != protocol {
			return
		}
		select {
		case d.beats <- b:
		default: // the next one comes in a second
		}
	})
	if err != nil {
		return nil, fmt.Errorf("the master cannot listen to workers: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			if err := d.collect(ctx); err != nil && ctx.Err() == nil {
				d.log.Debug("results cannot be fetched", "error", err)
				d.hub.repair(ctx)
				wait(ctx, 200*time.Millisecond)
			}
		}
	}()
	return func() {
		_ = heard.Unsubscribe()
		<-ended
	}, nil
}

// collect hands results over as they come.
func (d *dispatcher) collect(ctx context.Context) error {
	make, cancel := context.WithTimeout(ctx, 5*time.Second)
	consumer, err := d.hub.stream.CreateOrUpdateConsumer(make, resultStream, jetstream.ConsumerConfig{
		Durable: "master-" + d.search, FilterSubject: resultSubject + d.search,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: 30 * time.Second, InactiveThreshold: 24 * time.Hour,
	})
	cancel()
	if err != nil {
		return err
	}
	messages, err := consumer.Messages(jetstream.PullHeartbeat(2*time.Second), jetstream.PullExpiry(5*time.Second))
	if err != nil {
		return err
	}
	defer messages.Stop()
	release := context.AfterFunc(ctx, messages.Stop)
	defer release()
	for {
		m, err := messages.Next()
		if err != nil {
			return err
		}
		var r result
		if err := json.Unmarshal(m.Data(), &r); err != nil || r.Protocol != protocol {
			_ = m.Term() // nobody will ever understand it
			continue
		}
		select {
		case d.results <- delivered{r, m.Ack}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// run does a task. When the context ends, what has been taken in is kept, and jobs that are
// out are called back.
func (d *dispatcher) run(ctx context.Context, t task) error {
	clock := time.NewTicker(tick)
	defer clock.Stop()
	defer func() {
		clear(d.sent)
		d.post.cancel(d.search, "*")
		d.purge(context.WithoutCancel(ctx))
	}()
	d.tell(t, false)
	for !t.done() {
		if err := d.fill(ctx, t); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case b := <-d.beats:
			d.hear(b)
		case r := <-d.results:
			if err := d.take(t, r); err != nil {
				return err
			}
		case <-clock.C:
			d.forget()
			if err := d.find(ctx); err != nil {
				return err
			}
			d.tell(t, false)
		}
	}
	d.tell(t, true)
	return nil
}

// fill gives jobs to those that are idle.
func (d *dispatcher) fill(ctx context.Context, t task) error {
	for len(d.sent) < len(d.workers)*(1+t.ahead()) {
		j, ok := t.next()
		if !ok {
			return nil
		}
		j.Protocol, j.Search = protocol, d.search
		if err := d.send(ctx, j); err != nil {
			return err
		}
	}
	return nil
}

func (d *dispatcher) send(ctx context.Context, j job) error {
	d.sent[j.ID] = &sent{job: j, seen: time.Now()}
	if err := d.post.send(ctx, j); err != nil {
		return fmt.Errorf("a job cannot be sent: %w", err)
	}
	return nil
}

func (h *hub) send(ctx context.Context, j job) error {
	return h.publish(ctx, jobSubject+j.Search+"."+j.ID, j)
}

func (h *hub) cancel(search, id string) { _ = h.conn.Publish(cancelSubject+search, []byte(id)) }

func (d *dispatcher) hear(b beat) {
	if d.banned[b.Worker] {
		if !b.Leaving { // it has been started again
			d.dismiss(b.Worker, "it did so before")
		}
		return
	}
	if b.Leaving {
		delete(d.workers, b.Worker)
		return
	}
	d.workers[b.Worker] = &colleague{b, time.Now()}
	if s := d.sent[b.Job]; s != nil && b.Search == d.search {
		s.seen = time.Now()
	}
}

// take takes a result in; it is acknowledged only when the task has kept it.
func (d *dispatcher) take(t task, r delivered) error {
	switch {
	case r.Search != d.search:
	case d.banned[r.Worker]:
		if s := d.sent[r.ID]; s != nil {
			s.lost = true
		}
	default:
		if r.Kind != proving {
			d.nodes += r.Nodes
			d.error += max(r.Error, 0)
		}
		d.jobs++
		d.facts += r.Facts
		idle, err := t.take(r.result)
		if err != nil {
			return err
		}
		delete(d.sent, r.ID)
		for _, id := range idle {
			delete(d.sent, id)
			d.post.cancel(d.search, id)
		}
	}
	_ = r.kept()
	return nil
}

// forget drops workers that are silent. Their jobs come back to the queue by themselves.
func (d *dispatcher) forget() {
	for name, w := range d.workers {
		if time.Since(w.seen) > gone {
			delete(d.workers, name)
			d.log.Info("worker lost", "worker", name)
		}
	}
}

// find looks for jobs that nobody has spoken of for long: one that is not in the queue,
// because the server has lost it, is sent again. Twice done is no harm.
func (d *dispatcher) find(ctx context.Context) error {
	for id, s := range d.sent {
		if !s.lost && (time.Since(s.seen) < lostAfter || !d.missing(ctx, s)) {
			continue
		}
		d.log.Info("job lost", "job", id)
		if err := d.send(ctx, s.job); err != nil {
			return err
		}
	}
	return nil
}

// missing reports whether a job is certainly not in the queue.
func (d *dispatcher) missing(ctx context.Context, s *sent) bool {
	s.seen = time.Now()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	stream, err := d.hub.stream.Stream(ctx, jobStream)
	if err == nil {
		_, err = stream.GetLastMsgForSubject(ctx, jobSubject+d.search+"."+s.job.ID)
	}
	return errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, jetstream.ErrStreamNotFound)
}

// purge takes what is left of a search's jobs out of the queue.
func (d *dispatcher) purge(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	stream, err := d.hub.stream.Stream(ctx, jobStream)
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(jobSubject+d.search+".>"))
	}
	if err != nil {
		d.log.Debug("jobs are left in the queue", "error", err)
	}
}

// ban keeps a worker from going on.
func (d *dispatcher) ban(name, why string) {
	d.banned[name] = true
	delete(d.workers, name)
	d.dismiss(name, why)
	d.log.Warn("worker banned", "worker", name, "why", why)
}

// dismiss tells a worker to leave.
func (d *dispatcher) dismiss(name, why string) {
	_ = d.hub.conn.Publish(banSubject+name, []byte(why))
}

// tell says how far the task is: to whoever started it, and to anybody who asks NATS.
func (d *dispatcher) tell(t task, done bool) {
	s := Status{
		Search: d.search, Done: done, At: time.Now(), Seconds: (d.before + time.Since(d.began)).Seconds(),
		Nodes: d.nodes, Jobs: d.jobs, Out: len(d.sent), Facts: d.facts,
	}
	for _, w := range d.workers {
		status := WorkerStatus{Name: w.Worker, Job: w.Job, Jobs: w.Jobs, Nodes: w.Nodes, Memory: w.Memory, Threads: w.Threads, Silent: time.Since(w.seen).Seconds(), Elsewhere: w.Search != "" && w.Search != d.search}
		if s := d.sent[w.Job]; s != nil && !status.Elsewhere {
			status.About = s.job.String()
		}
		if w.Seconds > 0 {
			status.Rate = float64(w.Nodes) / w.Seconds
			s.Rate += status.Rate
		}
		s.Workers = append(s.Workers, status)
	}
	s.Banned = slices.Sorted(maps.Keys(d.banned))
	slices.SortFunc(s.Workers, func(a, b WorkerStatus) int { return cmp.Compare(a.Name, b.Name) })
	t.report(&s)
	if d.progress != nil {
		d.progress(s)
	}
	if data, err := json.Marshal(s); err == nil && d.hub.conn.IsConnected() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		_, _ = d.hub.status.Put(ctx, statusKey+d.search, data)
		cancel()
	}
}
