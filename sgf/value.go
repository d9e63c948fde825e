package sgf

import "strings"

// Value is one value of a property. It keeps the escapes that carry meaning:
// "\]", "\\" and, as written in the file, "\:". So a composed value can still be
// taken apart, and unknown properties are kept unchanged. Values compare with ==.
type Value struct {
	escaped string
}

var (
	// Pairs of line-end characters come first: each is one line end.
	lineEnds      = strings.NewReplacer("\r\n", "\n", "\n\r", "\n", "\r", "\n")
	textEscapes   = strings.NewReplacer(`\`, `\\`, `]`, `\]`)
	composeEscape = strings.NewReplacer(`\`, `\\`, `]`, `\]`, `:`, `\:`)
	unescape      = strings.NewReplacer(`\\`, `\`, `\]`, `]`, `\:`, `:`)
	textSpaces    = strings.NewReplacer("\t", " ", "\v", " ", "\f", " ")
	simpleSpaces  = strings.NewReplacer("\t", " ", "\v", " ", "\f", " ", "\n", " ")
)

// Text makes a value of a text, line ends included.
func Text(text string) Value { return Value{textEscapes.Replace(clean(text))} }

// Compose makes a value of two parts with a colon between them.
func Compose(first, second string) Value {
	return Value{composeEscape.Replace(clean(first)) + ":" + composeEscape.Replace(clean(second))}
}

func clean(text string) string {
	return lineEnds.Replace(strings.ToValidUTF8(text, "\uFFFD"))
}

// Text is the text of the value. White space other than line ends becomes
// spaces, as the format demands.
func (v Value) Text() string { return textSpaces.Replace(unescape.Replace(v.escaped)) }

// SimpleText is the text of the value on one line. Line ends become spaces.
func (v Value) SimpleText() string { return simpleSpaces.Replace(unescape.Replace(v.escaped)) }

// Compose takes a value apart at its first colon without a backslash before it.
// If there is no such colon, the first part is the whole value and ok is false.
func (v Value) Compose() (first, second Value, ok bool) {
	for i := 0; i < len(v.escaped); i++ {
		switch v.escaped[i] {
		case '\\':
			i++
		case ':':
			return Value{v.escaped[:i]}, Value{v.escaped[i+1:]}, true
		}
	}
	return v, Value{}, false
}

// String is the value as it stands in a file, between the brackets.
func (v Value) String() string { return v.escaped }

// canonical makes a value of the text between the brackets of a file. Line ends
// become "\n", soft line ends (with a backslash before them) are removed, and
// only the escapes that carry meaning stay. Decoding broken multi-byte characters
// can produce a "]" without a backslash or a backslash at the end; these are
// escaped.
func canonical(raw string) Value {
	if !strings.ContainsAny(raw, "\\]\r") {
		return Value{raw}
	}
	if strings.Contains(raw, "\r") {
		raw = lineEnds.Replace(raw)
	}
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == ']':
			b.WriteString(`\]`)
		case c != '\\':
			b.WriteByte(c)
		case i+1 == len(raw):
			b.WriteString(`\\`)
		default:
			i++
			writeEscaped(&b, raw[i])
		}
	}
	return Value{b.String()}
}

// writeEscaped writes a byte that had a backslash before it.
func writeEscaped(b *strings.Builder, c byte) {
	switch c {
	case '\n':
	case ']', '\\', ':':
		b.WriteByte('\\')
		b.WriteByte(c)
	default:
		b.WriteByte(c)
	}
}
