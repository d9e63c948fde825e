//go:build invariants

package bigmem

import "sync"

var inUse struct {
	sync.Mutex
	byPurpose map[string]int64
}

// InUse is the number of bytes handed out and not yet freed, by purpose.
func InUse() map[string]int64 {
	inUse.Lock()
	defer inUse.Unlock()
	out := make(map[string]int64, len(inUse.byPurpose))
	for k, v := range inUse.byPurpose {
		if v != 0 {
			out[k] = v
		}
	}
	return out
}

func account(purpose string, bytes int64) {
	inUse.Lock()
	defer inUse.Unlock()
	if inUse.byPurpose == nil {
		inUse.byPurpose = make(map[string]int64)
	}
	inUse.byPurpose[purpose] += bytes
}
