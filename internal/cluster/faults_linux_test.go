package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/proof"
)

func init() {
	roles["nats"] = playServer
	roles["liar"] = playLiar
	roles["node"] = playNode
}

const secret = "secret"

// playServer is a NATS server in a process of its own. It says where it listens.
func playServer(ctx context.Context) error {
	for {
		s, err := Listen(os.Getenv("ADDRESS"), secret, os.Getenv("FOLDER"))
		if err == nil {
			fmt.Println(s.port())
			<-ctx.Done()
			s.Close()
			return nil
		}
		if ctx.Err() != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond) // the port may be taken for a moment
	}
}

// node is one of several NATS servers.
type node struct {
	Name, Folder, Others string
	Port, Route          int
}

// playNode says a line when clients can come.
func playNode(ctx context.Context) error {
	var n node
	if err := json.Unmarshal([]byte(os.Getenv("NODE")), &n); err != nil {
		return err
	}
	s, err := server.NewServer(&server.Options{
		ServerName: n.Name, Host: "127.0.0.1", Port: n.Port, Authorization: secret,
		JetStream: true, StoreDir: n.Folder, SyncAlways: true, NoSigs: true, Routes: server.RoutesFromStr(n.Others),
		Cluster: server.ClusterOpts{Name: "three", Host: "127.0.0.1", Port: n.Route},
	})
	if err != nil {
		return err
	}
	s.ConfigureLogger() // to standard error
	go s.Start()
	for ctx.Err() == nil && !s.ReadyForConnections(time.Minute) {
	}
	fmt.Println("ready")
	<-ctx.Done()
	s.Shutdown()
	return nil
}

// playLiar is a worker that answers the wrong way round and, as a supervisor would have
// it, starts again when it is sent away.
func playLiar(ctx context.Context) error {
	for ctx.Err() == nil {
		err := Work(ctx, WorkerOptions{
			Access: Access{URL: os.Getenv("NATS"), Token: secret, Name: "liar"},
			Memory: 64 << 20, Threads: 1, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), forge: lieInResults,
		})
		fmt.Fprintln(os.Stderr, "the liar leaves:", err)
	}
	return nil
}

// process is another program that the test has started.
type process struct {
	cmd   *exec.Cmd
	input io.Closer
	out   *bufio.Reader
	done  chan struct{}
	err   error
}

// start starts a program, whose standard error goes to a file that a failed test shows.
func start(t *testing.T, log string, env []string, program string, args ...string) *process {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), append(env, "TENGEN_TOKEN="+secret)...)
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd.Stderr = file
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe() // not cmd's, which would be closed before it is read
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	p := &process{cmd: cmd, input: input, out: bufio.NewReader(read), done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.kill()
		read.Close()
	})
	return p
}

// kill is kill -9.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
	p.input.Close()
}

func (p *process) over() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// company is a NATS server, a master and workers, each a process, over TCP.
type company struct {
	t       *testing.T
	dir     string
	program string
	random  *rand.Rand

	address string // of the server
	urls    string // of its servers instead, if there are several
	inside  bool   // the server is inside the master
	server  *process
	master  *process
	args    []string // of the master
	staff   []*employee

	statuses chan Status
	beats    chan string
	last     Status
	kept     snapshot
	moved    time.Time     // when there was progress
	stall    time.Duration // the longest time without any, once the search has begun
	after    string        // what had happened before that
	latest   string        // fault
	faults   map[string]int
}

// employee is a worker that is started again when it is killed.
type employee struct {
	*process
	before []string // what it is started by
	host   string   // where it finds the server
	number int
	times  int
}

func (e *employee) name() string { return fmt.Sprintf("worker-%d-%d", e.number, e.times) }

func newCompany(t *testing.T) *company {
	t.Helper()
	c := &company{t: t, dir: t.TempDir(), random: rand.New(rand.NewPCG(1, 1)), statuses: make(chan Status, 1024), beats: make(chan string, 1024), faults: map[string]int{}}
	c.program = filepath.Join(c.dir, "tengen")
	if out, err := exec.Command("go", "build", "-pgo=off", "-o", c.program, "tengen/cmd/tengen").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Cleanup(c.showLogs)
	return c
}

