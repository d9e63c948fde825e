package wholefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Envelope is the form of checkpoints:
//
//	8 bytes    magic
//	4 bytes    version, little endian
//	4 bytes    length of the header, little endian
//	header     JSON
//	payload
//	32 bytes   SHA-256 of everything before it
type Envelope struct {
	Magic   string
	Version uint32
}

const maxHeader = 1 << 16

// ErrAltered reports a checkpoint that is not intact.
var ErrAltered = errors.New("it is cut short or altered")

// Write writes a header and a payload.
func (e Envelope) Write(w io.Writer, header any, payload func(io.Writer) error) error {
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	sum := sha256.New()
	summed := io.MultiWriter(w, sum)
	start := binary.LittleEndian.AppendUint32([]byte(e.Magic), e.Version)
	start = binary.LittleEndian.AppendUint32(start, uint32(len(text)))
	if _, err := summed.Write(append(start, text...)); err != nil {
		return err
	}
	if err := payload(summed); err != nil {
		return err
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

// ReadHeader reads up to the payload. It does not check the checksum.
func (e Envelope) ReadHeader(file io.Reader) ([]byte, error) {
	start := make([]byte, len(e.Magic)+8)
	if _, err := io.ReadFull(file, start); err != nil || !bytes.HasPrefix(start, []byte(e.Magic)) {
		return nil, errors.New("it is not a checkpoint of tengen")
	}
	if v := binary.LittleEndian.Uint32(start[8:]); v != e.Version {
		return nil, fmt.Errorf("it has format version %d, this program reads version %d", v, e.Version)
	}
	length := binary.LittleEndian.Uint32(start[12:])
	if length > maxHeader {
		return nil, ErrAltered
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(file, header); err != nil {
		return nil, ErrAltered
	}
	return header, nil
}

// Read checks the whole file before it returns any of it.
func (e Envelope) Read(file *os.File) (header []byte, payload io.Reader, err error) {
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if header, err = e.ReadHeader(file); err != nil {
		return nil, nil, err
	}
	begin, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, nil, err
	}
	end := info.Size() - sha256.Size
	if begin > end {
		return nil, nil, ErrAltered
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, end)); err != nil {
		return nil, nil, err
	}
	var want [sha256.Size]byte
	if _, err := file.ReadAt(want[:], end); err != nil {
		return nil, nil, err
	}
	if !bytes.Equal(sum.Sum(nil), want[:]) {
		return nil, nil, fmt.Errorf("%w: its checksum does not match", ErrAltered)
	}
	return header, io.NewSectionReader(file, begin, end-begin), nil
}
