package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/internal/cluster"
	"tengen/nogo"
)

// told is a feed with one search.
func told(s cluster.Status) *cluster.Feed {
	f := cluster.NewFeed()
	f.Add(s)
	return f
}

// underWay is a search that has decided two moves of 2×2.
func underWay() cluster.Status {
	return cluster.Status{
		Search: "5f3a", Question: "nogo ../.., black to play", Phase: "search", At: time.Now(), Seconds: 3,
		Nodes: 40_000, Rate: 20_000, Jobs: 12, Out: 1, Facts: 7, Position: "../..", ToPlay: "black",
		Moves:     []cluster.MoveStatus{{Move: "A1", Winner: "black"}, {Move: "B1", Winner: "white"}, {Move: "A2"}, {Move: "B2"}},
		Positions: 30, Decided: 9, Chance: 0.7, Line: "A2 B2", Whole: 1,
		Workers: []cluster.WorkerStatus{{Name: "one", Job: "j", About: "x./.. w", Jobs: 12, Nodes: 40_000, Rate: 20_000, Memory: 1 << 26, Threads: 1}},
	}
}

func get[A any](t *testing.T, server *httptest.Server, path string, want int) (answer A) {
	t.Helper()
	response, err := http.Get(server.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != want {
		t.Fatalf("%s: status %d", path, response.StatusCode)
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// hearNews reads the stream until the news are those that are waited for.
func hearNews(t *testing.T, server *httptest.Server, what string, is func(News) bool) News {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/cluster/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, found := strings.CutPrefix(lines.Text(), "data: ")
		if !found {
			continue
		}
		var n News
		if err := json.Unmarshal([]byte(data), &n); err != nil {
			t.Fatal(err)
		}
		if is(n) {
			return n
		}
	}
	t.Fatalf("%s is not heard: %v", what, lines.Err())
	return News{}
}

func TestNoCluster(t *testing.T) {
	server := start(t, nil)
	if get[About](t, server, "/api/v1/about", http.StatusOK).Cluster {
		t.Error("a server without a cluster says that it has one")
	}
	for _, path := range []string{"/api/v1/cluster", "/api/v1/cluster/events"} {
		if p := get[struct{ Detail string }](t, server, path, http.StatusNotFound); !strings.Contains(p.Detail, "--nats") {
			t.Errorf("%s: %q", path, p.Detail)
		}
	}
}

// A search is under way, silent or done, and a view hears of the change.
func TestStatesOfASearch(t *testing.T) {
	s := underWay()
	feed := told(s)
	server := start(t, func(o *Options) { o.Cluster = feed })
	if !get[About](t, server, "/api/v1/about", http.StatusOK).Cluster {
		t.Error("the server does not say that it watches a cluster")
	}
	n := get[News](t, server, "/api/v1/cluster", http.StatusOK)
	if len(n.Searches) != 1 || n.Searches[0].Moves[1].Winner != "white" || n.Searches[0].Workers[0].About != "x./.. w" || n.Problem != "" {
		t.Errorf("%+v", n)
	}
	n = hearNews(t, server, "a search", func(n News) bool {
		s := underWay()
		s.Done, s.Winner = true, "black"
		feed.Add(s)
		return n.Searches[0].State == "done"
	})
	if n.Searches[0].Winner != "black" {
		t.Errorf("%+v", n)
	}
}

// A real search on a real NATS server: the view hears the answer.
func TestClusterOnTheWire(t *testing.T) {
	hub, err := cluster.Listen("127.0.0.1:0", "secret", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	access := cluster.Access{URL: hub.URL(), Token: "secret", Name: "one"}
	w, err := cluster.Watch(t.Context(), access)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	feed := cluster.NewFeed()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() {
		w.Follow(ctx, feed)
		ended <- nil
	}()
	go func() {
		ended <- cluster.Work(ctx, cluster.WorkerOptions{Access: access, Memory: 32 << 20, Threads: 1})
	}()
	defer func() {
		cancel()
		if err := errors.Join(<-ended, <-ended); err != nil {
			t.Error(err)
		}
	}()
	server := start(t, func(o *Options) { o.Cluster = feed })
	if n := get[News](t, server, "/api/v1/cluster", http.StatusOK); len(n.Searches) != 0 {
		t.Errorf("searches before there is one: %+v", n)
	}
	q := cluster.Question{Position: nogo.NewPosition(board.Size{Rows: 2, Cols: 3}), ToPlay: board.Black, EachMove: true}
	a, err := cluster.Solve(t.Context(), q, cluster.Options{Access: access, Store: filepath.Join(t.TempDir(), "store")})
	if err != nil {
		t.Fatal(err)
	}
	n := hearNews(t, server, "the answer", func(n News) bool { return len(n.Searches) == 1 && n.Searches[0].State == "done" })
	if s := n.Searches[0]; s.Winner != a.Winner.String() || len(s.Moves) != len(a.Moves) || s.Position != ".../..." {
		t.Errorf("%+v", s)
	}
}
