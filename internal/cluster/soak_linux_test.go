package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tengen/board"
	engine "tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/longtest"
	"tengen/internal/solver"
	"tengen/nogo"
	"tengen/proof"
)

const (
	soakKey     = "TENGEN_SOAK"      // how long the cluster is attacked, such as 30m
	soakSeedKey = "TENGEN_SOAK_SEED" // a number that chooses questions and attacks
	// soakMemory is that of the tables of all workers together.
	soakMemory = 256 << 20
	// soakBound is what everything in this process may take: the tables, up to 320 MiB for
	// tables with which the master finds claims again, 64 MiB for the plain solver, and a
	// NATS server with its clients.
	soakBound = 1 << 30
	// soakGrowth is how much more memory may be in use in the second half than in the first.
	soakGrowth = 96 << 20
	// patience is how long an answer may take before it counts as lost, and mostRuns how often
	// the same command is given again after a master has ended with an error.
	patience = 4 * time.Minute
	mostRuns = 5
)

// soak is a cluster with honest workers, hostile workers and a hostile publisher.
type soak struct {
	*system
	seed uint64
	stop context.Context

	mu      sync.Mutex
	counts  map[string]int
	honest  map[int]string // names of honest workers, by number
	jobs    []job          // that the publisher has heard of lately
	results []result
	times   []time.Duration
	log     bytes.Buffer // of the masters of the last question
}

func (s *soak) count(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[what]++
}

func (s *soak) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(s.counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", what, s.counts[what]))
	}
	return strings.Join(parts, ", ")
}

// Hostile workers and a hostile publisher do what they like to a cluster that answers one
// question after the other. Every answer comes, and every answer is right.
//
// An answer with a certificate is right whatever is claimed, so these questions have the
// usual sample of one claim in 24. An answer without one rests on claims that nobody checked,
// by design: one lie gets through in 23 of 24 cases. So for these questions the master checks
// every claim. It leaves claims out only while more than 64 wait, or if they cost more than
// 200,000 nodes, and no board here costs a quarter of that. A list has at most 64 lines, and
// jobs of a search are so long that it rarely comes to 64 claims. So all are checked, and a
// wrong answer is a fault. Where a search has made more than 64 claims, a wrong answer may
// rest on one that was left out, and is counted apart.
func TestHostileWorkerSoak(t *testing.T) {
	length := 10 * time.Second
	var err error
	switch {
	case os.Getenv(soakKey) != "":
		if length, err = time.ParseDuration(os.Getenv(soakKey)); err != nil {
			t.Fatalf("%s: %v", soakKey, err)
		}
	case longtest.On():
		length = 30 * time.Minute
	case testing.Short():
		length = 3 * time.Second
	}
	seed := uint64(29)
	if text := os.Getenv(soakSeedKey); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: %v", soakSeedKey, err)
		}
	}
	t.Logf("%s with seed %d", length, seed)
	ctx, cancel := context.WithCancel(t.Context())
	s := &soak{system: newSystem(t), seed: seed, stop: ctx, counts: map[string]int{}, honest: map[int]string{}}
	start := residentMemory(t)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	for i := range 2 {
		all.Go(func() { s.workHonestly(i) })
		all.Go(func() { s.workHostilely(i) })
	}
	h := s.attacker()
	s.eavesdrop(h)
	all.Go(func() { s.attack(h) })
	var most atomic.Int64
	all.Go(func() {
		for ctx.Err() == nil {
			most.Store(max(most.Load(), residentMemory(t)))
			wait(ctx, 50*time.Millisecond)
		}
	})

	var after []int64 // resident memory after every question
	random := rand.New(rand.NewPCG(seed, 0))
	for began := time.Now(); time.Since(began) < length && !t.Failed(); {
		asked := time.Now()
		s.ask(random)
		s.times = append(s.times, time.Since(asked))
		after = append(after, residentMemory(t))
	}
	cancel()
	all.Wait()
	slices.Sort(s.times)
	t.Log(s)
	t.Logf("a question took %s, 99 of 100 less than %s, all less than %s",
		s.times[len(s.times)/2], s.times[len(s.times)*99/100], s.times[len(s.times)-1])
	t.Logf("resident memory %d MiB at first, at most %d, %d at the end", start>>20, most.Load()>>20, residentMemory(t)>>20)
	if s.counts["right"] == 0 || s.counts["attacks"] == 0 {
		t.Errorf("nobody asks or nobody attacks: %s", s)
	}
	if most.Load() > soakBound && !longtest.Raced {
		t.Errorf("resident memory of %d MiB is more than %d MiB", most.Load()>>20, soakBound>>20)
	}
	if half := len(after) / 2; length >= 5*time.Minute && !longtest.Raced {
		if first, second := slices.Min(after[half/4:half]), slices.Min(after[half:]); second > first+soakGrowth {
			t.Errorf("resident memory has grown from %d MiB to %d MiB", first>>20, second>>20)
		}
	}
}

