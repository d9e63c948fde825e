package cli

import (
	"cmp"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version: the tag or the commit that the program was built from. It is
stamped by "go build" and "go install" in a clone, and in releases. "go run" stamps
only with -buildvcs=true. CITATION.cff in the sources says how to cite tengen.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := readVersion()
			if asJSON {
				return a.printJSON(v)
			}
			a.printf("tengen %s", v.Version)
			if v.Revision != "" {
				a.printf(" (%s)", v.Revision)
			}
			a.printf(", %s %s\n", v.Go, v.Platform)
			if v.Version == unstamped {
				a.printf("built without the commit of its sources: \"go build ./cmd/tengen\" in a clone adds it, as does \"go run -buildvcs=true\"\n")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

type version struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// stamp is the version that a build sets, such as one of a release:
// -ldflags "-X tengen/internal/cli.stamp=v1.2.3".
var stamp string

// unstamped is the version of a program that was built without one.
const unstamped = "(devel)"

// readVersion reads the version from the build.
func readVersion() version {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	v := version{
		Version:  cmp.Or(stamp, info.Main.Version, unstamped),
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			v.Revision = s.Value[:min(12, len(s.Value))] + v.Revision
		case s.Key == "vcs.modified" && s.Value == "true":
			v.Revision += "+changes"
		}
	}
	return v
}
