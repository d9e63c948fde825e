package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is a flag with a fixed list of values, the first of which is the default.
type choice struct {
	value string
	of    []string
}

func oneOf(values ...string) choice { return choice{values[0], values} }

func (c *choice) register(cmd *cobra.Command, name, usage string) {
	cmd.Flags().Var(c, name, usage)
	fixed(cmd, name, c.of...)
}

func (c *choice) Set(text string) error {
	if !slices.Contains(c.of, text) {
		return fmt.Errorf("choose one of %s", strings.Join(c.of, ", "))
	}
	c.value = text
	return nil
}

func (c *choice) String() string { return c.value }

func (c *choice) Type() string { return strings.Join(c.of, "|") }

// index is the place of the value in the list.
func (c *choice) index() int { return slices.Index(c.of, c.value) }
