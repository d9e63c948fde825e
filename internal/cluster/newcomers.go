package cluster

import (
	"iter"
	"maps"
	"slices"
	"time"
)

// newcomers are those that send heartbeats and have not answered a job of this run yet, by
// name. Anybody who may publish can send heartbeats under any number of names. So newcomers
// do not count as workers: not for the number of jobs that are out, nor for how many nodes
// a fact must have cost to be shared, nor in the status. They get jobs on trial. A newcomer
// that answers one is a worker from then on.
type newcomers map[string]*member

const (
	// mostOnTrial is how many jobs are out for newcomers, or the number of workers if that
	// is larger. A stranger with a thousand names costs no more than that.
	mostOnTrial = 16
	// mostNewcomers is how many names are remembered.
	mostNewcomers = 4096
)

// enter takes the heartbeat of a newcomer.
func (n newcomers) enter(b heartbeat) {
	if c := n[b.Worker]; c != nil {
		c.beat(b)
	} else if len(n) < mostNewcomers {
		n[b.Worker] = newMember(b)
	}
}

// everyone goes through workers and newcomers.
func (d *dispatcher) everyone() iter.Seq2[string, *member] {
	return func(yield func(string, *member) bool) {
		for _, list := range []map[string]*member{d.workers, d.newcomers} {
			for name, m := range list {
				if !yield(name, m) {
					return
				}
			}
		}
	}
}

// member is the worker or newcomer of a name, or nil.
func (d *dispatcher) member(name string) *member {
	if m := d.workers[name]; m != nil {
		return m
	}
	return d.newcomers[name]
}

// remove forgets a worker or newcomer.
func (d *dispatcher) remove(name string) {
	delete(d.workers, name)
	delete(d.newcomers, name)
}

// onTrial is how many jobs are to be out for newcomers that are not at another search.
func (d *dispatcher) onTrial() int {
	free := 0
	for _, c := range d.newcomers {
		if c.Search == "" || c.Search == d.search {
			free++
		}
	}
	return min(free, max(len(d.workers), mostOnTrial))
}

// accept makes a worker of a newcomer that has answered a job.
func (d *dispatcher) accept(name string) {
	if c := d.newcomers[name]; c != nil {
		delete(d.newcomers, name)
		d.workers[name] = c
		d.log.Info("worker joined", "worker", name)
	}
}

// beginners are newcomers at work on a job that is out, one for each job.
func (d *dispatcher) beginners() (list []*member) {
	taken := map[string]bool{}
	for _, c := range d.workers {
		taken[c.Job] = true
	}
	for _, name := range slices.Sorted(maps.Keys(d.newcomers)) {
		c := d.newcomers[name]
		if c.Search == d.search && d.sent[c.Job] != nil && !taken[c.Job] {
			taken[c.Job] = true
			list = append(list, c)
		}
	}
	return list
}

// member is a worker or newcomer as the master sees it.
type member struct {
	heartbeat
	seen     time.Time
	failures int // since its last answer
}

func newMember(b heartbeat) *member { return &member{heartbeat: b, seen: time.Now()} }

// beat takes its next heartbeat.
func (m *member) beat(b heartbeat) { m.heartbeat, m.seen = b, time.Now() }

// silent reports whether its heartbeats have stopped.
func (m *member) silent() bool { return time.Since(m.seen) > gone }
