package cluster

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"

	"tengen/board"
	"tengen/internal/cluster/tree"
)

// badJobs are jobs that no master sends.
func badJobs(search string) []job {
	j := func(k kind, change func(*job)) job {
		j := job{Protocol: protocol, Search: search, ID: "bad-" + string(k), Kind: k, Size: "3x4", Budget: 100, Share: 1}
		change(&j)
		return j
	}
	file := object{strings.Repeat("ab", 32), 100}
	slice := func(from, to int, needs ...object) func(*job) {
		return func(j *job) { j.Slice = &sliceJob{span{from, to}, needs} }
	}
	return []job{
		j(solving, func(j *job) { j.Key.Stones[0] = 1 << 63 }),                            // off the board
		j(solving, func(j *job) { j.Key.Stones = [2]uint64{1, 1} }),                       // two stones on a point
		j(solving, func(j *job) { j.Key.Stones = [2]uint64{1, 2 | 1<<5} }),                // a block without a liberty
		j(solving, func(j *job) { j.Key.Stones[0] = 1 << 2 }),                             // turned
		j(solving, func(j *job) { j.Turn = 200 }),                                         // no symmetry
		j(solving, func(j *job) { j.Size = "19x19" }),                                     //
		j(solving, func(j *job) { j.Size = "no board" }),                                  //
		j(proving, func(j *job) {}),                                                       // no slice
		j(proving, func(j *job) { j.Proof = &proofSlice{Positions: make([]byte, 15)} }),   // cut short
		j(proving, func(j *job) { j.Proof = &proofSlice{Winner: 9} }),                     //
		j(proving, func(j *job) { j.Proof = &proofSlice{Root: Key{[2]uint64{3, 3}, 0}} }), //
		j(batching, func(j *job) {}),                                                      // no line
		j(auditing, func(j *job) {}),                                                      // no slice
		j(stripping, slice(0, 10, object{file.SHA256, -1})),                               // a file of −1 bytes
		j(stripping, slice(0, 10, object{"../../etc/passwd", 1})),                         // no checksum
		j(stripping, slice(-5, 10, file)), j(stripping, slice(10, 5, file)),               //
		j(stripping, slice(0, 1<<60)), j(tabling, slice(0, 1<<62, object{file.SHA256, -1})), //
		j(auditing, slice(-1, -1, object{file.SHA256, 1 << 62})), //
		j(solving, func(j *job) { j.Budget = 0 }),                // no end
		j("made up", func(j *job) {}),                            //
		j(solving, func(j *job) { j.Protocol++ }), j(solving, func(j *job) { j.Protocol = 0 }),
		j(solving, func(j *job) { j.ID = "with a blank" }), j(solving, func(j *job) { j.Search = "*" }),
	}
}

// badResults are results that no worker hands in; the first understand what a result is and
// are refused by the search, the others at the border.
func badResults(search string, asked job) (understood, refused []result) {
	r := func(change func(*result)) result {
		r := result{Protocol: protocol, Search: search, ID: asked.ID, Epoch: asked.Epoch, Kind: solving, Worker: "attacker", Key: asked.Key}
		change(&r)
		return r
	}
	off := Key{Stones: [2]uint64{1 << 63, 1 << 62}}
	understood = []result{
		r(func(r *result) { r.Key, r.Opened = off, true }),
		r(func(r *result) { r.Key, r.Outcome = off, tree.Won }),
		r(func(r *result) { r.Key, r.ID, r.Opened = off, off.String()+"-0", true }),
		r(func(r *result) { r.Kind = proving }),
		r(func(r *result) { r.Kind, r.Slice = stripping, json.RawMessage(`"x"`) }),
		r(func(r *result) { r.Kind, r.Batch = batching, []answer{{Winner: "nobody"}} }),
		r(func(r *result) { r.Epoch, r.Outcome = 3, tree.Lost }),
		r(func(r *result) { r.Kind, r.Proof = proving, &provedSlice{Moves: make([]byte, 1000)} }),
	}
	refused = []result{
		r(func(r *result) { r.Outcome = 100 }),
		r(func(r *result) { r.Opened, r.Outcome = true, tree.Won }),
		r(func(r *result) { r.Nodes, r.Outcome = 1<<63, tree.Lost }),
		r(func(r *result) { r.Seconds = -1 }),
		r(func(r *result) { r.Error = 1e300 }),
		r(func(r *result) { r.Worker = "\x1b[2J" }),
		r(func(r *result) { r.Kind = "made up" }),
		r(func(r *result) { r.Opened, r.Branches = true, make([]branch, 1000) }),
		r(func(r *result) { r.Protocol++ }),
		r(func(r *result) { r.Opened, r.Branches = true, []branch{{Outcome: 9}} }),
	}
	return understood, refused
}

