package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"tengen/internal/text"
)

// facts prints what is known, a name and a value on each line. Flush ends it.
type facts struct{ *tabwriter.Writer }

func newFacts(w io.Writer) facts { return facts{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)} }

// row leaves out what has no value.
func (f facts) row(name, value string) {
	if value != "" {
		fmt.Fprintf(f, "%s\t%s\n", name, text.Printable(value))
	}
}

func (f facts) rowf(name, format string, args ...any) { f.row(name, fmt.Sprintf(format, args...)) }
