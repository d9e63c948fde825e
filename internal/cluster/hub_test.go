package cluster

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

// Nobody can fill a server: every stream is bounded in bytes, and so is every message.
// Streams that an earlier version made get the bounds too.
func TestStreamsAreBounded(t *testing.T) {
	s := newSystem(t)
	first, err := connect(t.Context(), Access{URL: s.server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer first.close()
	if err := first.stream.DeleteStream(t.Context(), jobStream); err != nil {
		t.Fatal(err)
	}
	if _, err := first.stream.CreateStream(t.Context(), jetstream.StreamConfig{Name: jobStream, Subjects: []string{jobSubject + ">"}, Retention: jetstream.WorkQueuePolicy}); err != nil {
		t.Fatal(err)
	}
	h, err := connect(t.Context(), Access{URL: s.server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	total := int64(0)
	for _, name := range []string{jobStream, resultStream, factStream, "KV_" + statusBucket, "OBJ_" + objectBucket} {
		stream, err := h.stream.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		c := stream.CachedInfo().Config
		total += c.MaxBytes
		if c.MaxBytes <= 0 || c.MaxAge <= 0 {
			t.Errorf("%s has no bound: %d bytes, %s", name, c.MaxBytes, c.MaxAge)
		}
		if c.MaxMsgs <= 0 && c.MaxMsgsPerSubject <= 0 && name != "OBJ_"+objectBucket { // files come in chunks of a size
			t.Errorf("%s takes any number of messages", name)
		}
		if c.MaxMsgSize <= 0 && name != "OBJ_"+objectBucket {
			t.Errorf("%s takes messages of any size", name)
		}
	}
	if total > insideBytes {
		t.Errorf("the streams take %d bytes, and the server inside has %d", total, int64(insideBytes))
	}
	if _, err := h.stream.Publish(t.Context(), factSubject+"x.0", make([]byte, payload+2*headers)); err == nil {
		t.Error("a message of any size is taken")
	}
}

// A server without the room says so.
func TestServerWithoutRoom(t *testing.T) {
	inner, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, JetStreamMaxStore: 1 << 30, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	go inner.Start()
	defer inner.Shutdown()
	if !inner.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	if _, err := connect(t.Context(), Access{URL: inner.ClientURL()}); err == nil || !strings.Contains(err.Error(), "5.1 GiB") {
		t.Errorf("the error is %v", err)
	}
}

// Workers that join a new server all at once make its streams together, also where there
// is hardly the room for them once.
func TestManyJoinAtOnce(t *testing.T) {
	inner, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, JetStreamMaxStore: 6 << 30, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	go inner.Start()
	defer inner.Shutdown()
	if !inner.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			h, err := connect(t.Context(), Access{URL: inner.ClientURL()})
			if err != nil {
				t.Error(err)
				return
			}
			h.close()
		})
	}
	all.Wait()
}
