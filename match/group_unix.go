//go:build unix

package match

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a process and what it starts into a group, so that they can be ended
// together and do not receive the interrupt that is meant for the referee.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends whatever is left of the group. There is nothing to do about an error.
func endGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
