// Command tengen solves Go and NoGo on small boards exactly.
package main

import (
	"os"

	"tengen/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
