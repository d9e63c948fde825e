package web

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/longtest"
	"tengen/internal/oracle"
	"tengen/nogo"
)

// servedKey is set for a test program that is to be a server.
const servedKey = "TENGEN_TEST_SERVES"

// soakKey says how long hostile clients attack, such as 30m.
const soakKey = "TENGEN_SOAK"

// soakMemory is what the server that is attacked may use.
const soakMemory = 256 << 20

// serveAlone is the server as a process of its own. It ends when its input does, so that
// it does not outlive the test.
func serveAlone() error {
	BoundHeap(soakMemory)
	s, err := New(Options{Store: job.Cache, Version: "test", Limits: job.Limits{Memory: soakMemory, Threads: 2, Time: 2 * time.Second}})
	if err != nil {
		return err
	}
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	fmt.Println(listener.Addr())
	if err := s.Serve(ctx, listener); err != nil {
		return err
	}
	return s.Close()
}

// served starts a server as a process of its own.
func served(t testing.TB) (addr string, pid int) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), servedKey+"=1", "XDG_CACHE_HOME="+t.TempDir())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return strings.TrimSpace(line), cmd.Process.Pid
}

// memoryOf reads a line of what the system says of a process, in bytes.
func memoryOf(t testing.TB, pid int, line string) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatalf("the server is gone: %v", err)
	}
	for l := range strings.Lines(string(text)) {
		if rest, found := strings.CutPrefix(l, line+":"); found {
			n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	t.Fatalf("no %s of the server", line)
	return 0
}

// A hostile client does what it likes to a server with 256 MiB. The server stays, its
// memory stays within a bound, and honest clients get every answer, each exact.
func TestHostileSoak(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other loopback addresses must be set up, and memory is read from /proc")
	}
	const seed = 29
	length := 10 * time.Second
	switch {
	case os.Getenv(soakKey) != "":
		var err error
		if length, err = time.ParseDuration(os.Getenv(soakKey)); err != nil {
			t.Fatalf("%s: %v", soakKey, err)
		}
	case longtest.On():
		length = 30 * time.Minute
	case testing.Short():
		length = 3 * time.Second
	}
	addr, pid := served(t)
	start := memoryOf(t, pid, "VmRSS")
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	honest, hostile := &tally{}, &tally{}
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() { newHonest(t, addr, i, seed).run(ctx, honest) })
	}
	for i := range 6 {
		all.Go(func() { newAttacker(addr, i, seed).run(ctx, hostile) })
	}
	all.Wait()
	most, end := memoryOf(t, pid, "VmHWM"), memoryOf(t, pid, "VmRSS")
	t.Logf("%s with seed %d: resident memory %d MiB at first, at most %d, %d at the end", length, seed, start>>20, most>>20, end>>20)
	t.Logf("hostile: %s", hostile)
	t.Logf("honest: %s", honest)
	if honest.count("wrong") != 0 || honest.count("lost") != 0 || honest.count("right") == 0 {
		t.Errorf("honest clients: %s", honest)
	}
	if hostile.total() < 5 {
		t.Errorf("nobody attacks: %s", hostile)
	}
	// Garbage that is not collected yet comes on top of what requests may hold.
	if bound := int64(soakMemory * 3 / 2); !longtest.Raced && most > bound {
		t.Errorf("resident memory of %d MiB is more than %d MiB", most>>20, bound>>20)
	}
}

// tally counts outcomes and keeps times.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
	times  map[string][]time.Duration
}

func (a *tally) add(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.counts == nil {
		a.counts, a.times = map[string]int{}, map[string][]time.Duration{}
	}
	a.counts[what]++
}

func (a *tally) took(what string, d time.Duration) {
	a.add(what)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.times[what]) < 1<<20 {
		a.times[what] = append(a.times[what], d)
	}
}

func (a *tally) count(what string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.counts[what]
}

func (a *tally) total() (n int) {
	for _, count := range a.counts {
		n += count
	}
	return n
}

