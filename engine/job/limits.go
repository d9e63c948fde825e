package job

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"tengen/internal/bigmem"
	"tengen/internal/text"
)

// Limits bound the work on a question. A zero field is the default.
type Limits struct {
	Memory  int64         // bytes for tables; by default DefaultMemory unless a request says otherwise
	Threads int           // by default one for each core
	Time    time.Duration // after which the work is stopped; by default never
}

// DefaultMemory is half of the machine, at most 4 GiB.
func DefaultMemory() int64 {
	const most = 4 << 30
	if machine := bigmem.Machine(); machine > 0 {
		return min(machine/2, most)
	}
	return most / 4
}

// maxThreads keeps the stacks of the workers, about a quarter of a mebibyte each,
// small beside the tables.
const maxThreads = 256

// Check refuses limits that the machine does not have.
func (l Limits) Check() error {
	switch {
	case l.Memory < 0:
		return errors.New("memory cannot be negative")
	case l.Threads < 0:
		return errors.New("the number of threads cannot be negative")
	case l.Time < 0:
		return errors.New("the time cannot be negative")
	case l.Threads > maxThreads:
		return fmt.Errorf("%d threads are too many: the limit is %d", l.Threads, maxThreads)
	}
	if machine := bigmem.Machine(); machine > 0 && l.Memory > machine {
		return fmt.Errorf("%s of memory is more than the %s of this machine", text.Bytes(l.Memory), text.Bytes(machine))
	}
	return nil
}

// Settle fills in the defaults and checks the limits.
func (l Limits) Settle() (Limits, error) {
	if err := l.Check(); err != nil {
		return l, err
	}
	if l.Memory == 0 {
		l.Memory = DefaultMemory()
	}
	if l.Threads == 0 {
		l.Threads = runtime.GOMAXPROCS(0)
	}
	return l, nil
}

// The least memory that work is begun with: a table of some thousand entries, and
// the values of a few games. Tables of Go and searches under superko count what they need.
const (
	LeastTable  = 256 << 10
	LeastValues = 16 << 10
)

// Least refuses less memory than the work needs.
func (l Limits) Least(work string, bytes int64) error {
	if l.Memory > 0 && l.Memory < bytes {
		return fmt.Errorf("%s of memory is too little for %s, which needs %s at least", text.Bytes(l.Memory), work, text.Bytes(bytes))
	}
	return nil
}

// Context ends when the time is up.
func (l Limits) Context(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.Time <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, l.Time)
}
