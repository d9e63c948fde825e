package value

import (
	"strings"

	"tengen/internal/strip"
)

// Strip is a reduced strip of linear NoGo: blocks have shrunk to single stones, and no
// two stones are neighbours. Strips are values and compare with ==; the zero value is
// the strip without points, where nobody can move. docs/strips.md has the theory.
type Strip struct{ strip strip.Strip }

// ParseStrip reads a row such as ..x.o that is one strip once it is reduced.
func ParseStrip(text string) (Strip, error) {
	s, err := strip.Parse(strings.TrimSpace(text))
	return Strip{s}, err
}

// Points is the number of empty points.
func (s Strip) Points() int { return s.strip.Points() }

// String draws the strip with x, o and dots.
func (s Strip) String() string { return s.strip.String() }

// The largest databases of strips that can be built.
const (
	MaxStrips         = 17 // points of strips with bounds
	MaxSimplestStrips = 13 // points of strips with simplest equal games
)
