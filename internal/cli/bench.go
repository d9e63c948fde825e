package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tengen/engine/solve"
	"tengen/internal/text"
)

func newBench(a *app) *cobra.Command {
	var method string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Do a fixed amount of work and print its signature",
		Long: `Solve a fixed set of positions with one thread and an empty table each, and
print the number of positions searched. The signature is a hash of these numbers. It
changes only when a search changes, not with the machine or the time.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.bench(cmd.Context(), solve.Method(method), asJSON)
		},
	}
	cmd.Flags().StringVar(&method, "method", string(solve.Auto), "search: "+methodNames())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

type benchLineJSON struct {
	Position string `json:"position"`
	ToPlay   string `json:"to_play"`
	Winner   string `json:"winner"`
	Nodes    uint64 `json:"nodes"`
}

type benchJSON struct {
	Signature string          `json:"signature"`
	Method    string          `json:"method"`
	Nodes     uint64          `json:"nodes"`
	Seconds   float64         `json:"seconds"`
	Positions []benchLineJSON `json:"positions"`
}

func (a *app) bench(ctx context.Context, method solve.Method, asJSON bool) error {
	result, err := solve.Bench(ctx, method)
	if err != nil {
		return err
	}
	if asJSON {
		object := benchJSON{result.Signature, string(result.Method), result.Nodes, result.Elapsed.Seconds(), nil}
		for _, l := range result.Lines {
			object.Positions = append(object.Positions, benchLineJSON{l.Position.String(), l.ToPlay.String(), l.Winner.String(), l.Nodes})
		}
		return a.printJSON(object)
	}
	table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "position\tto play\twinner\tnodes\t")
	for _, l := range result.Lines {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t\n", l.Position, l.ToPlay, l.Winner, text.Thousands(l.Nodes))
	}
	table.Flush()
	a.printf("\nmethod     %s\nnodes      %s\nnodes/s    %s\nsignature  %s\n",
		result.Method, text.Thousands(result.Nodes), text.Thousands(uint64(float64(result.Nodes)/result.Elapsed.Seconds())), result.Signature)
	return nil
}
