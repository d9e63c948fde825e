package web

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every curl of docs/api.md is run, and its answer has the shape that the page shows;
// with -rewrite the page gets the answers.
func TestExamplesOfThePage(t *testing.T) {
	text, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	server := start(t, func(o *Options) { o.Cluster, o.Builds = told(underWay()), true })
	example := regexp.MustCompile("(?s)```\n(curl [^\n]*)\n```\n\n```(?:json)?\n(.*?)\n```")
	examples := example.FindAllStringSubmatch(string(text), -1)
	if want := strings.Count(string(text), "\ncurl "); len(examples) != want {
		t.Errorf("%d examples with answers, meant are %d", len(examples), want)
	}
	page := string(text)
	named := regexp.MustCompile(`"certificate":"\w+"`)
	sent := "" // the name of the certificate that was sent
	for _, e := range examples {
		got, want := curl(t, server.URL, named.ReplaceAllString(e[1], sent)), e[2]
		if m := regexp.MustCompile(`^{"id":("\w+")`).FindStringSubmatch(got); m != nil {
			sent = `"certificate":` + m[1]
		}
		page = strings.Replace(page, want, strings.TrimSpace(got), 1)
		if strings.HasPrefix(want, "event: ") {
			got, want = lastEvent(got), lastEvent(want)
		}
		if g, w := shape(t, got), shape(t, want); g != w {
			t.Errorf("%s\nshows  %s\nis     %s\nanswer %s", e[1], w, g, got)
		}
	}
	if *rewrite {
		if err := os.WriteFile("../../docs/api.md", []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// curl does what the command would.
func curl(t *testing.T, url, command string) string {
	t.Helper()
	path := regexp.MustCompile(`http://127\.0\.0\.1:8420(\S+)`).FindStringSubmatch(command)[1]
	method, kind, body := http.MethodGet, "", ""
	if m := regexp.MustCompile(`--json '([^']*)'`).FindStringSubmatch(command); m != nil {
		method, kind, body = http.MethodPost, "application/json", m[1]
	}
	if m := regexp.MustCompile(`-H 'Content-Type: ([^']*)' --data-binary '([^']*)'`).FindStringSubmatch(command); m != nil {
		method, kind, body = http.MethodPost, m[1], m[2]
	}
	if m := regexp.MustCompile(`-H 'Content-Type: ([^']*)' --data-binary @3x4.cert`).FindStringSubmatch(command); m != nil {
		method, kind, body = http.MethodPost, m[1], string(certificateOfGo(t, 3, 4, 4))
	}
	request, err := http.NewRequest(method, url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", kind)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// lastEvent is the data of the last of some events.
func lastEvent(events string) string {
	parts := strings.Split(strings.TrimSpace(events), "data: ")
	return parts[len(parts)-1]
}

// shape is JSON without its figures: fields, kinds, and of a list the fields of all its
// elements together.
func shape(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return shapeOf(v)
}

func shapeOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, name+":"+shapeOf(v[name]))
		}
		return "{" + strings.Join(fields, " ") + "}"
	case []any:
		kinds := map[string]bool{}
		for _, element := range v {
			kinds[shapeOf(element)] = true
		}
		if len(kinds) == 0 {
			return "[]"
		}
		return "[" + slices.Max(slices.Collect(maps.Keys(kinds))) + "]"
	}
	return fmt.Sprintf("%T", v)
}
