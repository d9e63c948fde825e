package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tengen/internal/cluster"
	"tengen/internal/text"
)

func newClusterStatus(a *app) *cobra.Command {
	var n natsFlags
	var watch, asJSON, all bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show searches and their workers",
		Long: `Show the searches on a NATS server: how far each is, and its workers with their jobs and
speed. Finished searches are shown with --all.`,
		Example: `  tengen cluster status --nats nats://127.0.0.1:4222
  tengen cluster status --nats nats://master:4222 --watch`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n.url == "" {
				return errors.New("--nats is missing: give the address that the master printed, such as nats://127.0.0.1:4222")
			}
			access, err := n.access("tengen status")
			if err != nil {
				return err
			}
			w, err := cluster.Watch(cmd.Context(), access)
			if err != nil {
				return err
			}
			defer w.Close()
			return a.clusterStatus(cmd.Context(), w, watch, asJSON, all)
		},
	}
	n.register(cmd, "NATS server to ask, such as nats://host:4222")
	flags := cmd.Flags()
	flags.BoolVar(&watch, "watch", false, "show it again every second until Ctrl-C")
	flags.BoolVar(&all, "all", false, "show finished searches too")
	flags.BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) clusterStatus(ctx context.Context, w *cluster.Watcher, watch, asJSON, all bool) error {
	for {
		searches, err := w.Searches(ctx)
		if err != nil {
			return err
		}
		list := []cluster.Status{}
		for _, s := range searches {
			if all || !s.Done && !s.Gone() {
				list = append(list, s)
			}
		}
		if asJSON {
			err = a.printJSON(map[string][]cluster.Status{"searches": list})
		} else {
			if watch && a.colours {
				a.printf("\x1b[H\x1b[2J")
			}
			printClusterStatus(a.out, list)
		}
		if err != nil || !watch {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

func printClusterStatus(out io.Writer, list []cluster.Status) {
	if len(list) == 0 {
		fmt.Fprintln(out, "no search is under way")
	}
	for i, s := range list {
		if i > 0 {
			fmt.Fprintln(out)
		}
		state := ""
		switch {
		case s.Done:
			state = " (done)"
		case s.Gone():
			state = fmt.Sprintf(" (its master has been silent for %s)", s.Silent().Round(time.Second))
		}
		fmt.Fprintf(out, "%s%s\n%s\n", text.Printable(s.Question), state, clusterLine(s))
		if len(s.Workers) == 0 {
			continue
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "worker\tjobs\tpositions\ta second\tmemory\tthreads\tat work on")
		for _, w := range s.Workers {
			job := w.About
			switch {
			case w.Elsewhere:
				job = "another search"
			case w.Job == "":
				job = "nothing"
			case job == "":
				job = "a job that is no longer needed"
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", text.Printable(w.Name), text.Thousands(w.Jobs), text.Thousands(w.Nodes), text.Thousands(uint64(w.Rate)), text.Bytes(w.Memory), w.Threads, text.Printable(job))
		}
		table.Flush()
	}
}
