//go:build unix

package cli

import "syscall"

// ownGroup keeps the terminal's Ctrl-C from the workers: the master stops them.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