func (a *tally) String() string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(a.counts)) {
		part := fmt.Sprintf("%s %d", what, a.counts[what])
		if times := a.times[what]; len(times) > 0 {
			slices.Sort(times)
			part += fmt.Sprintf(" (median %s, p99 %s)", times[len(times)/2].Round(time.Millisecond/10), times[len(times)*99/100].Round(time.Millisecond/10))
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// honestClient asks what it can find out by itself, and compares.
type honestClient struct {
	t      testing.TB
	url    string
	client *http.Client
	rng    *rand.Rand
	truth  map[board.Size]oracle.Oracle
	proof  []byte
}

func newHonest(t testing.TB, addr string, number, seed int) *honestClient {
	h := &honestClient{t: t, url: "http://" + addr, client: from(fmt.Sprintf("127.0.3.%d", number+1)), rng: rand.New(rand.NewPCG(uint64(seed), uint64(number))), truth: map[board.Size]oracle.Oracle{}}
	var file bytes.Buffer
	if _, err := solve.NoGo(t.Context(), solve.Request{Position: nogo.NewPosition(board.Size{Rows: 3, Cols: 3}), CertificateTo: &file, Limits: job.Limits{Memory: 16 << 20, Threads: 1}}); err != nil {
		t.Error(err)
	}
	h.proof = file.Bytes()
	return h
}

func (h *honestClient) run(ctx context.Context, a *tally) {
	defer h.client.CloseIdleConnections()
	for ctx.Err() == nil {
		switch h.rng.IntN(10) {
		case 0, 1:
			h.asksWinners(a)
		case 2:
			h.sendsRecord(a)
		case 3:
			h.sendsProof(a)
		default:
			h.asksPosition(a)
		}
	}
}

// ask sends a request until it is answered. Who is turned away waits and asks again.
func (h *honestClient) ask(a *tally, name, kind string, body []byte) []byte {
	for begin := time.Now(); time.Since(begin) < time.Minute; {
		once := time.Now()
		response, err := h.client.Post(h.url+"/api/v1/"+name, kind, bytes.NewReader(body))
		if err != nil {
			a.add("no connection")
			time.Sleep(50 * time.Millisecond)
			continue
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		switch {
		case err == nil && response.StatusCode == http.StatusOK:
			a.took(name, time.Since(once))
			return text
		case strings.Contains(string(text), "takes more than"): // the machine had other work
		case response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable:
			h.t.Errorf("%s %s: %d %v %s", name, body, response.StatusCode, err, text)
			return nil
		}
		a.add(name + " asked again")
		time.Sleep(50 * time.Millisecond)
	}
	return nil
}

// judge counts an answer.
func (h *honestClient) judge(a *tally, text []byte, right bool, asked string) {
	switch {
	case text == nil:
		a.add("lost")
	case right:
		a.add("right")
	default:
		a.add("wrong")
		h.t.Errorf("%s was answered with %.2000s", asked, text)
	}
}

// game is a few random moves of NoGo on a small board.
func (h *honestClient) game() (p nogo.Position, toPlay board.Colour, moves []string) {
	sizes := []board.Size{{Rows: 2, Cols: 3}, {Rows: 3, Cols: 3}, {Rows: 2, Cols: 5}, {Rows: 1, Cols: 9}}
	p = nogo.NewPosition(sizes[h.rng.IntN(len(sizes))])
	for range h.rng.IntN(6) {
		legal := slices.Collect(p.Legal(toPlay).Points())
		if len(legal) == 0 {
			break
		}
		q := legal[h.rng.IntN(len(legal))]
		p.Stones[toPlay].Add(q)
		moves = append(moves, p.Size.Name(q))
		toPlay = toPlay.Opponent()
	}
	return p, toPlay, moves
}

func question(size board.Size, moves []string) []byte {
	text, _ := json.Marshal(map[string]any{"game": "nogo", "size": size.String(), "moves": moves})
	return text
}

func (h *honestClient) asksPosition(a *tally) {
	p, toPlay, moves := h.game()
	body := question(p.Size, moves)
	text := h.ask(a, "position", "application/json", body)
	var s Standing
	legal := []string{}
	for q := range p.Legal(toPlay).Points() {
		legal = append(legal, p.Size.Name(q))
	}
	right := json.Unmarshal(text, &s) == nil && s.Position == p.Size.Line(p.Stones) && slices.Equal(s.Legal, legal) && s.ToPlay == letter(toPlay)
	h.judge(a, text, right, string(body))
}

// asksWinners has every move of a position analysed and plays each out.
func (h *honestClient) asksWinners(a *tally) {
	p, toPlay, moves := h.game()
	if p.Legal(toPlay).IsEmpty() {
		return
	}
	body := question(p.Size, moves)
	var text []byte
	var d Done
	for begin := time.Now(); time.Since(begin) < 2*time.Minute && !d.Settled; { // time may have been too short at first
		text = h.ask(a, "analyse", "application/json", body)
		if text == nil || json.Unmarshal([]byte(lastEvent(string(text))), &d) != nil {
			break
		}
	}
	if !d.Settled {
		text = nil
	}
	if h.truth[p.Size] == nil {
		h.truth[p.Size] = oracle.Oracle{}
	}
	right := d.Settled && len(d.Moves) == p.Legal(toPlay).Len()
	for _, m := range d.Moves {
		q, err := p.Size.ParsePoint(m.Move)
		if err != nil {
			right = false
			break
		}
		next := p
		next.Stones[toPlay].Add(q)
		want := toPlay
		if h.truth[p.Size].Wins(toPlay.Opponent(), 0, next) {
			want = toPlay.Opponent()
		}
		right = right && m.Winner == want.String()
	}
	h.judge(a, text, right, string(body))
}

func (h *honestClient) sendsRecord(a *tally) {
	p, toPlay, moves := h.game()
	var record strings.Builder
	fmt.Fprintf(&record, "(;GM[1]RU[NoGo]SZ[%d:%d]", p.Size.Cols, p.Size.Rows)
	colour := board.Black
	for _, m := range moves {
		q, _ := p.Size.ParsePoint(m)
		fmt.Fprintf(&record, ";%c[%c%c]", "BW"[colour], 'a'+p.Size.Col(q), 'a'+p.Size.Rows-1-p.Size.Row(q))
		colour = colour.Opponent()
	}
	record.WriteString(")")
	_ = toPlay
	text := h.ask(a, "sgf/read", "application/x-go-sgf", []byte(record.String()))
	var r Record
	right := json.Unmarshal(text, &r) == nil && slices.Equal(r.Question.Moves, moves) && r.Problem == ""
	h.judge(a, text, right, record.String())
}

func (h *honestClient) sendsProof(a *tally) {
	text := h.ask(a, "certificates", "application/octet-stream", h.proof)
	var v Verdict
	right := json.Unmarshal(text, &v) == nil && v.Valid && v.Winner == "black" && v.Size == "3x3"
	h.judge(a, text, right, "a certificate")
}

// attacker is a client that wants the server to end.
type attacker struct {
	addr   string
	dialer net.Dialer
	client *http.Client
	rng    *rand.Rand
	held   []net.Conn // that are left open for a while
}

func newAttacker(addr string, number, seed int) *attacker {
	// Two share an address: it is a client's share that they have together.
	local := fmt.Sprintf("127.0.2.%d", number/2+1)
	return &attacker{
		addr: addr, dialer: net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(local)}}, client: from(local),
		rng: rand.New(rand.NewPCG(uint64(seed), 100+uint64(number))),
	}
}

func (x *attacker) run(ctx context.Context, a *tally) {
	attacks := x.attacks()
	names := slices.Sorted(maps.Keys(attacks))
	for ctx.Err() == nil {
		name := names[x.rng.IntN(len(names))]
		attacks[name](ctx)
		a.add(name)
		for len(x.held) > 300 || len(x.held) > 0 && x.rng.IntN(4) == 0 {
			i := x.rng.IntN(len(x.held))
			x.held[i].Close()
			x.held = slices.Delete(x.held, i, i+1)
		}
	}
	for _, c := range x.held {
		c.Close()
	}
	x.client.CloseIdleConnections()
}

// routes are all that there is to ask.
var routes = []string{
	"", "index.html", "healthz", "readyz", "metrics", "openapi.yaml", "openapi.json", "assets/", "none", "api/v1/about", "api/v1/position", "api/v1/probe",
	"api/v1/analyse", "api/v1/review", "api/v1/play", "api/v1/why", "api/v1/certificates", "api/v1/learn", "api/v1/results", "api/v1/cluster",
	"api/v1/cluster/events", "api/v1/sgf/read", "api/v1/sgf/write",
}

func (x *attacker) attacks() map[string]func(context.Context) {
	many := func(text string, n int) string { return strings.Repeat(text, n/len(text)) }
	return map[string]func(context.Context){
		"large bodies": func(ctx context.Context) {
			for range 8 {
				x.post(ctx, x.route(), make([]byte, x.rng.IntN(2*MaxProof)))
			}
		},
		"slow headers": func(context.Context) {
			for range 50 {
				x.hold("GET / HTTP/1.1\r\nHost: loc")
			}
		},
		"slow bodies": func(context.Context) {
			for range 20 {
				x.hold(fmt.Sprintf("POST /%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{", x.route(), x.rng.IntN(MaxProof)))
			}
		},
		"chunks": func(context.Context) {
			x.hold(fmt.Sprintf("POST /%s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n%s", x.route(), many("x", 60000)))
		},
		"nobody reads": func(context.Context) {
			for range 20 {
				x.hold(many("GET /api/v1/results HTTP/1.1\r\nHost: localhost\r\n\r\n", 4000))
			}
		},
		"connections": func(context.Context) {
			for range 200 {
				x.hold("")
			}
		},
		"bombs": func(ctx context.Context) {
			for range 4 {
				x.post(ctx, "api/v1/certificates", bomb(1+x.rng.IntN(1000)))
			}
		},
		"bad proofs": func(ctx context.Context) { x.post(ctx, "api/v1/certificates", bomb(8)) },
		"records": func(ctx context.Context) {
			n := MaxRecord - 10
			list := []string{
				"(" + many(";", n) + ")", many("(;", n), "(;AB" + many("[]", n) + ")", "(" + many(";B[aa];W[bb]", n) + ")", "(;SZ[3:3]" + many("(;B[aa];W[bb])", n) + ")",
				"(" + many(";B[];W[]", n) + ")", "(;C[" + many("\x01", n) + "])", "(;SZ[19]" + many(";AB[aa:ss];AE[aa:ss]", n) + ")", "(" + many(";B[aa]C[\x00\x00]", n) + ")",
			}
			x.post(ctx, "api/v1/sgf/read", []byte(list[x.rng.IntN(len(list))]))
		},
		"records at once": func(ctx context.Context) {
			var all sync.WaitGroup
			for range 24 {
				all.Go(func() { x.post(ctx, "api/v1/sgf/read", []byte("("+many(";", MaxRecord-2)+")")) })
			}
			all.Wait()
		},
		"cancelled": func(ctx context.Context) {
			short, cancel := context.WithTimeout(ctx, time.Duration(x.rng.IntN(200))*time.Millisecond)
			defer cancel()
			x.post(short, []string{"api/v1/analyse", "api/v1/review", "api/v1/play", "api/v1/why", "api/v1/learn"}[x.rng.IntN(5)], x.random())
		},
		"players": func(ctx context.Context) {
			short, cancel := context.WithTimeout(ctx, time.Duration(x.rng.IntN(500))*time.Millisecond)
			defer cancel()
			player := []string{"auto", "perfect", "net", "mcts", "value", "uct"}[x.rng.IntN(6)]
			x.post(short, "api/v1/play", fmt.Appendf(nil, `{"game":"nogo","size":"%dx%d","seconds":30,"player":"%s"}`, 1+x.rng.IntN(19), 1+x.rng.IntN(19), player))
		},
		"random bytes": func(ctx context.Context) {
			for range 20 {
				text := make([]byte, x.rng.IntN(3000))
				for i := range text {
					text[i] = byte(x.rng.Uint32())
				}
				x.post(ctx, x.route(), text)
			}
		},
		"mutations": func(ctx context.Context) {
			for range 20 {
				text := []byte(bodies[x.rng.IntN(len(bodies))])
				for range x.rng.IntN(4) {
					if len(text) > 0 {
						text[x.rng.IntN(len(text))] = byte(x.rng.Uint32())
					}
				}
				x.post(ctx, x.route(), text)
			}
		},
		"deep": func(ctx context.Context) {
			for _, text := range []string{many("[", maxBody), many(`{"a":`, maxBody), `{"game":"nogo","size":"19x19","moves":[` + many(`"A1",`, maxBody-100) + `"A1"]}`} {
				x.post(ctx, "api/v1/position", []byte(text))
			}
		},
		"long games": func(ctx context.Context) {
			moves := `"A1","B1","C1",` + many(`"pass",`, 6*3000)
			for _, route := range []string{"position", "probe", "sgf/write"} {
				x.post(ctx, "api/v1/"+route, []byte(`{"game":"go","size":"19x19","moves":[`+moves+`"pass"]}`))
			}
		},
		"no HTTP": func(context.Context) {
			text := make([]byte, 2000)
			for i := range text {
				text[i] = byte(x.rng.Uint32())
			}
			x.hold(string(text))
		},
		"positions": func(ctx context.Context) {
			for range 20 {
				x.post(ctx, "api/v1/probe", x.random())
			}
		},
	}
}

func (x *attacker) route() string { return routes[x.rng.IntN(len(routes))] }

// random is a question about some position.
func (x *attacker) random() []byte {
	rows, cols := 1+x.rng.IntN(6), 1+x.rng.IntN(6)
	var b strings.Builder
	for r := range rows {
		if r > 0 {
			b.WriteByte('/')
		}
		for range cols {
			b.WriteByte("......xo"[x.rng.IntN(8)])
		}
	}
	game := []string{"nogo", "go"}[x.rng.IntN(2)]
	return fmt.Appendf(nil, `{"game":"%s","position":"%s","moves":["A1"]}`, game, b.String())
}

// hold sends something and leaves the connection open.
func (x *attacker) hold(text string) {
	conn, err := x.dialer.Dial("tcp", x.addr)
	if err != nil {
		return
	}
	_ = conn.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	_, _ = io.WriteString(conn, text)
	x.held = append(x.held, conn)
}

// post sends a body and looks at nothing.
func (x *attacker) post(ctx context.Context, route string, body []byte) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	kind := "application/json"
	switch route {
	case "api/v1/sgf/read":
		kind = "application/x-go-sgf"
	case "api/v1/certificates":
		kind = "application/octet-stream"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+x.addr+"/"+route, bytes.NewReader(body))
	if err != nil {
		return
	}
	r.Header.Set("Content-Type", kind)
	response, err := x.client.Do(r)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16))
	response.Body.Close()
}

// bomb is a certificate of blocks that each say "the same byte 131,071 times", 65,536
// entries in thirty bytes.
func bomb(blocks int) []byte {
	const entries = 1 << 16
	file := append([]byte("TENGENPF\x01\x00nogo"), 5, 5, 0, 0, 0, 0, 1, 0, 0, 0)
	file = binary.LittleEndian.AppendUint64(file, uint64(blocks)*entries)
	file = append(file, make([]byte, 16)...)
	for i := range blocks {
		first := binary.AppendUvarint(nil, uint64(i)*entries+1)
		literal, repeated := uint32(len(first))<<3, uint32(2*entries-1)<<3|1<<1|1
		frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, byte(literal), byte(literal >> 8), byte(literal >> 16)}
		frame = append(frame, first...)
		frame = append(frame, byte(repeated), byte(repeated>>8), byte(repeated>>16), 1)
		file = binary.LittleEndian.AppendUint32(file, uint32(len(first)+2*entries-1))
		file = binary.LittleEndian.AppendUint32(file, uint32(len(frame)))
		file = append(file, frame...)
	}
	sum := sha256.Sum256(file)
	return append(file, sum[:]...)
}
