package web

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// proxied is the name that docs/server.md has for the server.
const proxied = "tengen.example.org"

// configurations are the blocks of docs/server.md for a proxy.
func configurations(t *testing.T, language string) []string {
	t.Helper()
	page, err := os.ReadFile("../../docs/server.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, found := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(page, -1) {
		list = append(list, string(found[1]))
	}
	if len(list) == 0 {
		t.Fatalf("the page has no configuration for %s", language)
	}
	return list
}

// replaced changes what differs on this machine; each must be there.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("there is no %q in\n%s", pairs[i], text)
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// behind is a server that believes a proxy on this machine, and its address.
func behind(t *testing.T) string {
	t.Helper()
	proxies, err := ParseProxies([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	server := start(t, func(o *Options) { o.Hosts, o.Proxies, o.Parallel, o.PerClient = []string{proxied}, proxies, 3, 1 })
	return server.Listener.Addr().String()
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// run starts a proxy and waits until it listens. It is stopped at the end of the test.
func run(t *testing.T, addr, program string, args ...string) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
	})
	within(t, time.Minute, program+" listens", func() bool {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v\n%s", program, err, &said)
		default:
		}
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// installed finds a program, or leaves the test with a word about it.
func installed(t *testing.T, program string) string {
	t.Helper()
	for _, name := range []string{program, "/usr/sbin/" + program} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("no %s is installed: what docs/server.md says of it is not tried", program)
	return ""
}

// selfSigned writes a certificate of TLS and its key.
func selfSigned(t *testing.T, dir string) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{proxied}, NotAfter: time.Now().Add(24 * time.Hour)}
	public, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: public}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

// askThrough does through a proxy what a page does. Visitors come from two addresses of
// loopback.
func askThrough(t *testing.T, scheme, addr, folder string) {
	t.Helper()
	visitor := func(local string) *http.Client {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(local)}}
		client := &http.Client{Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, addr)
			},
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // it is our own
		}}
		t.Cleanup(client.CloseIdleConnections)
		return client
	}
	_, port, _ := net.SplitHostPort(addr)
	url := scheme + "://" + proxied + ":" + port + folder
	one, another := visitor("127.0.4.1"), visitor("127.0.4.2")
	do := func(client *http.Client, method, path, kind string, body io.Reader) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, url+path, body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Accept-Encoding", "gzip")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		response, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	page := do(one, http.MethodGet, "", "", nil)
	if page.StatusCode != http.StatusOK || page.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("the page: %d %v", page.StatusCode, page.Header)
	}
	question := do(one, http.MethodPost, "api/v1/position", "application/json", strings.NewReader(`{"game":"nogo","size":"3x3"}`))
	var s Standing
	if err := json.NewDecoder(question.Body).Decode(&s); err != nil || s.Position != ".../.../..." {
		t.Errorf("a question: %d %+v %v", question.StatusCode, s, err)
	}
	// The proxy takes what the server takes, and hands on what it says of it.
	large := do(one, http.MethodPost, "api/v1/certificates", "application/octet-stream", bytes.NewReader(make([]byte, MaxProof)))
	if text, _ := io.ReadAll(large.Body); large.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(text), "not a tengen certificate") {
		t.Errorf("8 MiB: %d %.200s", large.StatusCode, text)
	}
	// A body that is refused before it is read is refused with the server's own words.
	refused := do(one, http.MethodPost, "api/v1/sgf/read", "application/x-go-sgf", bytes.NewReader(make([]byte, MaxProof)))
	if text, _ := io.ReadAll(refused.Body); refused.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(text), "larger than 1.0 MiB") {
		t.Errorf("a record of 8 MiB: %d %.200s", refused.StatusCode, text)
	}
	// The first event is there while the analysis goes on, and each visitor has a share.
	for _, client := range []*http.Client{one, another} {
		stream := do(client, http.MethodPost, "api/v1/analyse", "application/json", strings.NewReader(hard))
		first := make([]byte, len("event: "))
		if _, err := io.ReadFull(stream.Body, first); err != nil || string(first) != "event: " {
			t.Errorf("a stream: %d %q %v", stream.StatusCode, first, err)
		}
	}
	if again := do(one, http.MethodPost, "api/v1/analyse", "application/json", strings.NewReader(hard)); again.StatusCode != http.StatusTooManyRequests || again.Header.Get("Retry-After") == "" {
		t.Errorf("a second analysis of one visitor: %d", again.StatusCode)
	}
}

// nginx with the configuration of docs/server.md, at the root and in a folder, over TLS.
func TestBehindNginx(t *testing.T) {
	program := installed(t, "nginx")
	for _, folder := range []string{"/", "/tengen/"} {
		t.Run(folder, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			certificate, key := selfSigned(t, dir)
			addr := freeAddress(t)
			text := replaced(t, configurations(t, "nginx")[0],
				"listen 443 ssl", "listen "+addr+" ssl", "/etc/ssl/tengen.example.org.pem", certificate, "/etc/ssl/tengen.example.org.key", key,
				"127.0.0.1:8420", behind(t), "location / {", "location "+folder+" {")
			path := filepath.Join(dir, "nginx.conf")
			var temporary strings.Builder
			for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
				fmt.Fprintf(&temporary, "%s_temp_path %s/%s;\n", kind, dir, kind)
			}
			// One process: workers of another user could not write to the folder.
			whole := fmt.Sprintf("daemon off;\nmaster_process off;\npid %s/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n%s%s}\n", dir, &temporary, text)
			if err := os.WriteFile(path, []byte(whole), 0o644); err != nil {
				t.Fatal(err)
			}
			run(t, addr, program, "-c", path, "-p", dir)
			askThrough(t, "https", addr, folder)
		})
	}
}

// Caddy with the configurations of docs/server.md, without TLS: it would ask for a
// certificate.
func TestBehindCaddy(t *testing.T) {
	program := installed(t, "caddy")
	folders := []string{"/", "/tengen/"}
	blocks := configurations(t, "caddyfile")
	if len(blocks) != len(folders) {
		t.Fatalf("%d configurations", len(blocks))
	}
	for i, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			addr := freeAddress(t)
			text := replaced(t, blocks[i], proxied+" {", "http://"+addr+", http://"+proxied+strings.TrimPrefix(addr, "127.0.0.1")+" {\n\tbind 127.0.0.1", "127.0.0.1:8420", behind(t))
			path := filepath.Join(t.TempDir(), "Caddyfile")
			if err := os.WriteFile(path, []byte("{\n\tadmin off\n}\n"+text), 0o644); err != nil {
				t.Fatal(err)
			}
			run(t, addr, program, "run", "--config", path, "--adapter", "caddyfile")
			askThrough(t, "http", addr, folder)
		})
	}
}
