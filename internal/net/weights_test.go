package net

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// resealed is a file with a part changed and the checksum recomputed.
func resealed(data []byte, change func([]byte) []byte) []byte {
	body := change(slices.Clone(data[:len(data)-sha256.Size]))
	sum := sha256.Sum256(body)
	return append(body, sum[:]...)
}

// reworded replaces text in the header.
func reworded(data []byte, old, now string) []byte {
	return resealed(data, func(b []byte) []byte {
		length := int(binary.LittleEndian.Uint32(b[8:]))
		head := strings.Replace(string(b[prefix:prefix+length]), old, now, 1)
		out := append(slices.Clone(b[:8]), binary.LittleEndian.AppendUint32(nil, uint32(len(head)))...)
		return append(append(out, head...), b[prefix+length:]...)
	})
}

func TestWeightsThatAreRefused(t *testing.T) {
	flip := func(at int) []byte {
		d := slices.Clone(Weights())
		d[at] ^= 1
		return d
	}
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"nothing":       {nil, "not a weights file"},
		"another file":  {[]byte("PNG and more of it, and so on until it is long enough for all"), "not a weights file"},
		"version":       {resealed(Weights(), func(b []byte) []byte { b[4] = 2; return b }), "version 2"},
		"cut off":       {Weights()[:len(Weights())-1], "damaged"},
		"almost all":    {Weights()[:20], "cut off"},
		"a bit":         {flip(500_000), "checksum"},
		"a header bit":  {flip(40), "checksum"},
		"header length": {resealed(Weights(), func(b []byte) []byte { b[11] = 0xff; return b }), "header"},
		"header":        {resealed(Weights(), func(b []byte) []byte { b[prefix] = '['; return b }), "header"},
		"more numbers":  {resealed(Weights(), func(b []byte) []byte { return append(b, 0, 0) }), "no tensor"},
		"fewer numbers": {resealed(Weights(), func(b []byte) []byte { return b[:len(b)-2] }), "larger than the file"},
		"blocks":        {reworded(Weights(), `"blocks":6`, `"blocks":7`), "7 blocks"},
		"a name":        {reworded(Weights(), `"policy_out"`, `"policy_off"`), "no tensor \"policy_out\""},
		"a shape":       {reworded(Weights(), `["stem",[64,8,3,3]]`, `["stem",[8,64,3,3]]`), "shape"},
		"no number":     {resealed(Weights(), func(b []byte) []byte { b[len(b)-1], b[len(b)-2] = 0x7c, 0; return b }), "not finite"},
	} {
		_, err := Read(c.data)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 0x7bff: 65504, 1: 0x1p-24, 0x83ff: -1023 * 0x1p-24, 0x0400: 0x1p-14,
		0x7c00: math.Inf(1),
	} {
		if got := half(bits); float64(got) != want {
			t.Errorf("%04x is %v, not %v", bits, got, want)
		}
	}
	if x := half(0x7e00); x == x {
		t.Errorf("7e00 is %v", x)
	}
}

// FuzzRead changes the header and the first numbers. It recomputes the checksum, so
// that the code behind the checksum is reached.
func FuzzRead(f *testing.F) {
	const reach = 4000
	f.Add(Weights()[:reach])
	f.Add([]byte(magic))
	f.Add([]byte(magic + "\x01\x00\x00\x00\x20\x00\x00\x00{\"planes\":8,\"blocks\":6,\"tensors\":[[\"a\",[-1]],[]]}"))
	f.Fuzz(func(t *testing.T, start []byte) {
		if n, err := Read(start); err == nil || n != nil {
			t.Error("a file without a checksum is read")
		}
		sum := sha256.Sum256(start)
		if _, err := Read(append(slices.Clone(start), sum[:]...)); err != nil && strings.Contains(err.Error(), "checksum") {
			t.Error(err)
		}
	})
}

// TestKernelsAreGenerated runs the generator again.
func TestKernelsAreGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the generator")
	}
	dir := t.TempDir()
	for name, args := range map[string][]string{"kernels_amd64.s": {"-out"}, "kernels_amd64.go": {"-stubs"}} {
		path := filepath.Join(dir, name)
		if out, err := exec.Command("go", append([]string{"run", "./asm", "-pkg", "net"}, append(args, path)...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		// The first line has the command.
		_, gotRest, _ := strings.Cut(string(got), "\n")
		_, wantRest, _ := strings.Cut(string(want), "\n")
		if gotRest != wantRest {
			t.Errorf("%s is not what the generator writes: run go generate ./internal/net", name)
		}
	}
}