func residentMemory(t testing.TB) int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Error(err)
		return 0
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Error(err)
	}
	return pages * int64(os.Getpagesize())
}

// soakSizes are boards of several widths that the plain solver decides at once.
var soakSizes = []board.Size{{Rows: 3, Cols: 4}, {Rows: 2, Cols: 6}, {Rows: 3, Cols: 5}}

// ask asks a question at random and compares the answer with that of the plain solver.
func (s *soak) ask(random *rand.Rand) {
	if random.IntN(3) == 0 {
		s.askList(random)
		return
	}
	q := Question{Position: nogo.Position{Size: soakSizes[random.IntN(len(soakSizes))]}, ToPlay: board.Black}
	if random.IntN(2) == 0 {
		q.Position, q.ToPlay = randomPosition(random, q.Position.Size, 4)
	}
	q.Proof, q.EachMove = random.IntN(2) == 0, random.IntN(4) == 0
	want, err := solve.NoGo(s.stop, solve.Request{Position: q.Position, ToPlay: q.ToPlay, EachMove: q.EachMove, Limits: engine.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		s.t.Fatal(err)
	}
	if want.Nodes > checkMost/4 {
		s.t.Fatalf("%s costs %d nodes, which is too much to check", q, want.Nodes)
	}
	var a Answer
	s.insist(q.String(), q.Proof, func(ctx context.Context, o Options) (err error) {
		a, err = Solve(ctx, q, o)
		return err
	}, func() {
		s.banned(a.Banned)
		right := want.Winner.Is(a.Winner)
		if q.EachMove { // a certificate is for the winner, not for the single moves
			right = right && (q.Proof || slices.EqualFunc(a.Moves, want.Moves, func(m Move, w solve.Move) bool { return m.Move == w.Move && w.Winner.Is(m.Winner) }))
		}
		switch {
		case right:
			s.count("right")
		case q.Proof || a.Checks.Claims <= mostWaiting || a.Checks.Checked == a.Checks.Claims:
			s.count("wrong")
			s.t.Errorf("%s, proof %t: %s wins with %v, not %s with %v (%+v)", q, q.Proof, a.Winner, a.Moves, want.Winner, want.Moves, a.Checks)
		default:
			s.count("wrong by a claim that may have been left out")
			s.t.Logf("%s: %s wins, not %s (%+v)", q, a.Winner, want.Winner, a.Checks)
		}
		if !q.Proof && a.Checks.Claims > mostWaiting {
			s.count("unproved with more than 64 claims")
		}
		if !q.Proof {
			return
		}
		s.count("certificates")
		r, err := proof.Verify(s.stop, a.Certificate, proof.VerifyOptions{Threads: 1})
		if err != nil || !r.Valid || !want.Winner.Is(a.Certificate.Winner()) {
			s.count("wrong")
			s.t.Errorf("%s: the certificate for %s is valid %t: %v %v", q, a.Certificate.Winner(), r.Valid, err, r.Failure)
		}
	})
}

// askList asks about random positions of several widths.
func (s *soak) askList(random *rand.Rand) {
	sizes := append([]board.Size{{Rows: 2, Cols: 4}, {Rows: 3, Cols: 3}, {Rows: 1, Cols: 9}}, soakSizes...)
	var text strings.Builder
	lines := 1 + random.IntN(mostWaiting)
	for range lines {
		p, c := randomPosition(random, sizes[random.IntN(len(sizes))], 6)
		fmt.Fprintf(&text, "%s %s\n", p, c)
	}
	var out bytes.Buffer
	var total ListTotals
	s.insist("list", false, func(ctx context.Context, o Options) (err error) {
		out.Reset()
		o.lines = 1 + lines/8
		total, err = SolveList(ctx, readList(s.t, text.String()), &out, o)
		return err
	}, func() {
		s.banned(total.Banned)
		s.checkList(out.String(), text.String())
	})
}

// checkList compares the answers of a list with those of the plain solver, line by line.
func (s *soak) checkList(answers, questions string) {
	asked := strings.Split(strings.TrimSpace(questions), "\n")
	lines := strings.Split(strings.TrimSpace(answers), "\n")
	if len(lines) != len(asked) {
		s.count("lost")
		s.t.Errorf("%d answers for %d lines", len(lines), len(asked))
		return
	}
	for i, line := range lines {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			s.t.Fatal(err)
		}
		q, err := parseLine(asked[i])
		if err != nil {
			s.t.Fatal(err)
		}
		p, c := parsed(s.t, q)
		want := plain(s.t, Question{Position: p, ToPlay: c}).Winner.String()
		switch {
		case a.Failure != "":
			s.count("lost")
			s.t.Errorf("%s has no answer: %s", asked[i], a.Failure)
		case a.Position != q.Position || a.ToPlay != q.ToPlay || a.Winner != want:
			s.count("wrong")
			s.t.Errorf("%s: %s wins, not %s", asked[i], a.Winner, want)
		default:
			s.count("lines right")
		}
	}
	s.count("right")
}

