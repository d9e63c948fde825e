package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/engine/job"
)

// TestMain runs the tests, or is the server that one of them has started.
func TestMain(m *testing.M) {
	if os.Getenv(servedKey) == "" {
		goleak.VerifyTestMain(m)
		return
	}
	if err := serveAlone(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// start is a server with an empty store and a cache of its own.
func start(t testing.TB, change func(*Options)) *httptest.Server {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	o := Options{Version: "test", Store: job.Cache, Limits: job.Limits{Memory: 256 << 20, Threads: 2, Time: time.Minute}}
	if change != nil {
		change(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		http.DefaultClient.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// post sends JSON and reads the answer.
func post(t testing.TB, server *httptest.Server, path, body string) (int, []byte) {
	t.Helper()
	response, err := http.Post(server.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer
}

// ask is post for an answer that must be there.
func ask[A any](t testing.TB, server *httptest.Server, path, body string) (answer A) {
	t.Helper()
	status, text := post(t, server, path, body)
	if status != http.StatusOK {
		t.Fatalf("%s %s: %d\n%s", path, body, status, text)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return answer
}

// event is one of an analysis.
type event struct {
	name string
	data []byte
}

// listen asks for an analysis and hands on its events until hear says no more.
func listen(t testing.TB, ctx context.Context, url, body string, hear func(event) bool) (status int, err error) {
	return listenTo(ctx, url+"/api/v1/analyse", body, hear)
}

// listenTo is listen for any call that answers with events.
func listenTo(ctx context.Context, url, body string, hear func(event) bool) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return response.StatusCode, nil
	}
	var e event
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Bytes()
		switch name, isName := bytes.CutPrefix(line, []byte("event: ")); {
		case isName:
			e.name = string(name)
		case len(line) == 0:
			if !hear(e) {
				return response.StatusCode, nil
			}
		default:
			e.data = bytes.Clone(bytes.TrimPrefix(line, []byte("data: ")))
		}
	}
	return response.StatusCode, lines.Err()
}

// analyseAll runs an analysis to its end.
func analyseAll(t testing.TB, server *httptest.Server, body string) (answer Done, updates int) {
	t.Helper()
	var last event
	status, err := listen(t, t.Context(), server.URL, body, func(e event) bool {
		if last = e; e.name == "update" {
			updates++
		}
		return true
	})
	if err != nil || status != http.StatusOK || last.name != "done" {
		t.Fatalf("%s: %d %v, at last %s %s", body, status, err, last.name, last.data)
	}
	if err := json.Unmarshal(last.data, &answer); err != nil {
		t.Fatal(err)
	}
	return answer, updates
}
