package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/cluster/tree"
	"tengen/internal/lockless"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
	"tengen/nogo"
	"tengen/proof"
)

// bench is where a worker works: the solver of one board whose table stays warm from job
// to job, and the facts that come and go.
type bench struct {
	memory  int64
	threads int

	search string // whose facts are listened to
	epoch  int
	quiet  func() // ends the listening and telling

	mu     sync.Mutex // facts come in while jobs run; solvers change between jobs
	size   board.Size
	solver *sums.Solver

	told     atomic.Uint64 // facts, since the last result
	material material
}

func newBench(memory int64, threads int) *bench {
	return &bench{memory: memory, threads: threads, quiet: func() {}}
}

func (b *bench) close() {
	b.material.clear()
	b.rise()
}

// rise gives the solver back, with what it has learned.
func (b *bench) rise() {
	b.quiet()
	b.quiet, b.search, b.epoch = func() {}, "", 0
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.solver != nil {
		b.solver.Close()
		b.solver = nil
	}
}

// sit prepares for a job: the solver of its board, and the facts of its search. Another
// epoch begins with an empty table.
func (b *bench) sit(ctx context.Context, h *hub, j job, name string) error {
	if j.Size == "" {
		return nil
	}
	size, err := board.ParseSize(j.Size)
	if err != nil {
		return err
	}
	if err := b.open(size, j.Search != b.search || j.Epoch != b.epoch); err != nil {
		return err
	}
	if j.Search != b.search || j.Epoch != b.epoch {
		b.quiet()
		b.quiet = func() {}
		b.search, b.epoch = j.Search, j.Epoch
		if j.Share > 0 {
			b.quiet = b.exchange(ctx, h, j, name)
		}
	}
	b.solver.Hear(j.Share)
	return nil
}

// open makes the solver for a board, with an empty table if a fresh one is wanted.
func (b *bench) open(size board.Size, fresh bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.solver != nil && b.size == size && !fresh {
		return nil
	}
	if b.solver != nil {
		b.solver.Close()
		b.solver = nil
	}
	if b.material.table != nil { // it takes as much memory
		b.material.clear()
	}
	s, err := sums.New(size, sums.Options{Memory: b.memory, Threads: b.threads})
	if err != nil {
		return err
	}
	b.size, b.solver = size, s
	return nil
}

const (
	workerHeader = "Tengen-Worker"
	factsEvery   = 20 * time.Millisecond
	factBatch    = 64 // messages that are fetched at a time
)

// exchange listens to the facts of a search, from the oldest that are kept on, and tells
// those that are found here. It goes on beside the jobs until the function it returns is
// called.
func (b *bench) exchange(ctx context.Context, h *hub, j job, name string) (quiet func()) {
	subject := factSubject + j.Search + "." + strconv.Itoa(j.Epoch)
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var side sync.WaitGroup
	side.Go(func() { b.listen(ctx, h, subject, name) })
	side.Go(func() { b.tell(ctx, h, subject, name) })
	return func() {
		cancel()
		side.Wait()
	}
}

// listen hears what others find as they tell it, and besides, once, what the stream has
// kept of what was told before: a stream flushes what it hands on, which takes longer than
// a fact stays news.
func (b *bench) listen(ctx context.Context, h *hub, subject, name string) {
	live, err := h.conn.Subscribe(subject, func(m *nats.Msg) {
		if m.Header.Get(workerHeader) != name {
			b.hear(m.Data)
		}
	})
	if err == nil {
		defer func() { _ = live.Unsubscribe() }()
	}
	for ctx.Err() == nil && b.catchUp(ctx, h, subject) != nil {
		wait(ctx, time.Second)
	}
	<-ctx.Done()
}

// catchUp hears what a stream has kept.
func (b *bench) catchUp(ctx context.Context, h *hub, subject string) error {
	consumer, err := h.stream.OrderedConsumer(ctx, factStream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{subject}, DeliverPolicy: jetstream.DeliverAllPolicy})
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		batch, err := consumer.FetchNoWait(factBatch)
		if err != nil {
			return err
		}
		heard := 0
		for m := range batch.Messages() {
			b.hear(m.Data())
			heard++
		}
		if err := batch.Error(); err != nil || heard == 0 {
			return err
		}
	}
	return nil
}

// hear takes facts of others in. What makes no sense is left.
func (b *bench) hear(facts []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.solver != nil {
		_ = b.solver.Tell(facts)
	}
}

func (b *bench) tell(ctx context.Context, h *hub, subject, name string) {
	var facts []byte
	for ctx.Err() == nil {
		wait(ctx, factsEvery)
		b.mu.Lock()
		if b.solver != nil {
			facts = b.solver.Facts(facts[:0])
		}
		b.mu.Unlock()
		for at := 0; at < len(facts); at += payload {
			m := nats.NewMsg(subject)
			m.Header.Set(workerHeader, name)
			m.Data = facts[at:min(at+payload, len(facts))]
			_ = h.conn.PublishMsg(m) // a fact that is lost is found again
			b.told.Add(uint64(len(m.Data) / lockless.EntryBytes))
		}
	}
}

