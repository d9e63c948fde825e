package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tengen/internal/cli"
	"tengen/internal/cluster"
	"tengen/internal/longtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"tengen": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// The scripts are the contract with users: what is printed, where, and the
// exit code.
func TestScripts(t *testing.T) {
	if longtest.Raced {
		// What else the scripts ask has goroutines of its own only in packages that are
		// raced themselves.
		runScripts(t, "testdata/script", "certificate", "checkpoint", "gtp", "interrupt", "match", "play", "serve", "table-go")
		return
	}
	runScripts(t, "testdata/script")
}

func TestLongScripts(t *testing.T) {
	longtest.Skip(t)
	runScripts(t, "testdata/long")
}

// runScripts runs all scripts of a directory, or those that are named.
func runScripts(t *testing.T, dir string, names ...string) {
	var files []string
	for _, name := range names {
		files = append(files, filepath.Join(dir, name+".txtar"))
	}
	if files != nil {
		dir = ""
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", env.Getenv("WORK")+"/cache") // leaves the user's alone
			return compilers(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"json":  jsonField,
			"flip":  flip,
			"await": await,
			"nats":  natsServer,
		},
	})
}

// compilers lets a script compile in $CHECKOUT with what is compiled already.
func compilers(env *testscript.Env) error {
	names := []string{"GOCACHE", "GOMODCACHE"}
	values, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	for i, value := range strings.Fields(string(values)) {
		env.Setenv(names[i], value)
	}
	checkout, absent := filepath.Abs("../..")
	env.Setenv("CHECKOUT", checkout)
	return errors.Join(err, absent)
}

// natsServer starts a NATS server and has $NATS name it.
func natsServer(ts *testscript.TestScript, _ bool, _ []string) {
	server, err := cluster.Listen("127.0.0.1:0", "", ts.MkAbs("nats"))
	ts.Check(err)
	ts.Defer(server.Close)
	ts.Setenv("NATS", server.URL())
}

// exits runs a command and checks its exit code: exits CODE COMMAND...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := regexp.MustCompile(`exit status (\d+)`).FindStringSubmatch(err.Error())
		if exit == nil {
			ts.Fatalf("%v", err)
		}
		got, err = strconv.Atoi(exit[1])
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	if stderr := ts.ReadFile("stderr"); want == 2 && !refusal.MatchString(stderr) {
		ts.Fatalf("an error is one sentence on one line, perhaps with a place in the text below it, not:\n%s", stderr)
	}
}

// refusal is an error as it is shown: a sentence, and the place in a formula that it is
// about, with a caret below.
var refusal = regexp.MustCompile(`^[^\n]+\n(  [^\n]*\n *\^\n)?$`)

// jsonField checks a field of the one object on standard output: json FIELD VALUE
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: json FIELD VALUE")
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(ts.ReadFile("stdout"))))
	decoder.UseNumber()
	var object map[string]any
	ts.Check(decoder.Decode(&object))
	if decoder.More() {
		ts.Fatalf("more than one object on standard output")
	}
	value, ok := object[args[0]]
	got := fmt.Sprint(value)
	if !ok {
		got = "absent"
	}
	if (got == args[1]) == neg {
		ts.Fatalf("field %s is %s", args[0], got)
	}
}

// flip changes one bit in the middle of a file: flip FILE
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: flip FILE")
	}
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	data[len(data)/2] ^= 1
	ts.Check(os.WriteFile(path, data, 0o644))
}

// await waits until a file exists: await FILE TIMEOUT
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await FILE TIMEOUT")
	}
	timeout, err := time.ParseDuration(args[1])
	ts.Check(err)
	for end := time.Now().Add(timeout); ; time.Sleep(100 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("there is no file %s after %v", args[0], timeout)
		}
	}
}
