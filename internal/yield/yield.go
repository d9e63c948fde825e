//go:build !js

// Package yield lets a search give way in a browser, where one thread runs all goroutines and
// none is interrupted: without it no cancellation would arrive before a search has ended.
// Elsewhere it does nothing and costs nothing.
package yield

// Now gives way if it has not done so for a while.
func Now() {}
