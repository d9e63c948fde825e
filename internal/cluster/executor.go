package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tengen/board"
	engine "tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/cluster/tree"
	"tengen/internal/solver"
	"tengen/nogo"
	"tengen/proof"
)

// executor does the jobs of a worker. It has the solver of one board, whose transposition
// table it keeps from job to job, and exchanges facts with other workers.
type executor struct {
	memory  int64
	threads int
	log     *slog.Logger

	stopExchange func()
	exchanging   bool // facts with other workers, now

	mu     sync.Mutex // facts are imported while jobs run; solvers change between jobs
	table  table      // the table of the solver
	solver solver.Shared

	forge func([]byte) // falsifies facts, for tests

	published atomic.Uint64 // facts since the last result
	material  material
}

func newExecutor(memory int64, threads int) *executor {
	return &executor{memory: memory, threads: threads, log: slog.New(slog.DiscardHandler), stopExchange: func() {}}
}

func (e *executor) close() {
	e.material.clear()
	e.release()
}

// release ends the exchange of facts, then frees the solver with its table.
func (e *executor) release() {
	e.stopExchange()
	e.stopExchange, e.exchanging = func() {}, false
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.solver != nil {
		e.solver.Close()
		e.solver = nil
	}
	e.table = table{}
}

// prepare makes ready for a job: the solver of its board, and the facts of its search.
// Another search, epoch or board begins with an empty table. So does a list, whose solvers
// are made as its lines come.
func (e *executor) prepare(ctx context.Context, h *hub, j job, name string) error {
	switch j.Kind {
	case solving, proving, batching:
	default: // needs no solver
		return nil
	}
	if j.Search != e.table.search || j.Epoch != e.table.epoch {
		e.release()
		e.table = table{search: j.Search, epoch: j.Epoch}
	}
	if j.Kind == batching {
		return nil
	}
	size, err := j.board()
	if err != nil {
		return err
	}
	if err := e.open(size); err != nil {
		return err
	}
	if !e.exchanging && j.Share > 0 {
		e.stopExchange, e.exchanging = e.exchange(ctx, h, name, j.Alone), true
	}
	e.solver.SetExport(j.Share)
	return nil
}

// open makes the solver of a board unless it has it.
func (e *executor) open(size board.Size) error {
	if e.solver != nil && e.table.size == size {
		return nil
	}
	t := table{e.table.search, e.table.epoch, size}
	e.release()
	if e.material.kind == tabling { // a table takes as much memory
		e.material.clear()
	}
	s, err := openSearch(size, e.memory, e.threads)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.table, e.solver = t, s
	return nil
}

const (
	workerHeader = "Tengen-Worker" // the worker that publishes facts
	tableHeader  = "Tengen-Table"  // the table they belong to
	factsEvery   = 20 * time.Millisecond
	factBatch    = 64 // messages fetched at a time
)

// exchange publishes the facts that are found here. Unless alone, it imports those of other
// workers, beginning with the oldest that the stream has kept. It runs beside the jobs until
// the function it returns is called.
func (e *executor) exchange(ctx context.Context, h *hub, name string, alone bool) (stopExchange func()) {
	t := e.table
	subject := factSubject + t.search + "." + strconv.Itoa(t.epoch)
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var side sync.WaitGroup
	if !alone {
		side.Go(func() { e.receiveFacts(ctx, h, subject, name) })
	}
	side.Go(func() { e.publishFacts(ctx, h, t, subject, name) })
	return func() {
		cancel()
		side.Wait()
	}
}

// receiveFacts imports facts of other workers as they are published, and once those that the
// stream has kept. It does not read new ones from the stream, which flushes every message
// before it passes it on: that takes too long.
func (e *executor) receiveFacts(ctx context.Context, h *hub, subject, name string) {
	live, err := h.conn.Subscribe(subject, h.guarded(e.log, "fact", func(m *nats.Msg) {
		if m.Header.Get(workerHeader) != name {
			e.importFacts(m.Header.Get(tableHeader), m.Data)
		}
	}))
	if err == nil {
		defer func() { _ = live.Unsubscribe() }()
	}
	for ctx.Err() == nil && e.receiveKeptFacts(ctx, h, subject) != nil {
		wait(ctx, time.Second)
	}
	<-ctx.Done()
}

// receiveKeptFacts imports the facts that the stream has kept. It uses no ordered consumer:
// when the server is lost, that one recreates itself, and no context ends it.
func (e *executor) receiveKeptFacts(ctx context.Context, h *hub, subject string) error {
	within, cancel := context.WithTimeout(ctx, 5*time.Second)
	consumer, err := h.stream.CreateConsumer(within, factStream, jetstream.ConsumerConfig{
		FilterSubject: subject, DeliverPolicy: jetstream.DeliverAllPolicy, AckPolicy: jetstream.AckNonePolicy,
		InactiveThreshold: 10 * time.Second, MemoryStorage: true, Replicas: 1,
	})
	cancel()
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		batch, err := consumer.FetchNoWait(factBatch)
		if err != nil {
			return err
		}
		received := 0
		for m := range batch.Messages() { // ends by itself when nothing comes for a second
			if ctx.Err() == nil {
				e.importFacts(m.Headers().Get(tableHeader), m.Data())
			}
			received++
		}
		if err := batch.Error(); err != nil || received == 0 {
			return err
		}
	}
	return nil
}

