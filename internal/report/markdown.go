package report

import (
	"fmt"
	"io"
)

// Markdown writes the report as a document. The figure is a link to the file
// that Write puts beside it.
func (r Report) Markdown(w io.Writer) {
	fmt.Fprintf(w, "# %s\n\n%s. Made by\n\n```\n%s\n```\n", r.Title, r.Source, r.Command)
	if r.Program != "" {
		fmt.Fprintf(w, "\nby %s on %s.\n", r.Program, r.Machine)
	}
	if r.Incomplete != "" {
		fmt.Fprintf(w, "\n**Incomplete**: %s.\n", r.Incomplete)
	}
	for _, table := range r.Tables {
		fmt.Fprintln(w)
		table.writeMarkdown(w)
	}
	if len(r.Compared) > 0 {
		fmt.Fprint(w, "\n## Beside the paper\n\n")
		table := comparedTable(r.Compared)
		table.writeMarkdown(w)
	}
	if len(r.Figure) > 0 {
		fmt.Fprintf(w, "\n![%s](%s.svg)\n", r.Title, r.Name)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(w, "\n%s\n", note)
	}
	if len(r.Differences) > 0 {
		fmt.Fprint(w, "\n## Differences from the paper\n\n")
		for _, d := range r.Differences {
			fmt.Fprintf(w, "- %s\n", d)
		}
	}
}
