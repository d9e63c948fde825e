package bigmem

import "golang.org/x/sys/unix"

func reserve(bytes int) ([]byte, error) {
	raw, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	// Advice only: without huge pages the array is slower, not wrong.
	_ = unix.Madvise(raw, unix.MADV_HUGEPAGE)
	return raw, nil
}

func release(raw []byte) { _ = unix.Munmap(raw) }

// Machine is the memory of the machine in bytes, 0 if unknown.
func Machine() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
