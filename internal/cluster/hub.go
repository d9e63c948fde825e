package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tengen/internal/text"
)

// All searches on a NATS system share these streams and stores.
//
//	TENGEN_JOBS     a work queue, tengen.jobs.SEARCH.JOB; an acknowledgement ends a lease
//	TENGEN_RESULTS  a work queue, tengen.results.SEARCH, taken by the master of the search
//	TENGEN_FACTS    tengen.facts.SEARCH.EPOCH, the latest facts
//	TENGEN_POISON   tengen.poison.KIND, the latest messages that made no sense, for people to read
//	TENGEN_STATUS   key-value: the status of each search
//	TENGEN_PROOFS   objects: files that slices are cut from, in parts
const (
	jobStream    = "TENGEN_JOBS"
	resultStream = "TENGEN_RESULTS"
	factStream   = "TENGEN_FACTS"
	poisonStream = "TENGEN_POISON"
	statusBucket = "TENGEN_STATUS"
	objectBucket = "TENGEN_PROOFS"

	jobSubject       = "tengen.jobs."
	resultSubject    = "tengen.results."
	factSubject      = "tengen.facts."
	poisonSubject    = "tengen.poison."
	heartbeatSubject = "tengen.beat"    // heartbeats of workers, every second
	cancelSubject    = "tengen.cancel." // jobs of a search that are not needed any more
	banSubject       = "tengen.ban."    // to a banned worker
	masterSubject    = "tengen.master." // heartbeats of masters, with every status

	// lease is how long a worker may keep a job without renewing it.
	lease          = 4 * time.Second
	heartbeatEvery = time.Second

	// resultAge is how long results wait for a master. Nobody takes late results of a search
	// that is over.
	resultAge = 24 * time.Hour
	statusAge = 30 * 24 * time.Hour
	objectAge = 7 * 24 * time.Hour

	// Every stream has a bound, and a server reserves that room: 5 GiB in all. A full stream
	// drops its oldest messages. They come again: a master resends jobs that are not in the
	// queue, and a worker reports a missing file. Only full buckets of files and of status
	// refuse more.
	jobBytes     = 256 << 20
	resultBytes  = 512 << 20
	factBytes    = 256 << 20
	statusBytes  = 64 << 20
	objectBytes  = 4 << 30
	insideBytes  = 32 << 30 // of the server inside: clients that create the streams at once each reserve their room
	mostMessages = 1 << 16  // of jobs, and of results
	mostResults  = 1 << 14  // of one search, so that it leaves room for others
	headers      = 4 << 10  // of a message
	// noRoom is the error code of a NATS server with too little room for the streams.
	noRoom = 10047
	// tooFewServers is the error code of a NATS cluster with fewer servers than copies.
	tooFewServers = 10005
	// oneServer is the error code of a NATS server that is no cluster.
	oneServer = 10074
	// payload is the size of the largest message that we send. Servers refuse a mebibyte.
	payload = 512 << 10
)

// Access is how to reach a NATS system.
type Access struct {
	URL         string
	Credentials string // file of a user's credentials
	Token       string
	Left        bool   // the token is in a file where other commands of this user find it
	CA          string // file of root certificates for the server
	Cert, Key   string // files of the client certificate
	TLS         bool   // refuse connections without TLS
	Replicas    int    // copies of every stream; 0 keeps those of existing streams and makes three on a cluster
	Name        string // name of this client, for operators
}

// hub is a connection to NATS with the streams of the cluster.
type hub struct {
	conn    *nats.Conn
	stream  jetstream.JetStream
	status  jetstream.KeyValue
	objects jetstream.ObjectStore
	access  Access
	inside  *Server // the server, if it is inside this program

	poisoned atomic.Uint64 // messages that were put aside
}

