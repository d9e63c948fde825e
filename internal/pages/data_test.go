package pages

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func readData(t *testing.T) Data {
	t.Helper()
	data, err := ReadData(root + "/docs/data")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Tables are those of docs/data, every file is well formed and used, and docs/results.md has
// no other table.
func TestTablesAreThoseOfTheData(t *testing.T) {
	data := readData(t)
	used := map[string]bool{"prose": true} // TestFiguresOfTheReadme reads it
	for _, name := range pages(t) {
		page := read(t, root+"/"+name)
		filled, err := data.Fill(page)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if filled != page {
			t.Errorf("a table of %s is not that of docs/data: run make docs\n%s", name, difference(page, filled))
		}
		for _, m := range table.FindAllStringSubmatch(page, -1) {
			used[m[2]] = true
		}
		if name == "docs/results.md" {
			if row := regexp.MustCompile(`(?m)^\|.*`).FindString(table.ReplaceAllString(page, "")); row != "" {
				t.Errorf("%s: a table that is not made from docs/data: %s", name, row)
			}
		}
	}
	for name := range data {
		if !used[name] {
			t.Errorf("docs/data/%s.csv makes no table", name)
		}
	}
}

// difference is the first line that differs.
func difference(page, filled string) string {
	was, is := strings.Split(page, "\n"), strings.Split(filled, "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			return "the page: " + was[i] + "\nthe data: " + is[i]
		}
	}
	return "they end differently"
}

// Figures of the README outside of tables are in words of docs/data/prose.csv, with a source:
// a cell of another file, a test, or a file that has the figure. Boards, points, versions,
// links and code have none, but numbers with separators are looked at in code too: the tests
// of some transcripts run only with make test-long.
func TestFiguresOfTheReadme(t *testing.T) {
	data := readData(t)
	page := table.ReplaceAllString(read(t, root+"/README.md"), "")
	separated := regexp.MustCompile(`.*\b\d{1,3}(?:,\d{3})+\b.*`)
	for _, left := range []string{
		"(?s)```.*?```", "`[^`\n]*`", `\]\([^)]*\)`, `\d+[×x]\d+`, `\b[A-HJ-T]\d+\b`, `\bGo \d+\.\d+\b`, `Apache-\d\.\d`,
	} {
		page = regexp.MustCompile(left).ReplaceAllStringFunc(page, func(found string) string {
			return strings.Join(separated.FindAllString(found, -1), " ")
		})
	}
	page = strings.Join(strings.Fields(page), " ")
	prose := data["prose"]
	if prose == nil {
		t.Fatal("there is no docs/data/prose.csv")
	}
	figure := regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
	for _, row := range prose.Rows {
		words, source := row[0], row[2]
		before := page
		if page = strings.ReplaceAll(page, words, " "); page == before {
			t.Errorf("docs/data/prose.csv has %q, which the README has not", words)
		}
		path, text, named := strings.Cut(source, ": ")
		switch {
		case reference.MatchString(source):
			resolved, err := data.Resolve(source)
			if err != nil {
				t.Error(err)
			}
			text = resolved
		case strings.HasPrefix(source, "Test"):
			if !strings.Contains(allTests(t), "func "+source+"(") {
				t.Errorf("docs/data/prose.csv names %s, which there is not", source)
			}
			continue
		case !named || !strings.Contains(read(t, root+"/"+path), text):
			t.Errorf("docs/data/prose.csv: %q has no source in %q", words, source)
		}
		if !slices.ContainsFunc(figure.FindAllString(text, -1), func(f string) bool { return slices.Contains(figure.FindAllString(words, -1), f) }) {
			t.Errorf("the README has %q, its source %s has %q", words, source, text)
		}
	}
	for _, at := range figure.FindAllStringIndex(page, -1) {
		t.Errorf("the README has the figure %s, which is not in docs/data/prose.csv: …%s…", page[at[0]:at[1]], page[max(0, at[0]-30):min(len(page), at[1]+30)])
	}
}

// allTests is the text of all tests.
func allTests(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, name := range files(t) {
		if strings.HasSuffix(name, "_test.go") {
			b.WriteString(read(t, root+"/"+name))
		}
	}
	return b.String()
}

func TestMalformedData(t *testing.T) {
	const begin = "# commit: 0123abc\n# command: tengen\n"
	for name, text := range map[string]string{
		"no head":           "a,b\n1,2\n",
		"no command":        "# commit: 0123abc\n# format: text\na\n1\n",
		"no row":            begin + "# format: text\na\n",
		"a row too short":   begin + "# format: text,text\na,b\n1\n",
		"too few formats":   begin + "# format: text\na,b\n1,2\n",
		"no such format":    begin + "# format: words\na\n1\n",
		"not a number":      begin + "# format: number\na\n1,000\n",
		"a number too long": begin + "# format: number\na\n99999999999999999999\n",
		"two of a name":     begin + "# format: text\na\n1\n1\n",
		"two columns":       begin + "# format: text,text\na,a\n1,2\n",
		"no such whole":     begin + "# format: text,number of b\na,c\n1,2\n",
	} {
		if f, err := parse(text); err == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestCellsForReaders(t *testing.T) {
	for _, test := range []struct{ format, cell, want string }{
		{"board", "4x7 after D1", "4×7 after D1"},
		{"number", "823461", "823,461"},
		{"number s", "5.01", "5.01 s"},
		{"number s", "", ""},
		{"number", "-4", "−4"},
		{"number", ">3000000", "more than 3,000,000"},
		{"number", "–", "–"},
		{"signed", "16", "+16"},
		{"signed", "-16", "−16"},
		{"signed", "0", "0"},
		{"scores", "-4, 0", "−4, 0"},
		{"bytes", "24759", "24 KiB"},
		{"duration", "4.1", "4.1 s"},
		{"duration", "753 *", "12 min 33 s *"},
		{"halves minutes", "995", "16½ minutes"},
		{"whole minutes", "951.4", "951 minutes"},
		{"whole MiB", "449.4 MiB", "449 MiB"},
		{"capital", "black", "Black"},
		{"code", "a", "`a`"},
	} {
		if got, err := write(test.format, test.cell); got != test.want || err != nil {
			t.Errorf("%q as %s is %q (%v), want %q", test.cell, test.format, got, err, test.want)
		}
	}
}
