package movenet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tengen/board"
)

// randomCodes are codes as positions have them: stones, or open to somebody.
func randomCodes(dice *rand.Rand, points int) []byte {
	codes := make([]byte, points)
	for i := range codes {
		switch dice.IntN(3) {
		case 0:
			codes[i] = StoneMine
		case 1:
			codes[i] = StoneTheirs
		default:
			codes[i] = byte(dice.IntN(StoneMine))
		}
	}
	return codes
}

// TestKernelsAgree compares the fastest kernel with the one in Go, number by number.
func TestKernelsAgree(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"2x15", "3x3", "3x10", "4x7", "5x5", "5x6"} {
		size, err := board.ParseSize(name)
		if err != nil {
			t.Fatal(err)
		}
		fast, slow := Embedded().NewEvaluator(size), Embedded().NewEvaluator(size)
		slow.kernels = plain
		got, want := make([]int32, size.Points()), make([]int32, size.Points())
		for range 50 {
			codes := randomCodes(dice, size.Points())
			fast.Scores(codes, got)
			slow.Scores(codes, want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, codes %v: scores %v, and %v in Go", size, codes, got, want)
			}
		}
	}
}

// TestGolden compares scores with those of the trainer, which computes with few bits in
// floating point.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "\n")
	in := strings.NewReader(text)
	var rows [6]int // boards by the number of their rows
	for {
		var size board.Size
		if _, err := fmt.Fscan(in, &size.Rows, &size.Cols); err != nil {
			break
		}
		rows[size.Rows]++
		codes, got := make([]byte, size.Points()), make([]int32, size.Points())
		for i := range codes {
			if _, err := fmt.Fscan(in, &codes[i]); err != nil {
				t.Fatal(err)
			}
		}
		Embedded().NewEvaluator(size).Scores(codes, got)
		var squares float64
		for i, score := range got {
			var want float64
			if _, err := fmt.Fscan(in, &want); err != nil {
				t.Fatal(err)
			}
			off := float64(score)/ScoreUnit - want
			squares += off * off
			if math.Abs(off) > 0.25 {
				t.Errorf("%s, point %d: score %.3f, the trainer has %.3f", size, i, float64(score)/ScoreUnit, want)
			}
		}
		if mean := math.Sqrt(squares / float64(len(got))); mean > 0.08 {
			t.Errorf("%s: scores differ from the trainer's by %.3f in the mean", size, mean)
		}
	}
	for r, boards := range rows {
		if r >= 2 && boards == 0 {
			t.Errorf("no board of %d rows in the file", r)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for name, change := range map[string]func([]byte) []byte{
		"empty":   func([]byte) []byte { return nil },
		"cut off": func(d []byte) []byte { return d[:len(d)-1] },
		"altered": func(d []byte) []byte { d[1000] ^= 1; return d },
		"magic":   func(d []byte) []byte { d[0] ^= 1; return d },
		"version": func(d []byte) []byte { d[4]++; return d },
	} {
		if _, err := Read(change(slices.Clone(embedded))); err == nil {
			t.Errorf("%s: the file was read", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(embedded)
	f.Add(embedded[:100])
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = Read(data) })
}

func BenchmarkScores(b *testing.B) {
	size := board.Size{Rows: 5, Cols: 5}
	codes, out := randomCodes(rand.New(rand.NewPCG(1, 2)), 25), make([]int32, 25)
	for _, k := range []struct {
		name string
		kernels
	}{{"fastest", fastest()}, {"Go", plain}} {
		b.Run(k.name, func(b *testing.B) {
			e := Embedded().NewEvaluator(size)
			e.kernels = k.kernels
			for b.Loop() {
				e.Scores(codes, out)
			}
		})
	}
}
