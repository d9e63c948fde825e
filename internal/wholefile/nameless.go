package wholefile

import (
	"cmp"
	"os"
)

// Nameless is a temporary file without a name. The system removes it when the process
// ends, even by a crash. On systems that do not allow this it keeps its name until it
// is closed.
type Nameless struct {
	*os.File
	named bool
}

// NewNameless makes one in a folder; "" means the system's folder for temporary
// files.
func NewNameless(dir string) (*Nameless, error) {
	file, err := os.CreateTemp(dir, "tengen-*")
	if err != nil {
		return nil, err
	}
	return &Nameless{file, os.Remove(file.Name()) != nil}, nil
}

// Close removes the file.
func (n *Nameless) Close() error {
	err := n.File.Close()
	if n.named {
		err = cmp.Or(err, os.Remove(n.Name()))
	}
	return err
}
