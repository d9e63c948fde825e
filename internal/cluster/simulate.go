package cluster

import (
	"container/heap"
	"context"
	"fmt"
	"log/slog"
	"math"

	"tengen/internal/cluster/tree"
)

// Costs are what the steps of a cluster take, in seconds, for a simulation of it.
type Costs struct {
	Rate float64 // nodes a second of a worker

	Send  float64 // until a job of the master's is in the queue; the master waits for that
	Fetch float64 // from there until a worker has begun
	Call  float64 // until a cancelled job stops

	HandIn float64 // until a worker's result is in the queue; the worker waits for that
	Store  float64 // the part of it in which the server takes no other result
	Arrive float64 // from there to the master

	Keep      float64 // the master, to write results down, all that have come at once
	Decide    float64 // the master, to enter a result into the tree and choose the next job
	Each      float64 // the same, more for every job that is out
	Report    float64 // the master, four times a second, to publish its status
	PerWorker float64 // the same, more for every worker

	Spread float64 // until other workers know a fact
	Tables int     // most tables that are simulated; more workers take turns with them
}

// Measured are the costs on a busy virtual machine of two cores, with everything on it: the
// medians of BenchmarkCosts. Most of them are flushes of files, of a millisecond to six.
var Measured = Costs{
	Rate: 150_000,
	Send: 5.6e-3, Fetch: 0.16e-3, Call: 0.05e-3,
	HandIn: 1.4e-3, Store: 2.2e-3, Arrive: 0.16e-3,
	Keep: 5.2e-3, Decide: 60e-6, Each: 0.35e-6, Report: 0.8e-3, PerWorker: 5.4e-6,
	Spread: 0.03, Tables: 16,
}

// Unflushed are the costs where a flush takes no time, as on a disk with a buffer that
// outlives the power.
var Unflushed = func() Costs {
	c := Measured
	c.Send, c.HandIn, c.Store, c.Keep, c.Report = 0.3e-3, 0.3e-3, 0.05e-3, 0.05e-3, 0.3e-3
	return c
}()

// Simulated is what a cluster would have done.
type Simulated struct {
	Workers   int
	Outcome   tree.Outcome // of the root
	Seconds   float64
	Nodes     uint64
	Dropped   uint64  // of them, by jobs that were cancelled
	Jobs      uint64  // that came back
	Positions int     // of the upper tree
	Searching float64 // share of the workers' time
	Master    float64 // share of the time in which the master was busy
	Checking  float64 // share of the time in which it found answers again, beside that
	Facts     uint64  // bytes that workers exchanged
}

// problem is what is simulated: the master's task, and how its jobs are done.
type problem interface {
	task
	// do does the whole of a job that a worker begins at this time.
	do(at float64, worker int, r *running) error
	// ended is called when a job ends, done or cancelled.
	ended(r *running)
	// facts is how many bytes workers have exchanged.
	facts() uint64
	// root is the outcome, and the size of the upper tree.
	root() (outcome tree.Outcome, positions int)
	// checked is how many nodes the master has spent on checks so far.
	checked() (nodes uint64)
}

// running is a job with a worker.
type running struct {
	job        job
	worker     int
	begun, end float64
	result     result
}

// simulation is a cluster in virtual time. Workers, queue and network are events. The
// master is its real code, which serves one event after the other and takes the time that
// Costs gives.
type simulation struct {
	costs   Costs
	problem problem
	master  *dispatcher

	now     float64 // of the event at hand; of the master while it is at work
	until   float64 // the master is busy
	events  events
	count   int // of events, so that those at the same time keep their order
	at      []*running
	idle    []int
	queue   []job
	inbox   []delivered
	written float64 // when the server has written all results that it has

	total Simulated
	spent float64 // by the workers, searching
	busy  float64
}

// newMaster makes a dispatcher whose workers are there from the beginning.
func (s *simulation) newMaster(workers int) *dispatcher {
	d := newDispatcher(nil, "simulation", slog.New(slog.DiscardHandler), nil)
	d.transport, d.patience = s, math.MaxInt64                     // of real time
	d.examiner.inline, d.examiner.sample.secret = true, [16]byte{} // the same call gives the same result
	for i := range workers {
		name := workerName(i)
		d.workers[name] = newMember(heartbeat{Worker: name})
		s.idle = append(s.idle, i)
	}
	s.at = make([]*running, workers)
	return d
}

func workerName(i int) string { return fmt.Sprintf("worker-%04d", i) }

// run plays a problem to its end.
func (s *simulation) run(ctx context.Context) (Simulated, error) {
	err := s.serve(ctx)
	for err == nil && !s.problem.done() {
		if len(s.events) == 0 {
			return Simulated{}, fmt.Errorf("the simulation stands still: %d jobs are out, none is under way", len(s.master.sent))
		}
		e, _ := heap.Pop(&s.events).(event)
		s.now = e.at
		if err = ctx.Err(); err == nil {
			err = e.happen()
		}
	}
	if err != nil {
		return Simulated{}, err
	}
	s.total.Workers = len(s.at)
	s.total.Seconds = s.now
	for _, r := range s.at {
		if r != nil {
			s.stop(r, true)
		}
	}
	s.total.Outcome, s.total.Positions = s.problem.root()
	s.total.Searching = s.spent / s.total.Seconds / float64(len(s.at))
	s.total.Master = s.busy / s.total.Seconds
	s.total.Checking = float64(s.problem.checked()) / s.costs.Rate / s.total.Seconds
	s.total.Facts = s.problem.facts()
	return s.total, nil
}

