package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// didYouMean is a clause with the names nearest to an unknown one, or "" if none is near.
func didYouMean(typed string, names []string) string {
	best, least := []string(nil), max(len(typed)/3, 1)+1
	for _, name := range names {
		d := distance(strings.ToLower(typed), name)
		if len(typed) > 1 && strings.HasPrefix(name, strings.ToLower(typed)) {
			d = 0
		}
		switch {
		case d < least:
			best, least = []string{name}, d
		case d == least && len(best) > 0:
			best = append(best, name)
		}
	}
	if len(best) == 0 {
		return ""
	}
	return fmt.Sprintf(": did you mean %s?", strings.Join(best, " or "))
}

// distance is the Damerau-Levenshtein distance of two words: letters changed, added,
// dropped, or swapped with a neighbour.
func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// commandNames lists the commands below one.
func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// knownCommand refuses an unknown command.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := didYouMean(args[0], commandNames(cmd)); near != "" {
		return fmt.Errorf("unknown command %q%s", args[0], near)
	}
	return fmt.Errorf("unknown command %q: tengen help lists them", args[0])
}

// otherNames are names of flags in other programs.
var otherNames = map[string]string{"color": "as", "colour": "as", "side": "to-play", "time": "timeout"}

// unknownFlag names the flags nearest to one that does not exist.
func unknownFlag(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return err
	}
	if missing.GetSpecifiedShortnames() != "" { // perhaps a game such as -1
		return fmt.Errorf("%w: an argument that begins with a minus comes after --", err)
	}
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, "--"+flag.Name)
		}
	})
	if other := otherNames[missing.GetSpecifiedName()]; cmd.Flags().Lookup(other) != nil {
		return fmt.Errorf("%w: did you mean --%s?", err, other)
	}
	if near := didYouMean("--"+missing.GetSpecifiedName(), names); near != "" {
		return fmt.Errorf("%w%s", err, near)
	}
	return fmt.Errorf("%w: %s --help lists the flags", err, cmd.CommandPath())
}