// freeAddress is one of this machine where nobody listens.
func freeAddress(t *testing.T) *net.TCPAddr {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close()
	return free.Addr().(*net.TCPAddr)
}

// serverNode is one of several NATS servers in a process that can be started again.
type serverNode struct {
	*process
	node node
}

func (c *company) startNode(n node) *serverNode {
	text, err := json.Marshal(n)
	if err != nil {
		c.t.Fatal(err)
	}
	return &serverNode{start(c.t, filepath.Join(c.dir, n.Name+".log"), []string{roleVariable + "=node", "NODE=" + string(text)}, os.Args[0]), n}
}

// serveCluster starts three servers.
func (c *company) serveCluster() (nodes map[string]*serverNode) {
	var clients, routes []*net.TCPAddr
	var urls, others []string
	for range 3 {
		clients, routes = append(clients, freeAddress(c.t)), append(routes, freeAddress(c.t))
		urls = append(urls, "nats://"+clients[len(clients)-1].String())
		others = append(others, "nats://"+routes[len(routes)-1].String())
	}
	c.urls = strings.Join(urls, ",")
	nodes = map[string]*serverNode{}
	for i := range clients {
		name := fmt.Sprintf("node-%d", i+1)
		nodes[name] = c.startNode(node{name, filepath.Join(c.dir, name), strings.Join(others, ","), clients[i].Port, routes[i].Port})
	}
	for _, n := range nodes {
		if _, err := n.out.ReadString('\n'); err != nil {
			c.t.Fatal(err)
		}
	}
	return nodes
}

func (c *company) showLogs() {
	if !c.t.Failed() {
		return
	}
	logs, _ := filepath.Glob(filepath.Join(c.dir, "*.log"))
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		c.t.Logf("%s: %s", filepath.Base(log), text[max(0, len(text)-8000):])
	}
}

// serve starts the server, where it was before.
func (c *company) serve() {
	if c.address == "" {
		c.address = "0.0.0.0:0"
	}
	c.server = start(c.t, filepath.Join(c.dir, "nats.log"), []string{roleVariable + "=nats", "ADDRESS=" + c.address, "FOLDER=" + filepath.Join(c.dir, "nats")}, os.Args[0])
	line, err := c.server.out.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	c.address = "0.0.0.0:" + strings.TrimSpace(line)
}

func (c *company) url(host string) string {
	if c.urls != "" {
		return c.urls
	}
	_, port, _ := net.SplitHostPort(c.address)
	return "nats://" + net.JoinHostPort(host, port)
}

// hire starts a worker by a command that may put it elsewhere.
func (c *company) hire(host string, before ...string) *employee {
	e := &employee{before: before, host: host, number: len(c.staff) + 1}
	c.staff = append(c.staff, e)
	c.employ(e)
	return e
}

func (c *company) employ(e *employee) {
	e.times++
	args := append(slices.Clone(e.before), c.program, "worker", "--nats", c.url(e.host), "--name", e.name(), "--memory", "64MiB", "--while-input")
	e.process = start(c.t, filepath.Join(c.dir, fmt.Sprintf("worker-%d.log", e.number)), nil, args[0], args[1:]...)
}

// direct starts the master.
func (c *company) direct() {
	args := []string{"cluster", "solve", "nogo", "--nats", c.url("127.0.0.1")}
	if c.inside {
		args = []string{"cluster", "solve", "nogo", "--listen", c.address, "--workers", "0"}
	}
	args = append(args, "--store", c.store(), "--certificate", c.certificate(), "--json", "--log")
	c.master = start(c.t, filepath.Join(c.dir, "master.log"), nil, c.program, append(args, c.args...)...)
}

func (c *company) store() string       { return filepath.Join(c.dir, "store") }
func (c *company) certificate() string { return filepath.Join(c.dir, "certificate") }

