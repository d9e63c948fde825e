package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tengen/engine/value"
	"tengen/internal/cluster"
)

func newClusterStrips(a *app) *cobra.Command {
	c := &clusterRun{app: a}
	var r stripsFlags
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build a database of strips on many machines",
		Long: `Build the database of strips as "strips build" does, byte for byte. Workers make the
layers of bounds in slices. This program then finds the values of small strips itself,
within --memory.

Finished layers are kept beside the file, and slices of the next layer in --store. The
same command continues a build that was stopped.`,
		Example: `  tengen cluster strips build --max 17 --simplest 12 -o strips.db --listen 0.0.0.0:4222 --token secret`,
		Args:    takes(0, 0, "no argument"),
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

func (c *clusterRun) buildStrips(ctx context.Context, r value.StripsRequest) error {
	var info value.StripsInfo
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
