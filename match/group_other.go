//go:build !unix

package match

import "os/exec"

// Without process groups only the program itself can be ended.
func ownGroup(*exec.Cmd) {}

func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
