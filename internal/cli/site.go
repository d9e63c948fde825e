package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"tengen/internal/site"
	"tengen/internal/text"
)

// siteMemory is what the tab of a site may take, unless --memory says otherwise.
const siteMemory = 512 << 20

func newSite(a *app) *cobra.Command {
	limit := memory(siteMemory)
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "site DIR",
		Short: "Write the page as a folder of static files",
		Long: `Write the page of "tengen serve" as a folder that any web server can hand out, also
under a sub-path. There is no server behind it: the program itself, compiled to
WebAssembly, runs in the browser and answers. After the first visit the page opens
without a network.

A release has the program for the browser inside. Any other build compiles it: run this
in a checkout, with Go installed.`,
		Example: `  tengen site public
  python3 -m http.server -d public`,
		Args: takes(1, 1, "one folder to write to"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := site.Check(args[0]); err != nil {
				return err
			}
			program, err := site.Compile(cmd.Context(), func() { fmt.Fprintln(a.err, "compiling the program for the browser …") })
			if err != nil {
				return err
			}
			list, err := site.Write(args[0], site.Options{Version: readVersion().Version, Memory: int64(limit), Program: program})
			if err != nil {
				return err
			}
			var all int64
			for _, f := range list {
				all += f.Bytes
			}
			if asJSON {
				return a.printJSON(struct {
					Folder string      `json:"folder"`
					Bytes  int64       `json:"bytes"`
					Files  []site.File `json:"files"`
				}{args[0], all, list})
			}
			a.printf("%s: %s, %s; hand the folder out with any web server\n", args[0], text.Plural(len(list), "file"), text.Bytes(all))
			return nil
		},
	}
	cmd.Flags().Var(&limit, "memory", "memory of a tab at most, such as 1GiB (default: 512MiB)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
