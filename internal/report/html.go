package report

import (
	"bytes"
	_ "embed"
	"html"
	"html/template"
	"io"
	"regexp"
	"strings"
)

//go:embed report.html
var page string

var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"inline": inline,
	"svg":    embedded,
	"beside": func(r Report) Table { return comparedTable(r.Compared) },
	"equal":  func(r Report) int { return r.Count(Equal) },
	"better": func(r Report) int { return r.Count(Better) },
	"new":    func(r Report) int { return r.Count(New) },
	"differ": func(r Report) int { return r.Count(Differs) - len(r.Differences) },
	"wrong":  func(r Report) int { return len(r.Differences) },
	"class":  func(i int, t Table, row []string) string { return cellClass(t, i, row[i]) },
}).Parse(page))

// HTML writes reports as one page that needs no other file.
func HTML(w io.Writer, command string, reports []Report) error {
	return pageTemplate.Execute(w, struct {
		Command string
		Reports []Report
	}{command, reports})
}

// cellClass aligns numbers and colours verdicts.
func cellClass(t Table, i int, cell string) string {
	if t.Columns[i].Number {
		return "number"
	}
	if t.Columns[i].Name == "verdict" {
		name, _, _ := strings.Cut(cell, ":")
		return name
	}
	return ""
}

var (
	codeSpan = regexp.MustCompile("`([^`]*)`")
	emphasis = regexp.MustCompile(`\*([^*]+)\*`)
)

// inline turns code and emphasis of Markdown into HTML.
func inline(text string) template.HTML {
	var b strings.Builder
	rest := html.EscapeString(text)
	for {
		at := codeSpan.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		b.WriteString(emphasis.ReplaceAllString(rest[:at[0]], "<em>$1</em>"))
		b.WriteString("<code>" + rest[at[2]:at[3]] + "</code>")
		rest = rest[at[1]:]
	}
	b.WriteString(emphasis.ReplaceAllString(rest, "<em>$1</em>"))
	return template.HTML(b.String()) //nolint:gosec // escaped above
}

// embedded is a figure without the head of an SVG file. Figures are ours.
func embedded(svg []byte) template.HTML {
	if i := bytes.Index(svg, []byte("<svg")); i >= 0 {
		svg = svg[i:]
	}
	return template.HTML(svg) //nolint:gosec // made by render
}
