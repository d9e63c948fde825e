// Package cli is the command line: flags and text in, text or JSON out. Each subcommand has
// its own file. It does not search: the packages under engine do, and the terminal board,
// the protocol, matches and reports have packages of their own.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"tengen/cgt"
	"tengen/engine/job"
	"tengen/internal/cluster"
	"tengen/internal/text"
	"tengen/internal/wholefile"
)

// Exit codes, as scripts rely on them.
const (
	exitDone    = 0
	exitNo      = 1 // the answer to the question of the command is no
	exitInput   = 2 // bad usage or input
	exitStopped = 3 // by time, memory or the user, before an answer
)

// errNo is the error of a command whose answer is no. The command has printed it already.
var errNo = errors.New("no")

// app carries the streams, so that tests can run commands without a process.
type app struct {
	in       io.Reader
	out, err io.Writer
	colours  bool // out shows them
	disk     wholefile.Disk
}

// Main runs one command and returns its exit code.
func Main(args []string, in io.Reader, out, errOut io.Writer) int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	// The first signal ends the search cleanly. A second one kills the process.
	context.AfterFunc(ctx, stop)

	answer := &answerWriter{Writer: out}
	root := newRoot(&app{in: in, out: answer, err: errOut, colours: showsColours(out)})
	root.SetOut(answer)
	root.SetArgs(args)
	code := exitCode(root.ExecuteContext(ctx), errOut)
	if answer.err != nil && code <= exitNo {
		warn(errOut, "the answer could not be written: %v", answer.err)
		return exitInput
	}
	return code
}

// warn writes a sentence on standard error. It may contain names of files and other foreign
// text.
func warn(errOut io.Writer, format string, args ...any) {
	fmt.Fprintf(errOut, "tengen: %s\n", text.Printable(fmt.Sprintf(format, args...)))
}

func (a *app) warnings(list []string) {
	for _, warning := range list {
		warn(a.err, "%s", warning)
	}
}

// answerWriter remembers that standard output failed, so that no command has to
// check every line it prints.
type answerWriter struct {
	io.Writer
	err error
}

func (w *answerWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

// inCommands adds to the error of stopped work how a command continues it.
func inCommands(err error) error {
	var stopped *job.Stopped
	if !errors.As(err, &stopped) || stopped.Advice != "" {
		return err
	}
	switch {
	case stopped.Checkpoint != "":
		stopped.Advice, stopped.Checkpoint = "the same command resumes from "+stopped.Checkpoint, ""
	case errors.Is(err, job.ErrMemory):
		stopped.Advice = "give more --memory"
	}
	return err
}

func exitCode(err error, errOut io.Writer) int {
	err = inCommands(err)
	var stopped *job.Stopped
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errNo):
		return exitNo
	}
	code, sentence := exitInput, sentenceOf(err)
	switch {
	case errors.As(err, &stopped):
		code, sentence = exitStopped, stopped.Error()
	case errors.Is(err, cluster.ErrBanned):
		code = exitNo
	case errors.Is(err, context.Canceled):
		code, sentence = exitStopped, "interrupted"
	}
	warn(errOut, "%s", sentence)
	if syntax := new(cgt.SyntaxError); errors.As(err, &syntax) {
		for line := range strings.Lines(syntax.Pointer()) {
			fmt.Fprintf(errOut, "  %s", line)
		}
		fmt.Fprintln(errOut)
	}
	return code
}

// sentenceOf is the text of an error without the name of the system call, and with the name
// of the file once.
func sentenceOf(err error) string {
	sentence := err.Error()
	file := (*fs.PathError)(nil)
	if !errors.As(err, &file) || file.Op != "open" && file.Op != "stat" {
		return sentence
	}
	name := file.Path + ": "
	sentence = strings.Replace(sentence, file.Error(), name+file.Err.Error(), 1)
	return strings.Replace(sentence, name+name, name, 1)
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "tengen",
		Short: "Exact play for Go and NoGo on small boards",
		Long: `tengen solves positions of Go and NoGo on small boards, proves the answer, checks
proofs and tables, plays perfectly and computes combinatorial values.

Boards are ROWSxCOLS. Points are a column letter (without I) and a row number
from the bottom, such as B3; on long rows the columns after Z are AA, BB, … ZZ and
AAA, BBB, …. Positions are rows from the top joined by /, with x for Black, o for
White and . for an empty point.

Files are written whole or not at all. tengen replaces only files that it has made, and
only by a file of the same kind, such as a certificate by a certificate. Tables and
databases are not replaced. Any other file is refused before the work begins. Links are
followed; devices and pipes are refused.

Exit codes: 0 done, 1 the answer is no, 2 bad usage or input, or a file or server that
is not available, 3 stopped before an answer.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: refuseEmptyNames,
		Args:              knownCommand,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.AddCommand(newSolve(a), newProof(a), newPlay(a), newGTP(a), newMatch(a), newAnnotate(a), newSuite(a), newValue(a), newCompare(a), newStrips(a), newTable(a), newBook(a), newServe(a), newSite(a), newCluster(a), newWorker(a), newReproduce(a), newBench(a), newVersion(a), newMan(a))
	root.SetHelpCommand(newHelp())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return unknownFlag(cmd, flagError(err)) })
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = wantCommand
	}
	completeFiles(root)
	return root
}

// completeFiles keeps shells from completing names of files for commands that take none.
func completeFiles(cmd *cobra.Command) {
	if !strings.Contains(cmd.Use, kindFile) && !strings.Contains(cmd.Use, kindDirectory) && cmd.ValidArgs == nil && cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, below := range cmd.Commands() {
		completeFiles(below)
	}
}

// group is a command that has only subcommands.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, RunE: wantCommand}
	cmd.AddCommand(commands...)
	return cmd
}

func wantCommand(cmd *cobra.Command, args []string) error {
	names := ""
	for _, c := range cmd.Commands() {
		names += " " + c.Name()
	}
	if len(args) > 0 {
		near := didYouMean(args[0], commandNames(cmd))
		if near == "" {
			near = ": choose one of" + names
		}
		return fmt.Errorf("%s has no command %q%s", cmd.CommandPath(), args[0], near)
	}
	return fmt.Errorf("%s needs a command: one of%s", cmd.CommandPath(), names)
}

// newHelp is cobra's help command, except that it fails for an unknown name.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				near := didYouMean(args[0], commandNames(cmd.Root()))
				if near == "" {
					near = ": tengen help lists them"
				}
				return fmt.Errorf("there is no command %q to help with%s", strings.Join(args, " "), near)
			}
			return about.Help()
		},
	}
}

// printJSON writes the one object of --json.
func (a *app) printJSON(object any) error {
	encoder := json.NewEncoder(a.out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(object)
}

func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }
