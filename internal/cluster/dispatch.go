package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// task is work that is split into jobs.
type task interface {
	// next is a job for an idle worker, if there is one now.
	next() (job, bool)
	// news reports whether a result of a job that is not out is useful all the same.
	// Results come twice, late, from jobs of an earlier run, or are made up.
	news(r result) bool
	// take keeps a result in the store; it may be forgotten elsewhere afterwards. It returns
	// the jobs that are not needed any more. It refuses a result that does not answer its
	// job with errNonsense.
	take(r result) (idle []string, err error)
	// done reports whether nothing is left to do.
	done() bool
	// ahead is how many jobs may wait for each worker that has one.
	ahead() int
	// report enters how far the task is.
	report(*Status)
}

// sent is a job that is with a worker or waits for one.
type sent struct {
	job  job
	seen time.Time // when it was sent, or when the heartbeat of its worker last named it
	lost bool      // its result was refused, so it must be sent again

	since time.Time // when it was last sent
	held  int       // how often it was sent again although heartbeats named it

	failures int
	failed   map[string]bool // workers that have failed
	refuted  map[string]bool // workers that say it rests on a false answer
	spoilt   map[string]bool // workers that refuse it: too many others took it and never answered
}

// errNonsense is a result that does not answer its job.
var errNonsense = errors.New("it makes no sense")

func nonsense(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errNonsense, fmt.Sprintf(format, args...))
}

// dispatcher sends the jobs of a task and takes their results. One goroutine does all of
// that. The others only pass on what NATS delivers.
type dispatcher struct {
	hub       *hub
	transport transport
	search    string
	log       *slog.Logger
	progress  func(Status)

	began      time.Time
	sent       map[string]*sent
	workers    map[string]*member // that have done a job of this run
	newcomers  newcomers          // others that send heartbeats
	banned     map[string]bool
	heartbeats chan heartbeat
	results    chan delivered
	left       []delivered   // of them, those that a call of take has left
	patience   time.Duration // of take
	nodes      uint64        // of searches, not of proofs
	errorBound float64       // as in an answer
	jobs       uint64
	facts      uint64
	before     time.Duration // of earlier runs

	// together has all that a task keeps meanwhile written at once.
	together func(do func()) error

	examiner *examiner
	judge    func(lie) error // what follows from a lie
	// refutation says what follows if workers refute the claim of a job.
	refutation func(j job, workers []string, why string) error
}

type delivered struct {
	result
	kept func() error // acknowledges it: it is not delivered again
	data []byte       // as it came
}

// transport carries messages to workers: NATS, or the events of a simulation.
type transport interface {
	// send sends a job that must arrive.
	send(ctx context.Context, j job) error
	// cancel cancels a job, or all of a search by "*". The message may be lost.
	cancel(search, id string)
	// dismiss ends a banned worker, and says why. The message may be lost.
	dismiss(name, why string)
}

const (
	// gone is how long a worker or a master is silent before it counts as gone.
	gone = 5 * time.Second
	// lostAfter is how long no heartbeat names a job before the master looks for it.
	lostAfter = 2 * lease
	// overdue is how long heartbeats may name a job before an idle worker gets the same job.
	// This time doubles for each time that the job is sent again for it.
	overdue  = 30 * time.Second
	mostHeld = 16
	tick     = 250 * time.Millisecond
	// mostFailures is how many jobs in a row a worker may fail before it is banned, and how
	// often a job may fail before it is given up.
	mostFailures = 3
	// mostDelivered is how often the server delivers a message at most.
	mostDelivered = 12
	// mostAtOnce is how many results are written to the store at once.
	mostAtOnce = 64
)

