package pages

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A word of the glossary is used by the packages that it names as its home. One word of a
// row that has several is enough, in a comment or as a part of a name.
func TestGlossaryIsOfTheCode(t *testing.T) {
	text := sources(t)
	row := regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$`)
	home := regexp.MustCompile("`([^`]+)`")
	rows := row.FindAllStringSubmatch(read(t, root+"/docs/glossary.md"), -1)
	if len(rows) < 50 {
		t.Fatalf("the glossary has %d rows", len(rows))
	}
	seen := map[string]bool{}
	for _, m := range rows {
		words := strings.Split(m[1], ", ")
		for _, word := range words {
			if word != "word" && seen[word] {
				t.Errorf("%q is explained twice", word)
			}
			seen[word] = true
		}
		for _, h := range home.FindAllStringSubmatch(m[3], -1) {
			switch code, ok := text[h[1]]; {
			case !ok:
				t.Errorf("%q is at home in %s, which does not exist", m[1], h[1])
			case !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(code, plain(word)) }):
				t.Errorf("%q is at home in %s, which does not use it", m[1], h[1])
			}
		}
	}
}

// plain is a text without all that keeps a word in a comment from being the same in a name.
func plain(text string) string {
	return strings.NewReplacer(" ", "", "-", "", "\n", "", "\t", "", "/", "").Replace(strings.ToLower(text))
}

// sources are the sources of packages by folder, those of the folders below them included,
// in plain letters.
func sources(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]*strings.Builder{}
	for _, name := range files(t) {
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		code := plain(read(t, root+"/"+name))
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			if found[folder] == nil {
				found[folder] = new(strings.Builder)
			}
			found[folder].WriteString(code)
		}
	}
	text := map[string]string{}
	for folder, code := range found {
		text[folder] = code.String()
	}
	return text
}
