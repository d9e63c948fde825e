package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tengen/internal/cli"
	"tengen/internal/longtest"
)

// verifiedChecker is the program that was extracted from the proofs of the folder verified.
func verifiedChecker(t *testing.T) string {
	path := os.Getenv("TENGEN_VERIFIED")
	if path == "" {
		t.Skip("make verified builds the verified checker and runs this test")
	}
	return path
}

// TestVerifiedCheckerKnowsTheAnswersOfThePage asks it for every row of the page's tables.
func TestVerifiedCheckerKnowsTheAnswersOfThePage(t *testing.T) {
	knowsThePage(t, verifiedChecker(t))
}

// TestVerifiedCheckerAgrees lets it and tengen look at certificates of boards, whole,
// damaged, and altered with a checksum that is right.
func TestVerifiedCheckerAgrees(t *testing.T) {
	agreeOnBoards(t, verifiedChecker(t), "3x3", "2x5", "3x5", "4x4")
}

// TestVerifiedCheckerAgreesOnLargerBoards is the same for boards that take minutes.
func TestVerifiedCheckerAgreesOnLargerBoards(t *testing.T) {
	longtest.Skip(t)
	agreeOnBoards(t, verifiedChecker(t), "2x8", "4x5", "3x7", "2x11", "5x5")
}

// TestVerifiedCheckerRefusesBadInput gives it what is no certificate.
func TestVerifiedCheckerRefusesBadInput(t *testing.T) {
	check := verifiedChecker(t)
	dir := t.TempDir()
	path := certificate3x3(t, dir)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	agree(t, check, dir, 2)
	agree(t, check, filepath.Join(dir, "nowhere"), 2)
	agree(t, check, write(t, dir, "empty", nil), 2)
	agree(t, check, write(t, dir, "foreign", []byte("Not a certificate.")), 2)
	for n := range data {
		agree(t, check, write(t, dir, "short", data[:n]), 2)
	}
	huge := bytes.Clone(data)
	copy(huge[24:], bytes.Repeat([]byte{255}, 8)) // entries without end
	agree(t, check, write(t, dir, "huge", resign(huge)), 2)
}

// TestVerifiedCertificateIsATheorem has Coq itself compute the check, without extraction
// and driver, and believe the result.
func TestVerifiedCertificateIsATheorem(t *testing.T) {
	check := verifiedChecker(t)
	proofs, err := filepath.Abs("../../verified")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	prove := func(theorem string) ([]byte, error) {
		return exec.Command("coqc", "-Q", proofs, "", write(t, dir, "solved.v", []byte(theorem))).CombinedOutput()
	}
	boards := map[string]string{"3x5": "wins 3 5 no_stones Black"}
	if longtest.On() {
		boards["4x4"] = "loses 4 4 no_stones Black"
	}
	for size, statement := range boards {
		path := filepath.Join(dir, size+".cert")
		var out, log bytes.Buffer
		if code := cli.Main([]string{"solve", "nogo", size, "--certificate", path}, strings.NewReader(""), &out, &log); code != 0 {
			t.Fatalf("solve %s: exit code %d, %s", size, code, log.String())
		}
		said, err := exec.Command(check, "theorem", path, "solved").Output()
		theorem := string(said)
		if err != nil || !strings.Contains(theorem, "\nTheorem solved : "+statement+".\n") {
			t.Fatalf("theorem %s: %v\n%s", size, err, theorem)
		}
		if said, err := prove(theorem); err != nil {
			t.Errorf("%s: %v\n%s", size, err, said)
		}
		start := strings.Index(theorem, "[\n") + 1
		end := start + strings.Index(theorem[start:], ";") + 1
		if said, err := prove(theorem[:start] + theorem[end:]); err == nil || !strings.Contains(string(said), "Unable to unify") {
			t.Errorf("%s without its first entry: %v\n%s", size, err, said)
		}
	}
}

func certificate3x3(t *testing.T, dir string) string {
	path := filepath.Join(dir, "3x3.cert")
	var out, log bytes.Buffer
	if code := cli.Main([]string{"solve", "nogo", "3x3", "--memory", "64MiB", "--certificate", path}, strings.NewReader(""), &out, &log); code != 0 {
		t.Fatalf("exit code %d: %s", code, log.String())
	}
	return path
}

// verifyWith runs proof verify --with verified and returns its exit code and what it said.
func verifyWith(path string, flags ...string) (code int, out, log string) {
	var o, l bytes.Buffer
	code = cli.Main(append([]string{"proof", "verify", path, "--with", "verified"}, flags...), strings.NewReader(""), &o, &l)
	return code, o.String(), l.String()
}

func TestProofVerifyWithVerified(t *testing.T) {
	program, err := filepath.Abs(verifiedChecker(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(program, filepath.Join(dir, "tengen-verified")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	path := certificate3x3(t, dir)
	start, end := "valid: black wins 3x3 with black to play, 1 position, 5 endgame ", ", by the verified checker\n"
	if code, out, log := verifyWith(path); code != 0 || !strings.HasPrefix(out, start) || !strings.HasSuffix(out, end) {
		t.Errorf("exit code %d, %q, %q", code, out, log)
	}
	code, out, log := verifyWith(path, "--json")
	var object map[string]any
	if err := json.Unmarshal([]byte(out), &object); code != 0 || err != nil || object["valid"] != true || object["checker"] != "verified" {
		t.Errorf("exit code %d, %q, %q, %v", code, out, log, err)
	}
	var own bytes.Buffer
	cli.Main([]string{"proof", "verify", path, "--json"}, strings.NewReader(""), &own, &own)
	if want := strings.Replace(own.String(), "}\n", `,"checker":"verified"}`+"\n", 1); out != want {
		t.Errorf("the verified checker says %q, tengen %q", out, want)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[17] ^= 1
	if code, out, _ := verifyWith(write(t, dir, "liar", resign(data))); code != 1 || !strings.HasPrefix(out, "not valid: in ") {
		t.Errorf("another winner: exit code %d, %q", code, out)
	}
	if code, _, log := verifyWith(write(t, dir, "short", data[:60])); code != 2 || !strings.Contains(log, "cut short") {
		t.Errorf("cut short: exit code %d, %q", code, log)
	}
}

func TestProofVerifyWithVerifiedNeedsTheProgram(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	path := certificate3x3(t, dir)
	if code, _, log := verifyWith(path); code != 2 || !strings.Contains(log, "--with verified needs the program tengen-verified on the path") {
		t.Errorf("exit code %d, %q", code, log)
	}
	if runtime.GOOS == "windows" {
		return
	}
	// What answers in another way is not believed.
	for _, script := range []string{"exit 0", "echo '{\"valid\":true}'", "echo '{\"valid\":true,\"checker\":\"verified\"}'; exit 1", "kill -9 $$"} {
		if err := os.WriteFile(filepath.Join(dir, "tengen-verified"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if code, out, log := verifyWith(path); code != 2 || !strings.Contains(log, "gave no answer") {
			t.Errorf("%s: exit code %d, %q, %q", script, code, out, log)
		}
	}
}