// Messages that make no sense are refused where they come in.
func TestBorder(t *testing.T) {
	for i, j := range badJobs("search") {
		if _, err := decodeJob(marshal(t, j)); err == nil {
			t.Errorf("job %d was let in: %+v", i, j)
		}
	}
	_, refused := badResults("search", searchJob(t, "search", "3x4", 0))
	for i, r := range refused {
		if _, err := decodeResult(marshal(t, r)); err == nil {
			t.Errorf("result %d was let in: %+v", i, r)
		}
	}
}

// Somebody sends every message that is known to be bad, and random bytes, to every subject
// of a search that runs. It finishes right, its workers live, and what was sent is put aside.
func TestAttackedSearch(t *testing.T) {
	s := newSystem(t)
	s.hire(nil)
	s.hire(nil)
	h := s.attacker()
	o := s.options()
	var once sync.Once
	var attack sync.WaitGroup
	o.Progress = func(now Status) {
		if now.Jobs < 3 {
			return
		}
		once.Do(func() { attack.Go(func() { attackSearch(t, h, now.Search) }) })
	}
	q := Question{Position: empty(t, "4x4"), ToPlay: board.Black, Proof: true}
	a, err := Solve(t.Context(), q, o)
	attack.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if want := plain(t, q).Winner; a.Winner != want {
		t.Errorf("%s wins, not %s", a.Winner, want)
	}
	checkProof(t, a)
	for _, name := range a.Banned {
		if name != "attacker" {
			t.Errorf("%s is banned", name)
		}
	}
	awaitEmptyJobs(t, s) // poisoned jobs are not left in the queue
	awaitPoison(t, h, 20)
}

// awaitEmptyJobs returns when no job is left.
func awaitEmptyJobs(t *testing.T, s *system) {
	t.Helper()
	h := s.attacker()
	for left := uint64(1); left > 0; {
		queue, err := h.stream.Stream(t.Context(), jobStream)
		if err != nil {
			t.Fatal(err)
		}
		left = queue.CachedInfo().State.Msgs
	}
}

func attackSearch(t *testing.T, h *hub, search string) {
	publish := func(subject string, data []byte) {
		m := nats.NewMsg(subject)
		m.Header.Set(workerHeader, "attacker")
		m.Header.Set(tableHeader, table{search, 0, board.Size{Rows: 4, Cols: 4}}.String())
		m.Data = data
		if err := h.conn.PublishMsg(m); err != nil {
			t.Error(err)
		}
	}
	for i, j := range badJobs(search) {
		publish(fmt.Sprintf("%s%s.bad%d", jobSubject, search, i), marshal(t, j))
	}
	root := keyOf(empty(t, "4x4"), board.Black)
	understood, refused := badResults(search, job{ID: root.String() + "-0", Key: root})
	for _, r := range append(understood, refused...) {
		publish(resultSubject+search, marshal(t, r))
	}
	random := rand.New(rand.NewPCG(5, 5))
	for i := range 200 {
		data := make([]byte, random.IntN(300))
		for k := range data {
			data[k] = byte(random.Uint32())
		}
		for _, subject := range []string{
			fmt.Sprintf("%s%s.r%d", jobSubject, search, i), resultSubject + search, factSubject + search + ".0", heartbeatSubject,
			cancelSubject + search, banSubject + "nobody", "$KV." + statusBucket + "." + statusKey + "made-up", "$KV." + statusBucket + "." + statusKey + search,
		} {
			publish(subject, data)
		}
		publish(heartbeatSubject, fmt.Appendf(nil, `{"protocol":%d,"worker":%q,"job":%q}`, protocol, data, data))
	}
	if err := h.conn.Flush(); err != nil {
		t.Error(err)
	}
}

