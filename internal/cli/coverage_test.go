package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every flag of every command does its work in some script. A line that shows a refusal
// (exits 2) does not count, for it says only that the flag is known. The flags of bench
// have TestBenchSignature: it takes seconds, and once is enough.
func TestEveryFlagHasAScript(t *testing.T) {
	root := newRoot(&app{})
	used := map[*pflag.Flag]bool{}
	for _, args := range scriptCommands(t) {
		cmd, rest, err := root.Find(args)
		if err != nil {
			continue
		}
		for _, arg := range rest {
			if name, isFlag := strings.CutPrefix(arg, "--"); isFlag {
				name, _, _ = strings.Cut(name, "=")
				used[cmd.Flag(name)] = true
			}
		}
	}
	commands, flags := 0, 0
	for _, cmd := range runnable(root) {
		if commands++; cmd.Name() == "bench" {
			continue
		}
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			flags++
			if flag.Name != "help" && !used[flag] && !onlyInTests[flag.Name] {
				t.Errorf("no script uses %s --%s", cmd.CommandPath(), flag.Name)
			}
		})
	}
	if commands < 15 || flags < 100 {
		t.Errorf("only %d commands with %d flags were found", commands, flags)
	}
}

// onlyInTests are flags that need more than a script can have, such as a server with
// certificates, or somebody to stop it: tests of internal/cluster and this package have them.
var onlyInTests = map[string]bool{"watch": true, "credentials": true, "tls": true, "tls-ca": true, "tls-cert": true, "tls-key": true, "replicas": true, "while-input": true}

// scriptCommands lists what follows tengen in the lines of the scripts that run it.
func scriptCommands(t *testing.T) (list [][]string) {
	t.Helper()
	paths, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d scripts: %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			before, command, found := strings.Cut(line, "tengen ")
			if found && strings.Contains(before, "ex") && !strings.HasPrefix(line, "exits 2") && !strings.HasPrefix(line, "#") {
				list = append(list, strings.Fields(command))
			}
		}
	}
	return list
}

// runnable lists the commands that do something of their own, from cmd down.
func runnable(cmd *cobra.Command) (list []*cobra.Command) {
	if !cmd.HasSubCommands() && cmd.Parent().Name() != "completion" {
		list = append(list, cmd)
	}
	for _, sub := range cmd.Commands() {
		list = append(list, runnable(sub)...)
	}
	return list
}
