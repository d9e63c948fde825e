package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"tengen/internal/wholefile"
)

// The page has the contents, every report with its figure, and nothing from elsewhere.
func TestPage(t *testing.T) {
	var reports []Report
	for name, compose := range made(t) {
		r, err := compose()
		if err != nil {
			t.Fatal(err)
		}
		r.Name, r.Source, r.Command, r.Program, r.Machine = name, "A *paper* with <angles>", "tengen reproduce "+name, "tengen v1 (abc)", "2 cores"
		reports = append(reports, r)
	}
	var page bytes.Buffer
	if err := HTML(&page, "tengen reproduce --scale quick", reports); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	if !strings.Contains(text, pageMark) || strings.Count(text, "<h2 ") != len(reports) || strings.Count(text, "A <em>paper</em> with &lt;angles&gt;") < len(reports) {
		t.Error("the page lacks its title, a report or a source")
	}
	for _, r := range reports {
		for _, want := range []string{`<a href="#` + r.Name + `">`, `id="` + r.Name + `"`, r.Command} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page lacks %s", r.Name, want)
			}
		}
		if len(r.Figure) > 0 && len(r.Picture) == 0 {
			t.Errorf("%s has a figure and no picture", r.Name)
		}
	}
	for _, want := range []string{`<td class="equal">equal</td>`, `<td class="differs">differs`, "<svg", "<code>1*</code>", "by tengen v1 (abc) on 2 cores"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(text, "<?xml") || regexp.MustCompile(`(?:src|href)="[^#]`).MatchString(text) {
		t.Error("the page needs another file")
	}
}

// A finished report is found again by the same command of the same program, and by no other.
func TestStored(t *testing.T) {
	dir := t.TempDir()
	e, err := Find("strong-bits")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Program: "one"}
	r, err := e.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := e.Stored(dir, o); ok {
		t.Error("a report out of an empty directory")
	}
	if _, err := r.Write(wholefile.Disk{}, dir); err != nil {
		t.Fatal(err)
	}
	again, ok := e.Stored(dir, o)
	if !ok || markdown(again) != markdown(r) {
		t.Errorf("found %v, as\n%s", ok, markdown(again))
	}
	for name, other := range map[string]Options{"program": {Program: "two"}, "scale": {Program: "one", Scale: PaperScale}, "threads": {Program: "one", Threads: 2}} {
		if _, ok := e.Stored(dir, other); ok {
			t.Errorf("the report of another %s", name)
		}
	}
	r.Incomplete = "stopped"
	if _, err := r.Write(wholefile.Disk{}, dir); err != nil {
		t.Fatal(err)
	}
	if _, ok := e.Stored(dir, o); ok {
		t.Error("an incomplete report was taken")
	}
}

// A page that is not ours is not replaced.
func TestCheckPage(t *testing.T) {
	dir := t.TempDir()
	if err := CheckPage(wholefile.Disk{}, dir); err != nil {
		t.Fatal(err)
	}
	path, err := WritePage(wholefile.Disk{}, dir, "tengen reproduce", nil)
	if err != nil || CheckPage(wholefile.Disk{}, dir) != nil {
		t.Fatal("our own page is refused", err)
	}
	if err := (wholefile.Disk{}).Write(path, []byte("<html>mine</html>")); err != nil {
		t.Fatal(err)
	}
	if CheckPage(wholefile.Disk{}, dir) == nil {
		t.Error("a page of somebody else would be replaced")
	}
}
