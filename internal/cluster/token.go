package cluster

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tengen/internal/wholefile"
)

// The server inside a master always requires a token, since every user of a machine can
// reach its loopback addresses. If no token is given, each run makes one. It writes it to a
// file that only this user may read, named by the port of the server. Other commands of
// this user read it whenever they connect. So nobody types it, and a worker that waits for
// the next run of a master finds the next token.

// newToken makes a secret token. The letter keeps NATS from reading it as a number.
func newToken() string {
	var secret [16]byte
	_, _ = rand.Read(secret[:])
	return "t" + hex.EncodeToString(secret[:])
}

// tokenPath is the file with the token of the server at a port of this machine.
func tokenPath(port int) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "tengen", "cluster", fmt.Sprintf("port-%d.token", port)), nil
}

// leaveToken writes a token to a file for other commands of this user. The function it
// returns removes it.
func leaveToken(disk wholefile.Disk, port int, token string) (remove func(), err error) {
	path, err := tokenPath(port)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = disk.WritePrivate(path, []byte(token+"\n"))
	}
	if err != nil {
		return nil, err
	}
	return func() {
		if foundToken(port) == token { // not that of another run
			_ = os.Remove(path)
		}
	}, nil
}

// foundToken is the token in the file of a port, or "".
func foundToken(port int) string {
	path, err := tokenPath(port)
	if err != nil {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	const most = 256
	text, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// localPort is the port of a server on a loopback address of this machine, if the URL names
// one and no user.
func localPort(address string) (int, bool) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return 0, false
	}
	port, err := strconv.Atoi(u.Port())
	return port, err == nil && isLoopback(u.Hostname())
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
