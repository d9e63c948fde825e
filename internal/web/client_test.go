package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A proxy that is believed says for whom it asks, and nobody else can.
func TestClientAddress(t *testing.T) {
	for _, c := range []struct {
		proxies, peer string
		forwarded     []string
		want          string
	}{
		{"", "192.0.2.1:5", nil, "192.0.2.1"},
		{"", "192.0.2.1:5", []string{"198.51.100.7"}, "192.0.2.1"},
		{"10.0.0.0/8", "192.0.2.1:5", []string{"198.51.100.7"}, "192.0.2.1"},
		{"192.0.2.1", "192.0.2.1:5", []string{"198.51.100.7"}, "198.51.100.7"},
		{"192.0.2.0/24", "192.0.2.1:5", []string{"6.6.6.6, 198.51.100.7"}, "198.51.100.7"},
		{"192.0.2.0/24", "192.0.2.1:5", []string{"6.6.6.6, 198.51.100.7, 192.0.2.9"}, "198.51.100.7"},
		{"192.0.2.0/24", "192.0.2.1:5", []string{"6.6.6.6", "198.51.100.7"}, "198.51.100.7"},
		{"192.0.2.0/24", "192.0.2.1:5", []string{"6.6.6.6, nobody"}, "192.0.2.1"},
		{"192.0.2.0/24", "192.0.2.1:5", nil, "192.0.2.1"},
		{"192.0.2.0/24", "192.0.2.1:5", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		{"127.0.0.0/8", "127.0.0.1:5", []string{"[2001:db8:1:2:3::4]:80"}, "2001:db8:1:2::/64"},
		{"127.0.0.0/8", "[::ffff:127.0.0.1]:5", []string{"2001:db8:1:2:ffff::9"}, "2001:db8:1:2::/64"},
		{"::1", "[::1]:5", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		{"", "[fe80::1%eth0]:5", nil, "fe80::/64"},
		{"", "@", nil, "@"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.peer
		r.Header["X-Forwarded-For"] = c.forwarded
		var list []string
		if c.proxies != "" {
			list = strings.Split(c.proxies, ",")
		}
		proxies, err := ParseProxies(list)
		if err != nil {
			t.Fatal(err)
		}
		if got := clientAddress(r, proxies); got != c.want {
			t.Errorf("%s by %s, believed %s: %s, not %s", c.forwarded, c.peer, c.proxies, got, c.want)
		}
	}
	for _, bad := range []string{"", "nginx", "10.0.0.0/33", "10.0.0.0/8/8"} {
		if _, err := ParseProxies([]string{bad}); err == nil {
			t.Errorf("%q is believed", bad)
		}
	}
}

// Whatever stands in the header, nobody who is not believed is taken for another, and a
// client has a name.
func FuzzForwarded(f *testing.F) {
	for _, seed := range []string{"", "198.51.100.7", "a, b", "[::1]:80, 10.0.0.1", "::ffff:10.0.0.1%eth0,", ",,,", "1.2.3.4:99999", "[[::1]]"} {
		f.Add(seed)
	}
	proxies, err := ParseProxies([]string{"10.0.0.0/8"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, header string) {
		r := &http.Request{RemoteAddr: "192.0.2.1:5", Header: http.Header{"X-Forwarded-For": {header}}}
		if got := clientAddress(r, proxies); got != "192.0.2.1" {
			t.Errorf("%q: %s", header, got)
		}
		r.RemoteAddr = "10.0.0.1:5"
		if clientAddress(r, proxies) == "" {
			t.Errorf("%q: nobody", header)
		}
	})
}

// Behind a proxy each visitor has its own share.
func TestVisitorsAreToldApart(t *testing.T) {
	proxies, err := ParseProxies([]string{"127.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	server := start(t, func(o *Options) { o.Parallel, o.Queue, o.PerClient, o.Proxies = 1, 9, 1, proxies })
	asks := func(visitor string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/v1/analyse", strings.NewReader(hard))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", visitor)
		return http.DefaultClient.Do(r)
	}
	for visitor, want := range []int{http.StatusOK, http.StatusTooManyRequests} {
		response, err := asks("198.51.100.7")
		if err != nil || response.StatusCode != want {
			t.Fatalf("request %d of one visitor: %v", visitor+1, err)
		}
		defer response.Body.Close()
	}
	response, err := asks("198.51.100.8")
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("another visitor: %v", err)
	}
	response.Body.Close()
}

// A server on loopback may have the name of a proxy before it.
func TestHostsWithoutPublic(t *testing.T) {
	hosts, err := CheckAddress("127.0.0.1:8420", false, []string{"tengen.example.org"})
	if err != nil || !allowed(hosts, "tengen.example.org") || allowed(hosts, "example.org") {
		t.Errorf("%v: %v", hosts, err)
	}
	if _, err := CheckAddress("0.0.0.0:8420", false, []string{"tengen.example.org"}); err == nil {
		t.Error("all may connect, and nobody said so")
	}
}

// Files of the page are sent as gzip to those who read it.
func TestPageIsCompressed(t *testing.T) {
	server := start(t, nil)
	page, err := readPage()
	if err != nil {
		t.Fatal(err)
	}
	sent, whole := 0, 0
	for path, a := range page {
		get := func(header, value string) (*http.Response, []byte) {
			r, err := http.NewRequest(http.MethodGet, server.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", "identity")
			r.Header.Set(header, value)
			response, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			text, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			return response, text
		}
		for _, refuses := range []string{"identity", "gzip;q=0", "br", "*;q=0", "gzip;q=0, *"} {
			if response, text := get("Accept-Encoding", refuses); response.Header.Get("Content-Encoding") != "" || string(text) != string(a.content) {
				t.Errorf("%s to %q: %v", path, refuses, response.Header)
			}
		}
		for _, takes := range []string{"gzip", "br, gzip;q=0.5", "deflate, *"} {
			response, text := get("Accept-Encoding", takes)
			if a.packed == nil {
				continue
			}
			if response.Header.Get("Content-Encoding") != "gzip" || response.Header.Get("Vary") != "Accept-Encoding" || response.Header.Get("Content-Type") != a.kind {
				t.Fatalf("%s to %q: %v", path, takes, response.Header)
			}
			r, err := gzip.NewReader(strings.NewReader(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			if unpacked, err := io.ReadAll(r); err != nil || string(unpacked) != string(a.content) {
				t.Errorf("%s: what is unpacked is not the file: %v", path, err)
			}
		}
		if path != "/" {
			_, text := get("Accept-Encoding", "gzip")
			sent, whole = sent+len(text), whole+len(a.content)
		}
		if response, text := get("Range", "bytes=0-3"); response.StatusCode != http.StatusPartialContent || string(text) != string(a.content[:4]) {
			t.Errorf("a part of %s: %d %q", path, response.StatusCode, text)
		}
	}
	t.Logf("%d bytes of files are sent as %d", whole, sent)
	if sent > whole/2 {
		t.Errorf("%d bytes of files are sent as %d", whole, sent)
	}
}
