package solver

import (
	"fmt"
	"slices"
	"strings"
)

// Feature is a part of a search that users can switch off by name.
type Feature struct {
	Name string
	On   *bool
}

// Names are those of the features.
func Names(features []Feature) []string {
	var names []string
	for _, f := range features {
		names = append(names, f.Name)
	}
	return names
}

// Switch turns on all features except the named ones. of names the search in
// the error.
func Switch(of string, features []Feature, without []string) error {
	for _, f := range features {
		*f.On = !slices.Contains(without, f.Name)
	}
	names := Names(features)
	for _, name := range without {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%s has no part %q to go without: choose %s", of, name, strings.Join(names, ", "))
		}
	}
	return nil
}
