//go:build !packed

package site

func packed() *Program { return nil }
