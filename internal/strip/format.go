package strip

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// The file of a database is a header and sections in a fixed order, each with its
// checksum; docs/strips.md draws them. A stopped build leaves the beginning of
// such a file.

const (
	magic      = "tengen strips\r\n\x1a"
	version    = 1
	rules      = "NoGo 1xn" // which game: other rules make another file
	headerSize = 40
	headSize   = 24
)

// kind says what a section holds.
type kind uint32

const (
	kindBounds    kind = 1 + iota // of a layer: packed bounds, one byte for each entry
	kindGames                     // canonical forms: the options of every game
	kindNegatives                 // of every game: the number of its negative
	kindSimplest                  // of every game: the first strip with this value, packed
	kindValues                    // of a layer: the number of the value of each entry
	kindEnd                       // SHA-256 of all before
)

func (k kind) String() string {
	names := [...]string{
		kindBounds: "bounds", kindGames: "games", kindNegatives: "negatives", kindSimplest: "simplest games",
		kindValues: "values", kindEnd: "end",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d", uint32(k))
}

// section is the part of a file about one layer, or, as layer 0, about all.
type section struct {
	kind  kind
	layer int
}

func (s section) String() string {
	if s.layer == 0 {
		return s.kind.String()
	}
	return fmt.Sprintf("%s for n = %d", s.kind, s.layer)
}

// sizes are the largest number of points with bounds, and the largest number of
// points with values and simplest equal games.
type sizes struct {
	max, simplest int
}

func (z sizes) check() error {
	switch {
	case z.max < 1 || z.max > MaxBounds:
		return fmt.Errorf("a database has bounds of strips with up to 1 to %d points, not %d", MaxBounds, z.max)
	case z.simplest < 0 || z.simplest > min(MaxSimplest, z.max):
		return fmt.Errorf("a database with bounds up to %d points has simplest equal games up to 0 to %d points, not %d", z.max, min(MaxSimplest, z.max), z.simplest)
	}
	return nil
}

// plan lists the sections of a file in order.
func (z sizes) plan() []section {
	var plan []section
	for n := 1; n <= z.max; n++ {
		plan = append(plan, section{kindBounds, n})
	}
	if z.simplest > 0 {
		plan = append(plan, section{kindGames, 0}, section{kindNegatives, 0}, section{kindSimplest, 0})
		for n := 1; n <= z.simplest; n++ {
			plan = append(plan, section{kindValues, n})
		}
	}
	return append(plan, section{kindEnd, 0})
}

var (
	castagnoli   = crc32.MakeTable(crc32.Castagnoli)
	errTruncated = errors.New("the file ends too early")
)

// header encodes the beginning of a file.
func (z sizes) header() []byte {
	out := make([]byte, 0, headerSize)
	out = append(out, magic...)
	out = binary.LittleEndian.AppendUint32(out, version)
	out = append(out, byte(z.max), byte(z.simplest), 0, 0)
	out = append(out, rules...)
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
	return binary.LittleEndian.AppendUint32(out, 0)
}

func readHeader(data []byte) (sizes, error) {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return sizes{}, errors.New("this is not a database of strips")
	}
	if len(data) < headerSize {
		return sizes{}, errTruncated
	}
	if v := binary.LittleEndian.Uint32(data[16:]); v != version {
		return sizes{}, fmt.Errorf("this is version %d of the format, and version %d is needed: build the database again", v, version)
	}
	if string(data[24:32]) != rules {
		return sizes{}, fmt.Errorf("this database is for the rules %q, not for %q", data[24:32], rules)
	}
	z := sizes{int(data[20]), int(data[21])}
	if !bytes.Equal(z.header(), data[:headerSize]) {
		return sizes{}, errors.New("the header is damaged")
	}
	return z, z.check()
}

// appendSection encodes a section: its head, the payload, and zeros up to a
// multiple of eight bytes.
func appendSection(out []byte, s section, payload []byte) []byte {
	head := len(out)
	out = binary.LittleEndian.AppendUint32(out, uint32(s.kind))
	out = binary.LittleEndian.AppendUint32(out, uint32(s.layer))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(payload)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(payload, castagnoli))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out[head:], castagnoli))
	out = append(out, payload...)
	return append(out, make([]byte, padding(uint64(len(payload))))...)
}

func padding(length uint64) uint64 { return -length % 8 }

// readSection decodes the section that must come next and returns what follows it.
func readSection(data []byte, want section) (payload, rest []byte, err error) {
	if len(data) < headSize {
		return nil, nil, errTruncated
	}
	head, data := data[:headSize], data[headSize:]
	if crc32.Checksum(head[:20], castagnoli) != binary.LittleEndian.Uint32(head[20:]) {
		return nil, nil, fmt.Errorf("the section of the %s is damaged", want)
	}
	got := section{kind(binary.LittleEndian.Uint32(head)), int(binary.LittleEndian.Uint32(head[4:]))}
	if got != want {
		return nil, nil, fmt.Errorf("the section of the %s is missing: there is the one of the %s", want, got)
	}
	length := binary.LittleEndian.Uint64(head[8:])
	if length > uint64(len(data)) || padding(length) > uint64(len(data))-length {
		return nil, nil, errTruncated
	}
	payload, rest = data[:length:length], data[length+padding(length):]
	if crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(head[16:]) {
		return nil, nil, fmt.Errorf("the section of the %s is damaged", want)
	}
	return payload, rest, nil
}

// scan reads the planned sections up to the first that is not intact. The error is
// that of the first damaged section.
func scan(data []byte) (z sizes, payloads [][]byte, used int, err error) {
	if z, err = readHeader(data); err != nil {
		return z, nil, 0, err
	}
	rest := data[headerSize:]
	for _, want := range z.plan() {
		payload, after, err := readSection(rest, want)
		if err != nil {
			return z, payloads, len(data) - len(rest), err
		}
		payloads = append(payloads, payload)
		rest = after
	}
	if len(rest) > 0 {
		err = errors.New("something follows the end")
	}
	return z, payloads, len(data) - len(rest), err
}
