package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"tengen/internal/cluster/tree"
)

// Simulate plays through how workers would solve a question. Positions are searched for
// real, each job at once when it begins; what it finds reaches others as late as it would.
// The same call gives the same result, whatever the machine.
func Simulate(ctx context.Context, q Question, workers int, costs Costs, o Options) (Simulated, error) {
	s, _, end, err := simulateBoard(q, workers, costs, o)
	if err != nil {
		return Simulated{}, err
	}
	defer end()
	return s.run(ctx)
}

func simulateBoard(q Question, workers int, costs Costs, o Options) (s *simulation, p *boardProblem, end func(), err error) {
	folder, err := os.MkdirTemp("", "tengen-simulation")
	if err != nil {
		return nil, nil, nil, err
	}
	store, about, err := openStore(filepath.Join(folder, "store"), q.String(), "simulation")
	if err != nil {
		return nil, nil, nil, errors.Join(err, os.RemoveAll(folder))
	}
	store.db.NoSync = true // the time of a flush is among the costs
	p = &boardProblem{costs: costs}
	end = func() {
		p.close()
		store.close()
		_ = os.RemoveAll(folder)
	}
	s = &simulation{costs: costs, problem: p}
	s.master = s.newMaster(workers)
	o.complete()
	m := &master{dispatcher: s.master, store: store, about: about, o: o}
	if p.searching, err = m.searching(q); err != nil {
		end()
		return nil, nil, nil, err
	}
	for range min(workers, costs.Tables) {
		p.tables = append(p.tables, &simulatedTable{bench: newBench(simulatedMemory, 1)})
	}
	return s, p, end, nil
}

// simulatedMemory is that of one table.
const simulatedMemory = 256 << 20

// boardProblem is a real search of a board.
type boardProblem struct {
	*searching
	costs  Costs
	tables []*simulatedTable
	bytes  uint64
	log    map[Key]result // of jobs that are done, if it is wanted
}

// simulatedTable is what one worker knows, or several in turn if there are many.
type simulatedTable struct {
	bench *bench
	heard []hearsay // what others found, and that it has not heard of yet
}

// hearsay is a part of what a job has found.
type hearsay struct {
	at    float64 // when others may know it
	from  *running
	facts []byte
}

func (p *boardProblem) close() {
	for _, t := range p.tables {
		t.bench.close()
	}
}

func (p *boardProblem) do(at float64, worker int, r *running) error {
	mine := p.tables[worker%len(p.tables)]
	if err := mine.bench.open(p.size, false); err != nil {
		return err
	}
	if err := mine.listen(at); err != nil {
		return err
	}
	mine.bench.solver.Hear(r.job.Share)
	if err := mine.bench.solve(context.Background(), r.job, &r.result); err != nil {
		return err
	}
	p.tell(at, mine, r)
	return nil
}

// listen takes in what has come until now, from jobs that got so far.
func (t *simulatedTable) listen(now float64) error {
	var err error
	t.heard = slices.DeleteFunc(t.heard, func(h hearsay) bool {
		if h.at > now {
			return false
		}
		if err == nil {
			err = t.bench.solver.Tell(h.facts)
		}
		return true
	})
	return err
}

// tell has the others hear what a job finds, in parts: early ones soon, late ones later.
func (p *boardProblem) tell(at float64, mine *simulatedTable, r *running) {
	const parts, size = 8, 16
	facts := mine.bench.solver.Facts(nil)
	p.bytes += uint64(len(facts))
	count := len(facts) / size
	length := float64(r.result.Nodes) / p.costs.Rate
	for i := range parts {
		part := facts[size*(count*i/parts) : size*(count*(i+1)/parts)]
		if len(part) == 0 {
			continue
		}
		for _, other := range p.tables {
			if other != mine {
				other.heard = append(other.heard, hearsay{at + length*float64(i+1)/parts + p.costs.Spread, r, part})
			}
		}
	}
}

// learned forgets what a job would have found had it not been called back.
func (p *boardProblem) learned(r *running) {
	if p.log != nil {
		p.log[r.job.Key] = r.result
	}
	for _, t := range p.tables {
		t.heard = slices.DeleteFunc(t.heard, func(h hearsay) bool { return h.from == r && h.at > r.end+p.costs.Spread })
	}
}

func (p *boardProblem) told() uint64 { return p.bytes }

func (p *boardProblem) root() (outcome tree.Outcome, positions int) {
	for _, t := range p.trees {
		positions += t.Len()
	}
	return p.trees[0].Outcome(), positions
}

func (p *boardProblem) checked() (nodes uint64, times int) { return p.checks.nodes, p.checks.times }
