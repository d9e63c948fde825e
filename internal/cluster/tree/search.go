package tree

// Search is a tree with the jobs that are out and their budgets. It makes all decisions of
// the master. It knows no clock and no network.
type Search[K comparable] struct {
	*Tree[K]
	Budgets Budgets

	out   map[K]uint64 // budgets of the leaves that are with workers
	nodes uint64       // searched in all
	jobs  Jobs
}

// Budgets bound the nodes of a job. Budgets grow with the search, so the number of jobs
// grows slowly.
type Budgets struct {
	Least, Most uint64
	Share       uint64 // a budget is this fraction of all nodes searched so far: 1/Share
}

// Default suits boards that take a second as well as those that take a week. Short jobs keep
// to the order of a plain search; below a tenth of a second, messages cost more than that
// saves. Even the longest job takes only minutes.
var Default = Budgets{Least: 20_000, Most: 20_000_000, Share: 400}

// Jobs counts jobs by how they ended.
type Jobs struct {
	Decided, Opened, Dropped uint64
}

// Job is a leaf to be solved.
type Job[K comparable] struct {
	Key    K
	Budget uint64
	Worth  float64 // the chance that its answer is needed
}

// Report is the result of a job: an outcome, or the moves of a position that took more than
// its budget, best first. It is neither if the job was cancelled.
type Report[K comparable] struct {
	Key      K
	Outcome  Outcome
	Branches []Branch[K]
	Opened   bool
}

// NewSearch makes a search of a root.
func NewSearch[K comparable](root K, b Budgets) *Search[K] {
	return &Search[K]{Tree: New(root), Budgets: b, out: map[K]uint64{}}
}

// Nodes is how many nodes all jobs have searched.
func (s *Search[K]) Nodes() uint64 { return s.nodes }

// Jobs counts the jobs that are done.
func (s *Search[K]) Jobs() Jobs { return s.jobs }

// Spent counts nodes that were searched, in this run or an earlier one.
func (s *Search[K]) Spent(nodes uint64) { s.nodes += nodes }

// Next is the job for an idle worker.
func (s *Search[K]) Next() (Job[K], bool) {
	key, worth, ok := s.Take()
	if !ok {
		return Job[K]{}, false
	}
	budget := min(max(s.Budgets.Least, s.nodes/s.Budgets.Share), s.Budgets.Most)
	s.out[key] = budget
	return Job[K]{key, budget, worth}, true
}

// Done takes a report. Reports may come in any order and more than once. It returns the
// leaves whose jobs are not needed any more.
func (s *Search[K]) Done(r Report[K]) (idle []K) {
	_, out := s.out[r.Key]
	delete(s.out, r.Key)
	freed := s.freed
	switch {
	case r.Outcome != Unknown:
		s.jobs.Decided++
		s.Decide(r.Key, r.Outcome)
	case r.Opened:
		s.jobs.Opened++
		s.Expand(r.Key, r.Branches)
	default:
		s.jobs.Dropped++
		if out {
			s.Return(r.Key)
		}
		return nil
	}
	if s.freed == freed {
		return nil
	}
	for key := range s.out {
		if !s.Needed(key) {
			idle = append(idle, key)
		}
	}
	for _, key := range idle { // a cancelled job has no answer, and another way to its leaf may turn up
		delete(s.out, key)
		s.Return(key)
	}
	return idle
}