// insist asks a question. A master that ends with an error is started again with the same
// store, as its message says.
func (s *soak) insist(name string, proved bool, ask func(context.Context, Options) error, answered func()) {
	ctx, cancel := context.WithTimeout(s.stop, patience)
	defer cancel()
	folder, err := os.MkdirTemp(s.t.TempDir(), "")
	if err != nil {
		s.t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	s.log.Reset()
	defer func() {
		if s.t.Failed() {
			s.t.Logf("the log of the last question:\n%s", s.log.String())
		}
	}()
	o := Options{
		Access: Access{URL: s.server.URL()}, Store: filepath.Join(folder, "store"), Budgets: small, Share: 1,
		Log: slog.New(slog.NewTextHandler(&s.log, nil)),
	}
	if !proved {
		o.check, o.Budgets.Least = 1, 2000
	}
	for range mostRuns {
		if err = ask(ctx, o); err == nil {
			answered()
			return
		}
		if ctx.Err() != nil {
			break
		}
		s.count("masters that gave up")
		s.t.Logf("%s: %v", name, err)
	}
	s.count("lost")
	s.t.Errorf("%s: no answer: %v", name, err)
}

func (s *soak) banned(names []string) {
	for _, name := range names {
		kind, _, _ := strings.Cut(name, "-")
		s.count("banned " + kind)
	}
}

// workHonestly is an honest worker. Whoever may publish can send it away or lie in its name,
// so it comes back under another one.
func (s *soak) workHonestly(number int) {
	for n := 0; s.stop.Err() == nil; n++ {
		name := fmt.Sprintf("honest-%d-%d", number, n)
		s.mu.Lock()
		s.honest[number] = name
		s.mu.Unlock()
		err := Work(s.stop, WorkerOptions{Access: Access{URL: s.server.URL(), Name: name}, Memory: soakMemory / 4, Threads: 1})
		switch {
		case s.stop.Err() != nil:
			return
		case !errors.Is(err, ErrBanned):
			s.t.Errorf("%s has ended: %v", name, err)
			return
		}
		s.count("honest workers sent away")
	}
}

// soakLies are what a hostile worker does to its results.
var soakLies = map[string]func(*rand.Rand, *result){
	"honest":   func(*rand.Rand, *result) {}, // so that it is trusted for a while
	"results":  func(_ *rand.Rand, r *result) { lieInResults(r) },
	"dear":     func(_ *rand.Rand, r *result) { lieDearly(r) },
	"branches": func(_ *rand.Rand, r *result) { lieInBranches(r) },
	"none":     func(_ *rand.Rand, r *result) { leaveAllMovesOut(r) },
	"one less": func(_ *rand.Rand, r *result) { leaveOneMoveOut(r) },
	"one more": func(_ *rand.Rand, r *result) { makeMoveUp(r) },
	"proofs":   func(_ *rand.Rand, r *result) { lieInProofs(r) },
	"lists":    func(_ *rand.Rand, r *result) { lieInLists(r) },
	"fails":    func(_ *rand.Rand, r *result) { failAlways(r) },
	"other moves": func(random *rand.Rand, r *result) {
		if r.Proof != nil && len(r.Proof.Moves) > 0 {
			r.Proof.Moves[random.IntN(len(r.Proof.Moves))] ^= byte(1 + random.IntN(4))
		}
	},
	"one line": func(random *rand.Rand, r *result) {
		if len(r.Batch) > 0 {
			at := random.IntN(len(r.Batch))
			some := *r
			some.Batch = r.Batch[at : at+1]
			lieInLists(&some)
		}
	},
	"failed lines": func(_ *rand.Rand, r *result) {
		for i := range r.Batch {
			r.Batch[i] = answer{question: r.Batch[i].question, Failure: "out of memory"}
		}
	},
	"drops": func(_ *rand.Rand, r *result) {
		r.Outcome, r.Opened, r.Branches, r.Proof, r.Batch = 0, false, nil, nil, nil
	},
	"spoilt": func(_ *rand.Rand, r *result) {
		failAlways(r)
		r.Spoilt = true
	},
	"refutes": func(_ *rand.Rand, r *result) {
		failAlways(r)
		r.Refuted = true
	},
	"version":  func(_ *rand.Rand, r *result) { r.Protocol++ },
	"nonsense": func(random *rand.Rand, r *result) { r.Epoch, r.Nodes, r.Seconds = random.IntN(9), random.Uint64(), 1e9 },
	"oversize": func(_ *rand.Rand, r *result) { r.Failure = strings.Repeat("x", 2<<20) },
	"silent":   func(random *rand.Rand, _ *result) { time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond) },
}

