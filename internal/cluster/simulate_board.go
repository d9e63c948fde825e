package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"tengen/internal/cluster/tree"
	"tengen/internal/solver"
)

// Simulate runs a cluster of workers in virtual time. Positions are searched for real: a job
// at the moment when it begins. Other workers get its facts as late as they would. The same
// call gives the same result on every machine.
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
		p.leave()
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
		p.tables = append(p.tables, &simulatedTable{executor: newExecutor(simulatedMemory, 1)})
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

// simulatedTable is the table of one worker, or of several that take turns.
type simulatedTable struct {
	executor *executor
	pending  []delayedFacts // of other workers, still on their way
}

// delayedFacts are a part of what a job has found.
type delayedFacts struct {
	at    float64 // when they arrive
	from  *running
	facts []byte
}

func (p *boardProblem) leave() {
	for _, t := range p.tables {
		t.executor.close()
	}
	if p.searching != nil {
		p.searching.close()
		p.m.examiner.close()
	}
}

func (p *boardProblem) do(at float64, worker int, r *running) error {
	mine := p.tables[worker%len(p.tables)]
	if err := mine.executor.open(p.size); err != nil {
		return err
	}
	if err := mine.importUntil(at); err != nil {
		return err
	}
	mine.executor.solver.SetExport(r.job.Share)
	if err := mine.executor.solve(context.Background(), r.job, &r.result); err != nil {
		return err
	}
	p.spread(at, mine, r)
	return nil
}

// importUntil imports the facts that have arrived by now.
func (t *simulatedTable) importUntil(now float64) error {
	var err error
	t.pending = slices.DeleteFunc(t.pending, func(h delayedFacts) bool {
		if h.at > now {
			return false
		}
		if err == nil {
			err = t.executor.solver.Import(h.facts)
		}
		return true
	})
	return err
}

// spread sends the facts of a job to all other tables in parts, as the job would find them.
func (p *boardProblem) spread(at float64, mine *simulatedTable, r *running) {
	const parts, size = 8, solver.FactBytes
	facts := mine.executor.solver.Export(nil)
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
				other.pending = append(other.pending, delayedFacts{at + length*float64(i+1)/parts + p.costs.Spread, r, part})
			}
		}
	}
}

// ended drops the facts that a cancelled job would have found later.
func (p *boardProblem) ended(r *running) {
	if p.log != nil {
		p.log[r.job.Key] = r.result
	}
	for _, t := range p.tables {
		t.pending = slices.DeleteFunc(t.pending, func(h delayedFacts) bool { return h.from == r && h.at > r.end+p.costs.Spread })
	}
}

func (p *boardProblem) facts() uint64 { return p.bytes }

func (p *boardProblem) root() (outcome tree.Outcome, positions int) {
	for _, t := range p.trees {
		positions += t.Len()
	}
	return p.trees[0].Outcome(), positions
}

func (p *boardProblem) checked() uint64 { return p.m.examiner.nodes }
