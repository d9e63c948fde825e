package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestBudget(t *testing.T) {
	b := newBudget(share{3, 100}, share{2, 60})
	one, err := b.take("a", 60)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.take("a", 1); !errors.Is(err, errClientBudget) {
		t.Errorf("a client beyond its bytes: %v", err)
	}
	small, err := b.take("a", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.take("a", 0); !errors.Is(err, errClientBudget) {
		t.Errorf("a client beyond its requests: %v", err)
	}
	if _, err := b.take("b", 41); !errors.Is(err, errBudget) {
		t.Errorf("beyond all bytes: %v", err)
	}
	other, err := b.take("b", 40)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.take("c", 0); !errors.Is(err, errBudget) {
		t.Errorf("beyond all requests: %v", err)
	}
	one()
	one() // twice is once
	if b.holds() != (share{2, 40}) {
		t.Errorf("%+v is held", b.holds())
	}
	small()
	other()
	if b.holds() != (share{}) || len(b.clients) != 0 {
		t.Errorf("%+v is held by %v", b.holds(), b.clients)
	}
}

// Every charge comes back, whatever becomes of the request.
func TestChargesComeBack(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	o := Options{}
	o.Memory, o.Threads = 256<<20, 1
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	for _, c := range []struct{ path, body string }{
		{"position", `{"game":"nogo","size":"3x3"}`},
		{"position", `{`},
		{"position", strings.Repeat(" ", maxBody)},
		{"position", strings.Repeat(" ", maxBody+1)},
		{"analyse", `{"game":"nogo","size":"2x3"}`},
		{"certificates", strings.Repeat("x", 1<<20)},
		{"sgf/read", "(;" + strings.Repeat(" ", 1<<16) + ")"},
		{"none", "x"},
	} {
		response, err := http.Post(server.URL+"/api/v1/"+c.path, "application/json", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	server.Close()
	for _, b := range []*budget{s.questions, s.files} {
		if b.holds() != (share{}) || len(b.clients) != 0 {
			t.Errorf("%+v is held by %v", b.holds(), b.clients)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// refusedAs reads an answer that says there is no room: one sentence, and when to ask again.
func refusedAs(t testing.TB, response *http.Response) string {
	t.Helper()
	defer response.Body.Close()
	var p struct {
		Detail string
		Status int
	}
	if err := json.NewDecoder(response.Body).Decode(&p); err != nil {
		t.Errorf("%d is not explained: %v", response.StatusCode, err)
	}
	again := response.Header.Get("Retry-After") != ""
	if p.Status != response.StatusCode || !strings.HasSuffix(p.Detail, ".") || again != (p.Status != http.StatusRequestEntityTooLarge) {
		t.Errorf("%d: %+v %v", response.StatusCode, p, response.Header)
	}
	return p.Detail
}

// Bodies that come slowly are charged before they are read: the first few are waited for,
// the others turned away, and small questions are answered beside them.
func TestBodiesAreChargedFirst(t *testing.T) {
	server := start(t, nil)
	const connections = 500
	var mu sync.Mutex
	statuses := map[int]int{}
	told := func() (n int) {
		mu.Lock()
		defer mu.Unlock()
		for _, count := range statuses {
			n += count
		}
		return n
	}
	var all sync.WaitGroup
	open := make([]net.Conn, 0, connections)
	for range connections {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, conn)
		all.Go(func() {
			fmt.Fprintf(conn, "POST /api/v1/certificates HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n", MaxProof)
			response, err := http.ReadResponse(newReader(conn), nil)
			if err != nil {
				return // it was waited for
			}
			if response.StatusCode == http.StatusTooManyRequests {
				refusedAs(t, response)
			}
			mu.Lock()
			defer mu.Unlock()
			statuses[response.StatusCode]++
		})
	}
	// On a slow machine the first bodies are given up meanwhile, and others waited for.
	within(t, time.Minute, "all but two are told", func() bool { return told() >= connections-2 })
	mu.Lock()
	refused, late := statuses[http.StatusTooManyRequests], statuses[http.StatusRequestTimeout]
	mu.Unlock()
	if refused+late < connections-2 || late > 8 {
		t.Errorf("%d are refused and %d given up", refused, late)
	}
	if status, text := post(t, server, "/api/v1/position", `{"game":"nogo","size":"3x3"}`); status != http.StatusOK {
		t.Errorf("a question beside them: %d %s", status, text)
	}
	response, err := http.Post(server.URL+"/api/v1/sgf/read", "application/x-go-sgf", strings.NewReader("(;SZ[3])"))
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("a record beside them: %v", err)
	}
	response.Body.Close()
	for _, c := range open {
		c.Close()
	}
	all.Wait()
}

func newReader(r io.Reader) *bufio.Reader { return bufio.NewReader(r) }

// A body that is larger than its path takes is refused before it is read.
func TestLargeBodiesAreNotRead(t *testing.T) {
	server := start(t, nil)
	for path, limit := range map[string]int{"position": maxBody, "sgf/read": MaxRecord, "certificates": MaxProof} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST /api/v1/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", path, limit+1)
		response, err := http.ReadResponse(newReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if refusedAs(t, response); response.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d", path, response.StatusCode)
		}
		conn.Close()
	}
}

// A request that is refused before its body is read is answered at once, and the
// connection is closed.
func TestRefusalsDoNotWaitForBodies(t *testing.T) {
	server := start(t, nil)
	for want, header := range map[int]string{
		http.StatusMisdirectedRequest: "Host: evil.example.org", http.StatusForbidden: "Host: localhost\r\nSec-Fetch-Site: cross-site",
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST /api/v1/position HTTP/1.1\r\n%s\r\nContent-Length: 1000\r\n\r\n", header)
		_ = conn.SetReadDeadline(time.Now().Add(bodyTime / 2))
		response, err := http.ReadResponse(newReader(conn), nil)
		if err != nil || response.StatusCode != want {
			t.Fatalf("%s: %v, not %d", header, err, want)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil || !response.Close {
			t.Errorf("%s: the connection is kept: %v", header, err)
		}
		conn.Close()
	}
}

// A client that reads nothing until it has sent its whole body gets the refusal too.
func TestRefusalsArriveAfterTheBody(t *testing.T) {
	server := start(t, nil)
	stated := fmt.Sprintf("Content-Length: %d", MaxProof)
	for _, c := range []struct {
		path, host, head string
		want             int
	}{
		{"sgf/read", "localhost", stated, http.StatusRequestEntityTooLarge},
		{"sgf/read", "localhost", "Transfer-Encoding: chunked", http.StatusRequestEntityTooLarge},
		{"certificates", "evil.example.org", stated, http.StatusMisdirectedRequest},
		{"certificates", "localhost", stated + "\r\nSec-Fetch-Site: cross-site", http.StatusForbidden},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /api/v1/%s HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n", c.path, c.host, c.head)
		body := bytes.Repeat([]byte("x"), MaxProof)
		if strings.Contains(c.head, "chunked") {
			body = fmt.Appendf(nil, "%x\r\n%s\r\n0\r\n\r\n", len(body), body)
		}
		// In two halves, later than the server closes a connection that it does not read.
		half := len(body) / 2
		_, err = conn.Write(body[:half])
		time.Sleep(time.Second)
		if err == nil {
			_, err = conn.Write(body[half:])
		}
		if err != nil {
			t.Errorf("%s, %s: the body was not taken: %v", c.path, c.head, err)
			continue
		}
		response, err := http.ReadResponse(newReader(conn), nil)
		if err != nil {
			t.Errorf("%s, %s: %v", c.path, c.head, err)
			continue
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != c.want {
			t.Errorf("%s, %s: %d, not %d: %v", c.path, c.head, response.StatusCode, c.want, err)
		}
	}
}

// Records that cost as much as they can take little memory: a slot bounds how many are
// read at a time, and their nodes are bounded.
func TestManyRecords(t *testing.T) {
	server := start(t, nil)
	record := "(" + strings.Repeat(";", MaxRecord-2) + ")"
	before := highest(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for range 24 {
		all.Go(func() {
			response, err := http.Post(server.URL+"/api/v1/sgf/read", "application/x-go-sgf", strings.NewReader(record))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			statuses[response.StatusCode]++
			mu.Unlock()
			if response.StatusCode == http.StatusUnprocessableEntity {
				response.Body.Close()
				return
			}
			refusedAs(t, response)
		})
	}
	all.Wait()
	grown := (int64(highest(t)) - int64(before)) >> 20 // memory may go back
	t.Logf("24 records of 1 MiB: %v, memory grew by %d MiB", statuses, grown)
	if statuses[http.StatusUnprocessableEntity] == 0 || statuses[http.StatusUnprocessableEntity]+statuses[http.StatusTooManyRequests] != 24 {
		t.Errorf("%v", statuses)
	}
	if grown > 300 {
		t.Errorf("memory grew by %d MiB", grown)
	}
}

// highest is the most memory that Go has had from the system.
func highest(testing.TB) uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapSys - m.HeapReleased
}

// A certificate that few bytes unpack to is refused, and so is one that is larger than the
// share of the memory.
func TestCertificatesAreBounded(t *testing.T) {
	server := start(t, nil)
	for blocks, want := range map[int]int{1: http.StatusOK, 100: http.StatusRequestEntityTooLarge, 700: http.StatusRequestEntityTooLarge} {
		response, err := http.Post(server.URL+"/api/v1/certificates", "application/octet-stream", bytes.NewReader(bomb(blocks)))
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != want {
			text, _ := io.ReadAll(response.Body)
			t.Errorf("%d blocks: %d %s", blocks, response.StatusCode, text)
		}
		if response.StatusCode == http.StatusRequestEntityTooLarge {
			refusedAs(t, response)
		}
		response.Body.Close()
	}
}

// Connections are bounded too, those of one client more than all.
func TestConnectionsAreBounded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other loopback addresses must be set up")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	o := Options{}
	o.Memory, o.Threads = 64<<20, 1
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	defer func() {
		stop()
		if err := errors.Join(<-ended, s.Close()); err != nil {
			t.Error(err)
		}
	}()
	url := "http://" + listener.Addr().String()
	each := s.questions.each.requests
	conns := make([]net.Conn, each)
	for i := range conns {
		if conns[i], err = net.Dial("tcp", listener.Addr().String()); err != nil {
			t.Fatal(err)
		}
		defer conns[i].Close()
	}
	one, another := from("127.0.0.1"), from("127.0.0.2")
	defer one.CloseIdleConnections()
	defer another.CloseIdleConnections()
	response, err := one.Get(url + "/healthz")
	if err == nil {
		if refusedAs(t, response); response.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("one connection more: %d", response.StatusCode)
		}
	}
	if response, err = another.Get(url + "/healthz"); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("another client: %v", err)
	}
	response.Body.Close()
	for _, c := range conns {
		c.Close()
	}
	within(t, 10*time.Second, "there is room again", func() bool {
		response, err := one.Get(url + "/healthz")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}
