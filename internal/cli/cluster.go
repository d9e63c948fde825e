package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/cluster"
	"tengen/internal/text"
	"tengen/internal/wholefile"
	"tengen/proof"
)

func newCluster(a *app) *cobra.Command {
	return group("cluster", "Solve on many machines",
		group("solve", "Find out who wins", newClusterSolve(a)), newClusterVerify(a),
		group("strips", "Build the database of linear NoGo", newClusterStrips(a)), newClusterStatus(a))
}

// natsFlags are the flags of a connection to NATS.
type natsFlags struct {
	url, credentials, token, ca, cert, key string
	tls                                    bool
	replicas                               int
}

func (n *natsFlags) register(cmd *cobra.Command, usage string) {
	flags := cmd.Flags()
	flags.StringVar(&n.url, "nats", "", usage)
	fileFlag(cmd, &n.credentials, "credentials", "", "", "file of credentials of a NATS account")
	flags.StringVar(&n.token, "token", os.Getenv("TENGEN_TOKEN"), "token of the NATS server (default: $TENGEN_TOKEN; on this machine that of your master)")
	flags.Lookup("token").DefValue = ""
	flags.BoolVar(&n.tls, "tls", false, "connect to the NATS server by TLS only")
	fileFlag(cmd, &n.ca, "tls-ca", "", "", "file of CA certificates for the NATS server (default: those of the system)")
	fileFlag(cmd, &n.cert, "tls-cert", "", "", "file of the certificate of this client")
	fileFlag(cmd, &n.key, "tls-key", "", "", "file of the key of this certificate")
}

func (n *natsFlags) access(name string) (cluster.Access, error) {
	if (n.cert == "") != (n.key == "") {
		return cluster.Access{}, errors.New("--tls-cert and --tls-key belong together: give both or neither")
	}
	return cluster.Access{
		URL: n.url, Credentials: n.credentials, Token: n.token, CA: n.ca, Cert: n.cert, Key: n.key,
		TLS: n.tls || n.ca != "" || n.cert != "", Replicas: n.replicas, Name: name,
	}, nil
}

// clusterRun are the flags of the commands of a master.
type clusterRun struct {
	*app
	natsFlags
	listen  string
	store   string
	workers int
	chosen  func() bool // whether the number of workers is given
	memory  memory
	metrics string
	page    string
	timeout timeout
	json    bool
	log     bool
}

func (c *clusterRun) register(cmd *cobra.Command) {
	c.natsFlags.register(cmd, "NATS server to use, such as nats://host:4222 (default: one inside)")
	flags := cmd.Flags()
	flags.IntVar(&c.replicas, "replicas", 0, "copies of every stream on a NATS cluster (default: three)")
	flags.StringVar(&c.listen, "listen", "", "address of the server inside, such as 0.0.0.0:4222 (default: a free port of this machine)")
	fileFlag(cmd, &c.store, "store", "", "", "file of all decided positions (default: in the cache, by question)")
	countFlag(cmd, &c.workers, "workers", 0, 0, "workers", "workers to start on this machine, with one thread each (default: one for each core, none with --nats)")
	c.chosen = func() bool { return flags.Changed("workers") }
	flags.Var(&c.memory, "memory", "memory of these workers together, such as 8GiB"+halfMachine)
	flags.StringVar(&c.metrics, "metrics", "", "address to serve metrics for Prometheus on, such as 127.0.0.1:9420")
	flags.StringVar(&c.page, "page", "", "address of this machine to show the search in the browser on, such as 127.0.0.1:8420")
	c.timeout.register(cmd)
	flags.BoolVar(&c.json, "json", false, "print one JSON object")
	flags.BoolVar(&c.log, "log", false, "log workers and jobs to standard error")
}