// FuzzMessages feeds every decoder of messages. Whatever is let in can be worked with.
func FuzzMessages(f *testing.F) {
	for _, j := range badJobs("search") {
		f.Add(marshal(f, j))
	}
	root := keyOf(empty(f, "3x4"), board.Black)
	asked := job{Protocol: protocol, Search: "search", ID: root.String() + "-0", Kind: solving, Size: "3x4", Key: root, Budget: 100}
	f.Add(marshal(f, asked))
	f.Add(marshal(f, listJob("search", "x../.o./...", "....", "oo")))
	f.Add(marshal(f, job{Protocol: protocol, Search: "search", ID: "1", Kind: proving, Size: "3x4", Budget: 1, Proof: &proofSlice{Root: root, Positions: make([]byte, 32)}}))
	understood, refused := badResults("simulation", asked)
	for _, r := range append(understood, refused...) {
		f.Add(marshal(f, r))
	}
	f.Add(marshal(f, heartbeat{Protocol: protocol, Worker: "w", Search: "search", Job: "1", Nodes: 5, Seconds: 1}))
	f.Add(someFact(1))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if j, err := decodeJob(data); err == nil {
			_ = j.String()
			if j.Kind == proving {
				size, err := j.board()
				if err != nil {
					t.Fatal(err)
				}
				if _, err := j.Proof.extraction(size, 1); err == nil {
					unpackCodes(j.Proof.Positions)
				}
			}
		}
		if b, err := decodeHeartbeat(data); err == nil && checkName("worker", b.Worker) != nil {
			t.Fatal("a worker without a name")
		}
		if r, err := decodeResult(data); err == nil {
			takeAnything(t, r)
		}
		var s Status
		_ = json.Unmarshal(data, &s)
		b := newExecutor(1<<16, 1)
		defer b.close()
		if err := b.open(board.Size{Rows: 3, Cols: 4}); err != nil {
			t.Fatal(err)
		}
		b.importFacts(b.table.String(), data)
		b.importFacts(string(data), data)
	})
}

// takeAnything has every kind of task take a result.
func takeAnything(t *testing.T, r result) {
	_, p, end, err := simulateBoard(Question{Position: empty(t, "3x4"), ToPlay: board.Black}, 1, Measured, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	m := p.m
	r.Search = m.search
	x, err := m.extracting(p.question, board.White)
	if err != nil {
		t.Fatal(err)
	}
	x.searched = p.searching
	if err := x.begin(t.Context(), x.extraction.First()); err != nil {
		t.Fatal(err)
	}
	l, err := m.listing(readList(t, "x../.o./...\n..../....\n"))
	if err != nil {
		t.Fatal(err)
	}
	shared := &sharing[[]byte]{
		m: m, kind: stripping, name: "strips", supply: func() error { return nil }, slicer: newSlicer("strips", 100, pace{least: 100, most: 100}), authors: map[int]author{}, everyone: map[string]bool{},
		add:     func(span, []byte) (bool, error) { return false, nil },
		suspect: func(span, []byte) bool { return false },
		again:   func(span, []byte) (string, *[]byte, error) { return "", nil, nil },
	}
	for _, task := range []task{p.searching, x, l, shared} {
		j, ok := task.next()
		if !ok {
			t.Fatal("no job")
		}
		for _, id := range []string{r.ID, j.ID} {
			again := r
			again.ID = id
			m.sent[j.ID] = &sent{job: j}
			if m.sent[id] == nil && !task.news(again) {
				continue
			}
			if _, err := task.take(again); err != nil {
				t.Log(err)
			}
		}
		clear(m.sent)
	}
}
