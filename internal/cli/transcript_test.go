package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tengen/internal/cli"
	"tengen/internal/longtest"
)

// transcriptMark is in pages whose transcripts are made here.
const transcriptMark = "<!-- transcripts -->"

var (
	transcript = regexp.MustCompile("(?ms)^```\n(\\$ (?:tengen|cat) .*?)^```\n")
	// What differs from run to run is not compared.
	passing = regexp.MustCompile(`\b\d+(\.\d+)?(µs|ms|s)\b|"[a-z_]*seconds":[0-9.e-]+`)
)

// Pages that show commands with their output show what the commands print. Those of a
// page run one after the other in a directory that has nothing but the files of
// docs/examples. -rewrite writes the outputs anew.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, path := range paths {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(page, []byte(transcriptMark)) {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) { checkTranscripts(t, path, string(page)) })
	}
}

func checkTranscripts(t *testing.T, path, page string) {
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../docs/examples")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	made := transcript.ReplaceAllStringFunc(page, func(block string) string {
		made := "```\n" + replay(t, transcript.FindStringSubmatch(block)[1]) + "```\n"
		if passing.ReplaceAllString(made, "T") == passing.ReplaceAllString(block, "T") {
			return block
		}
		return made
	})
	if *rewrite {
		if err := os.WriteFile(path, []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, got := strings.Split(page, "\n"), strings.Split(made, "\n")
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			t.Fatalf("line %d: the page has\n%s\nand it is\n%s", i+1, want[i], got[i])
		}
	}
	if len(want) != len(got) {
		t.Errorf("the page has %d lines, with all output %d", len(want), len(got))
	}
}

// replay runs the commands of a transcript and returns them with their output. A
// command may go on after a backslash at the end of a line. Output with a line of "…" stays
// as it is shown if the command prints the other lines.
func replay(t *testing.T, block string) string {
	t.Helper()
	var b strings.Builder
	lines := strings.Split(block, "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "$ ") {
			continue
		}
		command := lines[i]
		b.WriteString(lines[i] + "\n")
		for strings.HasSuffix(lines[i], `\`) && i+1 < len(lines) {
			i++
			command = strings.TrimSuffix(command, `\`) + lines[i]
			b.WriteString(lines[i] + "\n")
		}
		output, shown := execute(t, shellWords(command[2:])), shownAfter(lines[i+1:])
		if _, ok := abridged(shown, strings.Split(output, "\n")); ok && slices.Contains(shown, "…") {
			output = strings.Join(shown, "\n") + "\n"
		}
		b.WriteString(output)
	}
	return b.String()
}

// shownAfter are the lines up to the next command, without blank ones at the end.
func shownAfter(lines []string) []string {
	end := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "$ ") })
	if end < 0 {
		end = len(lines)
	}
	for end > 0 && lines[end-1] == "" {
		end--
	}
	return lines[:end]
}

// execute is the output of a command, and what it says of an error.
func execute(t *testing.T, words []string) string {
	t.Helper()
	words, file := redirected(words)
	if words[0] == "cat" {
		text, err := os.ReadFile(words[1])
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var out, diagnostics bytes.Buffer
	code := cli.Main(words[1:], strings.NewReader(""), &out, &diagnostics)
	if file != "" {
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		out.Reset()
	}
	if code > 1 {
		shown := false
		for line := range strings.Lines(diagnostics.String()) {
			// The sentence, and the place in a text that it points at.
			if shown = strings.HasPrefix(line, "tengen: ") || shown && strings.HasPrefix(line, "  "); shown {
				out.WriteString(line)
			}
		}
	}
	return out.String()
}

// redirected takes > FILE off the end of a command.
func redirected(words []string) (rest []string, file string) {
	if n := len(words); n > 2 && words[n-2] == ">" {
		return words[:n-2], words[n-1]
	}
	return words, ""
}

// shellWords takes a command apart; quotes of both kinds keep blanks.
func shellWords(command string) []string {
	var words []string
	var word strings.Builder
	quote, begun := rune(0), false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && r == ' ':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

func TestShellWords(t *testing.T) {
	got := fmt.Sprintf("%q", shellWords(`tengen value "..x - .x." --json '' a'b c'`))
	if want := `["tengen" "value" "..x - .x." "--json" "" "ab c"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The blocks of the README are what commands print, and a line of "…" stands where
// something is left out. Those that take long are run with the long tests.
func TestReadmeTranscripts(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	blocks := transcript.FindAllStringSubmatch(string(page), -1)
	if len(blocks) == 0 {
		t.Fatal("there is no transcript")
	}
	for _, block := range blocks {
		for shown := range strings.SplitSeq(strings.TrimPrefix(block[1], "$ "), "\n$ ") {
			command, output, _ := strings.Cut(shown, "\n")
			if strings.Contains(command, "4x") && !longtest.On() {
				continue
			}
			printed := strings.Split(execute(t, shellWords(command)), "\n")
			if at, ok := abridged(strings.Split(strings.TrimRight(output, "\n"), "\n"), printed); !ok {
				t.Errorf("%s: the README has %q, which is not printed there; where lines are left out put a line of …", command, at)
			}
		}
	}
}

// abridged reports whether lines are those that were printed, without some where a line is
// "…", and else which one is not.
func abridged(lines, printed []string) (at string, ok bool) {
	for gap := false; ; {
		switch {
		case len(lines) == 0:
			return "the end", gap || strings.TrimSpace(strings.Join(printed, "")) == ""
		case lines[0] == "…":
			gap, lines = true, lines[1:]
		case len(printed) > 0 && passing.ReplaceAllString(lines[0], "T") == passing.ReplaceAllString(printed[0], "T"):
			gap, lines, printed = false, lines[1:], printed[1:]
		case gap && len(printed) > 0:
			printed = printed[1:]
		default:
			return lines[0], false
		}
	}
}