// options are those of the master. The caller stops the workers that it returns.
func (c *clusterRun) options(question string, show func(cluster.Status)) (cluster.Options, *localWorkers, error) {
	access, err := c.natsFlags.access("tengen master")
	if err != nil {
		return cluster.Options{}, nil, err
	}
	if c.listen != "" && c.url != "" {
		return cluster.Options{}, nil, errors.New("--listen is for the server inside, and --nats names another server: give only one of them")
	}
	if c.store == "" {
		if c.store, err = storeOf(question); err != nil {
			return cluster.Options{}, nil, err
		}
	}
	n := c.workers
	if !c.chosen() && c.url == "" {
		n = runtime.GOMAXPROCS(0)
	}
	if c.memory == 0 {
		c.memory = memory(job.DefaultMemory())
	}
	if n > 0 && int64(c.memory)/int64(n) < leastWorker {
		return cluster.Options{}, nil, fmt.Errorf("--memory %s is too little for %s: give 32MiB or more for each", &c.memory, text.Plural(n, "worker"))
	}
	metrics, err := serveMetrics(c.metrics)
	if err != nil {
		return cluster.Options{}, nil, err
	}
	page, err := c.servePage()
	if err != nil {
		metrics.close()
		return cluster.Options{}, nil, err
	}
	workers := newLocalWorkers(n, int64(c.memory), c.err, c.log)
	workers.metrics, workers.page = metrics, page
	line := show
	show = func(s cluster.Status) {
		metrics.set(s)
		page.feed.Add(s)
		line(s)
	}
	o := cluster.Options{
		Access: access, Listen: c.listen, Store: c.store, Progress: show, Log: c.logger(),
		Joined: func(a cluster.Access) {
			if !c.json {
				fmt.Fprintf(c.err, "tengen: %s\n", c.joinHint(a))
				here := "no workers here"
				if n > 0 {
					here = fmt.Sprintf("%s here with %s in all", text.Plural(n, "worker"), &c.memory)
				}
				fmt.Fprintf(c.err, "tengen: %s; decided positions are kept in %s\n", here, text.Printable(c.store))
			}
			workers.start(a)
		},
	}
	return o, workers, nil
}

// share runs a master that answers a question, with its workers and its progress.
func (c *clusterRun) share(ctx context.Context, question string, run func(cluster.Options, *status) error) error {
	status := newStatus(c.err)
	o, workers, err := c.options(question, func(now cluster.Status) { status.show(clusterLine(now)) })
	if err != nil {
		return err
	}
	err = run(o, status)
	workers.stop()
	status.clear()
	return c.stopped(ctx, err)
}

// leastWorker is the memory of the smallest worker.
const leastWorker = 32 << 20

// joinHint says how a worker joins.
func (c *clusterRun) joinHint(a cluster.Access) string {
	join := "workers join with: tengen worker --nats " + a.URL
	switch {
	case a.Left:
		return join + " (yours, on this machine; for others give --listen and --token)"
	case c.url == "" && c.token == "":
		return "no other worker can join: there is no cache folder for the token. Give a --token"
	case a.Token != "":
		return join + " --token …"
	}
	return join
}

func (c *clusterRun) logger() *slog.Logger {
	if !c.log {
		return nil
	}
	return slog.New(slog.NewTextHandler(c.err, nil))
}

// storeOf is the place of a question's store in the cache.
func storeOf(question string) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no cache folder for the store: %w; name a file with --store", err)
	}
	sum := sha256.Sum256([]byte(question))
	return filepath.Join(dir, "tengen", "cluster", hex.EncodeToString(sum[:8])+".store"), nil
}

// stopped is the error of a run that ended before its answer.
func (c *clusterRun) stopped(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &job.Stopped{Cause: err, Known: "nothing decided is lost", Checkpoint: c.store}
}

// clusterSolve holds the flags of one call.
type clusterSolve struct {
	clusterRun
	start
	eachMove    bool
	certificate string
	list        string
	output      string
}

func newClusterSolve(a *app) *cobra.Command {
	s := &clusterSolve{clusterRun: clusterRun{app: a}}
	cmd := &cobra.Command{
		Use:   "nogo [SIZE]",
		Short: "Solve positions of NoGo on many machines",
		Long: `Find the winner of a NoGo position, of each of its moves, or of every position of a
list, with any number of workers.

This program is the master. It holds the upper part of the search and sends the rest out
as jobs, to the workers that it starts on this machine and to all others that join. Master
and workers may be stopped, killed and started again at any time. All decided positions
are kept in --store, and the same command continues from there.

A list has one position in each line, in the notation of --position. After a blank follows
b or w for the side to play. The answers are JSON objects, one in each line, in the order
of the list.

Without --nats a NATS server runs inside. Each run makes a token for it, which your other
commands on this machine find. With --listen other machines can reach it, which needs a
--token. docs/cluster.md explains how to run on many machines.`,
		Example: `  tengen cluster solve nogo 4x6 --workers 2 --certificate 4x6.cert
  tengen cluster solve nogo 5x5 --each-move --listen 0.0.0.0:4222 --token secret
  tengen cluster solve nogo --list positions.txt -o answers.jsonl`,
		Args: takes(0, 1, "a board size"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd.Context(), args) },
	}
	s.start.register(cmd)
	s.clusterRun.register(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&s.eachMove, "each-move", false, "decide every legal move")
	fileFlag(cmd, &s.certificate, "certificate", "", "", "write a proof of the answer to this file")
	fileFlag(cmd, &s.list, "list", "", "", "solve the positions in this file, a line each; - is standard input")
	fileFlag(cmd, &s.output, "output", "o", "", "file for the answers of a list (default: standard output)")
	return cmd
}

