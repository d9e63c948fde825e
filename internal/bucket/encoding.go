package bucket

import "encoding/binary"

// An entry in a file is its value in one byte, and the distance of its code from the
// code before it as a variable-length number. Files hold ascending codes, so an entry of
// a well-filled table takes about three bytes.

const endMark = 0xff // no entry begins with it: values have at most MaxValueBits bits

// maxEntry is the length of the longest entry in bytes.
const maxEntry = 1 + binary.MaxVarintLen64

// appendEntry encodes r, whose code is not below previous.
func appendEntry(to []byte, previous uint64, r Entry) []byte {
	return binary.AppendUvarint(append(to, byte(r.Value)), r.Code-previous)
}

// decodeEntry reads the first entry of from and the number of bytes it took,
// which is 0 if there is no whole and valid entry.
func decodeEntry(from []byte, previous uint64) (Entry, int) {
	if len(from) == 0 || from[0] >= 1<<MaxValueBits {
		return Entry{}, 0
	}
	delta, n := binary.Uvarint(from[1:])
	if n <= 0 || previous+delta < previous {
		return Entry{}, 0
	}
	return Entry{Code: previous + delta, Value: Value(from[0])}, 1 + n
}
