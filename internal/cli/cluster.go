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

	"tengen/engine"
	"tengen/internal/cluster"
	"tengen/internal/text"
	"tengen/proof"
)

func newCluster(a *app) *cobra.Command {
	return group("cluster", "Solve on many machines",
		group("solve", "Find out who wins", newClusterSolve(a)), newClusterVerify(a),
		group("strips", "Build the database of linear NoGo", newClusterStrips(a)), newClusterStatus(a))
}

// natsFlags are how to reach a NATS system.
type natsFlags struct {
	url, credentials, token, ca, cert, key string
	tls                                    bool
	replicas                               int
}

func (n *natsFlags) register(cmd *cobra.Command, usage string) {
	flags := cmd.Flags()
	flags.StringVar(&n.url, "nats", "", usage)
	fileFlag(cmd, &n.credentials, "credentials", "", "", "file of credentials of a NATS account")
	flags.StringVar(&n.token, "token", os.Getenv("TENGEN_TOKEN"), "token of the NATS server (default: $TENGEN_TOKEN)")
	flags.Lookup("token").DefValue = ""
	flags.BoolVar(&n.tls, "tls", false, "talk to the NATS server by TLS only")
	fileFlag(cmd, &n.ca, "tls-ca", "", "", "file of certificates that vouch for the NATS server (default: the system's)")
	fileFlag(cmd, &n.cert, "tls-cert", "", "", "file of the certificate of this side")
	fileFlag(cmd, &n.key, "tls-key", "", "", "file of its key")
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

// clusterRun are the flags of commands that share work out.
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
	flags.IntVar(&c.replicas, "replicas", 0, "copies of every stream on a NATS cluster (default: three where there are so many servers)")
	flags.StringVar(&c.listen, "listen", "", "address of the server inside, such as 0.0.0.0:4222 (default: a free port of this machine)")
	fileFlag(cmd, &c.store, "store", "", "", "file that keeps what is decided (default: in the cache, by question)")
	flags.IntVar(&c.workers, "workers", 0, "workers to start on this machine, with one thread each (default: one for each core, none with --nats)")
	c.chosen = func() bool { return flags.Changed("workers") }
	flags.Var(&c.memory, "memory", "memory of these workers together, such as 8GiB (default: half of the machine, at most 4GiB)")
	flags.StringVar(&c.metrics, "metrics", "", "address to serve metrics for Prometheus on, such as 127.0.0.1:9420")
	flags.StringVar(&c.page, "page", "", "address of this machine to show the search in the browser on, such as 127.0.0.1:8420")
	c.timeout.register(cmd)
	flags.BoolVar(&c.json, "json", false, "print one JSON object")
	flags.BoolVar(&c.log, "log", false, "write what happens to workers and jobs to standard error")
}