// importFacts imports facts of other workers. It refuses those of another table, and damaged
// ones.
func (e *executor) importFacts(of string, facts []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.solver != nil && of == e.table.String() {
		_ = e.solver.Import(facts)
	}
}

// publishFacts publishes the facts that the solver exports.
func (e *executor) publishFacts(ctx context.Context, h *hub, t table, subject, name string) {
	var facts []byte
	for ctx.Err() == nil {
		wait(ctx, factsEvery)
		facts = facts[:0]
		e.mu.Lock()
		if e.solver != nil && e.table == t {
			facts = e.solver.Export(facts)
		}
		e.mu.Unlock()
		if e.forge != nil {
			e.forge(facts)
		}
		for at := 0; at < len(facts); at += payload {
			m := nats.NewMsg(subject)
			m.Header.Set(workerHeader, name)
			m.Header.Set(tableHeader, t.String())
			m.Data = facts[at:min(at+payload, len(facts))]
			_ = h.conn.PublishMsg(m) // a fact that is lost is found again
			e.published.Add(uint64(len(m.Data) / solver.FactBytes))
		}
	}
}

// solve solves a position. When its budget is spent, it lists the moves in the order of the
// search instead.
func (e *executor) solve(ctx context.Context, j job, r *result) error {
	s := e.solver
	// History and killer moves hold for one orientation.
	q := solver.Query{Position: j.Key.Position(e.table.size).Map(j.Turn), ToPlay: j.Key.ToPlay}
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

// proofSlice asks for a winning move in each of some positions of a proof.
type proofSlice struct {
	Root      Key          `json:"root"`
	Winner    board.Colour `json:"winner"`
	Positions []byte       `json:"positions"` // codes, 16 bytes each
}

// codeBytes is the size of a position of a proof in a message.
const codeBytes = 16

// provedSlice are the moves. The master finds out itself where they lead.
type provedSlice struct {
	Moves []byte `json:"moves"`
}

func packCodes(codes []proof.Code) []byte {
	data := make([]byte, 0, codeBytes*len(codes))
	for _, k := range codes {
		data = binary.BigEndian.AppendUint64(data, k[0])
		data = binary.BigEndian.AppendUint64(data, k[1])
	}
	return data
}

func unpackCodes(data []byte) []proof.Code {
	codes := make([]proof.Code, len(data)/codeBytes)
	for i := range codes {
		codes[i] = proof.Code{binary.BigEndian.Uint64(data[codeBytes*i:]), binary.BigEndian.Uint64(data[codeBytes*i+8:])}
	}
	return codes
}

// extraction makes the extraction of a slice.
func (p *proofSlice) extraction(size board.Size, threads int) (*proof.Extraction, error) {
	return proof.NewExtraction(p.Root.Position(size), p.Root.ToPlay, p.Winner, proof.ExtractOptions{Threads: threads})
}

// prove finds winning moves for a slice of a proof.
func (e *executor) prove(ctx context.Context, j job, r *result) (*provedSlice, error) {
	x, err := j.Proof.extraction(e.table.size, max(e.threads, 1))
	if err != nil {
		return nil, err
	}
	before := e.solver.Stats().Nodes
	moves, _, err := x.Slice(ctx, e.solver, unpackCodes(j.Proof.Positions))
	r.Nodes = e.solver.Stats().Nodes - before
	if err != nil {
		r.Refuted = ctx.Err() == nil
		return nil, err
	}
	return &provedSlice{moves}, nil
}

// question is a line of a list of positions.
type question struct {
	Line     int    `json:"line"`
	Position string `json:"position"`
	ToPlay   string `json:"to_play"`
}

// answer is the answer to a line.
type answer struct {
	question
	Winner  string `json:"winner,omitempty"`
	Move    string `json:"move,omitempty"` // that wins, if the side to play does
	Nodes   uint64 `json:"nodes"`
	Failure string `json:"failure,omitempty"`
}

// batch answers the lines of a job one after the other.
func (e *executor) batch(ctx context.Context, j job, r *result) ([]answer, error) {
	answers := make([]answer, 0, len(j.Batch))
	for _, q := range j.Batch {
		a := answer{question: q}
		err := e.line(ctx, &a)
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

// line answers one line. Boards that a cluster does not take go to the engine.
func (e *executor) line(ctx context.Context, a *answer) error {
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
		return e.byEngine(ctx, p, toPlay, a)
	}
	if err := e.open(size); err != nil {
		return err
	}
	before := e.solver.Stats().Nodes
	found, err := e.solver.Solve(ctx, solver.Query{Position: p, ToPlay: toPlay})
	a.Nodes = e.solver.Stats().Nodes - before
	if err != nil {
		return err
	}
	a.Winner = found.Winner.String()
	if found.Winner == toPlay {
		a.Move = size.Name(found.Move)
	}
	return nil
}

func (e *executor) byEngine(ctx context.Context, p nogo.Position, toPlay board.Colour, a *answer) error {
	found, err := solve.NoGo(ctx, solve.Request{Position: p, ToPlay: toPlay, Strips: engine.Cache, Limits: engine.Limits{Memory: e.memory, Threads: e.threads}})
	if err != nil {
		return err
	}
	a.Winner, a.Nodes = found.Winner.String(), found.Nodes
	if found.Winner.Is(toPlay) && len(found.Line) > 0 {
		a.Move = p.Size.Name(found.Line[0])
	}
	return nil
}
