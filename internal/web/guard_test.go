package web

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// An answer that breaks off in the middle does not end as a whole one does.
func TestHalfAnAnswerIsCut(t *testing.T) {
	s := &Server{options: Options{Log: slog.New(slog.DiscardHandler)}}
	s.counts = newCounts(s)
	for _, c := range []struct {
		said string
		code int
		cut  bool
	}{{"", http.StatusInternalServerError, false}, {"half", http.StatusOK, true}} {
		server := httptest.NewServer(s.counted(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if c.said != "" {
				io.WriteString(w, c.said)
				http.NewResponseController(w).Flush()
			}
			panic("on purpose")
		})))
		response, err := http.Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(response.Body)
		if response.StatusCode != c.code || (err != nil) != c.cut {
			t.Errorf("after %q: %d, %v", c.said, response.StatusCode, err)
		}
		response.Body.Close()
		server.Close()
	}
}

func TestPage(t *testing.T) {
	server := start(t, nil)
	response, err := http.Get(server.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	h := response.Header
	if response.StatusCode != http.StatusOK || h.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("%d %v", response.StatusCode, h)
	}
	if p := h.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'; script-src 'self'; style-src 'self'") || strings.Contains(p, "unsafe") {
		t.Errorf("policy %q", p)
	}
	if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") == "" || h.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%v", h)
	}
}

// No path leads to a file that is not of the page.
func TestNoPathReachesFiles(t *testing.T) {
	server := start(t, nil)
	for _, path := range []string{"/../web.go", "/..%2f..%2fgo.mod", "/page/dist/index.html", "/etc/passwd", "/assets/", "//etc/passwd", "/index.html/../../go.mod", "/%00"} {
		request, err := http.NewRequest(http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.URL.Opaque = "//" + request.URL.Host + path
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			continue // the client refuses it already
		}
		response.Body.Close()
		if response.StatusCode == http.StatusOK {
			t.Errorf("%s is there", path)
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

func TestHosts(t *testing.T) {
	server := start(t, func(o *Options) { o.Hosts = []string{"tengen.example.org"} })
	for host, want := range map[string]int{
		"localhost:8420": 200, "127.0.0.1": 200, "[::1]:8420": 200, "tengen.example.org": 200, "TENGEN.example.org:80": 200,
		"evil.example.org": 421, "evil.example.org:8420": 421, "192.0.2.1": 421, "localhost.evil.example.org": 421,
	} {
		request, _ := http.NewRequest(http.MethodGet, server.URL+"/healthz", nil)
		request.Host = host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: %d", host, response.StatusCode)
		}
	}
	request, _ := http.NewRequest(http.MethodPost, server.URL+"/api/v1/position", strings.NewReader(`{"game":"nogo","size":"3x3"}`))
	request.Header.Set("Origin", "http://evil.example.org")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusForbidden {
		t.Errorf("another origin: %d", response.StatusCode)
	}
}

func TestCheckAddress(t *testing.T) {
	for addr, public := range map[string]bool{
		"127.0.0.1:8420": false, "localhost:1": false, "[::1]:80": false, "127.5.5.5:0": false,
		"0.0.0.0:8420": true, ":8420": true, "[::]:80": true, "192.0.2.1:80": true, "example.org:80": true,
	} {
		_, err := CheckAddress(addr, false, nil)
		if (err != nil) != public {
			t.Errorf("%s: %v", addr, err)
		}
		if _, err := CheckAddress(addr, true, nil); err != nil {
			t.Errorf("%s with --public: %v", addr, err)
		}
	}
}
