//go:build !race

package longtest

// Raced says that the race detector watches, which makes everything many times as slow.
const Raced = false
