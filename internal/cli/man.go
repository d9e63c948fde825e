package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"tengen/internal/text"
	"tengen/internal/wholefile"
)

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages into a directory",
		Args:  takes(1, 1, "one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			// A fixed date: the same program writes the same pages.
			date := time.Unix(0, 0).UTC()
			header := &doc.GenManHeader{Title: "TENGEN", Section: "1", Source: "tengen", Manual: "tengen manual", Date: &date}
			if err := writePages(a.disk, root, header, args[0]); err != nil {
				return err
			}
			a.printf("manual pages written to %s\n", text.Printable(args[0]))
			return nil
		},
	}
}

// writePages writes the pages of a command and its subcommands.
func writePages(disk wholefile.Disk, cmd *cobra.Command, header *doc.GenManHeader, dir string) error {
	for _, below := range cmd.Commands() {
		if !below.IsAvailableCommand() || below.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := writePages(disk, below, header, dir); err != nil {
			return err
		}
	}
	own := *header // GenMan changes it
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + "." + own.Section
	path := filepath.Join(dir, name)
	if err := disk.Check("page", path, isPage); err != nil {
		return err
	}
	return disk.Stream(path, func(w io.Writer) error { return doc.GenMan(cmd, &own, w) })
}