// workHostilely is a hostile worker. It changes its lie and its name again and again.
func (s *soak) workHostilely(number int) {
	random := rand.New(rand.NewPCG(s.seed, uint64(100+number)))
	names := slices.Sorted(maps.Keys(soakLies))
	for n := 0; s.stop.Err() == nil; n++ {
		lie := names[random.IntN(len(names))]
		facts := random.IntN(3) == 0
		often := 1 + random.IntN(3) // one result in this many is changed
		o := WorkerOptions{
			Access: Access{URL: s.server.URL(), Name: fmt.Sprintf("hostile-%d-%d", number, random.IntN(8))},
			Memory: soakMemory / 4, Threads: 1,
			forge: func(r *result) {
				if random.IntN(often) == 0 {
					soakLies[lie](random, r)
					s.count("attacks")
				}
			},
		}
		if facts {
			o.forgeFacts = lieInFacts
		}
		ctx, cancel := context.WithTimeout(s.stop, time.Duration(1+random.IntN(6))*time.Second)
		if err := Work(ctx, o); errors.Is(err, ErrBanned) {
			s.count("hostile workers sent away")
		}
		<-ctx.Done() // or it would be back at once
		cancel()
	}
}

// eavesdrop keeps the last jobs and results that go by.
func (s *soak) eavesdrop(h *hub) {
	const most = 50
	for _, subject := range []string{jobSubject + ">", resultSubject + ">"} {
		heard, err := h.conn.Subscribe(subject, func(m *nats.Msg) {
			j, wrong := decodeJob(m.Data)
			r, alsoWrong := decodeResult(m.Data)
			s.mu.Lock()
			defer s.mu.Unlock()
			if wrong == nil {
				s.jobs = append(s.jobs[max(0, len(s.jobs)-most):], j)
			}
			if alsoWrong == nil {
				s.results = append(s.results[max(0, len(s.results)-most):], r)
			}
		})
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { _ = heard.Unsubscribe() })
	}
}

// publisher is somebody who may publish and listens to everything.
type publisher struct {
	*soak
	h      *hub
	random *rand.Rand
	job    job    // one that is out, or was lately
	heard  result // the same of results
}

