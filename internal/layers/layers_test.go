// Package layers holds one test: imports between the packages of the module go
// down the layers of docs/architecture.md, never up and never sideways.
package layers

import (
	"compress/gzip"
	"go/build"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "tengen"

// place is that of a package in the table of docs/architecture.md: its layer, and its
// number from the beginning of the table.
type place struct {
	layer, number int
}

// readLayers reads the table. A package that is missing there fails the test: a new package
// takes its place on purpose.
var readLayers = sync.OnceValue(func() map[string]place {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		panic(err)
	}
	places := map[string]place{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d) \| [a-z ]+ \| (.*?) \| [A-Z].*\. \|$`).FindAllStringSubmatch(string(page), -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[2], -1) {
			places[name[1]] = place{int(row[1][0] - '0'), len(places)}
		}
	}
	return places
})

func TestTheTableOfLayers(t *testing.T) {
	found := map[int]bool{}
	last := 0
	for name, at := range readLayers() {
		if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(name))); err != nil {
			t.Errorf("docs/architecture.md has a package %s, which there is not", name)
		}
		found[at.layer], last = true, max(last, at.layer)
	}
	if last < 2 || last > 8 || len(found) != last {
		t.Errorf("the layers are %v: they are 1 to 8 at most", slices.Sorted(maps.Keys(found)))
	}
}

// public are the packages that other modules may import. All others are under
// internal or cmd.
var public = []string{
	"board", "nogo", "weiqi", "cgt", "sgf", "gtp", "proof", "proof/area", "proof/superko", "tablebase", "game",
	"engine/job", "engine/table", "engine/solve", "engine/play", "engine/value", "engine/analyse",
}

func TestWhatOthersMayImport(t *testing.T) {
	var found []string
	for name := range readLayers() {
		if !strings.HasPrefix(name, "internal/") && !strings.HasPrefix(name, "cmd/") {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	want := slices.Sorted(slices.Values(public))
	if !slices.Equal(found, want) {
		t.Errorf("other modules may import %v, meant are %v", found, want)
	}
	for _, name := range public {
		dir := filepath.Join("..", "..", name)
		pkg, err := build.ImportDir(dir, build.ImportComment)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(pkg.Doc, "Package "+path.Base(name)+" ") {
			t.Errorf("go doc of %s opens with %q", name, pkg.Doc)
		}
		if examples, _ := filepath.Glob(filepath.Join(dir, "example_test.go")); len(examples) == 0 {
			t.Errorf("%s has no runnable example", name)
		}
	}
}

// checkerFree lists packages that the independent checker must not know, not
// even from below: its verdict is worth something only if it shares no search.
var checkerFree = map[string]bool{"internal/solver": true, "internal/bucket": true, "internal/lockless": true, "internal/region": true, "internal/region/sum": true, "internal/region/tiny": true, "internal/strip": true}

func TestImportsGoDown(t *testing.T) {
	root := filepath.Join("..", "..")
	found := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			return nil
		}
		if name := entry.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); path != root && err == nil {
			return fs.SkipDir // another module
		}
		pkg, err := build.ImportDir(path, build.IgnoreVendor)
		if _, none := err.(*build.NoGoError); none && !hasTests(path) {
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		found++
		check(t, filepath.ToSlash(name), pkg)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 5 {
		t.Fatalf("only %d packages found: the test looked in the wrong place", found)
	}
}

func hasTests(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	return len(files) > 0
}

func check(t *testing.T, name string, pkg *build.Package) {
	own, known := readLayers()[name]
	if !known {
		t.Errorf("package %s has no layer: add it to docs/architecture.md", name)
		return
	}
	for _, from := range pkg.Imports {
		imported, inside := strings.CutPrefix(from, module+"/")
		if !inside {
			continue
		}
		below, known := readLayers()[imported]
		switch {
		case !known:
			t.Errorf("%s imports %s, which has no layer", name, imported)
		case below.number >= own.number:
			t.Errorf("%s (layer %d) imports %s (layer %d): imports go down only", name, own.layer, imported, below.layer)
		case strings.HasPrefix(name, "proof") && (checkerFree[imported] || strings.HasPrefix(imported, "internal/solver/")):
			t.Errorf("%s imports %s: the checker shares no code with the searches", name, imported)
		}
	}
}

// TestHomeOfWriting keeps all that writes files in one place, whose steps tests
// interrupt. The store of results is written in place, by slots that carry checksums.
func TestHomeOfWriting(t *testing.T) {
	root := filepath.Join("..", "..")
	slots := filepath.Join(root, "internal", "store", "store.go")
	writing := regexp.MustCompile(`\bos\.(Create|CreateTemp|WriteFile|OpenFile|Rename|Link|Truncate)\(|\bioutil\.|\bdoc\.Gen\w+Tree\b`)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		if path == slots || strings.HasPrefix(path, filepath.Join(root, "internal", "wholefile")) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if found := writing.Find(text); found != nil {
			t.Errorf("%s calls %s: files are written by internal/wholefile", path, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// interrupted are all that write files, each with the name under which a test
// interrupts it at every step.
var interrupted = map[string]string{
	"engine/job/checkpoint.go":            "checkpoint",
	"engine/solve/certificate.go":         "certificate",
	"internal/cli/annotate.go":            "judged record",
	"internal/cli/boardpicture.go":        "picture",
	"internal/cli/book.go":                "book",
	"internal/cli/gorecord.go":            "record of an answer",
	"internal/cli/man.go":                 "manual pages",
	"internal/cli/suite.go":               "suite",
	"internal/match/log.go":               "log of a match",
	"internal/match/record.go":            "record of a match",
	"internal/report/files.go":            "report",
	"internal/session/record.go":          "record of a session",
	"internal/solver/retro/build.go":      "table",
	"internal/solver/retro/checkpoint.go": "table with saves",
	"internal/strip/build.go":             "database of strips",
	"internal/strip/cache.go":             "database of strips in the cache",
	"internal/train/appraisal/main.go":    "weights of the appraisal",
	"internal/train/moves/files.go":       "examples for the order of moves",
	"internal/train/ordering/main.go":     "weights of the ordering",
	"internal/tui/record.go":              "record of the board",
	"internal/cli/cluster.go":             "answers of a list",
	"internal/cluster/token.go":           "token of a server",
}

func TestEveryWriterIsInterrupted(t *testing.T) {
	root := filepath.Join("..", "..")
	writing := regexp.MustCompile(`(?i)\b(disk|files)(\{\})?\.(write|writeprivate|stream|create|append)\(`)
	named := regexp.MustCompile(`\bName: +"([^"]+)"`)
	var writers []string
	tested := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasPrefix(path, filepath.Join(root, "internal", "wholefile")) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch {
		case !strings.HasSuffix(path, "_test.go") && writing.Match(text):
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			writers = append(writers, filepath.ToSlash(name))
		case strings.HasSuffix(path, "_test.go") && strings.Contains(string(text), "faulty.Interrupt("):
			for _, found := range named.FindAllSubmatch(text, -1) {
				tested[string(found[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range writers {
		if !tested[interrupted[path]] {
			t.Errorf("%s writes files, and no test interrupts it: see internal/wholefile/faulty", path)
		}
	}
	if want := slices.Sorted(maps.Keys(interrupted)); !slices.Equal(slices.Sorted(slices.Values(writers)), want) {
		t.Errorf("files are written by %v, meant are %v", writers, want)
	}
}

// TestHomesOfSystemCalls keeps the calls to the operating system in two places:
// memory in bigmem, and in match the programs it runs.
func TestHomesOfSystemCalls(t *testing.T) {
	root := filepath.Join("..", "..")
	homes := map[string]bool{filepath.Join(root, "internal", "bigmem"): true, filepath.Join(root, "internal", "match"): true}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(text), `"golang.org/x/sys/unix"`) && !homes[filepath.Dir(path)] {
			t.Errorf("%s imports x/sys/unix: only internal/bigmem and internal/match do", path)
		}
		if strings.Contains(string(text), "unix.Mmap") && filepath.Base(filepath.Dir(path)) != "bigmem" {
			t.Errorf("%s maps memory: only internal/bigmem does", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestProfileNamesWhatThereIs looks into the profile that the compiler is guided by. A
// package that moved would lose its inlining without a word: searches were an eighth
// slower when that happened.
func TestProfileNamesWhatThereIs(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "cmd", "tengen", "default.pgo"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	profile, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	// Names of files end in .go, and 2 is the tag of the next string.
	for _, name := range regexp.MustCompile(module+`/([a-z/]+)\.(go2|\(|\w)`).FindAllSubmatch(profile, -1) {
		if string(name[2]) != "go2" {
			seen[string(name[1])] = true
		}
	}
	for _, search := range []string{"internal/region", "internal/solver/sums", "internal/solver/linear", "internal/player"} {
		if !seen[search] {
			t.Errorf("the profile knows nothing of %s: make profile", search)
		}
	}
	for name := range seen {
		if _, known := readLayers()[name]; !known {
			t.Errorf("the profile names package %s, which there is not: make profile", name)
		}
	}
}

// Packages whose tests run once, under the race detector, are not raced again with others,
// and it sees all of their tests whole.
func TestWhatRunsOnce(t *testing.T) {
	root := filepath.Join("..", "..")
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	packages := func(name string) []string {
		list := regexp.MustCompile(`(?m)^` + name + ` := ((?:.*\\\n)*.*)$`).FindSubmatch(makefile)
		if list == nil {
			t.Fatalf("the Makefile has no %s", name)
		}
		return strings.Fields(strings.ReplaceAll(string(list[1]), "\\", ""))
	}
	raced := append(packages("SHARING"), packages("WAITING")...)
	for _, name := range packages("ONCE") {
		if slices.Contains(raced, name) {
			t.Errorf("the tests of %s run twice", name)
		}
		files, err := filepath.Glob(filepath.Join(root, name, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no tests: %v", name, err)
		}
		for _, path := range files {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if regexp.MustCompile(`testing\.Short|longtest\.(Alone|Raced)`).Match(source) {
				t.Errorf("%s has a test that is shortened or left out under the race detector", path)
			}
		}
	}
}