// event is something that happens at a time.
type event struct {
	at     float64
	number int
	happen func() error
}

type events []event

func (e events) Len() int { return len(e) }

func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].number < e[j].number
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }

func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

func (s *simulation) when(at float64, happen func() error) {
	s.count++
	heap.Push(&s.events, event{at, s.count, happen})
}

func (s *simulation) after(seconds float64, happen func() error) { s.when(s.now+seconds, happen) }

// serve has the master take the results that have come and give jobs to idle workers, as its real loop does.
func (s *simulation) serve(ctx context.Context) error {
	began := s.now
	defer func() {
		s.until = s.now
		s.busy += s.now - began
	}()
	if n := min(len(s.inbox), mostAtOnce); n > 0 {
		list := s.inbox[:n]
		s.inbox = s.inbox[n:]
		s.work(s.costs.Keep + float64(n)*(s.costs.Decide+s.costs.Each*float64(len(s.master.sent))))
		if err := s.master.take(s.problem, list...); err != nil {
			return err
		}
	}
	if s.problem.done() {
		return nil
	}
	if err := s.master.fill(ctx, s.problem); err != nil {
		return err
	}
	if len(s.inbox) > 0 {
		s.after(0, func() error { return s.serve(ctx) })
	}
	return nil
}

// work passes time of the master. A part of it goes into its status.
func (s *simulation) work(seconds float64) {
	reporting := (s.costs.Report + s.costs.PerWorker*float64(len(s.at))) / tick.Seconds()
	s.now += seconds / max(1-reporting, 0.01)
}

func (s *simulation) send(ctx context.Context, j job) error {
	s.work(s.costs.Send)
	s.after(s.costs.Fetch, func() error {
		s.queue = append(s.queue, j)
		return s.begin(ctx)
	})
	return nil
}

func (s *simulation) dismiss(string, string) {}

func (s *simulation) cancel(_, id string) {
	ctx := context.Background() // it takes virtual time only
	s.after(s.costs.Call, func() error {
		for _, r := range s.at {
			if r != nil && r.job.ID == id {
				s.stop(r, false)
				r.result.Outcome, r.result.Opened, r.result.Branches = tree.Unknown, false, nil
				s.handIn(ctx, r)
			}
		}
		return nil
	})
}

// begin has idle workers take jobs from the queue.
func (s *simulation) begin(ctx context.Context) error {
	for len(s.queue) > 0 && len(s.idle) > 0 {
		r := &running{job: s.queue[0], worker: s.idle[0], begun: s.now}
		s.queue, s.idle = s.queue[1:], s.idle[1:]
		s.at[r.worker] = r
		r.result = result{Protocol: protocol, Search: r.job.Search, ID: r.job.ID, Epoch: r.job.Epoch, Kind: r.job.Kind, Worker: workerName(r.worker), Key: r.job.Key}
		if err := s.problem.do(s.now, r.worker, r); err != nil {
			return err
		}
		seconds := float64(r.result.Nodes) / s.costs.Rate
		r.end = s.now + seconds
		s.after(seconds, func() error {
			if s.at[r.worker] == r {
				s.stop(r, true)
				s.handIn(ctx, r)
			}
			return s.begin(ctx)
		})
	}
	return nil
}

// stop ends a job now.
func (s *simulation) stop(r *running, done bool) {
	if s.now < r.end { // cancelled, or not needed at the end
		r.end, done = s.now, false
		r.result.Nodes = min(r.result.Nodes, uint64((r.end-r.begun)*s.costs.Rate))
	}
	r.result.Seconds = r.end - r.begun
	s.spent += r.end - r.begun
	s.total.Nodes += r.result.Nodes
	if !done {
		s.total.Dropped += r.result.Nodes
	}
	s.at[r.worker] = nil
	s.problem.ended(r)
}

// handIn carries a result to the master. The server writes one after the other.
func (s *simulation) handIn(ctx context.Context, r *running) {
	wait := max(s.written-s.now, 0)
	s.written = max(s.written, s.now) + s.costs.Store
	s.after(wait+s.costs.HandIn, func() error {
		s.idle = append(s.idle, r.worker)
		return s.begin(ctx)
	})
	s.after(wait+s.costs.HandIn+s.costs.Arrive, func() error {
		s.total.Jobs++
		s.inbox = append(s.inbox, delivered{result: r.result, kept: func() error { return nil }})
		if s.now >= s.until {
			return s.serve(ctx)
		}
		if len(s.inbox) == 1 { // the master takes it when it has time
			s.when(s.until, func() error { return s.serve(ctx) })
		}
		return nil
	})
}