func newDispatcher(h *hub, search string, log *slog.Logger, progress func(Status)) *dispatcher {
	return &dispatcher{
		hub: h, transport: h, search: search, log: log, progress: progress, began: time.Now(),
		sent: map[string]*sent{}, workers: map[string]*member{}, newcomers: newcomers{}, banned: map[string]bool{},
		heartbeats: make(chan heartbeat, 1024), results: make(chan delivered, mostAtOnce),
		examiner:   newExaminer(checkOne),
		refutation: func(_ job, _ []string, why string) error { return &doubt{why: why} },
		together:   func(do func()) error { do(); return nil },
		patience:   tick,
	}
}

// listen passes on heartbeats, facts and results until the context ends.
func (d *dispatcher) listen(ctx context.Context) (stop func(), err error) {
	beats, err := d.hub.conn.Subscribe(heartbeatSubject, d.hub.guarded(d.log, "beat", func(m *nats.Msg) {
		b, err := decodeHeartbeat(m.Data)
		if err != nil {
			d.hub.poison(d.log, "beat", err, m.Data)
			return
		}
		select {
		case d.heartbeats <- b:
		default: // the next one comes in a second
		}
	}))
	if err != nil {
		return nil, fmt.Errorf("the master cannot listen to workers: %w", err)
	}
	// NATS drops facts that come faster than they are compared: the rest is a sample.
	facts, err := d.hub.conn.Subscribe(factSubject+d.search+".*", d.hub.guarded(d.log, "fact", func(m *nats.Msg) {
		if worker := m.Header.Get(workerHeader); checkName("worker", worker) == nil {
			d.examiner.compare(worker, m.Header.Get(tableHeader), m.Data)
		}
	}))
	if err != nil {
		_ = beats.Unsubscribe()
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
		_ = beats.Unsubscribe()
		_ = facts.Unsubscribe()
		<-ended
	}, nil
}

