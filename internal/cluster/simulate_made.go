package cluster

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"tengen/board"
	"tengen/internal/cluster/tree"
)

// Made is a random game tree of any size with the statistics of the upper tree of a board.
// No position is reached in two ways.
type Made struct {
	Nodes  float64 // of a plain search of the root
	Moves  int     // of a position
	First  float64 // chance that the winning move is ranked first; of the others, the next
	Spread float64 // of the sizes of siblings: standard deviation of their logarithm
	Kept   float64 // share of the nodes of a job without an answer that later jobs need not repeat
	Apart  float64 // extra cost of a position, as a share, while a sibling ranked before it is open
	Seed   uint64
}

// SimulateMade runs a cluster of workers in virtual time on a tree that is made up.
func SimulateMade(ctx context.Context, m Made, workers int, costs Costs, budgets tree.Budgets) (Simulated, error) {
	s := &simulation{costs: costs}
	s.master = s.newMaster(workers)
	p := &madeProblem{made: m, positions: map[Key]*madePosition{}, examiner: s.master.examiner}
	root := Key{Stones: [2]uint64{1, m.Seed}}
	p.positions[root] = &madePosition{nodes: m.Nodes, outcome: tree.Won}
	p.search = tree.NewSearch(root, cmp.Or(budgets, tree.Default))
	s.problem = p
	return s.run(ctx)
}

// madeProblem is the master's task and its workers' side for a tree that is made up.
type madeProblem struct {
	made      Made
	search    *tree.Search[Key]
	positions map[Key]*madePosition
	examiner  *examiner // chooses the claims to check and counts the nodes of the checks
}

// madePosition is one that the master knows of.
type madePosition struct {
	nodes   float64 // of a plain search
	found   float64 // of them, already done
	outcome tree.Outcome
	elder   []Key // siblings that are ranked before it
}

func (p *madeProblem) next() (job, bool) {
	next, ok := p.search.Next()
	return job{ID: next.Key.String(), Kind: solving, Key: next.Key, Budget: next.Budget}, ok
}

func (p *madeProblem) take(r result) (idle []string, err error) {
	report := tree.Report[Key]{Key: r.Key, Outcome: r.Outcome, Opened: r.Opened}
	for _, b := range r.Branches {
		report.Branches = append(report.Branches, tree.Branch[Key]{Key: b.Key, Outcome: b.Outcome})
	}
	if r.Outcome != tree.Unknown && p.examiner.chosen(board.Size{}, r.Key) {
		p.examiner.nodes += min(uint64(p.positions[r.Key].nodes*(1+p.made.Apart)), checkMost)
	}
	p.search.Spent(r.Nodes)
	for _, k := range p.search.Done(report) {
		idle = append(idle, k.String())
	}
	slices.Sort(idle)
	return idle, nil
}

func (p *madeProblem) news(result) bool { return true }

func (p *madeProblem) done() bool     { return p.search.Outcome() != tree.Unknown }
func (p *madeProblem) ahead() int     { return 0 }
func (p *madeProblem) report(*Status) {}

// do continues a position where its last job ended.
func (p *madeProblem) do(_ float64, _ int, r *running) error {
	at := p.positions[r.job.Key]
	dearer := 1.0
	for _, k := range at.elder {
		if p.search.Known(k) == tree.Unknown {
			dearer = 1 + p.made.Apart
			break
		}
	}
	left, budget := (at.nodes-at.found)*dearer, float64(r.job.Budget)
	if left <= budget {
		r.result.Outcome, r.result.Nodes = at.outcome, uint64(max(left, 1))
		return nil
	}
	r.result.Opened, r.result.Nodes = true, r.job.Budget
	r.result.Branches = p.open(r.job.Key, at, at.found+budget/dearer)
	return nil
}

// open makes up the moves of a position, in the order of a plain search. A search of found
// nodes has decided the first of them.
func (p *madeProblem) open(k Key, at *madePosition, found float64) (list []branch) {
	random := rand.New(rand.NewPCG(k.Stones[0], k.Stones[1]))
	moves := p.made.Moves
	needed, wins := moves, -1
	if at.outcome == tree.Won {
		for wins = 0; wins < moves-1 && random.Float64() > p.made.First; wins++ {
		}
		needed = wins + 1
	}
	sizes := make([]float64, moves)
	sum := 0.0
	for i := range sizes {
		sizes[i] = math.Exp(p.made.Spread * random.NormFloat64())
		if i < needed {
			sum += sizes[i]
		}
	}
	var elder []Key
	for i, size := range sizes {
		child := Key{Stones: [2]uint64{random.Uint64(), random.Uint64()}, ToPlay: board.Colour(1 - k.ToPlay)}
		next := &madePosition{nodes: at.nodes * size / sum, outcome: tree.Won, elder: elder}
		if i == wins || i > wins && wins >= 0 && random.Float64() < p.made.First/2 {
			next.outcome = tree.Lost
		}
		b := branch{Key: child}
		if i < needed {
			if found >= next.nodes {
				b.Outcome = next.outcome
			} else {
				next.found = p.made.Kept * found
			}
			found = max(found-next.nodes, 0)
		}
		p.positions[child] = next
		elder = append(elder[:len(elder):len(elder)], child)
		list = append(list, b)
	}
	return list
}

func (p *madeProblem) ended(*running) {}
func (p *madeProblem) facts() uint64  { return 0 }

func (p *madeProblem) root() (outcome tree.Outcome, positions int) {
	return p.search.Outcome(), p.search.Len()
}

func (p *madeProblem) checked() uint64 { return p.examiner.nodes }

// Like4x5 has the statistics of the upper tree of 4x5. Kept and Apart are fitted: the number
// of positions is about that of the board, for any number of workers.
var Like4x5 = Made{Nodes: 823_461, Moves: 17, First: 0.48, Spread: 1.2, Kept: 0.7, Apart: 0.8, Seed: 1}

// Statistics makes up a tree like the upper tree of a question. It simulates one worker and
// measures the positions that it opened. Kept and Apart must be fitted.
func Statistics(ctx context.Context, q Question, costs Costs, o Options) (Made, error) {
	var m Made
	s, p, end, err := simulateBoard(q, 1, costs, o)
	if err != nil {
		return m, err
	}
	defer end()
	p.log = map[Key]result{}
	if _, err := s.run(ctx); err != nil {
		return m, err
	}
	m.Nodes = float64(p.below(p.roots[0]))
	moves, opened, lead, won := 0, 0, 0, 0
	var spread, count float64
	for k, r := range p.log {
		if !r.Opened {
			continue
		}
		moves += len(r.Branches)
		opened++
		var sizes []float64
		for i, b := range r.Branches {
			if n := p.below(b.Key); n > 0 {
				sizes = append(sizes, math.Log(float64(n)))
			}
			if p.trees[0].Known(k) == tree.Won && p.trees[0].Known(b.Key) == tree.Lost {
				lead += i
				won++
				break
			}
		}
		for _, x := range sizes {
			mean := sum(sizes) / float64(len(sizes))
			spread += (x - mean) * (x - mean)
		}
		count += max(float64(len(sizes)-1), 0)
	}
	m.Moves = (moves + opened/2) / opened
	m.First = float64(won) / float64(won+lead)
	m.Spread = math.Sqrt(spread / count)
	return m, nil
}

func sum(list []float64) (s float64) {
	for _, x := range list {
		s += x
	}
	return s
}

// below is how many nodes jobs have searched at a position and below it.
func (p *boardProblem) below(k Key) uint64 {
	r := p.log[k]
	n := r.Nodes
	for _, b := range r.Branches {
		n += p.below(b.Key)
	}
	return n
}
