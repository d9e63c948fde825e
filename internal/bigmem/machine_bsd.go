//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package bigmem

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Machine is the memory of the machine in bytes, 0 if unknown.
func Machine() int64 {
	name := map[string]string{"darwin": "hw.memsize", "netbsd": "hw.physmem64", "openbsd": "hw.physmem"}[runtime.GOOS]
	if name == "" {
		name = "hw.physmem"
	}
	bytes, err := unix.SysctlUint64(name)
	if err != nil {
		return 0
	}
	return int64(bytes)
}
