package wholefile_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"tengen/internal/wholefile"
)

// An envelope gives back its header and payload. A file that is cut short or altered in any
// byte is refused.
func TestEnvelope(t *testing.T) {
	e := wholefile.Envelope{Magic: "12345678", Version: 3}
	var whole bytes.Buffer
	err := e.Write(&whole, map[string]int{"n": 7}, func(w io.Writer) error {
		_, err := io.WriteString(w, "payload")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "file")
	read := func(data []byte) (string, string, error) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		header, payload, err := e.Read(file)
		if err != nil {
			return "", "", err
		}
		content, err := io.ReadAll(payload)
		return string(header), string(content), err
	}
	if header, payload, err := read(whole.Bytes()); header != `{"n":7}` || payload != "payload" || err != nil {
		t.Errorf("%q, %q, %v", header, payload, err)
	}
	for i := range whole.Len() {
		altered := bytes.Clone(whole.Bytes())
		altered[i] ^= 1
		if _, _, err := read(altered); err == nil {
			t.Errorf("byte %d was changed, and nothing was noticed", i)
		}
		if _, _, err := read(whole.Bytes()[:i]); err == nil {
			t.Errorf("a file of %d bytes is accepted", i)
		}
	}
}
