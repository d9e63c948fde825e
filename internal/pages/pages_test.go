package pages

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The program runs in a module of its own, joined with this one as the page says.
func TestTheProgramOfTheLibraryPage(t *testing.T) {
	page := read(t, root+"/docs/library.md")
	program := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(page)
	output := regexp.MustCompile("(?s)It prints\n\n```\n(.*?)```").FindStringSubmatch(page)
	if program == nil || output == nil {
		t.Fatal("the page has no program with its output")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"main.go": program[1], "go.mod": "module example.org/mine\n\ngo 1.26.0\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	module, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		command := exec.Command("go", args...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GOWORK=", "GOFLAGS=")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("work", "init", ".", module)
	if got := run("run", "."); got != output[1] {
		t.Errorf("it prints\n%s, the page says\n%s", got, output[1])
	}
}

// files lists what is part of the project, by path from its root.
func files(t *testing.T) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules") {
			return fs.SkipDir
		}
		name, err := filepath.Rel(root, path)
		list = append(list, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// pages are the texts of the project.
func pages(t *testing.T) []string {
	return slices.DeleteFunc(files(t), func(name string) bool {
		return filepath.Ext(name) != ".md" || strings.Contains(name, "testdata/")
	})
}

// A link to a file of the project leads to it, and to a heading that it has.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)|src="([^"]+)"`)
	for _, name := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, root+"/"+name), -1) {
			target, heading := m[1]+m[3], m[2]
			if strings.Contains(target, "://") {
				continue
			}
			path := filepath.Join(root, name)
			if target != "" {
				path = filepath.Join(root, filepath.Dir(name), target)
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: there is no %s", name, target)
				continue
			}
			if heading != "" && !slices.Contains(headings(read(t, path)), heading[1:]) {
				t.Errorf("%s: %s has no heading %s", name, target, heading)
			}
		}
	}
}

// headings are the anchors that a page's headings get.
func headings(text string) []string {
	var list []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		anchor := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		list = append(list, strings.ReplaceAll(anchor, " ", "-"))
	}
	return list
}

// A path between backquotes is one of the project. Packages move; their names in
// the texts are to move with them.
func TestNamedPathsExist(t *testing.T) {
	all := files(t)
	path := regexp.MustCompile("`((?:internal|cmd|docs|board|nogo|weiqi|cgt|sgf|gtp|proof|tablebase|game|engine)/[\\w./-]*[\\w/])`")
	for _, name := range pages(t) {
		if name == "CHANGELOG.md" { // tells of former names
			continue
		}
		for _, m := range path.FindAllStringSubmatch(read(t, root+"/"+name), -1) {
			if !slices.Contains(all, strings.TrimSuffix(m[1], "/")) {
				t.Errorf("%s names %s, which does not exist", name, m[1])
			}
		}
	}
}

// Comments and help texts name pages that exist.
func TestNamedPagesExist(t *testing.T) {
	all := files(t)
	page := regexp.MustCompile(`docs/[\w-]+\.md`)
	for _, name := range all {
		if filepath.Ext(name) != ".go" {
			continue
		}
		for _, m := range page.FindAllString(read(t, root+"/"+name), -1) {
			if !slices.Contains(all, m) {
				t.Errorf("%s names %s, which does not exist", name, m)
			}
		}
	}
}