func (s *clusterSolve) run(ctx context.Context, args []string) error {
	ctx, cancel := s.timeout.limit(ctx)
	defer cancel()
	if s.list != "" {
		return s.runList(ctx, args)
	}
	if s.output != "" {
		return errors.New("--output is for the answers of a --list")
	}
	position, moves, err := s.start.read(args)
	if err != nil {
		return err
	}
	position, toPlay, err := position.PlayAll(s.toPlay.Colour, moves)
	if err != nil {
		return err
	}
	if s.certificate != "" {
		isCertificate := func(path string) error {
			_, err := proof.ReadFile(path)
			return err
		}
		if err := s.disk.Check("certificate", s.certificate, isCertificate); err != nil {
			return err
		}
	}
	q := cluster.Question{Position: position, ToPlay: toPlay, EachMove: s.eachMove, Proof: s.certificate != ""}
	var answer cluster.Answer
	err = s.share(ctx, q.String(), func(o cluster.Options, _ *status) (err error) {
		answer, err = cluster.Solve(ctx, q, o)
		return err
	})
	if err != nil {
		return err
	}
	r := solve.Result{Position: position, ToPlay: toPlay, Winner: answer.Winner.Wins(), Method: "cluster", Nodes: answer.Nodes, RunNodes: answer.Nodes, Elapsed: time.Duration(answer.Seconds * float64(time.Second)), Memory: int64(s.memory), ErrorBound: answer.ErrorBound}
	for _, m := range answer.Moves {
		r.Moves = append(r.Moves, solve.Move{Move: m.Move, Winner: m.Winner.Wins()})
	}
	if c := answer.Certificate; c != nil {
		r.Certificate = &solve.CertificateInfo{Path: s.certificate, Positions: c.Len(), Bytes: c.Bytes(), Checksum: c.Checksum()}
	}
	if err := s.print(r, answer); err != nil {
		return err
	}
	if c := answer.Certificate; c != nil {
		if err := s.disk.Stream(s.certificate, c.Write); err != nil {
			return fmt.Errorf("certificate: %w", err)
		}
	}
	return nil
}

// clusterLine puts a status into one line.
func clusterLine(s cluster.Status) string {
	workers := text.Plural(len(s.Workers), "worker")
	if s.New > 0 {
		workers += fmt.Sprintf(" and %s new", text.Thousands(s.New))
	}
	line := fmt.Sprintf("%s  %s, %s out  %s positions  %s/s", time.Duration(s.Seconds*float64(time.Second)).Round(time.Second),
		workers, text.Plural(s.Out, "job"), text.Thousands(s.Nodes), text.Thousands(uint64(s.Rate)))
	switch s.Phase {
	case "search":
		line += fmt.Sprintf("  tree %s, decided %s", text.Thousands(s.Positions), text.Thousands(s.Decided))
		if s.Whole > 1 {
			line += fmt.Sprintf("  moves %d/%d", s.Part, s.Whole)
		}
		if s.Line != "" {
			line += "  line " + s.Line
		}
	case "proof":
		line += fmt.Sprintf("  proof, layer %s: %s of %s", s.Layer, text.Thousands(s.Part), text.Thousands(s.Whole))
	case "list":
		line += fmt.Sprintf("  %s of %s lines", text.Thousands(s.Part), text.Thousands(s.Whole))
	case "verify":
		line += fmt.Sprintf("  %s of %s entries", text.Thousands(s.Part), text.Thousands(s.Whole))
	case "table":
		line += fmt.Sprintf("  %s of %s frames", text.Thousands(s.Part), text.Thousands(s.Whole))
	case "strips":
		line += fmt.Sprintf("  strips of %s points: %s of %s", s.Layer, text.Thousands(s.Part), text.Thousands(s.Whole))
	}
	if len(s.Banned) > 0 {
		line += "  banned: " + strings.Join(s.Banned, ", ")
	}
	return text.Printable(line)
}

// clusterJSON is the JSON of solve, with the fields of a cluster.
type clusterJSON struct {
	solveJSON
	Jobs   uint64   `json:"jobs"`
	Tree   int      `json:"tree"` // positions of the upper tree
	Store  string   `json:"store"`
	Doubts int      `json:"doubts,omitempty"` // times that answers were taken back
	Banned []string `json:"banned,omitempty"`

	// Answers of workers, and those that the master has checked. Without a certificate they
	// are the only evidence.
	cluster.Checks
}