// solve decides a position or, when the budget is spent, says how a search would go on.
func (b *bench) solve(ctx context.Context, j job, r *result) error {
	s := b.solver
	q := solver.Query{Position: j.Key.Position(b.size), ToPlay: j.Key.ToPlay}
	if err := q.Position.Validate(); err != nil {
		return err
	}
	// What is known of moves by their points holds for one orientation.
	if slices.Contains(b.size.Symmetries(), j.Turn) {
		q.Position = q.Position.Map(j.Turn)
	}
	before := s.Stats()
	found, err := s.SolveWithin(ctx, q, j.Budget)
	after := s.Stats()
	r.Nodes, r.Error = after.Nodes-before.Nodes, after.ErrorBound-before.ErrorBound
	switch {
	case err == nil && found.Winner == q.ToPlay:
		r.Outcome = tree.Won
	case err == nil:
		r.Outcome = tree.Lost
	case errors.Is(err, solver.ErrBudget):
		r.Opened = true
		for _, o := range s.Outline(q) {
			next := q.After(o.Move)
			k := keyOf(next.Position, next.ToPlay)
			r.Branches = append(r.Branches, branch{k, k.turnTo(next.Position), tree.Outcome(-o.Outcome)})
		}
		return nil
	}
	return err
}

// proofSlice asks for winning moves of positions of a proof.
type proofSlice struct {
	Root      Key          `json:"root"`
	Winner    board.Colour `json:"winner"`
	Positions []byte       `json:"positions"` // codes, 16 bytes each
}

// provedSlice are the moves, and the positions that these lead to.
type provedSlice struct {
	Moves []byte `json:"moves"`
	Next  []byte `json:"next"`
}

func packCodes(codes []proof.Code) []byte {
	data := make([]byte, 0, 16*len(codes))
	for _, k := range codes {
		data = binary.BigEndian.AppendUint64(data, k[0])
		data = binary.BigEndian.AppendUint64(data, k[1])
	}
	return data
}

func unpackCodes(data []byte) ([]proof.Code, error) {
	if len(data)%16 != 0 {
		return nil, fmt.Errorf("a list of positions is cut short: it has %d bytes", len(data))
	}
	codes := make([]proof.Code, len(data)/16)
	for i := range codes {
		codes[i] = proof.Code{binary.BigEndian.Uint64(data[16*i:]), binary.BigEndian.Uint64(data[16*i+8:])}
	}
	return codes, nil
}

// extraction is that of a slice.
func (p *proofSlice) extraction(size board.Size, threads int) (*proof.Extraction, error) {
	return proof.NewExtraction(p.Root.Position(size), p.Root.ToPlay, p.Winner, proof.ExtractOptions{Threads: threads})
}

// prove finds winning moves for a slice of a proof.
func (b *bench) prove(ctx context.Context, j job, r *result) (*provedSlice, error) {
	if j.Proof == nil {
		return nil, errors.New("a slice of a proof is empty")
	}
	x, err := j.Proof.extraction(b.size, max(b.threads, 1))
	if err != nil {
		return nil, err
	}
	codes, err := unpackCodes(j.Proof.Positions)
	if err != nil {
		return nil, err
	}
	before := b.solver.Stats().Nodes
	moves, next, err := x.Slice(ctx, b.solver, codes)
	r.Nodes = b.solver.Stats().Nodes - before
	if err != nil {
		return nil, err
	}
	return &provedSlice{moves, packCodes(next)}, nil
}

// question is a line of a list of positions.
type question struct {
	Line     int    `json:"line"`
	Position string `json:"position"`
	ToPlay   string `json:"to_play"`
}

// answer is what came of it.
type answer struct {
	question
	Winner  string `json:"winner,omitempty"`
	Move    string `json:"move,omitempty"` // that wins, if the side to play does
	Nodes   uint64 `json:"nodes"`
	Failure string `json:"failure,omitempty"`
}

// batch answers lines one after the other.
func (b *bench) batch(ctx context.Context, j job, r *result) ([]answer, error) {
	answers := make([]answer, 0, len(j.Batch))
	for _, q := range j.Batch {
		a := answer{question: q}
		err := b.line(ctx, &a)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			a.Failure = err.Error()
		}
		r.Nodes += a.Nodes
		answers = append(answers, a)
	}
	return answers, nil
}

// line answers one. Boards that the warm solver does not take go to the engine.
func (b *bench) line(ctx context.Context, a *answer) error {
	p, err := nogo.ParsePosition(a.Position)
	if err != nil {
		return err
	}
	toPlay, err := board.ParseColour(a.ToPlay)
	if err != nil {
		return err
	}
	size := p.Size
	if !Takes(size) {
		return b.byEngine(ctx, p, toPlay, a)
	}
	if err := b.open(size, false); err != nil {
		return err
	}
	before := b.solver.Stats().Nodes
	found, err := b.solver.Solve(ctx, solver.Query{Position: p, ToPlay: toPlay})
	a.Nodes = b.solver.Stats().Nodes - before
	if err != nil {
		return err
	}
	a.Winner = found.Winner.String()
	if found.Winner == toPlay {
		a.Move = size.Name(found.Move)
	}
	return nil
}

func (b *bench) byEngine(ctx context.Context, p nogo.Position, toPlay board.Colour, a *answer) error {
	found, err := engine.Solve(ctx, engine.Request{Position: p, ToPlay: toPlay, Strips: engine.CachedStrips, Limits: engine.Limits{Memory: b.memory, Threads: b.threads}})
	if err != nil {
		return err
	}
	a.Winner, a.Nodes = found.Winner.String(), found.Nodes
	if found.Winner == toPlay && len(found.Line) > 0 {
		a.Move = p.Size.Name(found.Line[0])
	}
	return nil
}
