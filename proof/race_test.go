//go:build race

package proof

// raced says that the race detector watches, which makes everything many times as slow.
const raced = true