// options are those of the master. The crew that it returns is to be dismissed.
func (c *clusterRun) options(question string, show func(cluster.Status)) (cluster.Options, *crew, error) {
	access, err := c.natsFlags.access("tengen master")
	if err != nil {
		return cluster.Options{}, nil, err
	}
	if c.listen != "" && c.url != "" {
		return cluster.Options{}, nil, errors.New("--listen is where the server inside listens, and --nats names another: give one of them")
	}
	if c.store == "" {
		if c.store, err = storeOf(question); err != nil {
			return cluster.Options{}, nil, err
		}
	}
	n := c.workers
	switch {
	case n < 0:
		return cluster.Options{}, nil, fmt.Errorf("--workers %d is not a number of workers", n)
	case !c.chosen() && c.url == "":
		n = runtime.GOMAXPROCS(0)
	}
	if c.memory == 0 {
		c.memory = memory(engine.DefaultMemory())
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
	workers := newCrew(n, int64(c.memory), c.err, c.log)
	workers.metrics, workers.page = metrics, page
	told := show
	show = func(s cluster.Status) {
		metrics.tell(s)
		page.feed.Tell(s)
		told(s)
	}
	o := cluster.Options{
		Access: access, Listen: c.listen, Store: c.store, Progress: show, Log: c.logger(),
		Joined: func(a cluster.Access) {
			if !c.json {
				fmt.Fprintf(c.err, "tengen: workers join with: tengen worker --nats %s%s\n", a.URL, tokenHint(a))
				here := "no workers here"
				if n > 0 {
					here = fmt.Sprintf("%s here with %s in all", text.Plural(n, "worker"), &c.memory)
				}
				fmt.Fprintf(c.err, "tengen: %s; what is decided is kept in %s\n", here, c.store)
			}
			workers.start(a)
		},
	}
	return o, workers, nil
}

// share runs a master that answers a question, with its crew and its progress.
func (c *clusterRun) share(ctx context.Context, question string, run func(cluster.Options, *status) error) error {
	status := newStatus(c.err)
	o, workers, err := c.options(question, c.watch(status))
	if err != nil {
		return err
	}
	err = run(o, status)
	workers.dismiss()
	status.clear()
	return c.stopped(ctx, err)
}

// leastWorker is what the smallest table and a little beside it take.
const leastWorker = 32 << 20

func tokenHint(a cluster.Access) string {
	if a.Token != "" {
		return " --token …"
	}
	return ""
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

// stopped words a run that ended before its answer.
func (c *clusterRun) stopped(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &engine.Stopped{Cause: err, Known: "nothing decided is lost", Checkpoint: c.store}
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

This program is the master: it holds the upper part of the search and gives the rest
out as jobs, to the workers it starts on this machine and to all others that join. Both
may be stopped, killed and started again at any time. Everything that is decided is kept
in --store, and the same command goes on from there.

A list has a position in each line, in the notation of --position, and after a blank b
or w for the side to play. The answers are JSON objects, a line each, in the order of the
list.

Without --nats a NATS server runs inside; with --listen other machines can reach it,
which takes a --token. docs/cluster.md tells how to run on many machines.`,
		Example: `  tengen cluster solve nogo 4x6 --workers 2 --certificate 4x6.cert
  tengen cluster solve nogo 5x5 --each-move --listen 0.0.0.0:4222 --token secret
  tengen cluster solve nogo --list positions.txt -o answers.jsonl`,
		Args:              atMostOne("a board size"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return s.run(cmd.Context(), args) },
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
	position, toPlay, err := position.PlayAll(moves, s.toPlay.Colour)
	if err != nil {
		return err
	}
	if s.certificate != "" {
		if err := s.disk.Check("certificate", s.certificate, func(path string) error {
			_, err := proof.ReadFile(path)
			return err
		}); err != nil {
			return err
		}
	}
	q := cluster.Question{Position: position, ToPlay: toPlay, EachMove: s.eachMove, Proof: s.certificate != ""}
	var answer cluster.Answer
	err = s.share(ctx, q.String(), func(o cluster.Options, _ *status) error {
		answer, err = cluster.Solve(ctx, q, o)
		return err
	})
	if err != nil {
		return err
	}
	r := engine.Result{Position: position, ToPlay: toPlay, Winner: answer.Winner, Method: "cluster", Nodes: answer.Nodes, RunNodes: answer.Nodes, Elapsed: time.Duration(answer.Seconds * float64(time.Second)), Memory: int64(s.memory), ErrorBound: answer.ErrorBound}
	for _, m := range answer.Moves {
		r.Moves = append(r.Moves, engine.MoveResult{Move: m.Move, Winner: m.Winner})
	}
	if c := answer.Certificate; c != nil {
		if err := s.disk.Stream(s.certificate, c.Write); err != nil {
			return fmt.Errorf("certificate: %w", err)
		}
		r.Certificate = &engine.CertificateInfo{Path: s.certificate, Positions: c.Len(), Bytes: c.Bytes(), Checksum: c.Checksum()}
	}
	return s.print(r, answer)
}

// watch shows how far the master is.
func (c *clusterRun) watch(s *status) func(cluster.Status) {
	return func(now cluster.Status) { s.show(clusterLine(now)) }
}

// clusterLine puts a status into one line.
func clusterLine(s cluster.Status) string {
	line := fmt.Sprintf("%s  %s, %s out  %s positions  %s/s", time.Duration(s.Seconds*float64(time.Second)).Round(time.Second),
		text.Plural(len(s.Workers), "worker"), text.Plural(s.Out, "job"), text.Thousands(s.Nodes), text.Thousands(uint64(s.Rate)))
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
	return line
}

// clusterJSON is what solve says, and what the cluster adds.
type clusterJSON struct {
	solveJSON
	Jobs   uint64   `json:"jobs"`
	Tree   int      `json:"tree"` // positions of the upper tree
	Store  string   `json:"store"`
	Doubts int      `json:"doubts,omitempty"` // how often answers were taken back
	Banned []string `json:"banned,omitempty"`
}

func (s *clusterSolve) print(r engine.Result, a cluster.Answer) error {
	if s.json {
		return s.printJSON(clusterJSON{newSolveJSON(r, nil), a.Jobs, a.Positions, s.store, a.Epoch, a.Banned})
	}
	s.printf("%s\n%s\n\n", s.diagram(r), s.verdict(hueOf(forMover(r.Winner, r.ToPlay)), sentence(r)))
	table := newFacts(s.out)
	table.row("winning moves", movesWonBy(r, r.ToPlay))
	table.row("losing moves", movesWonBy(r, r.ToPlay.Opponent()))
	table.row("positions", text.Thousands(r.Nodes))
	table.rowf("error bound", "%.1e", r.ErrorBound)
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

// runList answers a list.
func (s *clusterSolve) runList(ctx context.Context, args []string) error {
	if len(args) > 0 || s.position != "" || s.moves != "" || s.toPlay.given || s.eachMove || s.certificate != "" {
		return errors.New("--list has the positions: leave out SIZE, --position, --to-play, --moves, --each-move and --certificate")
	}
	list, err := s.readList()
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
	fmt.Fprintf(s.err, "tengen: %s in %s, %s, %s\n", text.Plural(total.Positions, "position"),
		time.Duration(total.Seconds*float64(time.Second)).Round(time.Millisecond), text.Plural(total.Jobs, "job"), text.Plural(total.Nodes, "node"))
	if total.Failed > 0 {
		return fmt.Errorf("%s could not be solved: the answers say why", text.Plural(total.Failed, "position"))
	}
	return nil
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

// answersOnly lets a list's answers replace others of their kind.
func answersOnly(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	start := make([]byte, 8)
	n, _ := io.ReadFull(file, start)
	if string(start[:n]) != `{"line":` {
		return errors.New("it does not hold answers")
	}
	return nil
}