// options are the options of the NATS client.
func (a Access) options() ([]nats.Option, error) {
	o := []nats.Option{
		nats.Name(a.Name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.Timeout(5 * time.Second),
		nats.PingInterval(2 * time.Second), // notice a dead connection soon
		nats.MaxPingsOutstanding(2),
		nats.FlusherTimeout(5 * time.Second),                              // do not wait long for a server that reads nothing
		nats.IgnoreAuthErrorAbort(),                                       // a master that comes back may have another token
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // callers notice what is lost
	}
	if a.Credentials != "" {
		if _, err := os.Stat(a.Credentials); err != nil {
			return nil, fmt.Errorf("credentials: %w", err)
		}
		o = append(o, nats.UserCredentials(a.Credentials))
	}
	if a.Token != "" {
		o = append(o, nats.Token(a.Token))
	} else if port, ok := localPort(a.URL); ok && a.Credentials == "" {
		o = append(o, nats.TokenHandler(func() string { return foundToken(port) }))
	}
	if !a.TLS && a.CA == "" && a.Cert == "" {
		return o, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if a.CA != "" {
		text, err := os.ReadFile(a.CA)
		if err != nil {
			return nil, fmt.Errorf("certificates: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("certificates: %s holds none in PEM form", a.CA)
		}
	}
	if a.Cert != "" {
		pair, err := tls.LoadX509KeyPair(a.Cert, a.Key)
		if err != nil {
			return nil, fmt.Errorf("certificate of this side: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return append(o, nats.Secure(config)), nil
}

// connect connects and creates missing streams.
func connect(ctx context.Context, a Access) (*hub, error) {
	options, err := a.options()
	if err != nil {
		return nil, err
	}
	conn, err := nats.Connect(a.URL, options...)
	if err != nil {
		return nil, a.refused(err)
	}
	h := &hub{conn: conn, access: a}
	if h.stream, err = jetstream.New(conn); err == nil {
		err = h.open(ctx)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return h, nil
}

// refused says why a connection failed.
func (a Access) refused(err error) error {
	where := a.URL
	if u, e := url.Parse(a.URL); e == nil {
		where = u.Redacted()
	}
	switch {
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("%s does not speak TLS, which was asked for: leave --tls out, or give the server certificates", where)
	case errors.Is(err, nats.ErrSecureConnRequired):
		return fmt.Errorf("%s speaks TLS only: give --tls", where)
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("%s does not accept these credentials: give --credentials or --token of an account that may use it", where)
	}
	return fmt.Errorf("no NATS server answers at %s: %w", where, err)
}

// open creates missing streams and opens the stores. It tries four times: a cluster that
// elects a leader does not answer, and room is short for a moment when several clients create
// the streams at once.
func (h *hub) open(ctx context.Context) error {
	for tries := 1; ; tries++ {
		err := h.openNow(ctx)
		var answer *jetstream.APIError
		later := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &answer) && (answer.Code == http.StatusServiceUnavailable || answer.ErrorCode == tooFewServers || answer.ErrorCode == noRoom)
		if err == nil || !later || tries == 4 || ctx.Err() != nil {
			return err
		}
		wait(ctx, time.Second)
	}
}

func (h *hub) openNow(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	err := h.prepare(ctx)
	if err == nil {
		h.status, err = h.stream.KeyValue(ctx, statusBucket)
	}
	if err == nil {
		h.objects, err = h.stream.ObjectStore(ctx, objectBucket)
	}
	if err != nil {
		return h.unready(err)
	}
	return h.agree(ctx)
}

// repair creates the streams that a server has lost. It gives up soon: callers try again.
func (h *hub) repair(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if h.prepare(ctx) == nil {
		_ = h.agree(ctx)
	}
}

// prepare creates the streams that do not exist. Several clients may call it at once, any
// number of times, and after a server has lost everything.
func (h *hub) prepare(ctx context.Context) error {
	replicas, err := h.replicas(ctx)
	if err != nil {
		return err
	}
	return h.create(ctx, replicas)
}

// replicas is the number of copies of a stream: the one asked for, or that of the existing
// streams, or three on a cluster, so that one server may be lost.
func (h *hub) replicas(ctx context.Context) (int, error) {
	if n := h.access.Replicas; n > 0 {
		return n, nil
	}
	there, err := h.stream.Stream(ctx, jobStream)
	switch {
	case err == nil:
		return there.CachedInfo().Config.Replicas, nil
	case !errors.Is(err, jetstream.ErrStreamNotFound):
		return 0, err
	case h.conn.ConnectedClusterName() != "":
		return 3, nil
	}
	return 1, nil
}

// create creates all streams at once: a cluster elects a leader for each, which takes
// seconds.
func (h *hub) create(ctx context.Context, replicas int) error {
	parts := []func() error{
		func() error {
			_, err := h.stream.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: statusBucket, Replicas: replicas, MaxValueSize: 2 * payload, MaxBytes: statusBytes, TTL: statusAge})
			return err
		},
		func() error {
			_, err := h.stream.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: objectBucket, Replicas: replicas, MaxBytes: objectBytes, TTL: objectAge})
			return err
		},
	}
	for _, c := range []jetstream.StreamConfig{
		{Name: jobStream, Subjects: []string{jobSubject + ">"}, Retention: jetstream.WorkQueuePolicy, MaxBytes: jobBytes, MaxMsgs: mostMessages, MaxMsgSize: 2 * payload, MaxAge: resultAge},
		{Name: resultStream, Subjects: []string{resultSubject + ">"}, Retention: jetstream.WorkQueuePolicy, MaxBytes: resultBytes, MaxMsgs: mostMessages, MaxMsgSize: 2 * payload, MaxMsgsPerSubject: mostResults, MaxAge: resultAge},
		{Name: factStream, Subjects: []string{factSubject + ">"}, MaxBytes: factBytes, MaxMsgs: 16 * mostMessages, MaxMsgSize: payload + headers, MaxAge: time.Hour},
		{Name: poisonStream, Subjects: []string{poisonSubject + ">"}, MaxBytes: poisonBytes, MaxMsgs: mostMessages, MaxMsgSize: 2 * payload, MaxAge: poisonAge},
	} {
		c.Discard = jetstream.DiscardOld
		c.Storage, c.Replicas = jetstream.FileStorage, replicas
		parts = append(parts, func() error {
			_, err := h.stream.CreateOrUpdateStream(ctx, c)
			return err
		})
	}
	failed := make([]error, len(parts))
	var all sync.WaitGroup
	for i, part := range parts {
		all.Go(func() { failed[i] = part() })
	}
	all.Wait()
	return cmp.Or(failed...) // they fail for the same reason
}

func (h *hub) unready(err error) error {
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
		return errors.New("the NATS server keeps no streams for this account: start it with JetStream (-js)")
	}
	var answer *jetstream.APIError
	if errors.As(err, &answer) {
		switch answer.ErrorCode {
		case tooFewServers:
			return fmt.Errorf("the NATS cluster has too few servers for three copies of every stream: start them all, or give the master --replicas 1 (%w)", err)
		case noRoom:
			return fmt.Errorf("the NATS server has too little room for the streams, which take %s at most: give it more by max_file_store (%w)", text.Bytes(jobBytes+resultBytes+factBytes+statusBytes+objectBytes), err)
		case oneServer:
			return errors.New("this NATS server is alone and keeps one copy of every stream: leave --replicas out, or name a cluster of servers with --nats")
		}
	}
	return fmt.Errorf("the streams on the NATS server cannot be made: %w", err)
}

// agree makes sure that all clients use the same protocol. The first client sets it.
func (h *hub) agree(ctx context.Context) error {
	const key = "protocol"
	mine := strconv.Itoa(protocol)
	if _, err := h.status.Create(ctx, key, []byte(mine)); err == nil {
		return nil
	} else if !errors.Is(err, jetstream.ErrKeyExists) {
		return h.unready(err)
	}
	there, err := h.status.Get(ctx, key)
	if err != nil {
		return h.unready(err)
	}
	if theirs := string(there.Value()); theirs != mine {
		return fmt.Errorf("the others on this NATS server speak version %s of the cluster's protocol, this program version %s: use the same tengen everywhere", theirs, mine)
	}
	return nil
}

// close sends what is still to be sent, if the server answers, and disconnects.
func (h *hub) close() {
	if h.conn.IsConnected() {
		_ = h.conn.FlushTimeout(grace)
	}
	h.conn.Close()
}

// publish sends a message that must arrive.
func (h *hub) publish(ctx context.Context, subject string, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return h.insist(ctx, 2*time.Second, func(ctx context.Context) error {
		_, err := h.stream.Publish(ctx, subject, data)
		return err
	})
}

// insist repeats an action until it succeeds or the context ends. Each attempt has a time
// limit. It creates the streams again if the server has lost them.
func (h *hub) insist(ctx context.Context, within time.Duration, do func(context.Context) error) error {
	for {
		try, cancel := context.WithTimeout(ctx, within)
		err := do(try)
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
		}
		if broken := h.broken(); broken != nil {
			return broken
		}
		if errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound) {
			h.repair(ctx)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// broken says why the server inside will never answer again, if so. A server that cannot
// write its files gives up its streams until it is restarted, and reports it in its log
// only.
func (h *hub) broken() error {
	if h.inside == nil {
		return nil
	}
	why := h.inside.complaint.Load()
	switch {
	case why == nil:
		return nil
	case strings.Contains(*why, syscall.ENOSPC.Error()):
		return fmt.Errorf("the disk is full under %s, where the NATS server inside keeps its queues: make room and give the same command again. What is decided is kept", h.inside.folder)
	}
	return fmt.Errorf("the NATS server inside cannot write its queues: %s. What is decided is kept: give the same command again when this is mended", *why)
}

// Server is a NATS server inside this program.
type Server struct {
	inner     *server.Server
	folder    string
	complaint atomic.Pointer[string] // why it cannot write its files, if so
}

// complaints is the log of a server. It keeps only the error that ended the streams.
type complaints struct{ of *Server }

// Errorf keeps the first error about writing.
func (c complaints) Errorf(format string, args ...any) {
	said := fmt.Sprintf(format, args...)
	if strings.Contains(said, "ritical write error") || strings.Contains(said, syscall.ENOSPC.Error()) {
		c.of.complaint.CompareAndSwap(nil, &said)
	}
}

// The other methods of a NATS logger.
func (c complaints) Noticef(string, ...any) {}
func (c complaints) Warnf(string, ...any)   {}
func (c complaints) Fatalf(string, ...any)  {}
func (c complaints) Debugf(string, ...any)  {}
func (c complaints) Tracef(string, ...any)  {}

// Listen starts a server that keeps its streams in a folder. A token is required if other
// machines can connect. A master always gives one: every user of a machine can reach its
// loopback addresses.
func Listen(address, token, folder string) (*Server, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen %s is no address: give HOST:PORT, such as 127.0.0.1:4222", address)
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 0 || number > 65535 {
		return nil, fmt.Errorf("--listen %s has no port: give a number to 65535, 0 for a free one", address)
	}
	if token == "" && !isLoopback(host) {
		return nil, fmt.Errorf("--listen %s lets other machines connect: give a --token too, or run a NATS server with accounts and name it with --nats", address)
	}
	if number == 0 {
		number = server.RANDOM_PORT
	} else if err := vacant(address); err != nil { // the server would retry for long
		why := new(net.OpError)
		if errors.As(err, &why) {
			err = why.Err // without the address
		}
		return nil, fmt.Errorf("the NATS server inside cannot listen on %s: %w", address, err)
	}
	o := &server.Options{
		ServerName: "tengen", Host: host, Port: number, Authorization: token,
		JetStream: true, StoreDir: folder, JetStreamMaxMemory: 256 << 20, JetStreamMaxStore: insideBytes, SyncAlways: true,
		NoSigs: true, NoLog: true, DontListen: false,
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("the NATS server inside does not start: %w", err)
	}
	inside := &Server{inner: s, folder: folder}
	s.SetLogger(complaints{inside}, false, false)
	go s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("the NATS server inside cannot listen on %s: is another program there?", address)
	}
	return inside, nil
}

// vacant checks whether an address is free.
func vacant(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}

// URL is the address of the server.
func (s *Server) URL() string { return s.inner.ClientURL() }

func (s *Server) port() int {
	if a, ok := s.inner.Addr().(*net.TCPAddr); ok {
		return a.Port
	}
	return 0
}

// Close stops the server.
func (s *Server) Close() {
	s.inner.Shutdown()
	s.inner.WaitForShutdown()
}
