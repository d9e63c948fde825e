package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tengen/engine"
	"tengen/internal/cluster"
)

func newClusterStrips(a *app) *cobra.Command {
	c := &clusterRun{app: a}
	var r stripsFlags
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build a database of strips on many machines",
		Long: `Build the database of strips as "strips build" does, byte for byte, with the layers of
bounds shared out among workers in slices. The values of small strips are found by this
program, within --memory, when the layers are there.

Layers that are finished are kept beside the file, and slices of the next one in
--store: a build that was stopped goes on when the same command is given again.`,
		Example: `  tengen cluster strips build --max 17 --simplest 12 -o strips.db --listen 0.0.0.0:4222 --token secret`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := c.timeout.limit(cmd.Context())
			defer cancel()
			return c.buildStrips(ctx, r.request(cmd))
		},
	}
	c.register(cmd)
	r.register(cmd)
	return cmd
}

func (c *clusterRun) buildStrips(ctx context.Context, r engine.StripsRequest) error {
	var info engine.StripsInfo
	var built bool
	err := c.share(ctx, cluster.StripsQuestion(r), func(o cluster.Options, s *status) (err error) {
		r.Memory, r.Progress = int64(c.memory), s.strips
		info, built, err = cluster.BuildStrips(ctx, r, o)
		return err
	})
	if err != nil {
		return err
	}
	return c.printBuilt(info, built, c.json)
}
