package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"tengen/internal/wholefile"
)

// object is a file that slices are cut from. It is sent in parts, each an object of the
// server. So it need not fit in memory, and a broken connection costs one part.
type object struct {
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

const (
	partBytes = 4 << 20
	// partWait is the time limit of a part.
	partWait = 20 * time.Second
)

func (o object) parts() int { return int((o.Bytes + partBytes - 1) / partBytes) }

// part is the name of a part on the server, and its place in the file.
func (o object) part(search string, i int) (name string, from, length int64) {
	from = int64(i) * partBytes
	return fmt.Sprintf("%s-%s-%d", search, o.SHA256, i), from, min(o.Bytes-from, partBytes)
}

// supply is an object with its bytes.
type supply struct {
	object
	io.ReaderAt
}

func supplyBytes(data []byte) supply {
	sum := sha256.Sum256(data)
	return supply{object{hex.EncodeToString(sum[:]), int64(len(data))}, bytes.NewReader(data)}
}

// put puts an object on the server, or its missing parts. It calls progress after each part.
func (h *hub) put(ctx context.Context, search string, s supply, progress func()) error {
	for i := range s.parts() {
		name, from, length := s.part(search, i)
		err := h.putPart(ctx, name, func() ([]byte, error) {
			data := make([]byte, length)
			_, err := s.ReadAt(data, from)
			if errors.Is(err, io.EOF) && from+length == s.Bytes {
				err = nil
			}
			return data, err
		})
		if err != nil {
			return err
		}
		progress()
	}
	return nil
}

// putPart puts a part on the server unless it is there.
func (h *hub) putPart(ctx context.Context, name string, read func() ([]byte, error)) error {
	var data []byte
	late, cancel := context.WithTimeout(ctx, 3*partWait)
	defer cancel()
	err := h.insist(late, partWait, func(ctx context.Context) error {
		_, err := h.objects.GetInfo(ctx, name)
		if !errors.Is(err, jetstream.ErrObjectNotFound) {
			return err
		}
		if data == nil {
			if data, err = read(); err != nil {
				return err
			}
		}
		_, err = h.objects.PutBytes(ctx, name, data)
		return err
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("the files that workers need cannot be put on the NATS server: %w", err)
	}
	return err
}

// drop removes an object from the server.
func (h *hub) drop(ctx context.Context, search string, o object) {
	for i := range o.parts() {
		try, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		name, _, _ := o.part(search, i)
		err := h.objects.Delete(try, name)
		cancel()
		if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return // the server is gone
		}
	}
}

// errMissing says that an object cannot be fetched from the server.
var errMissing = errors.New("it cannot be fetched")

// fetch fetches an object into a file and rewinds it.
func (h *hub) fetch(ctx context.Context, search string, o object) (*wholefile.Nameless, error) {
	file, err := wholefile.NewNameless("")
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	length := int64(0)
	for i := range o.parts() {
		name, _, _ := o.part(search, i)
		try, cancel := context.WithTimeout(ctx, partWait)
		data, failed := h.objects.GetBytes(try, name)
		cancel()
		if failed != nil {
			err = fmt.Errorf("%w: %w", errMissing, failed)
			break
		}
		length += int64(len(data))
		sum.Write(data)
		if _, err = file.Write(data); err != nil {
			break
		}
	}
	if err == nil && length != o.Bytes {
		err = fmt.Errorf("a file has come altered: it has %d bytes, not %d", length, o.Bytes)
	}
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != o.SHA256 {
		err = errors.New("a file has come altered: its checksum is wrong")
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
