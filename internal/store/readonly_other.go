//go:build !unix

package store

// isReadOnly is for systems that tell by permission.
func isReadOnly(error) bool { return false }
