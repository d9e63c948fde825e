package bigmem

import (
	"testing"
	"testing/fstest"
)

func TestGroupLimit(t *testing.T) {
	const unlimited = "9223372036854771712\n" // as version 1 writes it
	for name, test := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no control groups": {nil, 0},
		"version 2 without a limit": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n", "sys/fs/cgroup/memory.high": "max\n",
		}, 0},
		"a container": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n", "sys/fs/cgroup/memory.high": "max\n",
		}, 512 << 20},
		"throttled before the limit": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n", "sys/fs/cgroup/memory.high": "268435456\n",
		}, 256 << 20},
		"a group above is tighter": {map[string]string{
			"proc/self/cgroup":                                "0::/user.slice/job.scope\n",
			"sys/fs/cgroup/user.slice/memory.max":             "1073741824\n",
			"sys/fs/cgroup/user.slice/job.scope/memory.max":   "2147483648\n",
			"sys/fs/cgroup/user.slice/other.scope/memory.max": "1048576\n",
		}, 1 << 30},
		"the path of the host": {map[string]string{
			"proc/self/cgroup": "0::/docker/1f\n", "sys/fs/cgroup/memory.max": "536870912\n",
		}, 512 << 20},
		"version 1": {map[string]string{
			"proc/self/cgroup":                                     "5:cpu,cpuacct:/docker/1f\n4:memory:/docker/1f\n1:name=systemd:/docker/1f\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":           unlimited,
			"sys/fs/cgroup/memory/docker/1f/memory.limit_in_bytes": "134217728\n",
		}, 128 << 20},
		"both versions": {map[string]string{
			"proc/self/cgroup":                           "4:memory:/\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "134217728\n",
			"sys/fs/cgroup/unified/memory.max":           "67108864\n",
		}, 64 << 20},
		"nonsense": {map[string]string{
			"proc/self/cgroup": "0\n::\n0::/../..\n0::/a\n", "sys/fs/cgroup/memory.max": "-1\n", "sys/fs/cgroup/a/memory.max": "many\n",
		}, 0},
	} {
		root := fstest.MapFS{}
		for path, text := range test.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := groupLimit(root); got != test.want {
			t.Errorf("%s: %d bytes, want %d", name, got, test.want)
		}
	}
}
