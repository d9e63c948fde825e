//go:build unix

package match

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// OwnGroup puts a process and what it starts into a group, so that they can be ended
// together and do not receive the interrupt of the terminal.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends all processes of the group, and the process itself, which may have
// left the group. Errors are ignored: nothing could be done about them.
func endGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Process.Kill()
}

// Broken reports whether the program, and all processes that inherited its input,
// have closed it.
func (p inputPipe) Broken() bool {
	pipe, err := p.SyscallConn()
	if err != nil {
		return false
	}
	broken := false
	err = pipe.Control(func(fd uintptr) {
		events := []unix.PollFd{{Fd: int32(fd)}}
		_, err := unix.Poll(events, 0)
		broken = err == nil && events[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
	})
	return err == nil && broken
}
