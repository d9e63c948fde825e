package cluster

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A name that cannot be a part of a subject is refused at once, not after the server was
// waited for. Any text can be made a name.
func TestNamesOfWorkers(t *testing.T) {
	for _, text := range []string{"a b", "host.example.org-7", "Zürich", "\x1b[2J", strings.Repeat("x", 1000)} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		err := Work(ctx, WorkerOptions{Access: Access{URL: "nats://127.0.0.1:1", Name: text}})
		if err == nil || !strings.Contains(err.Error(), "name of a worker") {
			t.Errorf("%.20q: %v", text, err)
		}
		cancel()
		if err := checkName("worker", WorkerName(text)); err != nil {
			t.Error(err)
		}
	}
}

// A worker that is stopped when its job is done still sends the result, of any kind of job.
func TestFinishedJobIsNotHandedBack(t *testing.T) {
	s := newSystem(t)
	for _, j := range []job{searchJob(t, "search", "3x4", 0), listJob("list", "x../.o./...")} {
		w := joinAsWorker(t, s, "w")
		w.masters = newMasters(w.log)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		w.o.forge = func(*result) { stop() } // it runs between the answer and the result
		if err := w.hub.send(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		consumer, err := w.hub.workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		for message := range batch.Messages() {
			w.do(ctx, message)
		}
		stream, err := w.hub.stream.Stream(t.Context(), resultStream)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stream.GetLastMsgForSubject(t.Context(), resultSubject+j.Search); err != nil {
			t.Errorf("the result of a job of kind %s is not sent: %v", j.Kind, err)
		}
	}
}
