package pages

import (
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// citation are the fields of the Citation File Format 1.2.0 that are used here.
type citation struct {
	CFF      string   `yaml:"cff-version"`
	Message  string   `yaml:"message"`
	Title    string   `yaml:"title"`
	Abstract string   `yaml:"abstract"`
	Type     string   `yaml:"type"`
	License  string   `yaml:"license"`
	Version  string   `yaml:"version"`
	Released string   `yaml:"date-released"`
	Keywords []string `yaml:"keywords"`
	Authors  []struct {
		Name string `yaml:"name"`
	} `yaml:"authors"`
}

// The citation has what its format demands, no field that the format does not know, and
// the newest version of the changelog. Before the first release there is none.
func TestCitation(t *testing.T) {
	decoder := yaml.NewDecoder(strings.NewReader(read(t, root+"/CITATION.cff")))
	decoder.KnownFields(true)
	var c citation
	if err := decoder.Decode(&c); err != nil {
		t.Fatal(err)
	}
	if c.CFF != "1.2.0" || c.Message == "" || c.Title != "tengen" || c.Type != "software" || len(c.Authors) != 1 || c.Authors[0].Name != "The tengen authors" {
		t.Errorf("the citation lacks what it must have: %+v", c)
	}
	if !strings.Contains(read(t, root+"/LICENSE"), "Apache License") || c.License != "Apache-2.0" {
		t.Errorf("the license is %q", c.License)
	}
	newest := regexp.MustCompile(`(?m)^## \[v?(\d+\.\d+\.\d+[^\]]*)\](?: - (\d{4}-\d{2}-\d{2}))?`).FindStringSubmatch(read(t, root+"/CHANGELOG.md"))
	if newest == nil {
		newest = make([]string, 3)
	}
	if c.Version != newest[1] || c.Released != newest[2] {
		t.Errorf("the citation is of version %q of %q, the changelog's newest is %q of %q", c.Version, c.Released, newest[1], newest[2])
	}
}
