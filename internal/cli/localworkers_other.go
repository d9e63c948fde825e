//go:build !unix

package cli

import "syscall"

func ownGroup() *syscall.SysProcAttr { return nil }
