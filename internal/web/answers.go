package web

import "sync"

// answers keeps settled analyses, which never change, for the next who asks. When it is
// full it begins anew, which is simple and costs a lookup in the store.
type answers struct {
	mu   sync.RWMutex
	kept map[string]Done
}

// mostAnswers are some tens of mebibytes.
const mostAnswers = 4096

func newAnswers() *answers { return &answers{kept: map[string]Done{}} }

func (a *answers) find(name string) (Done, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	d, found := a.kept[name]
	return d, found
}

func (a *answers) keep(name string, d Done) {
	if !d.Settled {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.kept) >= mostAnswers {
		clear(a.kept)
	}
	a.kept[name] = d
}
