package strip

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"tengen/cgt"
	"tengen/internal/longtest"
)

func small(t testing.TB) []byte {
	t.Helper()
	db, err := Make(context.Background(), Options{Max: 4, Simplest: 3, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	return db.data
}

// A file that is cut anywhere is refused.
func TestTruncatedFiles(t *testing.T) {
	longtest.Alone(t)
	whole := small(t)
	for length := range whole {
		if _, err := parse(whole[:length]); err == nil {
			t.Fatalf("%d of %d bytes are accepted", length, len(whole))
		}
	}
	if _, err := parse(append(bytes.Clone(whole), 0)); err == nil {
		t.Error("a byte more is accepted")
	}
}

// A change of any bit is detected by the checksums of the sections or, in the
// zeros between them, by the checksum of the whole file.
func TestAlteredFiles(t *testing.T) {
	longtest.Alone(t)
	whole := small(t)
	for at := range whole {
		altered := bytes.Clone(whole)
		altered[at] ^= 1 << (at % 8)
		if db, err := parse(altered); err == nil && db.Verify(t.Context()) == nil {
			t.Fatalf("an altered byte %d of %d is accepted", at, len(whole))
		}
	}
	db, err := parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestForeignFiles(t *testing.T) {
	whole := small(t)
	seal := func(data []byte) []byte {
		binary.LittleEndian.PutUint32(data[32:], crc32.Checksum(data[:32], castagnoli))
		return data
	}
	for _, c := range []struct {
		want   string
		change func([]byte) []byte
	}{
		{"not a database", func([]byte) []byte { return nil }},
		{"not a database", func([]byte) []byte { return []byte("PK\x03\x04 something else entirely, and long enough") }},
		{"version 2", func(d []byte) []byte { d[16] = 2; return seal(d) }},
		{`rules "NoGo 2xn"`, func(d []byte) []byte { d[29] = '2'; return seal(d) }},
		{"header is damaged", func(d []byte) []byte { d[20]++; return d }},
		{"up to 1 to 17 points, not 200", func(d []byte) []byte { d[20] = 200; return seal(d) }},
		{"bounds for n = 5 is missing", func(d []byte) []byte { d[20]++; return seal(d) }},
		{"ends too early", func(d []byte) []byte { return d[:len(d)-9] }},
		{"bounds for n = 1 is damaged", func(d []byte) []byte { d[headerSize+headSize] ^= 1; return d }},
	} {
		_, err := parse(c.change(bytes.Clone(whole)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("wanted an error with %q: %v", c.want, err)
		}
	}
}

// Files of any content break neither the reader nor the lookups.
func FuzzParse(f *testing.F) {
	whole := small(f)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if db, err := parse(data); err == nil {
			exercise(t, db)
		}
	})
}

// FuzzSections does the same for sections of any content with correct
// checksums.
func FuzzSections(f *testing.F) {
	whole, err := parse(small(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole.games, whole.negatives, whole.simplest, whole.values[2])
	f.Add([]byte{0, 0, 0, 0}, []byte{0, 0, 0, 0}, []byte{0, 0, 0, 1}, bytes.Repeat([]byte{0}, 48))
	f.Add([]byte{1, 0, 1, 0, 9, 0, 0, 0, 9, 0, 0, 0}, []byte{9, 0, 0, 0}, []byte{255, 255, 255, 255}, []byte{1})
	f.Fuzz(func(t *testing.T, games, negatives, simplest, values []byte) {
		z := sizes{2, 2}
		data := z.header()
		for _, s := range z.plan() {
			var payload []byte
			switch s.kind {
			case kindBounds:
				payload = bytes.Repeat([]byte{255}, int(entries(s.layer)))
			case kindGames:
				payload = games
			case kindNegatives:
				payload = negatives
			case kindSimplest:
				payload = simplest
			case kindValues:
				payload = values[:min(len(values), 4*int(entries(s.layer)))]
			case kindEnd:
				payload = make([]byte, 32)
			}
			data = appendSection(data, s, payload)
		}
		if db, err := parse(data); err == nil {
			exercise(t, db)
		}
	})
}

func exercise(t *testing.T, db *DB) {
	for n := 1; n <= 4; n++ {
		for code := range Count(n) {
			s := at(n, code)
			db.Bounds(s)
			if h, ok := db.Simplest(s); ok && h.n > 0 {
				if again, err := Parse(h.String()); err != nil || again != h {
					t.Fatalf("the simplest of %s is %s, which is no strip", s, h)
				}
			}
		}
	}
	_, _ = db.MostFrequent(context.Background(), 3, 5)
	_ = db.Info()
	_ = db.Verify(t.Context())
	if _, err := db.Load(context.Background(), cgt.New(cgt.Limits{Games: 1 << 12, Memory: 1 << 22})); err != nil {
		t.Logf("values: %v", err)
	}
}
