package sgf

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// charset turns the bytes of values into text. The zero value is for games that name no
// character set: a value is UTF-8 if its bytes are valid UTF-8, and Latin-1 otherwise.
type charset struct {
	decoder decoder
	// wide reports whether a byte is the first of a character whose second byte may look like
	// a bracket or a backslash. It is nil where that cannot happen.
	wide func(byte) bool
	// unknown is a name that stands for no character set known here.
	unknown string
}

// decoder turns bytes of a character set into text. What cannot be decoded becomes U+FFFD.
type decoder func(raw []byte) string

// charsetNamed finds a character set by the names that web browsers know. Latin-1 is read as
// its superset Windows-1252.
func charsetNamed(name string) charset {
	found, plain, ok := decoderNamed(name)
	if !ok {
		return charset{unknown: name}
	}
	c := charset{decoder: found}
	switch plain {
	case "shift_jis":
		c.wide = func(b byte) bool { return b >= 0x81 && b <= 0x9F || b >= 0xE0 && b <= 0xFC }
	case "big5", "gbk", "gb18030":
		c.wide = func(b byte) bool { return b >= 0x81 && b <= 0xFE }
	case "iso-2022-jp", "utf-16be", "utf-16le", "replacement", "x-user-defined":
		// These are not supersets of ASCII, or no character sets at all. The brackets in such
		// a text cannot be found.
		return charset{unknown: name}
	}
	return c
}

// width is the number of bytes to skip at once at the head of data. The second byte of a wide
// character is 0x40 or more. A smaller byte is not skipped: it may be a line end, and lines
// are counted.
func (c charset) width(data []byte) int {
	if c.wide != nil && len(data) > 1 && c.wide(data[0]) && data[1] >= 0x40 {
		return 2
	}
	return 1
}

// decode is the text of a value. It is false if the text needs a character set that is
// unknown. Bytes that stand for no character become U+FFFD.
func (c charset) decode(raw []byte) (string, bool) {
	switch {
	case isPlain(raw):
		return string(raw), true
	case c.unknown != "" && (!utf8.Valid(raw) || bytes.IndexByte(raw, escape) >= 0):
		return "", false
	case c.decoder == nil && utf8.Valid(raw):
		return string(raw), true
	}
	if c.decoder == nil {
		return latin(raw), true
	}
	return c.decoder(raw), true
}

// escape begins the sequences that switch the meaning of bytes in some character sets.
const escape = 0x1B

// isPlain reports whether raw is ASCII, whatever the character set.
func isPlain(raw []byte) bool {
	return !slices.ContainsFunc(raw, func(b byte) bool { return b >= utf8.RuneSelf || b == escape })
}

// withoutMark removes a byte order mark, which sets the character set of the whole file.
// UTF-16 is turned into UTF-8.
func withoutMark(data []byte) (text []byte, marked bool) {
	if rest, ok := bytes.CutPrefix(data, []byte("\xEF\xBB\xBF")); ok {
		return rest, true
	}
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xFE\xFF")):
		order = binary.BigEndian
	case bytes.HasPrefix(data, []byte("\xFF\xFE")):
		order = binary.LittleEndian
	default:
		return data, false
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	text = []byte(string(utf16.Decode(units[1:])))
	if len(data)%2 != 0 {
		text = utf8.AppendRune(text, utf8.RuneError)
	}
	return text, true
}