// attack publishes what it likes.
func (s *soak) attack(h *hub) {
	p := &publisher{soak: s, h: h, random: rand.New(rand.NewPCG(s.seed, 1))}
	attacks := []func(*publisher){
		(*publisher).replay, (*publisher).answer, (*publisher).bytes, (*publisher).known, (*publisher).beats,
		(*publisher).oversize, (*publisher).hold, (*publisher).cancel, (*publisher).facts, (*publisher).fail,
	}
	for s.stop.Err() == nil {
		wait(s.stop, time.Duration(p.random.IntN(200))*time.Millisecond)
		s.mu.Lock()
		ready := len(s.jobs) > 0 && len(s.results) > 0
		if ready {
			p.job, p.heard = s.jobs[p.last(len(s.jobs))], s.results[p.last(len(s.results))]
		}
		s.mu.Unlock()
		if ready {
			attacks[p.random.IntN(len(attacks))](p)
			s.count("attacks")
		}
	}
}

// last is an index of a list, mostly one of the last.
func (p *publisher) last(n int) int {
	if p.random.IntN(3) == 0 {
		return p.random.IntN(n)
	}
	return n - 1 - p.random.IntN(min(n, 3))
}

func (p *publisher) publish(subject string, data []byte) {
	m := nats.NewMsg(subject)
	m.Header.Set(workerHeader, p.name())
	if size, err := board.ParseSize(p.job.Size); err == nil {
		m.Header.Set(tableHeader, table{p.job.Search, p.job.Epoch, size}.String())
	}
	m.Data = data
	_ = p.h.conn.PublishMsg(m) // the server may refuse it
}

func (p *publisher) publishJSON(subject string, message any) {
	data, err := json.Marshal(message)
	if err != nil {
		p.t.Error(err)
	}
	p.publish(subject, data)
}

// name is one of the publisher's, or rarely that of an honest worker.
func (p *publisher) name() string {
	if p.random.IntN(20) == 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.honest[p.random.IntN(2)]
	}
	return fmt.Sprintf("publisher-%d", p.random.IntN(4))
}

// replay sends a result again: as it was, in another name, version, epoch or job.
func (p *publisher) replay() {
	r := p.heard
	switch p.random.IntN(6) {
	case 0:
		r.Worker = p.name()
	case 1:
		r.Protocol += 1 - p.random.IntN(3)
	case 2:
		r.Epoch++
	case 3:
		r.Outcome = -r.Outcome
	case 4:
		r.ID = p.job.ID
	}
	p.publishJSON(resultSubject+r.Search, r)
}

// answer answers a job falsely before others can, and says it is a worker first.
func (p *publisher) answer() {
	name := p.name()
	r := result{Protocol: protocol, Search: p.job.Search, ID: p.job.ID, Epoch: p.job.Epoch, Kind: p.job.Kind, Worker: name, Key: p.job.Key}
	switch p.job.Kind {
	case solving:
		r.Outcome = p.heard.Outcome
		r.Opened = r.Outcome == 0
	case proving:
		r.Proof = &provedSlice{Moves: make([]byte, len(p.job.Proof.Positions)/codeBytes)}
		for i := range r.Proof.Moves {
			r.Proof.Moves[i] = byte(p.random.IntN(13))
		}
	case batching:
		for _, q := range p.job.Batch {
			r.Batch = append(r.Batch, answer{question: q, Winner: []string{"black", "white"}[p.random.IntN(2)]})
		}
	}
	p.publishJSON(heartbeatSubject, heartbeat{Protocol: protocol, Worker: name, Search: p.job.Search, Job: p.job.ID})
	p.publishJSON(resultSubject+r.Search, r)
}

// bytes sends random bytes to every subject.
func (p *publisher) bytes() {
	data := make([]byte, p.random.IntN(300))
	for i := range data {
		data[i] = byte(p.random.Uint32())
	}
	search := p.job.Search
	for _, subject := range []string{
		fmt.Sprintf("%s%s.r%d", jobSubject, search, p.random.Uint32()), resultSubject + search,
		fmt.Sprintf("%s%s.%d", factSubject, search, p.job.Epoch), heartbeatSubject, cancelSubject + search, banSubject + "nobody",
		masterSubject + search, poisonSubject + "job", "$KV." + statusBucket + "." + statusKey + search,
	} {
		p.publish(subject, data)
	}
}

