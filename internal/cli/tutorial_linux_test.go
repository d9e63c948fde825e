package cli_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The server of docs/tutorial.md says what the page shows, but for the port, which may be
// in use here, and answers the question of the page, and the page is there.
func TestTutorialServes(t *testing.T) {
	page := tutorial(t)
	shown := regexp.MustCompile(`(?m)^\$ (tengen serve)\n(.*)\n`).FindStringSubmatch(page)
	asked := regexp.MustCompile(`(?m)^\$ curl -s --json '(.*)' http://127\.0\.0\.1:8420(/.*)\n(.*)\n`).FindStringSubmatch(page)
	if shown == nil || asked == nil {
		t.Fatal("the tutorial does not serve and ask")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	words := strings.Fields(shown[1])
	server := exec.Command(words[0], append(words[1:], "--addr", "127.0.0.1:0")...)
	said, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Signal(os.Interrupt)
		if err := server.Wait(); err != nil {
			t.Errorf("after Ctrl-C: %v", err)
		}
	}()
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	port := regexp.MustCompile(`127\.0\.0\.1:(\d+)`)
	address := port.FindString(line)
	if got := port.ReplaceAllString(strings.TrimSpace(line), "127.0.0.1:8420"); got != shown[2] {
		t.Errorf("it says %q, the tutorial %q", got, shown[2])
	}
	answer, err := http.Post("http://"+address+asked[2], "application/json", strings.NewReader(asked[1]))
	if got := body(t, answer, err); strings.TrimSpace(got) != asked[3] {
		t.Errorf("it answers\n%s\nthe tutorial has\n%s", got, asked[3])
	}
	answer, err = http.Get("http://" + address + "/")
	if got := body(t, answer, err); !strings.Contains(got, "<html") {
		t.Errorf("the page is %q", got)
	}
}

func body(t *testing.T, answer *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v\n%s", answer.Status, err, text)
	}
	return string(text)
}
