package cli_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tengen/internal/cli"
	"tengen/internal/longtest"
)

// The second checker, in C++, was written from docs/certificate-format.md alone. These
// tests hold page, checker and tengen to each other. They want a C++ compiler and libzstd,
// which make test-long installs.

// secondChecker builds it.
func secondChecker(t *testing.T) string {
	return longtest.Program(t, "../../docs/checker/check.cpp", "-lzstd")
}

// TestSecondCheckerKnowsTheAnswersOfThePage asks it for every row of the page's tables.
func TestSecondCheckerKnowsTheAnswersOfThePage(t *testing.T) {
	knowsThePage(t, secondChecker(t))
}

// TestSecondCheckerOfTheTutorial lets it check the certificate of docs/tutorial.md.
func TestSecondCheckerOfTheTutorial(t *testing.T) {
	check, path := secondChecker(t), filepath.Join(t.TempDir(), "3x5.cert")
	execute(t, []string{"tengen", "solve", "nogo", "3x5", "--threads", "1", "--certificate", path})
	out, err := exec.Command(check, path).CombinedOutput()
	if page := tutorial(t); err != nil || !strings.Contains(page, "\n$ ./check 3x5.cert\n"+string(out)) {
		t.Errorf("the checker says %q, %v, and the tutorial something else", out, err)
	}
}

func tutorial(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func knowsThePage(t *testing.T, check string) {
	page, err := os.ReadFile("../../docs/certificate-format.md")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(want string, args ...string) {
		out, err := exec.Command(check, args...).Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("check %q: %q, %v; the page says %q", args, got, err, want)
		}
	}
	side := map[string]string{"black": "b", "white": "w"}
	search := regexp.MustCompile("(?m)^\\| `([.xo/]+)` \\| (black|white) \\| ([0-9,]+) \\| (\\w+) \\| (\\d+) \\|$")
	judge := regexp.MustCompile("(?m)^\\| `([.xo/]+)` \\| (black|white) \\| (\\d+ \\|.*\\| (?:won|lost|unknown) \\| [–0-9]+) \\|$")
	searches, judgements := search.FindAllStringSubmatch(string(page), -1), judge.FindAllStringSubmatch(string(page), -1)
	if len(searches) < 20 || len(judgements) < 15 {
		t.Fatalf("%d and %d rows were found on the page", len(searches), len(judgements))
	}
	for _, row := range searches {
		ask(row[4]+" "+row[5], "search", row[1], side[row[2]], strings.ReplaceAll(row[3], ",", ""))
	}
	for _, row := range judgements {
		ask(row[3], "judge", row[1], side[row[2]])
	}
}

// TestSecondCheckerAgrees lets both checkers look at certificates of boards, whole,
// damaged, and altered with a checksum that is right.
func TestSecondCheckerAgrees(t *testing.T) {
	agreeOnBoards(t, secondChecker(t), "3x5", "2x8", "4x4", "4x5", "5x5")
}

func agreeOnBoards(t *testing.T, check string, sizes ...string) {
	dir := t.TempDir()
	for _, size := range sizes {
		path := filepath.Join(dir, size+".cert")
		var out, log bytes.Buffer
		if code := cli.Main([]string{"solve", "nogo", size, "--certificate", path}, strings.NewReader(""), &out, &log); code != 0 {
			t.Fatalf("solve %s: exit code %d, %s", size, code, log.String())
		}
		agree(t, check, path, 0)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{9, 15, 17, 20, 30, len(data) - 40, len(data) - 1} {
			altered := bytes.Clone(data)
			altered[at] ^= 1
			agree(t, check, write(t, dir, fmt.Sprintf("%s-damaged-%d", size, at), altered), 2)
		}
		liar := bytes.Clone(data)
		liar[17] ^= 1 // the other side wins
		resign(liar)
		agree(t, check, write(t, dir, size+"-liar", liar), 1)
		longer := append(bytes.Clone(data[:len(data)-32]), 0)
		agree(t, check, write(t, dir, size+"-longer", resign(append(longer, make([]byte, 32)...))), 2)
	}
}

// resign puts the right checksum at the end.
func resign(data []byte) []byte {
	sum := sha256.Sum256(data[:len(data)-32])
	copy(data[len(data)-32:], sum[:])
	return data
}

func write(t *testing.T, dir, name string, data []byte) string {
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func agree(t *testing.T, check, path string, want int) {
	t.Helper()
	var out, log bytes.Buffer
	ours := cli.Main([]string{"proof", "verify", path}, strings.NewReader(""), &out, &log)
	second := exec.Command(check, path)
	said, _ := second.CombinedOutput()
	theirs := second.ProcessState.ExitCode()
	t.Logf("%s: %d %s| %d %s", filepath.Base(path), ours, out.String()+log.String(), theirs, said)
	if ours != want || theirs != want {
		t.Errorf("%s: tengen's exit code is %d and the second checker's %d, want %d", path, ours, theirs, want)
	}
}
