//go:build !unix

package store

// isReadOnly is false on systems where writing to a read-only file system
// fails with a permission error.
func isReadOnly(error) bool { return false }
