package bigmem

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Machine is the memory in bytes that the program may use: that of the machine, or less
// if a control group, such as that of a container, allows less. It is 0 if unknown.
func Machine() int64 {
	var info unix.Sysinfo_t
	total := int64(0)
	if unix.Sysinfo(&info) == nil {
		total = int64(info.Totalram) * int64(info.Unit)
	}
	if limit := groupLimit(os.DirFS("/")); limit > 0 && (total == 0 || limit < total) {
		return limit
	}
	return total
}

// groupLimit is the least memory that the control groups of the process allow, 0 if
// they set no limit. A group is bound by those above it as well.
func groupLimit(root fs.FS) int64 {
	file, err := root.Open("proc/self/cgroup")
	if err != nil {
		return 0
	}
	defer file.Close()
	least := int64(0)
	for _, g := range groupsOf(file) {
		for dir := path.Join("/", g.dir); ; dir = path.Dir(dir) {
			for _, name := range g.files {
				if limit := readLimit(root, strings.TrimPrefix(path.Join(g.mount, dir, name), "/")); limit > 0 && (least == 0 || limit < least) {
					least = limit
				}
			}
			if dir == "/" {
				break
			}
		}
	}
	return least
}

// group is a control group that may limit memory.
type group struct {
	mount, dir string
	files      []string
}

// groupsOf reads lines such as 0::/user.slice of version 2 and 4:memory:/docker/1f of
// version 1. In a container the path may be that of the host and not exist. Then the
// files at the mount point are those of the container.
func groupsOf(r io.Reader) []group {
	var list []group
	for lines := bufio.NewScanner(r); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), ":", 3)
		if len(parts) != 3 {
			continue
		}
		if parts[1] == "" {
			for _, mount := range []string{"sys/fs/cgroup", "sys/fs/cgroup/unified"} {
				list = append(list, group{mount, parts[2], []string{"memory.max", "memory.high"}})
			}
		}
		for _, controller := range strings.Split(parts[1], ",") {
			if controller == "memory" {
				list = append(list, group{"sys/fs/cgroup/memory", parts[2], []string{"memory.limit_in_bytes"}})
			}
		}
	}
	return list
}

// readLimit reads a number of bytes from a file. It is 0 for no limit, which version 2
// writes as max.
func readLimit(root fs.FS, name string) int64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || limit < 0 {
		return 0
	}
	return limit
}
