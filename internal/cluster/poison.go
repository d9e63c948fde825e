package cluster

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"

	"tengen/internal/text"
)

const (
	// poisonBytes and poisonAge bound the stream of messages that made no sense, and
	// poisonMost the bytes of one of them.
	poisonBytes = 8 << 20
	poisonAge   = 7 * 24 * time.Hour
	poisonMost  = 64 << 10

	whyHeader = "Tengen-Why"
)

// poison moves a message that made no sense to its own stream and logs it. People can read
// it with nats stream get TENGEN_POISON.
func (h *hub) poison(log *slog.Logger, kind string, why error, data []byte) {
	h.poisoned.Add(1)
	// A million of them must not fill the log.
	if n := h.poisoned.Load(); n <= 100 || n%1000 == 0 {
		log.Warn("a message makes no sense and is put aside", "kind", kind, "why", why, "bytes", len(data), "so_far", n)
	}
	m := nats.NewMsg(poisonSubject + kind)
	m.Header.Set(whyHeader, text.OneLine(why.Error(), mostText))
	m.Data = data[:min(len(data), poisonMost)]
	_ = h.conn.PublishMsg(m) // it may be lost
}

// guarded wraps a handler: messages that make it panic are poison.
func (h *hub) guarded(log *slog.Logger, kind string, handle nats.MsgHandler) nats.MsgHandler {
	return func(m *nats.Msg) {
		defer func() {
			if why := recover(); why != nil {
				h.poison(log, kind, fmt.Errorf("the program has failed: %v", why), m.Data)
			}
		}()
		handle(m)
	}
}
