package cluster

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// masters are the masters that a worker has had jobs of. It logs when one falls silent and
// when it is back: without a master a worker only waits.
type masters struct {
	log *slog.Logger

	mu    sync.Mutex
	known map[string]*masterSeen // by search
}

// masterSeen is when the last message of a master came.
type masterSeen struct {
	seen time.Time
	lost bool
}

// Messages of a master to its workers, sent with every status.
const (
	masterHere = "here"
	masterOver = "over"
)

// mostMasters is how many masters a worker remembers.
const mostMasters = 64

func newMasters(log *slog.Logger) *masters {
	return &masters{log: log, known: map[string]*masterSeen{}}
}

// add remembers the search of a job.
func (m *masters) add(search string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known[search] == nil && len(m.known) < mostMasters {
		m.known[search] = &masterSeen{seen: time.Now()}
	}
}

// take takes a message of a master.
func (m *masters) take(message *nats.Msg) {
	search := strings.TrimPrefix(message.Subject, masterSubject)
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.known[search]
	switch {
	case k == nil:
	case string(message.Data) == masterOver:
		delete(m.known, search)
		m.log.Info("search over", "search", search)
	default:
		if k.lost {
			m.log.Info("master back", "search", search, "after", time.Since(k.seen).Round(time.Second))
		}
		k.seen, k.lost = time.Now(), false
	}
}

// checkSilence logs masters that have fallen silent.
func (m *masters) checkSilence(connected bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for search, k := range m.known {
		if k.lost || time.Since(k.seen) < gone {
			continue
		}
		k.lost = true
		why := "it is silent, and its NATS server answers"
		if !connected {
			why = "the NATS server does not answer"
		}
		m.log.Warn("master lost", "search", search, "why", why)
	}
}

// noteServer logs when the NATS server of a worker is lost and back.
func (h *hub) noteServer(log *slog.Logger) {
	h.conn.SetDisconnectErrHandler(func(_ *nats.Conn, err error) {
		if h.conn.IsClosed() {
			return // the worker ends
		}
		why := "it has closed the connection"
		if err != nil {
			why = err.Error()
		}
		log.Warn("server lost", "why", why)
	})
	h.conn.SetReconnectHandler(func(c *nats.Conn) { log.Info("server back", "nats", redact(c.ConnectedUrl())) })
}

// shortlyAfter is a context that ends a fixed time after another.
func shortlyAfter(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		wait(late, d)
		cancel()
	})
	return late, func() {
		stop()
		cancel()
	}
}
