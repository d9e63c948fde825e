package match

import (
	"fmt"
	"os"
)

// lock keeps two matches from writing one log. It is a file beside it.
type lock struct{ file *os.File }

func lockName(log string) string { return log + ".lock" }

func errLocked(log string) error {
	return fmt.Errorf("another match is being kept in %s: wait for its end, or take another file", log)
}