// observe listens to what the master and the workers say.
func (c *company) observe() {
	options := []nats.Option{nats.Token(secret), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(50 * time.Millisecond)}
	conn, err := nats.Connect(c.url("127.0.0.1"), options...)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(conn.Close)
	if _, err := conn.Subscribe("$KV."+statusBucket+"."+statusKey+"*", func(m *nats.Msg) {
		var s Status
		if json.Unmarshal(m.Data, &s) == nil {
			c.statuses <- s
		}
	}); err != nil {
		c.t.Fatal(err)
	}
	if _, err := conn.Subscribe(heartbeatSubject, func(m *nats.Msg) {
		var b heartbeat
		if json.Unmarshal(m.Data, &b) == nil {
			select {
			case c.beats <- b.Worker:
			default:
			}
		}
	}); err != nil {
		c.t.Fatal(err)
	}
}

// await waits until the master has said what is waited for, or has ended.
func (c *company) await(said func(Status) bool) (ended bool) {
	c.t.Helper()
	for {
		select {
		case <-c.beats:
		case s := <-c.statuses:
			c.progress(s)
			if said(s) {
				return false
			}
		case <-c.master.done:
			return true
		}
	}
}

// progress takes the time between two things that were done.
func (c *company) progress(s Status) {
	if s.Jobs == c.last.Jobs && s.Decided == c.last.Decided && s.Part == c.last.Part && s.Phase == c.last.Phase {
		return
	}
	if s.Epoch == c.last.Epoch && s.Jobs < c.last.Jobs {
		c.t.Errorf("%d jobs were done, now it is %d", c.last.Jobs, s.Jobs)
	}
	if took := time.Since(c.moved); took > c.stall && c.last.Jobs > 0 {
		c.stall, c.after = took, c.latest
	}
	c.last, c.moved = s, time.Now()
}

// awaitJobs waits until a number of further jobs are done.
func (c *company) awaitJobs(more uint64) (ended bool) {
	until := c.last.Jobs + more
	return c.await(func(s Status) bool { return s.Jobs >= until })
}

func (c *company) count(fault string) {
	c.latest = fault
	c.faults[fault]++
}

// killWorker kills one at random.
func (c *company) killWorker() {
	c.count("worker killed")
	e := c.staff[c.random.IntN(len(c.staff))]
	e.kill()
	c.employ(e)
}

// killMaster kills the master. What it has said to be decided must be in the store.
func (c *company) killMaster() {
	c.count("master killed")
	c.master.kill()
	c.check()
	c.direct()
}

func (c *company) killServer() {
	c.count("NATS server killed")
	c.server.kill()
	c.serve()
}

// snapshot is what a store held.
type snapshot struct {
	decided, doubted map[string]int8
	about            about
}

// check reads the store, which must hold everything that it held before.
func (c *company) check() {
	c.t.Helper()
	s, a, err := openStore(c.store(), c.question().String(), "")
	if err != nil {
		c.t.Fatal(err)
	}
	defer s.close()
	now := snapshot{map[string]int8{}, map[string]int8{}, a}
	for name, all := range map[string]map[string]int8{"decided": now.decided, "doubted": now.doubted} {
		if err := each(s, []byte(name), func(k string, r record) error {
			all[k] = r.Outcome
			return nil
		}); err != nil {
			c.t.Fatal(err)
		}
	}
	if a.Epoch == c.kept.about.Epoch {
		for k, outcome := range c.kept.decided {
			if now.decided[k] != outcome {
				c.t.Errorf("%s was %d, is %d", k, outcome, now.decided[k])
			}
		}
		if c.last.Epoch == a.Epoch && len(now.decided) < c.last.Decided {
			c.t.Errorf("%d positions were decided, %d are left", c.last.Decided, len(now.decided))
		}
	}
	if a.Jobs < c.kept.about.Jobs || a.Nodes < c.kept.about.Nodes {
		c.t.Errorf("%d jobs and %d nodes were done, now it is %d and %d", c.kept.about.Jobs, c.kept.about.Nodes, a.Jobs, a.Nodes)
	}
	c.kept = now
}

func (c *company) question() Question {
	return Question{Position: empty(c.t, c.args[0]), ToPlay: board.Black}
}

