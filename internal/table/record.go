package table

import "encoding/binary"

// A record in a file is one byte, flag above value, and the distance of its code
// from the code before it as a variable-length number. Files hold ascending
// codes, so a record of a well-filled table takes about three bytes.

const (
	recordFlag  = 1 << 7
	recordValue = recordFlag - 1
	endMark     = 0xff // no record begins so: values have at most MaxValueBits bits
)

// maxRecord is the most bytes a record takes.
const maxRecord = 1 + binary.MaxVarintLen64

// AppendRecord encodes r, whose code is not below previous.
func AppendRecord(to []byte, previous uint64, r Record) []byte {
	head := byte(r.Value)
	if r.Flag {
		head |= recordFlag
	}
	return binary.AppendUvarint(append(to, head), r.Code-previous)
}

// DecodeRecord reads the first record of from and the number of bytes it took,
// which is 0 if there is no whole and valid record.
func DecodeRecord(from []byte, previous uint64) (Record, int) {
	if len(from) == 0 || from[0]&recordValue > recordValue>>1 {
		return Record{}, 0
	}
	delta, n := binary.Uvarint(from[1:])
	if n <= 0 || previous+delta < previous {
		return Record{}, 0
	}
	return Record{
		Code:  previous + delta,
		Value: Value(from[0] & recordValue),
		Flag:  from[0]&recordFlag != 0,
	}, 1 + n
}
