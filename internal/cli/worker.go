package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"tengen/engine/job"
	"tengen/internal/cluster"
)

func newWorker(a *app) *cobra.Command {
	var n natsFlags
	var e struct {
		memory  memory
		threads int
		name    string
		input   bool
	}
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Do jobs of searches on many machines",
		Long: `Join a NATS server and do jobs of any master there, one at a time, until it is
stopped. Ctrl-C or SIGTERM hands the job back and ends the worker within two seconds.
After a kill its job goes to another worker within a few seconds.

A master without --token makes a token for each run and writes it to the cache folder,
where only you can read it. A worker on the same machine finds it there.

A worker keeps its table from job to job, in --memory, and shares what it finds with the
other workers of the same search. Start one worker with one thread for each core, or one
worker with all threads: the former gets more done, the latter needs less memory.

The exit code is 1 if a master has banned the worker, for a wrong answer or for failures.
Check the memory of the machine before you start it again.`,
		Example: `  tengen worker --nats nats://192.0.2.7:4222 --memory 2GiB
  TENGEN_TOKEN=secret tengen worker --nats nats://master:4222 --threads 4`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n.url == "" {
				return errors.New("--nats is missing: give the address that the master printed, such as nats://host:4222")
			}
			if e.memory == 0 {
				e.memory = memory(job.DefaultMemory())
			}
			if e.memory < leastWorker {
				return fmt.Errorf("--memory %s is too little: give 32MiB or more", &e.memory)
			}
			if e.name == "" {
				e.name = fmt.Sprintf("%s-%d", hostName(), os.Getpid())
			}
			e.name = cluster.WorkerName(e.name)
			access, err := n.access(e.name)
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			if e.input {
				ctx = whileInput(ctx, a.in)
			}
			return cluster.Work(ctx, cluster.WorkerOptions{
				Access: access, Memory: int64(e.memory), Threads: e.threads, Log: slog.New(slog.NewTextHandler(a.err, nil)),
			})
		},
	}
	n.register(cmd, "NATS server to join, such as nats://host:4222")
	flags := cmd.Flags()
	flags.Var(&e.memory, "memory", "memory for tables, such as 8GiB"+halfMachine)
	countFlag(cmd, &e.threads, "threads", 1, 1, "threads", "threads of a job")
	flags.StringVar(&e.name, "name", "", "name of this worker (default: host and process)")
	flags.BoolVar(&e.input, "while-input", false, "end when standard input does")
	_ = flags.MarkHidden("while-input")
	return cmd
}

var errInputEnds = errors.New("the program that started it has ended")

// whileInput is a context that ends when the reader does.
func whileInput(ctx context.Context, in io.Reader) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel(errInputEnds)
	}()
	return ctx
}