// finish waits for the answer and compares it with that of one machine.
func (c *company) finish() {
	c.t.Helper()
	c.await(func(Status) bool { return false })
	text, err := io.ReadAll(c.master.out)
	if err != nil || c.master.err != nil {
		c.t.Fatal(err, c.master.err)
	}
	c.check()
	var a struct {
		Winner string   `json:"winner"`
		Doubts int      `json:"doubts"`
		Banned []string `json:"banned"`
		Jobs   uint64   `json:"jobs"`
		Nodes  uint64   `json:"nodes"`
	}
	if err := json.Unmarshal(text, &a); err != nil {
		c.t.Fatal(err)
	}
	if want := plain(c.t, c.question()).Winner.String(); a.Winner != want {
		c.t.Errorf("%s wins, not %s", a.Winner, want)
	}
	p, err := proof.ReadFile(c.certificate())
	if err != nil {
		c.t.Fatal(err)
	}
	r, err := proof.Verify(c.t.Context(), p, proof.VerifyOptions{Threads: 1})
	if err != nil || !r.Valid || p.Winner().String() != a.Winner {
		c.t.Errorf("the certificate for %s is not valid: %v %v", p.Winner(), err, r.Failure)
	}
	c.t.Logf("%+v; longest time without progress %s, after %q; faults %v", a, c.stall.Round(time.Millisecond), c.after, c.faults)
}

// network is a worker's way to the server that can be cut.
type network struct {
	t    *testing.T
	name string
	link string
}

const hostAddress, workerAddress = "198.18.77.1", "198.18.77.2"

// newNetwork makes a network namespace and a link to it.
func newNetwork(t *testing.T) *network {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("network namespaces are for root")
	}
	name := fmt.Sprintf("tengen%d", os.Getpid())
	n := &network{t, name, fmt.Sprintf("tg%d", os.Getpid())}
	if out, err := exec.Command("ip", "netns", "add", name).CombinedOutput(); err != nil {
		t.Skipf("there are no network namespaces here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		_ = exec.Command("ip", "link", "del", n.link).Run()
		_ = exec.Command("ip", "netns", "del", name).Run()
	})
	n.ip("link", "add", n.link, "type", "veth", "peer", "name", "there", "netns", name)
	n.ip("addr", "add", hostAddress+"/30", "dev", n.link)
	n.ip("-n", name, "addr", "add", workerAddress+"/30", "dev", "there")
	n.ip("-n", name, "link", "set", "lo", "up")
	n.ip("-n", name, "link", "set", "there", "up")
	n.mend()
	return n
}

func (n *network) ip(args ...string) {
	n.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		n.t.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

func (n *network) cut()  { n.ip("link", "set", n.link, "down") }
func (n *network) mend() { n.ip("link", "set", n.link, "up") }

// shifted starts a program whose clock is a day ahead.
func shifted(t *testing.T) []string {
	command := []string{"unshare", "--time", "--monotonic", "86400", "--boottime", "86400", "--fork", "--kill-child"}
	if out, err := exec.Command(command[0], append(command[1:], "true")...).CombinedOutput(); err != nil {
		t.Logf("there are no time namespaces here, all clocks are the same: %v: %s", err, out)
		return nil
	}
	return command
}

// cutOff cuts a worker off until the master has forgotten it.
func (c *company) cutOff(n *network, e *employee) (ended bool) {
	there := func(s Status) bool {
		return slices.ContainsFunc(s.Workers, func(w WorkerStatus) bool { return w.Name == e.name() })
	}
	if c.await(there) {
		return true
	}
	c.count("worker cut off")
	n.cut()
	defer n.mend()
	return c.await(func(s Status) bool { return !there(s) })
}

// Workers are killed again and again, the master twice and the NATS server once, a worker
// is cut off, and clocks differ. The answer is right and nothing decided is lost.
func TestProcessesAreKilled(t *testing.T) {
	longtest.Skip(t)
	n := newNetwork(t)
	c := newCompany(t)
	c.serve()
	c.args = []string{"3x8"}
	c.observe()
	c.direct()
	c.hire("127.0.0.1")
	c.hire("127.0.0.1", shifted(t)...)
	far := c.hire(hostAddress, "ip", "netns", "exec", n.name)
	cut := func() { c.cutOff(n, far) }
	script := []func(){
		c.killWorker, c.killWorker, c.killMaster, c.killWorker, c.killServer, c.killWorker,
		cut, c.killWorker, c.killMaster,
	}
	for _, fault := range script {
		if c.awaitJobs(20) {
			t.Fatal("the search was over before all that should happen to it")
		}
		fault()
	}
	for !c.awaitJobs(30) {
		c.killWorker()
	}
	c.finish()
	for worker := ""; worker != far.name(); worker = <-c.beats { // it comes back
		if far.over() {
			t.Fatal("the worker that was cut off has ended")
		}
	}
}

// The same where the server is inside the master and dies with it.
func TestMasterWithServerIsKilled(t *testing.T) {
	longtest.Skip(t)
	c := newCompany(t)
	c.inside, c.address = true, freeAddress(t).String()
	c.args = []string{"3x8"}
	c.observe()
	c.direct()
	c.hire("127.0.0.1")
	c.hire("127.0.0.1")
	for _, fault := range []func(){c.killMaster, c.killWorker, c.killMaster} {
		if c.awaitJobs(20) {
			t.Fatal("the search was over before all that should happen to it")
		}
		fault()
	}
	c.finish()
}

// A worker in another process answers the wrong way round, and is started again whenever
// it is sent away.
func TestLyingProcess(t *testing.T) {
	longtest.Skip(t)
	c := newCompany(t)
	c.serve()
	c.args = []string{"3x8"}
	c.observe()
	c.direct()
	start(t, filepath.Join(c.dir, "liar.log"), []string{roleVariable + "=liar", "NATS=" + c.url("127.0.0.1")}, os.Args[0])
	c.hire("127.0.0.1")
	c.hire("127.0.0.1")
	for !c.awaitJobs(60) {
		c.killWorker()
	}
	c.finish()
	if c.kept.about.Epoch == 0 {
		t.Error("the liar was not found out")
	}
}

// One of three NATS servers is killed, the one that leads the queue of jobs. The search
// goes on with the others.
func TestNodeOfThreeIsKilled(t *testing.T) {
	longtest.Skip(t)
	c := newCompany(t)
	nodes := c.serveCluster()
	c.args = []string{"3x8"}
	c.observe()
	c.direct()
	c.hire("")
	c.hire("")
	if c.awaitJobs(20) {
		t.Fatal("the search was over before all that should happen to it")
	}
	h, err := connect(t.Context(), Access{URL: c.urls, Token: secret})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	leader := ""
	for _, name := range []string{jobStream, resultStream, factStream, "KV_" + statusBucket, "OBJ_" + objectBucket} {
		s, err := h.stream.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if n := s.CachedInfo().Config.Replicas; n != 3 {
			t.Errorf("%s has %d copies", name, n)
		}
		if name == jobStream {
			leader = s.CachedInfo().Cluster.Leader
		}
	}
	c.count(leader + " killed")
	nodes[leader].kill()
	c.finish()
}

// Each of three NATS servers is killed and started again while the search goes on, then two
// at once, then all of them, and a worker and the master on the way. The answer is right
// and nothing decided is lost.
func TestThreeNodesAreKilled(t *testing.T) {
	longtest.Skip(t)
	c := newCompany(t)
	nodes := c.serveCluster()
	c.args = []string{"3x8"}
	c.observe()
	c.direct()
	c.hire("")
	c.hire("")
	names := slices.Sorted(maps.Keys(nodes))
	strike := func(struck ...string) {
		c.count(fmt.Sprintf("%d killed", len(struck)))
		for _, name := range struck {
			nodes[name].kill()
		}
		for _, name := range struck {
			nodes[name] = c.startNode(nodes[name].node)
		}
	}
	c.random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, fault := range []func(){
		func() { strike(names[0]) },
		c.killWorker,
		func() { strike(names[1]) },
		func() { strike(names[2]) },
		c.killMaster,
		func() { strike(names[:2]...) },
		func() { strike(names...) },
	} {
		if c.awaitJobs(8) {
			t.Fatal("the search was over before all that should happen to it")
		}
		fault()
	}
	c.finish()
}