func (s *clusterSolve) print(r solve.Result, a cluster.Answer) error {
	if s.json {
		return s.printJSON(clusterJSON{newSolveJSON(r, nil), a.Jobs, a.Positions, s.store, a.Epoch, a.Banned, a.Checks})
	}
	s.printf("%s\n%s\n\n", s.diagram(r), s.verdict(hueOf(forMover(r.Winner.Colour(), r.ToPlay)), sentence(r)))
	table := newFacts(s.out)
	table.row("winning moves", movesWonBy(r, r.ToPlay))
	table.row("losing moves", movesWonBy(r, r.ToPlay.Opponent()))
	table.row("positions", text.Thousands(r.Nodes))
	table.rowf("error bound", "%.1e", r.ErrorBound)
	table.row("based on", basedOn(a))
	table.row("jobs", text.Thousands(a.Jobs))
	table.row("upper tree", text.Plural(a.Positions, "position"))
	table.row("time", r.Elapsed.Round(time.Millisecond).String())
	if a.Epoch > 0 {
		table.rowf("doubts", "answers were taken back %s", text.Plural(a.Epoch, "time"))
	}
	table.row("banned", strings.Join(a.Banned, ", "))
	if c := r.Certificate; c != nil {
		table.row("certificate", fmt.Sprintf("%s, %s, %s", c.Path, text.Plural(c.Positions, "position"), text.Bytes(c.Bytes)))
		table.row("sha256", c.Checksum)
	}
	table.Flush()
	return nil
}

// basedOn names the evidence for the answer.
func basedOn(a cluster.Answer) string {
	workers := fmt.Sprintf("%s of workers, %s of them checked here", text.Plural(a.Checks.Claims, "answer"), text.Thousands(a.Checks.Checked))
	switch {
	case a.Certificate == nil:
		return workers + "; --certificate gives a proof"
	case len(a.Moves) > 0:
		return "the certificate, which was checked here; the moves on " + workers
	}
	return "the certificate, which was checked here"
}

// runList answers a list.
func (s *clusterSolve) runList(ctx context.Context, args []string) error {
	if len(args) > 0 || s.position != "" || s.moves != "" || s.toPlay.given || s.eachMove || s.certificate != "" {
		return errors.New("--list has the positions: leave out SIZE, --position, --to-play, --moves, --each-move and --certificate")
	}
	list, err := s.readListUntil(ctx)
	if err != nil {
		return err
	}
	if s.output != "" {
		if err := s.disk.Check("file of answers", s.output, answersOnly); err != nil {
			return err
		}
	}
	var total cluster.ListTotals
	err = s.share(ctx, list.String(), func(o cluster.Options, _ *status) error {
		solve := func(to io.Writer) error {
			total, err = cluster.SolveList(ctx, list, to, o)
			return err
		}
		if s.output == "" {
			return solve(s.out)
		}
		return s.disk.Stream(s.output, solve)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.err, "tengen: %s in %s, %s, %s; %s of the answers were checked here\n", text.Plural(total.Positions, "position"),
		time.Duration(total.Seconds*float64(time.Second)).Round(time.Millisecond), text.Plural(total.Jobs, "job"), text.Plural(total.Nodes, "node"), text.Thousands(total.Checks.Checked))
	if len(total.Banned) > 0 {
		fmt.Fprintf(s.err, "tengen: banned for false answers: %s\n", strings.Join(total.Banned, ", "))
	}
	if total.Failed > 0 {
		return fmt.Errorf("%s could not be solved: the answers say why", text.Plural(total.Failed, "position"))
	}
	return nil
}

// readListUntil reads until ctx ends: a pipe may never end.
func (s *clusterSolve) readListUntil(ctx context.Context) (cluster.List, error) {
	type answer struct {
		list cluster.List
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		list, err := s.readList()
		done <- answer{list, err}
	}()
	select {
	case a := <-done:
		return a.list, a.err
	case <-ctx.Done():
		return cluster.List{}, unread(ctx, "list", ctx.Err())
	}
}

func (s *clusterSolve) readList() (cluster.List, error) {
	if s.list == "-" {
		return cluster.ReadList(s.in)
	}
	file, err := os.Open(s.list)
	if err != nil {
		return cluster.List{}, err
	}
	defer file.Close()
	list, err := cluster.ReadList(file)
	if err != nil {
		return list, fmt.Errorf("%s, %w", s.list, err)
	}
	return list, nil
}

// answersOnly refuses to replace a file that does not hold answers of a list.
func answersOnly(path string) error {
	answers, err := startsWith(path, `{"line":`)
	if err == nil && !answers {
		err = errors.New("it does not hold answers")
	}
	return err
}

// startsWith reports whether a file begins with a text.
func startsWith(path, text string) (bool, error) {
	file, err := wholefile.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	start := make([]byte, len(text))
	n, _ := io.ReadFull(file, start)
	return string(start[:n]) == text, nil
}
