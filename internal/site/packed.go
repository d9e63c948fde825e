//go:build packed

package site

import _ "embed"

// Releases hold the program for the browser: make packed puts it here first.
var (
	//go:embed packed/program.bin
	program []byte
	//go:embed packed/wasm_exec.js
	script []byte
)

func packed() *Program { return &Program{Packed: program, Script: script} }
