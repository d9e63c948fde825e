package sgf_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"tengen/sgf"
)

// TestCharacterSets reads texts in several character sets. Where the
// character set allows it, a character contains the byte of a backslash or
// a closing bracket.
func TestCharacterSets(t *testing.T) {
	for _, c := range []struct {
		name, text string
		encoding   encoding.Encoding
		trap       byte
	}{
		{"UTF-8", "定石 œuvre", unicode.UTF8, 0},
		{"utf8", "ünïcödé", unicode.UTF8, 0},
		{"ISO-8859-1", "Málaga", charmap.ISO8859_1, 0},
		{"latin1", "Ærø", charmap.ISO8859_1, 0},
		{"ISO-8859-2", "Łódź", charmap.ISO8859_2, 0},
		{"windows-1251", "Казань", charmap.Windows1251, 0},
		{"KOI8-R", "Казань", charmap.KOI8R, 0},
		{"Shift_JIS", "表ソ能", japanese.ShiftJIS, '\\'},
		{"EUC-JP", "表ソ能", japanese.EUCJP, 0},
		{"Big5", "功許蓋", traditionalchinese.Big5, '\\'},
		{"GB2312", "围棋", simplifiedchinese.GBK, 0},
		{"GBK", "圿淺", simplifiedchinese.GBK, 0},
		{"GB18030", "乗乚", simplifiedchinese.GB18030, 0},
		{"EUC-KR", "바둑", korean.EUCKR, 0},
	} {
		raw, err := c.encoding.NewEncoder().String(c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if c.trap != 0 && strings.IndexByte(raw, c.trap) < 0 {
			t.Errorf("%s: %q is no test for %q", c.name, raw, c.trap)
		}
		games := parse(t, "(;FF[4]CA["+c.name+"]C["+raw+"]PB[x"+raw+"];C["+raw+raw+"])")
		if got := shape(games[0]); got != c.text+" "+c.text+c.text {
			t.Errorf("%s: the comments are %q", c.name, got)
		}
		if len(games[0].Values("CA")) > 0 {
			t.Errorf("%s: CA is kept", c.name)
		}
		want := "(;FF[4]CA[UTF-8]C[" + c.text + "]PB[x" + c.text + "];C[" + c.text + c.text + "])\n"
		if got := write(t, games); got != want {
			t.Errorf("%s: written as %q", c.name, got)
		}
	}
}

// TestEveryWideCharacter tries all characters of two bytes that end in a
// bracket or a backslash.
func TestEveryWideCharacter(t *testing.T) {
	for name, e := range map[string]encoding.Encoding{
		"shift_jis": japanese.ShiftJIS, "big5": traditionalchinese.Big5,
		"gbk": simplifiedchinese.GBK, "gb18030": simplifiedchinese.GB18030,
	} {
		tried := 0
		for lead := 0x81; lead <= 0xFE; lead++ {
			for _, trail := range []byte(`[\]`) {
				raw := []byte{byte(lead), trail}
				want, _ := e.NewDecoder().Bytes(raw)
				if utf8.RuneCount(want) != 1 || bytes.ContainsRune(want, utf8.RuneError) {
					continue
				}
				tried++
				games := parse(t, "(;CA["+name+"]C[<"+string(raw)+">];C[end])")
				if got := shape(games[0]); got != "<"+string(want)+"> end" {
					t.Fatalf("%s: %x is read as %q, want %q", name, raw, got, want)
				}
			}
		}
		if tried < 100 {
			t.Errorf("%s: only %d characters tried", name, tried)
		}
	}
}

func TestCharacterSetUnsaid(t *testing.T) {
	for raw, want := range map[string]string{
		"(;C[Zürich];C[\xfcber])":                             "Zürich über",
		"(;CA[]C[\xe9t\xe9])":                                 "été",
		"(;C[caf\xe9]CA[iso-8859-1])":                         "café",
		"(;CA[utf-8]C[broken \xe2\x82])":                      "broken \uFFFD",
		"\xef\xbb\xbf(;CA[latin1]C[é])":                       "é",
		"(;CA[klingon]C[only ascii, or é])":                   "only ascii, or é",
		"\xff\xfe(\x00;\x00C\x00[\x00\xe9\x00]\x00)\x00":      "é",
		"\xfe\xff\x00(\x00;\x00C\x00[\x00\xe9\x00]\x00)":      "é",
		"(;CA[UTF-16]C[é])":                                   "é",
		"(;CA[Shift_JIS]C[\x83\x5c])(;CA[latin1]C[\xe9\x83])": "ソ",
	} {
		if got := shape(parse(t, raw)[0]); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
	mixed := parse(t, "(;CA[latin1]C[\xe9])(;CA[Shift_JIS]C[\x83\x5c])(;CA[UTF-8]C[é])")
	if got := shape(mixed[0]) + shape(mixed[1]) + shape(mixed[2]); got != "éソé" {
		t.Errorf("games of different character sets: %q", got)
	}
}

func TestUnknownCharacterSet(t *testing.T) {
	for raw, want := range map[string]string{
		"(;CA[klingon]\nC[\xe9])":     `line 2, column 2: the character set "klingon" of this value is not known: convert the file to UTF-8`,
		"(;CA[ISO-2022-JP]C[\x1b$B])": `line 1, column 19: the character set "ISO-2022-JP" of this value is not known: convert the file to UTF-8`,
	} {
		_, err := sgf.Parse([]byte(raw))
		if err == nil || err.Error() != want {
			t.Errorf("%q says %v", raw, err)
		}
	}
}
