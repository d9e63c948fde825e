package web

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// problemOf is the code of the problem that a stream ends with, or of a refusal.
func problemOf(t *testing.T, text []byte) string {
	t.Helper()
	var e struct{ Type, Code string }
	if err := json.Unmarshal([]byte(lastEvent(string(text))), &e); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return strings.TrimPrefix(e.Type+e.Code, codeScheme)
}

// A missing table is offered where it may be built, and nowhere else.
func TestMissingTablesAreOffered(t *testing.T) {
	for _, builds := range []bool{true, false} {
		server := start(t, func(o *Options) { o.Builds, o.Memory = builds, 2<<30 })
		want := codeLimit
		if builds {
			want = codeTable
		}
		for path, body := range map[string]string{
			"analyse": `{"game":"go","size":"3x6"}`, "why": `{"game":"go","size":"6x3","move":"A1"}`,
			"play": `{"game":"go","size":"3x6"}`, "review": `{"game":"go","size":"3x6","moves":["A1"]}`,
		} {
			if _, text := post(t, server, "/api/v1/"+path, body); problemOf(t, text) != want {
				t.Errorf("builds %v: %s: %s", builds, path, text)
			}
		}
		// 7x7 has no table anywhere.
		if _, text := post(t, server, "/api/v1/analyse", `{"game":"go","size":"7x7"}`); problemOf(t, text) != codeLimit {
			t.Errorf("%s", text)
		}
		status, text := post(t, server, "/api/v1/table", `{"size":"3x3"}`)
		if builds && (status != http.StatusOK || !strings.HasSuffix(string(text), "event: built\ndata: {\"size\":\"3x3\"}\n\n")) {
			t.Errorf("%d %s", status, text)
		}
		if !builds && (status != http.StatusForbidden || problemOf(t, text) != codeNoBuilds) {
			t.Errorf("%d %s", status, text)
		}
	}
}

// A table that does not fit is refused with what whoever runs the server can do.
func TestLargeTablesSayWhoCanBuildThem(t *testing.T) {
	server := start(t, func(o *Options) { o.Builds, o.Memory = true, 64<<20 })
	_, text := post(t, server, "/api/v1/table", `{"size":"2x10"}`)
	if problemOf(t, text) != codeLimit || !strings.Contains(string(text), `run \"tengen table build go 2x10\"`) {
		t.Errorf("%s", text)
	}
}

// There is one build at a time. Another client waits, and has its turn when the first
// leaves; the build of who left has stopped.
func TestOneTableIsBuiltAtATime(t *testing.T) {
	server := start(t, func(o *Options) {
		o.Builds, o.Memory, o.Proxies = true, 1<<30, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	first, leave := context.WithCancel(t.Context())
	defer leave()
	begun := buildAs(t, first, server.URL, "3x6", "10.0.0.1")
	if e := <-begun; e != "building" {
		t.Fatalf("the first hears %q", e)
	}
	second := buildAs(t, t.Context(), server.URL, "3x3", "10.0.0.2")
	if e := <-second; e != "queued" {
		t.Fatalf("the second hears %q", e)
	}
	leave()
	select {
	case e := <-second:
		for e == "queued" || e == "building" {
			e = <-second
		}
		if e != "built" {
			t.Errorf("the second ends with %q", e)
		}
	case <-time.After(time.Minute):
		t.Fatal("the build of who left goes on")
	}
}

// buildAs asks for a table and sends the names of events.
func buildAs(t *testing.T, ctx context.Context, url, size, client string) <-chan string {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/v1/table", strings.NewReader(`{"size":"`+size+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Forwarded-For", client)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	events := make(chan string, 1000)
	go func() {
		defer response.Body.Close()
		defer close(events)
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				events <- name
			}
		}
	}()
	return events
}