// known sends a message that is known to be bad.
func (p *publisher) known() {
	jobs := badJobs(p.job.Search)
	i := p.random.IntN(len(jobs))
	p.publishJSON(fmt.Sprintf("%s%s.bad%d", jobSubject, p.job.Search, i), jobs[i])
	understood, refused := badResults(p.job.Search, p.job)
	results := append(understood, refused...)
	p.publishJSON(resultSubject+p.job.Search, results[p.random.IntN(len(results))])
}

// beats says that there are many workers, that some have a job, and that others leave.
func (p *publisher) beats() {
	for range 100 {
		b := heartbeat{Protocol: protocol, Worker: fmt.Sprintf("name-%d", p.random.IntN(10_000)), Search: p.job.Search, Job: p.job.ID}
		switch p.random.IntN(4) {
		case 0:
			b.Search, b.Job = "", ""
		case 1:
			b.Worker, b.Leaving = p.name(), true
		case 2:
			b.Protocol--
		}
		p.publishJSON(heartbeatSubject, b)
	}
}

// oversize sends messages as large as the server takes, and larger ones past the client.
func (p *publisher) oversize() {
	data := bytes.Repeat([]byte("["), 1<<20-4096)
	for _, subject := range []string{resultSubject + p.job.Search, jobSubject + p.job.Search + ".large", factSubject + p.job.Search + ".0", heartbeatSubject} {
		p.publish(subject, data)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.server.URL(), "nats://"))
	if err != nil {
		return
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	_, _ = fmt.Fprintf(conn, "CONNECT {}\r\nPUB %s%s 100000000\r\n%s", resultSubject, p.job.Search, data)
}

// hold takes a job out of the queue and keeps it, says it has it, or hands it back.
func (p *publisher) hold() {
	consumer, err := p.h.workers(p.stop)
	if err != nil {
		return
	}
	how := p.random.IntN(3)
	for range 1 + p.random.IntN(3) {
		batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(200*time.Millisecond))
		if err != nil {
			return
		}
		for m := range batch.Messages() {
			switch how {
			case 0: // its lease ends
			case 1:
				_ = m.Nak()
			case 2:
				p.holdBeating(m)
			}
		}
	}
}

// holdBeating renews a lease for some seconds and says that it is at work.
func (p *publisher) holdBeating(m jetstream.Msg) {
	j, err := decodeJob(m.Data())
	if err != nil {
		return
	}
	for range p.random.IntN(10) {
		_ = m.InProgress()
		p.publishJSON(heartbeatSubject, heartbeat{Protocol: protocol, Worker: "publisher-0", Search: j.Search, Job: j.ID})
		wait(p.stop, time.Second)
	}
}

// cancel calls jobs back and sends an honest worker away.
func (p *publisher) cancel() {
	p.publish(cancelSubject+p.job.Search, []byte(p.job.ID))
	p.publish(cancelSubject+p.job.Search, []byte("*"))
	p.publish(masterSubject+p.job.Search, []byte(masterOver))
	if p.random.IntN(10) == 0 {
		p.publish(banSubject+p.name(), []byte("\x1b[2Jfor no reason"))
	}
}

// facts tells facts that are made up.
func (p *publisher) facts() {
	data := make([]byte, solver.FactBytes*(1+p.random.IntN(500))-p.random.IntN(2))
	for i := range data {
		data[i] = byte(p.random.Uint32())
	}
	p.publish(fmt.Sprintf("%s%s.%d", factSubject, p.job.Search, p.job.Epoch), data)
}

// fail says that a job cannot be done.
func (p *publisher) fail() {
	name := p.name()
	p.publishJSON(heartbeatSubject, heartbeat{Protocol: protocol, Worker: name, Search: p.job.Search, Job: p.job.ID})
	p.publishJSON(resultSubject+p.job.Search, result{
		Protocol: protocol, Search: p.job.Search, ID: p.job.ID, Epoch: p.job.Epoch, Kind: p.job.Kind, Worker: name, Key: p.job.Key,
		Failure: "\x1b[2Jout of memory", Spoilt: p.random.IntN(3) == 0, Refuted: p.random.IntN(3) == 0, Missing: p.random.IntN(3) == 0,
	})
}
