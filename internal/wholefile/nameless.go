package wholefile

import (
	"cmp"
	"os"
)

// Nameless is a file for a while: without a name it vanishes with the process, however
// that ends. Systems that do not allow this keep the name until it is closed.
type Nameless struct {
	*os.File
	named bool
}

// NewNameless makes one in a folder; "" is that of the system for such files.
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
