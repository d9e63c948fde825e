package proof

import (
	"bytes"
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"tengen/board"
	"tengen/internal/blockfile"
	"tengen/nogo"
)

// TestVerifiedCheckerRefusesForgedCertificates alters a certificate in a thousand ways
// and puts the right checksum under each. The verified checker has to give the same
// answer as this package to every one. make verified builds it and runs this test.
func TestVerifiedCheckerRefusesForgedCertificates(t *testing.T) {
	program := os.Getenv("TENGEN_VERIFIED")
	if program == "" {
		t.Skip("make verified builds the verified checker and runs this test")
	}
	size := sizeOf(t, "3x4")
	b := newBrute(size)
	rng := rand.New(rand.NewPCG(36, 1))
	path := filepath.Join(t.TempDir(), "forged.cert")
	var whole [3]*Certificate // with more and with fewer entries
	for i := range whole {
		whole[i] = prove(t, b, nogo.NewPosition(size), board.Black, 1+4*i)
	}
	var answers [3]int
	for i := range 1000 {
		data := forged(t, rng, whole[i%len(whole)])
		want := 2
		if d, err := Read(bytes.NewReader(data)); err == nil {
			want = 1
			if verify(t, d).Valid {
				want = 0
			}
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, path)
		said, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Fatalf("forgery %d: exit code %d, want %d: %s", i, got, want, said)
		}
		answers[want]++
	}
	t.Logf("%d valid after all, %d refuted, %d damaged", answers[0], answers[1], answers[2])
	if answers[1] < 500 || answers[2] < 50 {
		t.Errorf("only %d forgeries are intact files without a proof, and only %d are damaged", answers[1], answers[2])
	}
}

// forged alters the file or its entries.
func forged(t *testing.T, rng *rand.Rand, c *Certificate) []byte {
	at, points := rng.IntN(c.Len()), c.Size().Points()
	switch rng.IntN(8) {
	case 0, 1: // another move
		return encoded(t, edited(c, func(list []entry) []entry { list[at].move = uint8(rng.IntN(points)); return list }))
	case 2, 3: // an entry less
		return encoded(t, edited(c, func(list []entry) []entry { return append(list[:at], list[at+1:]...) }))
	case 4, 5: // another position with the move, in place of the right one
		return encoded(t, edited(c, func(list []entry) []entry {
			s := c.coder.decode(list[at].key)
			s[rng.IntN(2)] ^= uint64(1) << c.coder.points[rng.IntN(points)]
			s[1] &^= s[0]
			if key, _ := c.coder.canonical(s); rng.IntN(2) == 0 {
				list[at].key = key
			} else {
				list[at].key = c.coder.encode(s, 0)
			}
			return list
		}))
	case 6: // a byte of the header or of the lengths of the first block
		// Not of the packed entries: decoders of zstd differ on what they let pass.
		data := encoded(t, c)
		data[8+rng.IntN(blockfile.HeaderBytes)] ^= byte(1 + rng.IntN(255))
		return signed(data)
	default: // the winner, the side to play, the root
		data := encoded(t, c)
		data[[]int{16, 17, 32, 33, 40, 41}[rng.IntN(6)]] ^= byte(1 << rng.IntN(2))
		return signed(data)
	}
}

// signed puts the right checksum at the end.
func signed(data []byte) []byte {
	sum := sha256.Sum256(data[:len(data)-sha256.Size])
	copy(data[len(data)-sha256.Size:], sum[:])
	return data
}
