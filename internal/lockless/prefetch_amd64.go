package lockless

// prefetch asks the processor to bring a cache line closer without waiting for it.
//
//go:noescape
func prefetch(p *uint64)
