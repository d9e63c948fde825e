package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/nats-io/nats.go"

	"tengen/board"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

// The server inside a master lets nobody in without the token of this run, which is in a
// file for this user alone. Other commands of this user find it, and it goes with the
// master.
func TestServerInsideWantsToken(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
	tokens := map[string]bool{}
	store := filepath.Join(t.TempDir(), "store")
	for _, listen := range []string{"", "127.0.0.1:0", "localhost:0"} {
		ctx, cancel := context.WithCancel(t.Context())
		path := ""
		_, err := Solve(ctx, q, Options{Store: store, Listen: listen, Log: log(t), Joined: func(a Access) {
			defer cancel()
			if a.Token == "" || tokens[a.Token] || !a.Left {
				t.Errorf("listening on %q the token is %q, after %v", listen, a.Token, tokens)
			}
			tokens[a.Token] = true
			if _, err := nats.Connect(a.URL); !errors.Is(err, nats.ErrAuthorization) {
				t.Errorf("without a token: %v", err)
			}
			if _, err := nats.Connect(a.URL, nats.Token("guess")); !errors.Is(err, nats.ErrAuthorization) {
				t.Errorf("with another token: %v", err)
			}
			w, err := Watch(ctx, Access{URL: a.URL})
			if err != nil {
				t.Errorf("another command of this user: %v", err)
				return
			}
			w.Close()
			port, _ := localPort(a.URL)
			path, err = tokenPath(port)
			if err != nil {
				t.Error(err)
			}
			info, err := os.Stat(path)
			if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
				t.Errorf("the token is in a file %v, %v", info, err)
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the token is still there: %v", err)
		}
	}
}

// A worker that waits for the next run of a master finds its token, which is another.
func TestWorkerFindsNextToken(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store := filepath.Join(t.TempDir(), "store")
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
	hired := make(chan error, 1)
	leaving, leave := context.WithCancel(t.Context())
	defer leave()
	first, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := Solve(first, q, Options{Store: store, Log: log(t), Progress: func(s Status) {
		if len(s.Workers) > 0 {
			cancel()
		}
	}, Joined: func(a Access) {
		go func() {
			hired <- Work(leaving, WorkerOptions{Access: Access{URL: a.URL, Name: "patient"}, Memory: 32 << 20, Threads: 1, Log: log(t)})
		}()
	}})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	other, err := Solve(t.Context(), q, Options{Store: store, Log: log(t)})
	if err != nil || other.Winner != board.White {
		t.Errorf("%v wins, %v", other.Winner, err)
	}
	leave()
	if err := <-hired; err != nil {
		t.Error(err)
	}
}

func TestInterruptedToken(t *testing.T) {
	faulty.Interrupt(t, faulty.Writer{
		Name: "token of a server", Before: map[string][]byte{"tengen/cluster/port-4222.token": []byte("told\n")},
		Write: func(disk wholefile.Disk, dir string) error {
			t.Setenv("XDG_CACHE_HOME", dir)
			_, err := leaveToken(disk, 4222, "tnew")
			return err
		},
	})
}

// A token is private even where the one before it was not.
func TestTokenIsPrivate(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path, err := tokenPath(4222)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, "told\n")
	takeAway, err := leaveToken(wholefile.Disk{}, 4222, "tnew")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 || foundToken(4222) != "tnew" {
		t.Errorf("%v, %v, %q", info, err, foundToken(4222))
	}
	takeAway()
	if foundToken(4222) != "" {
		t.Error("the token is still there")
	}
}
