package sgf_test

import (
	"io"
	"strings"
	"testing"

	"tengen/sgf"
)

// manyGames is a file of short games as players keep them.
func manyGames() []byte {
	game := "(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[Ann]PW[Bob]RE[B+R]\n" +
		strings.Repeat(";B[cd];W[dc]C[a remark \\[as one makes\\] in passing]\n;B[ee];W[ef]", 20) + ")\n"
	return []byte(strings.Repeat(game, 500))
}

func BenchmarkParse(b *testing.B) {
	data := manyGames()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sgf.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	data := manyGames()
	games, err := sgf.Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := sgf.Write(io.Discard, games); err != nil {
			b.Fatal(err)
		}
	}
}
