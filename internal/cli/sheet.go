package cli

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// sheet prints facts, a name and a value on each line. Flush ends it.
type sheet struct{ *tabwriter.Writer }

func newSheet(w io.Writer) sheet { return sheet{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)} }

// row leaves out what has no value.
func (s sheet) row(name, value string) {
	if value != "" {
		fmt.Fprintf(s, "%s\t%s\n", name, value)
	}
}

func (s sheet) rowf(name, format string, args ...any) { s.row(name, fmt.Sprintf(format, args...)) }
