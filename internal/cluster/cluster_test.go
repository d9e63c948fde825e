package cluster

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	crand "crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"tengen/board"
	engine "tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/cluster/tree"
	"tengen/nogo"
	"tengen/proof"
)

// small makes jobs so short that small boards have many.
var small = tree.Budgets{Least: 300, Most: 1 << 20, Share: 20}

// hard is a board of hundreds of jobs; of dozens where time is short.
func hard() string {
	if testing.Short() {
		return "4x4"
	}
	return "3x6"
}

// system is a NATS server with workers in this process.
type system struct {
	t       *testing.T
	server  *Server
	workers sync.WaitGroup
	hired   int
}

func newSystem(t *testing.T) *system {
	t.Helper()
	s, err := Listen("127.0.0.1:0", "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &system{t: t, server: s}
}

// hire starts a worker, which ends with the test or when it is fired.
func (s *system) hire(change func(*WorkerOptions)) (fire func()) {
	ctx, cancel := context.WithCancel(s.t.Context())
	s.hired++
	o := WorkerOptions{Access: Access{URL: s.server.URL(), Name: fmt.Sprintf("worker-%d", s.hired)}, Memory: 32 << 20, Threads: 1, Log: log(s.t)}
	if change != nil {
		change(&o)
	}
	done := make(chan struct{})
	s.workers.Go(func() {
		defer close(done)
		if err := Work(ctx, o); err != nil && o.forge == nil && o.forgeFacts == nil {
			s.t.Errorf("%s: %v", o.Name, err)
		}
	})
	fire = func() {
		cancel()
		<-done
	}
	s.t.Cleanup(fire)
	return fire
}

func (s *system) options() Options {
	return Options{Access: Access{URL: s.server.URL()}, Store: filepath.Join(s.t.TempDir(), "store"), Budgets: small, Share: 32, Log: log(s.t)}
}

func log(t *testing.T) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

func empty(t testing.TB, size string) nogo.Position {
	t.Helper()
	parsed, err := board.ParseSize(size)
	if err != nil {
		t.Fatal(err)
	}
	return nogo.Position{Size: parsed}
}

// plain is the answer of one machine.
func plain(t *testing.T, q Question) Answer {
	t.Helper()
	r, err := solve.NoGo(t.Context(), solve.Request{Position: q.Position, ToPlay: q.ToPlay, EachMove: q.EachMove, Limits: engine.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	a := Answer{Winner: r.Winner.Colour()}
	for _, m := range r.Moves {
		a.Moves = append(a.Moves, Move{m.Move, m.Winner.Colour()})
	}
	return a
}

// Any number of workers finds what one machine finds, with a proof.
func TestSameWinnersAsOneMachine(t *testing.T) {
	s := newSystem(t)
	for workers := 1; workers <= 3; workers++ {
		s.hire(nil)
		for _, size := range []string{"2x3", "3x5", hard()} {
			q := Question{Position: empty(t, size), ToPlay: board.Black, Proof: true}
			a, err := Solve(t.Context(), q, s.options())
			if err != nil {
				t.Fatal(err)
			}
			if want := plain(t, q); a.Winner != want.Winner {
				t.Errorf("%s with %d workers: %s wins, not %s", size, workers, a.Winner, want.Winner)
			}
			checkProof(t, a)
		}
	}
}

func checkProof(t *testing.T, a Answer) {
	t.Helper()
	if a.Certificate.Winner() != a.Winner {
		t.Fatalf("the certificate is for %s, the answer %s", a.Certificate.Winner(), a.Winner)
	}
	r, err := proof.Verify(t.Context(), a.Certificate, proof.VerifyOptions{Threads: 1})
	if err != nil || !r.Valid {
		t.Fatalf("the certificate is not valid: %v %v", err, r.Failure)
	}
}

func TestEachMove(t *testing.T) {
	s := newSystem(t)
	s.hire(nil)
	s.hire(nil)
	q := Question{Position: empty(t, "3x4"), ToPlay: board.White, EachMove: true, Proof: true}
	a, err := Solve(t.Context(), q, s.options())
	if err != nil {
		t.Fatal(err)
	}
	want := plain(t, q)
	if a.Winner != want.Winner || len(a.Moves) != len(want.Moves) {
		t.Fatalf("%s wins with %d moves, not %s with %d", a.Winner, len(a.Moves), want.Winner, len(want.Moves))
	}
	for i, m := range want.Moves {
		if a.Moves[i] != (Move{m.Move, m.Winner}) {
			t.Errorf("%s: %v, not %v", q.Position.Size.Name(m.Move), a.Moves[i], m)
		}
	}
	checkProof(t, a)
}

// A master that is stopped again and again, with workers that come and go, loses nothing
// that was decided and ends with the same answer.
func TestMastersAndWorkersComeAndGo(t *testing.T) {
	s := newSystem(t)
	o := s.options()
	q := Question{Position: empty(t, hard()), ToPlay: board.Black, Proof: true}
	want := plain(t, q).Winner
	fire := s.hire(nil)
	decided := 0
	for jobs := uint64(3); ; jobs *= 3 {
		ctx, cancel := context.WithCancel(t.Context())
		o.Progress = func(s Status) {
			if s.Jobs >= jobs {
				cancel()
			}
		}
		a, err := Solve(ctx, q, o)
		cancel()
		if err == nil {
			if a.Winner != want {
				t.Errorf("%s wins, not %s", a.Winner, want)
			}
			checkProof(t, a)
			return
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
		now := count(t, o.Store, q.String())
		if now < decided {
			t.Fatalf("%d positions were decided, %d are left", decided, now)
		}
		decided = now
		hire := s.hire(nil)
		fire()
		fire = hire
	}
}

// count is how many positions a store holds.
func count(t *testing.T, path, question string) (n int) {
	t.Helper()
	s, _, err := openStore(path, question, "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := each(s, decidedBucket, func(string, record) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// A NATS server that is lost with all its streams costs time and nothing else.
func TestServerIsLost(t *testing.T) {
	first, err := Listen("127.0.0.1:0", "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", first.port())
	s := &system{t: t, server: first}
	s.hire(nil)
	s.hire(nil)
	o := s.options()
	var once sync.Once
	replaced := make(chan *Server, 1)
	o.Progress = func(now Status) {
		if now.Jobs < 4 {
			return
		}
		once.Do(func() {
			go func() {
				first.Close()
				for { // the port may be taken for a moment
					if second, err := Listen(address, "", t.TempDir()); err == nil {
						replaced <- second
						return
					}
					time.Sleep(100 * time.Millisecond)
				}
			}()
		})
	}
	q := Question{Position: empty(t, hard()), ToPlay: board.Black}
	a, err := Solve(t.Context(), q, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := plain(t, q).Winner; a.Winner != want {
		t.Errorf("%s wins, not %s", a.Winner, want)
	}
	select {
	case second := <-replaced:
		t.Cleanup(second.Close)
	case <-time.After(time.Minute):
		t.Error("the server was never replaced: the test is too short")
	}
}

// A list gives the answers of one machine, in its order, also when it is stopped on the way.
func TestList(t *testing.T) {
	s := newSystem(t)
	s.hire(nil)
	s.hire(nil)
	random := rand.New(rand.NewPCG(1, 1))
	var text strings.Builder
	var questions []Question
	text.WriteString("# positions\n\n")
	for range 60 {
		q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
		for range random.IntN(6) {
			legal := q.Position.Legal(q.ToPlay)
			if legal.IsEmpty() {
				break
			}
			skip := random.IntN(legal.Len())
			for p := range legal.Points() {
				if skip == 0 {
					q.Position = played(q.Position, q.ToPlay, p)
					q.ToPlay = q.ToPlay.Opponent()
					break
				}
				skip--
			}
		}
		questions = append(questions, q)
		fmt.Fprintf(&text, "%s %s\n", q.Position, q.ToPlay)
	}
	text.WriteString(".x..o. w\n") // a strip goes to the engine
	list, err := ReadList(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	o := s.options()
	var out bytes.Buffer
	for stop := uint64(1); ; stop++ {
		ctx, cancel := context.WithCancel(t.Context())
		o.Progress = func(now Status) {
			if now.Part > 20*stop && now.Part < now.Whole {
				cancel()
			}
		}
		out.Reset()
		_, err := SolveList(ctx, list, &out, o)
		cancel()
		if err == nil {
			break
		}
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 61 {
		t.Fatalf("%d answers", len(lines))
	}
	for i, q := range questions {
		var a answer
		if err := json.Unmarshal([]byte(lines[i]), &a); err != nil {
			t.Fatal(err)
		}
		if want := plain(t, q).Winner.String(); a.Line != i+3 || a.Winner != want || a.Failure != "" {
			t.Errorf("line %d: %s, %s to play: %+v, want %s", i+3, q.Position, q.ToPlay, a, want)
		}
	}
}

// Slices of a proof that come back empty, twice, or from another run change nothing.
func TestDroppedSlicesGoOutAgain(t *testing.T) {
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
	m := &master{nonce: "this", dispatcher: newDispatcher(nil, "search", log(t), nil)}
	defer m.examiner.close()
	x, err := m.extracting(q, plain(t, q).Winner)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.begin(t.Context(), x.extraction.First()); err != nil {
		t.Fatal(err)
	}
	b := newExecutor(32<<20, 1)
	defer b.close()
	if err := b.open(q.Position.Size); err != nil {
		t.Fatal(err)
	}
	take := func(r result) {
		t.Helper()
		if err := m.take(x, delivered{result: r, kept: func() error { return nil }}); err != nil {
			t.Fatal(err)
		}
	}
	for n := 0; !x.done(); n++ {
		j, ok := x.next()
		if !ok {
			t.Fatal("nothing is given out, and the proof is not whole")
		}
		r := result{Search: "search", ID: j.ID, Kind: proving}
		if n%2 == 0 {
			take(r)
			continue
		}
		if r.Proof, err = b.prove(t.Context(), j, &r); err != nil {
			t.Fatal(err)
		}
		stranger := r
		stranger.ID = "proof-another-1"
		take(stranger)
		take(r)
		take(r)
	}
	c := x.extraction.Certificate()
	checkProof(t, Answer{Winner: c.Winner(), Certificate: c})
}

// A job that was sent twice is opened by one worker and then decided by the other: the answer
// counts.
func TestAnAnswerAfterTheJobWasOpened(t *testing.T) {
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
	_, p, end, err := simulateBoard(q, 1, Measured, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	m := p.m
	j, ok := p.searching.next()
	if !ok {
		t.Fatal("no job")
	}
	m.sent[j.ID] = &sent{job: j}
	b := newExecutor(32<<20, 1)
	defer b.close()
	if err := b.open(q.Position.Size); err != nil {
		t.Fatal(err)
	}
	for _, budget := range []uint64{1, 1 << 40} {
		j.Budget = budget
		r := result{Search: m.search, ID: j.ID, Kind: solving, Key: j.Key, Epoch: j.Epoch}
		if err := b.solve(t.Context(), j, &r); err != nil {
			t.Fatal(err)
		}
		if r.Opened != (budget == 1) {
			t.Fatalf("with a budget of %d: opened %t", budget, r.Opened)
		}
		if err := m.take(p.searching, delivered{result: r, kept: func() error { return nil }}); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.searching.trees[0].Outcome(); got != tree.Lost || plain(t, q).Winner != board.White {
		t.Errorf("the root is %d, and it is lost", got)
	}
}

// Stores of other questions are refused in a sentence, and nothing is overwritten.
func TestRefusals(t *testing.T) {
	s := newSystem(t)
	o := s.options()
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
	other, _, err := openStore(o.Store, "another question", "x")
	if err != nil {
		t.Fatal(err)
	}
	secret, err := Listen("127.0.0.1:0", "secret", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(secret.Close)
	with := func(change func(*Options)) Options {
		o := s.options()
		change(&o)
		return o
	}
	notAStore := filepath.Join(t.TempDir(), "file")
	writeFile(t, notAStore, strings.Repeat("not a store ", 10_000))
	for want, o := range map[string]Options{
		"is in use by another tengen": o,
		"is no store of tengen":       with(func(o *Options) { o.Store = notAStore }),
		"does not accept these":       with(func(o *Options) { o.URL = secret.URL() }),
		"does not speak TLS":          with(func(o *Options) { o.TLS = true }),
		"no NATS server answers":      with(func(o *Options) { o.URL = "nats://127.0.0.1:1" }),
		"lets other machines connect": with(func(o *Options) { o.URL, o.Listen = "", "0.0.0.0:0" }),
		"is no address":               with(func(o *Options) { o.URL, o.Listen = "", "here" }),
		"credentials: stat ":          with(func(o *Options) { o.Credentials = "/nowhere" }),
		"holds none in PEM form":      with(func(o *Options) { o.CA = notAStore }),
	} {
		if _, err := Solve(t.Context(), q, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, not %q", err, want)
		}
	}
	other.close()
	if _, err := Solve(t.Context(), q, o); err == nil || !strings.Contains(err.Error(), "it belongs to another question") {
		t.Errorf("the store of another question: %v", err)
	}
	if _, err := Solve(t.Context(), Question{Position: empty(t, "1x9"), ToPlay: board.Black}, s.options()); err == nil {
		t.Error("a row was taken")
	}
}

// Over TLS, with a certificate that vouches for the server; plain text is refused.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	certificate, key := selfSigned(t, dir)
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	inner, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
		TLS: true, TLSTimeout: 60, TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12},
	})
	if err != nil {
		t.Fatal(err)
	}
	go inner.Start()
	if !inner.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	s := &system{t: t, server: &Server{inner: inner}}
	t.Cleanup(s.server.Close)
	url := strings.Replace(inner.ClientURL(), "tls://", "nats://", 1)
	s.hire(func(o *WorkerOptions) { o.URL, o.CA = url, certificate })
	o := s.options()
	o.URL, o.CA = url, certificate
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
	a, err := Solve(t.Context(), q, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := plain(t, q).Winner; a.Winner != want {
		t.Errorf("%s wins, not %s", a.Winner, want)
	}
	o.Store += ".other"
	o.CA = ""
	if _, err := Solve(t.Context(), q, o); err == nil {
		t.Error("a server that nobody vouches for was trusted")
	}
}

// selfSigned makes a certificate for this machine, and its key.
func selfSigned(t *testing.T, dir string) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), crand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(crand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeFile(t, certificate, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	writeFile(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret})))
	return certificate, key
}
