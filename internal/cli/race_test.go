//go:build race

package cli_test

// raced says that the race detector watches, which makes every script many times as slow.
const raced = true
