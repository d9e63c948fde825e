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
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The streams and stores that all searches on a NATS system share.
//
//	TENGEN_JOBS     a work queue, tengen.jobs.SEARCH.JOB; an acknowledgement ends a lease
//	TENGEN_RESULTS  a work queue, tengen.results.SEARCH, taken by the master of the search
//	TENGEN_FACTS    tengen.facts.SEARCH.EPOCH, the latest of what workers have learned
//	TENGEN_STATUS   key-value: what a master last said of its search, by search
//	TENGEN_PROOFS   objects: files that slices are cut from, in parts
const (
	jobStream    = "TENGEN_JOBS"
	resultStream = "TENGEN_RESULTS"
	factStream   = "TENGEN_FACTS"
	statusBucket = "TENGEN_STATUS"
	objectBucket = "TENGEN_PROOFS"

	jobSubject    = "tengen.jobs."
	resultSubject = "tengen.results."
	factSubject   = "tengen.facts."
	beatSubject   = "tengen.beat"    // workers say every second that they are there
	cancelSubject = "tengen.cancel." // jobs of a search that are not needed any more
	banSubject    = "tengen.ban."    // a worker that has answered falsely

	// lease is how long a worker may be silent before its job goes to another.
	lease     = 4 * time.Second
	beatEvery = time.Second

	// resultAge is how long results wait for a master. Those of a search that is over come
	// in late and are never taken.
	resultAge = 24 * time.Hour
	factBytes = 256 << 20
	// tooFewServers is what a NATS cluster says that cannot keep so many copies.
	tooFewServers = 10005
	// oneServer is what a NATS server says that is no cluster.
	oneServer = 10074
	// payload is the most that goes into one message; servers refuse a mebibyte.
	payload = 512 << 10
)

// Access is how to reach a NATS system.
type Access struct {
	URL         string
	Credentials string // file of a user's credentials
	Token       string
	CA          string // file of certificates that vouch for the server
	Cert, Key   string // files with which this side vouches for itself
	TLS         bool   // refuse to talk in plain text
	Replicas    int    // of every stream; 0 is as many as there are, and three of a new one on a cluster
	Name        string // of this side, for the operators of the system
}

// hub is a connection to NATS with the streams of the cluster.
type hub struct {
	conn    *nats.Conn
	stream  jetstream.JetStream
	status  jetstream.KeyValue
	objects jetstream.ObjectStore
	access  Access
}

// options turns an access into what the client takes.
func (a Access) options() ([]nats.Option, error) {
	o := []nats.Option{
		nats.Name(a.Name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.Timeout(5 * time.Second),
		nats.PingInterval(2 * time.Second), // a line that is dead is left soon
		nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // what it costs is noticed elsewhere
	}
	if a.Credentials != "" {
		if _, err := os.Stat(a.Credentials); err != nil {
			return nil, fmt.Errorf("credentials: %w", err)
		}
		o = append(o, nats.UserCredentials(a.Credentials))
	}
	if a.Token != "" {
		o = append(o, nats.Token(a.Token))
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

// connect reaches the system and makes what is missing of the streams.
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

// refused words what goes wrong when a connection is made.
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

// open makes what is missing of the streams, and takes the stores up. It is patient: a
// cluster of servers that elects a leader does not answer, or says that it cannot now.
func (h *hub) open(ctx context.Context) error {
	for tries := 1; ; tries++ {
		err := h.openNow(ctx)
		var answer *jetstream.APIError
		later := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &answer) && (answer.Code == http.StatusServiceUnavailable || answer.ErrorCode == tooFewServers)
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

// repair makes what a server has lost. It does not try for long: it will be called again.
func (h *hub) repair(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if h.prepare(ctx) == nil {
		_ = h.agree(ctx)
	}
}

// prepare makes the streams, or finds them made. All of this may be done any number of
// times, by several at once, and after a server has lost everything.
func (h *hub) prepare(ctx context.Context) error {
	replicas, err := h.replicas(ctx)
	if err != nil {
		return err
	}
	return h.make(ctx, replicas)
}

// replicas is how many copies of a stream there are to be: as many as asked for, or as
// there are, or three on a cluster, of which one may be lost.
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

// make makes all streams at once: servers of a cluster elect a leader for each, which takes
// them seconds.
func (h *hub) make(ctx context.Context, replicas int) error {
	parts := []func() error{
		func() error {
			_, err := h.stream.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: statusBucket, Replicas: replicas})
			return err
		},
		func() error {
			_, err := h.stream.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: objectBucket, Replicas: replicas})
			return err
		},
	}
	for _, c := range []jetstream.StreamConfig{
		{Name: jobStream, Subjects: []string{jobSubject + ">"}, Retention: jetstream.WorkQueuePolicy},
		{Name: resultStream, Subjects: []string{resultSubject + ">"}, Retention: jetstream.WorkQueuePolicy, MaxAge: resultAge},
		{Name: factStream, Subjects: []string{factSubject + ">"}, MaxBytes: factBytes, Discard: jetstream.DiscardOld, MaxAge: time.Hour},
	} {
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
		case oneServer:
			return errors.New("this NATS server is alone and keeps one copy of every stream: leave --replicas out, or name a cluster of servers with --nats")
		}
	}
	return fmt.Errorf("the streams on the NATS server cannot be made: %w", err)
}

// agree makes sure that everybody speaks the same protocol. The first to come says which.
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

// close leaves the system, after what was said has been sent.
func (h *hub) close() {
	_ = h.conn.FlushTimeout(time.Second)
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

// insist does something again and again for as long as the context allows, until it
// succeeds within a time, and makes the streams anew if the server has lost them.
func (h *hub) insist(ctx context.Context, within time.Duration, do func(context.Context) error) error {
	for {
		try, cancel := context.WithTimeout(ctx, within)
		err := do(try)
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
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

// Server is a NATS server inside this program.
type Server struct{ inner *server.Server }

// Listen starts a server that keeps its streams in a folder. A token is needed where
// others than this machine can connect.
func Listen(address, token, folder string) (*Server, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen %s is no address: give HOST:PORT, such as 127.0.0.1:4222", address)
	}
	number, err := strconv.Atoi(port)
	if err != nil || number < 0 || number > 65535 {
		return nil, fmt.Errorf("--listen %s has no port: give a number to 65535, 0 for a free one", address)
	}
	if ip := net.ParseIP(host); token == "" && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--listen %s lets other machines connect: give a --token too, or run a NATS server with accounts and name it with --nats", address)
	}
	if number == 0 {
		number = server.RANDOM_PORT
	} else if err := vacant(address); err != nil { // the server would try for long
		why := new(net.OpError)
		if errors.As(err, &why) {
			err = why.Err // without the address
		}
		return nil, fmt.Errorf("the NATS server inside cannot listen on %s: %w", address, err)
	}
	o := &server.Options{
		ServerName: "tengen", Host: host, Port: number, Authorization: token,
		JetStream: true, StoreDir: folder, JetStreamMaxMemory: 256 << 20, JetStreamMaxStore: 8 << 30, SyncAlways: true,
		NoSigs: true, NoLog: true, DontListen: false,
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("the NATS server inside does not start: %w", err)
	}
	go s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("the NATS server inside cannot listen on %s: is another program there?", address)
	}
	return &Server{s}, nil
}

// vacant finds out whether one can listen at an address.
func vacant(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}

// URL is where the server listens.
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
