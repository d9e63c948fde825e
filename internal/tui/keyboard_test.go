package tui

import (
	"os"
	"testing"
	"time"
)

// The input of a terminal, and the part of it that reaches the decoder.
func TestKeyboard(t *testing.T) {
	for name, c := range map[string]struct {
		reads []string
		pause time.Duration // between them
		want  string
	}{
		"keys":                   {[]string{"q\x1b[A\x1b[<0;4;5M"}, 0, "q\x1b[A\x1b[<0;4;5M"},
		"paste":                  {[]string{"\x1b[200~q q\x1b[201~u"}, 0, "\x1b[200z\x1b[201~u"},
		"paste in pieces":        {[]string{"\x1b", "[2", "00", "~q", "q\x1b", "[201~u"}, 0, "\x1b[200z\x1b[201~u"},
		"paste by one byte":      {[]string{"\x9b200~q\x9b201~u"}, 0, "\x9b200z\x9b201~u"},
		"paste with more":        {[]string{"\x1b[200;1~qq"}, 0, "\x1b[200;1z"},
		"paste and arrow":        {[]string{"\x1b[200~q", "\x1b[A", "u"}, 0, "\x1b[200z\x1b[Au"},
		"paste and silence":      {[]string{"\x1b[200~q", "u"}, 2 * pasteRest, "\x1b[200zu"},
		"other sequence with ~":  {[]string{"\x1b[20~\x1b[3;200~"}, 0, "\x1b[20~\x1b[3;200~"},
		"200 outside a sequence": {[]string{"[200~"}, 0, "[200~"},
	} {
		got, k := "", &keyboard{}
		now := time.Unix(1, 0)
		for _, read := range c.reads {
			p := []byte(read)
			got += string(p[:k.pass(p, now)])
			now = now.Add(c.pause)
		}
		if got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// Ctrl-C works wherever it comes, and the decoder gets nothing after it.
func TestKeyboardHearsCtrlC(t *testing.T) {
	for _, text := range []string{"\x03", "a\x03b", "\x1b\x03", "\x1b[20\x03", "\x1b]11;\x03", "\x1b[200~q\x03u"} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		interrupts := 0
		k := &keyboard{File: in, interrupt: func() { interrupts++ }}
		for range 2 {
			if _, err := out.WriteString(text); err != nil {
				t.Fatal(err)
			}
			if n, err := k.Read(make([]byte, 64)); n != 0 || err != nil {
				t.Errorf("%q: %d bytes are handed on, %v", text, n, err)
			}
		}
		if interrupts == 0 {
			t.Errorf("%q: no interrupt", text)
		}
		in.Close()
		out.Close()
	}
}