// collect passes on results as they come.
func (d *dispatcher) collect(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, 5*time.Second)
	consumer, err := d.hub.stream.CreateOrUpdateConsumer(limited, resultStream, jetstream.ConsumerConfig{
		Durable: "master-" + d.search, FilterSubject: resultSubject + d.search, MaxDeliver: mostDelivered,
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
		r, err := decodeResult(m.Data())
		if err != nil {
			d.hub.poison(d.log, "result", err, m.Data())
			_ = m.Term() // nobody will ever understand it
			continue
		}
		select {
		case d.results <- delivered{r, m.Ack, m.Data()}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// run does a task. When the context ends, all results so far are in the store, and jobs that
// are out are cancelled.
func (d *dispatcher) run(ctx context.Context, t task) error {
	clock := time.NewTicker(tick)
	defer clock.Stop()
	defer func() {
		clear(d.sent)
		d.transport.cancel(d.search, "*")
		d.purge(context.WithoutCancel(ctx))
	}()
	d.publishStatus(t, false)
	for !t.done() || d.examiner.busy() {
		if !t.done() {
			if err := d.fill(ctx, t); err != nil {
				return err
			}
		}
		var left <-chan struct{}
		if len(d.left) > 0 {
			left = always
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case b := <-d.heartbeats:
			d.takeHeartbeat(b)
		case r := <-d.results:
			if err := d.take(t, d.arrived(r)...); err != nil {
				return err
			}
		case <-left:
			if err := d.take(t, d.arrived()...); err != nil {
				return err
			}
		case <-d.examiner.wake:
			if l, ok := d.examiner.found(); ok && d.judge != nil {
				return d.judge(l)
			}
		case <-clock.C:
			if err := d.hub.broken(); err != nil {
				return err
			}
			d.takeHeartbeats()
			d.forget()
			if err := d.find(ctx); err != nil {
				return err
			}
			d.publishStatus(t, false)
		}
	}
	d.publishStatus(t, true)
	return nil
}

// fill sends jobs until every worker has one.
func (d *dispatcher) fill(ctx context.Context, t task) error {
	for len(d.sent) < len(d.workers)*(1+t.ahead())+d.onTrial() {
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
	d.sent[j.ID] = &sent{job: j}
	return d.resend(ctx, d.sent[j.ID])
}

// resend sends a job once more. It keeps who has failed at it.
func (d *dispatcher) resend(ctx context.Context, s *sent) error {
	s.lost, s.seen, s.since = false, time.Now(), time.Now()
	if err := d.transport.send(ctx, s.job); err != nil {
		return fmt.Errorf("a job cannot be sent: %w", err)
	}
	return nil
}

// send waits for the server to have the job. Sending several at once and waiting for all of
// them takes longer: the server flushes each on its own.
func (h *hub) send(ctx context.Context, j job) error {
	return h.publish(ctx, jobSubject+j.Search+"."+j.ID, j)
}

func (h *hub) cancel(search, id string) { _ = h.conn.Publish(cancelSubject+search, []byte(id)) }

func (h *hub) dismiss(name, why string) { _ = h.conn.Publish(banSubject+name, []byte(why)) }

// takeHeartbeats takes those that have come.
func (d *dispatcher) takeHeartbeats() {
	for range cap(d.heartbeats) {
		select {
		case b := <-d.heartbeats:
			d.takeHeartbeat(b)
		default:
			return
		}
	}
}

// takeHeartbeat notes that a worker is there, and that its job is under way.
func (d *dispatcher) takeHeartbeat(b heartbeat) {
	if d.banned[b.Worker] {
		if !b.Leaving { // it has been started again
			d.transport.dismiss(b.Worker, "this master has banned its name before")
		}
		return
	}
	if b.Leaving {
		d.remove(b.Worker)
		return
	}
	if w := d.workers[b.Worker]; w != nil {
		w.beat(b)
	} else {
		d.newcomers.enter(b)
	}
	if s := d.sent[b.Job]; s != nil && b.Search == d.search {
		s.seen = time.Now()
	}
}

// always is ready.
var always = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// arrived are the results that were left, those given, and those that have come meanwhile.
func (d *dispatcher) arrived(list ...delivered) []delivered {
	list = append(d.left, list...)
	d.left = nil
	for len(list) < mostAtOnce {
		select {
		case r := <-d.results:
			list = append(list, r)
		default:
			return list
		}
	}
	return list
}

// take takes results. They are acknowledged when the task has kept them or will never need
// them. The rest is left after an error, when the task is done, and when it takes long:
// heartbeats must not wait.
func (d *dispatcher) take(t task, list ...delivered) (failure error) {
	var kept []delivered
	began := time.Now()
	err := d.together(func() {
		for i, r := range list {
			if failure != nil || i > 0 && (t.done() || time.Since(began) > d.patience) {
				d.left = append(d.left, list[i:]...)
				break
			}
			if failure = d.takeOne(t, r); failure == nil || errors.As(failure, new(*doubt)) || errors.Is(failure, errFailed) {
				kept = append(kept, r)
			}
		}
	})
	if err != nil {
		return err
	}
	for _, r := range kept {
		_ = r.kept()
	}
	return failure
}

func (d *dispatcher) takeOne(t task, r delivered) error {
	err := d.taken(t, r)
	if errors.Is(err, errNonsense) {
		if d.hub != nil {
			d.hub.poison(d.log, "result", err, r.data)
		}
		r.Failure = err.Error()
		err = d.fail(r.result)
	}
	return err
}

func (d *dispatcher) taken(t task, r delivered) error {
	switch {
	case r.Search != d.search:
		return nil
	case d.banned[r.Worker]:
		if s := d.sent[r.ID]; s != nil {
			s.lost = true
		}
		return nil
	case d.sent[r.ID] == nil && !t.news(r.result):
		return nil
	case r.Failure != "" && !r.Missing:
		return d.fail(r.result)
	}
	if s := d.sent[r.ID]; s != nil && s.job.Budget > 0 {
		r.Nodes = min(r.Nodes, s.job.Budget+overspent)
	}
	// The task stores the account with the result, so the account must count it already.
	nodes, bound, jobs, facts := d.nodes, d.errorBound, d.jobs, d.facts
	if r.Kind != proving {
		d.nodes += r.Nodes
		d.errorBound += r.Error
	}
	d.jobs++
	d.facts += r.Facts
	idle, err := d.handle(t, r.result)
	if err != nil {
		d.nodes, d.errorBound, d.jobs, d.facts = nodes, bound, jobs, facts
		return err
	}
	if m := d.member(r.Worker); m != nil && r.answers() {
		m.failures = 0
	}
	if d.sent[r.ID] != nil && r.answers() {
		d.accept(r.Worker)
	}
	delete(d.sent, r.ID)
	for _, id := range idle {
		delete(d.sent, id)
		d.transport.cancel(d.search, id)
	}
	return nil
}

// handle has the task take a result. A result that makes it panic is nonsense.
func (d *dispatcher) handle(t task, r result) (idle []string, err error) {
	defer func() {
		if why := recover(); why != nil {
			d.log.Error("a result cannot be taken", "job", r.ID, "worker", r.Worker, "panic", why, "stack", string(debug.Stack()))
			idle, err = nil, nonsense("%v", why)
		}
	}()
	return t.take(r)
}

// errFailed is a job that no worker can do.
var errFailed = errors.New("no worker can do a job")

// fail has a job done by another worker. A worker or newcomer that fails again and again is
// banned for as long as this master runs. The search ends when all of them have failed.
func (d *dispatcher) fail(r result) error {
	d.log.Warn("a job has failed", "worker", r.Worker, "job", r.ID, "why", r.Failure)
	s := d.sent[r.ID]
	if s != nil {
		s.lost = true
	}
	from := d.member(r.Worker)
	if from == nil { // it sends no heartbeats, so it is no worker of this search
		return nil
	}
	if s != nil {
		s.failures++
		if s.failed == nil {
			s.failed, s.refuted, s.spoilt = map[string]bool{}, map[string]bool{}, map[string]bool{}
		}
		s.failed[r.Worker] = true
		if r.Spoilt && d.workers[r.Worker] != nil { // anybody can be a newcomer, under any number of names
			s.spoilt[r.Worker] = true
		}
		if r.Refuted {
			s.refuted[r.Worker] = true
		}
		workers, everyone := d.allFailed(s)
		switch {
		case r.Refuted && (len(s.refuted) > 1 || s.failures >= mostFailures && workers):
			return d.refutation(s.job, slices.Sorted(maps.Keys(s.refuted)), fmt.Sprintf("%s: %s", r.Worker, r.Failure))
		case s.failures >= mostFailures && everyone, len(s.spoilt) >= mostFailures:
			return fmt.Errorf("%w (%s): worker %s says: %s. What is decided is kept: start workers that can, and give the same command again", errFailed, s.job, r.Worker, r.Failure)
		}
	}
	if r.Spoilt || r.Refuted { // no fault of this worker
		return nil
	}
	if from.failures++; from.failures >= mostFailures {
		d.ban(r.Worker, fmt.Sprintf("it has failed %d times in a row, the last time because: %s", mostFailures, r.Failure))
		if len(d.workers)+len(d.newcomers) == 0 {
			return fmt.Errorf("%w, and all workers are banned for failures: worker %s says: %s. What is decided is kept: start workers that can, and give the same command again", errFailed, r.Worker, r.Failure)
		}
	}
	return nil
}

// allFailed reports whether all workers have failed at a job, and whether all newcomers have
// as well. A newcomer that only sends heartbeats must not put off a doubt for ever, so
// doubts ask workers only.
func (d *dispatcher) allFailed(s *sent) (workers, everyone bool) {
	failed := func(list map[string]*member) bool {
		for name, m := range list {
			if !s.failed[name] && (m.Search == "" || m.Search == d.search) {
				return false
			}
		}
		return true
	}
	workers = failed(d.workers)
	return workers, workers && failed(d.newcomers)
}

// forget drops workers and newcomers that are silent. NATS gives their jobs to others.
func (d *dispatcher) forget() {
	for name, m := range d.everyone() {
		if !m.silent() {
			continue
		}
		if d.workers[name] != nil {
			d.log.Info("worker lost", "worker", name)
		}
		d.remove(name)
	}
}

// find sends jobs again that no heartbeat has named for long: those that the server has
// lost from the queue, and those in the queue that do not reach an idle worker. A worker
// whose heartbeats name a job for ever does not keep it from idle workers. A job that is
// done twice does no harm.
func (d *dispatcher) find(ctx context.Context) error {
	for _, s := range d.sent {
		switch {
		case s.lost:
		case time.Since(s.since) >= overdue<<min(s.held, mostHeld) && d.anyIdle():
			s.held++
		case time.Since(s.seen) < lostAfter || !d.missing(ctx, s) && !d.anyIdle():
			continue
		}
		d.log.Info("job sent again", "job", s.job.String())
		if err := d.resend(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// anyIdle reports whether a worker or newcomer has no job. It would have got any job that
// is free in the queue. So the jobs there are leased to others: to a worker that renews its
// lease and sends no heartbeats, or to one that died, where the servers of a NATS cluster
// have clocks hours apart and end its lease late.
func (d *dispatcher) anyIdle() bool {
	for _, m := range d.everyone() {
		if m.Job == "" && time.Since(m.seen) < 2*heartbeatEvery {
			return true
		}
	}
	return false
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

// purge removes the jobs of this search from the queue.
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

// ban dismisses a worker or newcomer and refuses its results from now on.
func (d *dispatcher) ban(name, why string) {
	d.banned[name] = true
	d.remove(name)
	d.transport.dismiss(name, why)
	d.log.Warn("worker banned", "worker", name, "why", why)
}

// publishStatus reports how far the task is, to the caller of this master and on NATS.
func (d *dispatcher) publishStatus(t task, done bool) {
	s := Status{
		Search: d.search, Done: done, At: time.Now(), Seconds: (d.before + time.Since(d.began)).Seconds(),
		Nodes: d.nodes, Jobs: d.jobs, Out: len(d.sent), Facts: d.facts,
	}
	for _, w := range d.workers {
		s.Workers = append(s.Workers, d.statusOf(w))
	}
	for _, w := range d.beginners() {
		s.Workers = append(s.Workers, d.statusOf(w))
	}
	s.New = len(d.workers) + len(d.newcomers) - len(s.Workers)
	for _, w := range s.Workers {
		s.Rate += w.Rate
	}
	s.Banned = slices.Sorted(maps.Keys(d.banned))
	slices.SortFunc(s.Workers, func(a, b WorkerStatus) int { return cmp.Compare(a.Name, b.Name) })
	t.report(&s)
	if d.progress != nil {
		d.progress(s)
	}
	here := masterHere
	if s.Done {
		here = masterOver
	}
	_ = d.hub.conn.Publish(masterSubject+d.search, []byte(here))
	if data, err := json.Marshal(s); err == nil && d.hub.conn.IsConnected() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		_, _ = d.hub.status.Put(ctx, statusKey+d.search, data)
		cancel()
	}
}

// statusOf is the status of a worker or newcomer.
func (d *dispatcher) statusOf(w *member) WorkerStatus {
	status := WorkerStatus{
		Name: w.Worker, Job: w.Job, Jobs: w.Jobs, Nodes: w.Nodes, Memory: w.Memory, Threads: w.Threads,
		Silent: time.Since(w.seen).Seconds(), Elsewhere: w.Search != "" && w.Search != d.search,
	}
	if s := d.sent[w.Job]; s != nil && !status.Elsewhere {
		status.About = s.job.String()
	}
	if w.Seconds > 0 {
		status.Rate = float64(w.Nodes) / w.Seconds
	}
	return status
}
