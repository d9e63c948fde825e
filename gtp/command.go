package gtp

import "strings"

// Command is one line of the protocol, cleaned and taken apart.
type Command struct {
	ID   string // the command number, or ""
	Name string
	Args []string
	Text string // everything after the name, for arguments that hold spaces
}

// Parse takes a line apart. Control characters are dropped, tabs become spaces, and #
// begins a comment. ok is false for an empty line, which gets no answer.
func Parse(line string) (c Command, ok bool) {
	rest := clean(line)
	if rest == "" {
		return Command{}, false
	}
	first, after := word(rest)
	if isNumber(first) {
		c.ID = first
		first, after = word(after)
	}
	c.Name, c.Text = first, after
	c.Args = strings.Fields(after)
	return c, true
}

// clean is the preprocessing of the protocol: no comment, no control characters.
func clean(line string) string {
	line, _, _ = strings.Cut(line, "#")
	return printable(line)
}

// printable drops control characters, and spaces at both ends.
func printable(line string) string {
	line = strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, line)
	return strings.TrimSpace(line)
}

func word(text string) (first, rest string) {
	first, rest, _ = strings.Cut(text, " ")
	return first, strings.TrimSpace(rest)
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
