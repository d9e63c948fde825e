//go:build !invariants

// Package invariants switches assertions on: build with the tag "invariants" and
// Enabled is true; otherwise the compiler drops every check behind it.
package invariants

// Enabled guards assertions.
const Enabled = false
