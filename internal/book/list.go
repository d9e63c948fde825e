package book

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Info describes a book.
type Info struct {
	Header
	Positions int
	Bytes     int
	SHA256    string
	Path      string // "" for one in the program
}

// Describe reads a file and says what it holds.
func Describe(file []byte) (Info, error) {
	h, content, err := unpack(file)
	if err != nil {
		return Info{}, err
	}
	i := Info{Header: h, Bytes: len(file), SHA256: fmt.Sprintf("%x", sha256.Sum256(file))}
	var b interface{ Len() int }
	if h.Game == games[0] {
		b, err = parseNoGo(h, content)
	} else {
		b, err = parseGo(h, content)
	}
	if err == nil {
		i.Positions = b.Len()
	}
	return i, err
}

// Check reports whether a file is a book.
func Check(name string) error {
	file, err := load(name)
	if err == nil {
		_, _, err = unpack(file)
	}
	if err != nil {
		return fmt.Errorf("%w; remove it or choose another name", err)
	}
	return nil
}

// List lists the books, those of small boards first. A file in the user's cache that cannot
// be read is among the damaged ones: it is not used when a board is asked for.
func List() (list []Info, damaged []string, err error) {
	inside, err := embedded.ReadDir("files")
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range inside {
		file, err := embedded.ReadFile("files/" + entry.Name())
		if err != nil {
			return nil, nil, err
		}
		info, err := Describe(file)
		if err != nil {
			return nil, nil, fmt.Errorf("%s in the program: %w", entry.Name(), err)
		}
		list = append(list, info)
	}
	if dir, err := Folder(); err == nil {
		own, _ := os.ReadDir(dir)
		for _, entry := range own {
			path := filepath.Join(dir, entry.Name())
			if filepath.Ext(path) != extension {
				continue
			}
			info, err := describeFile(path)
			switch {
			case err != nil:
				damaged = append(damaged, path)
			case info.Name() == entry.Name():
				list = append(list, info)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Info) int {
		return cmp.Or(strings.Compare(b.Game, a.Game), cmp.Compare(a.Size.Points(), b.Size.Points()), cmp.Compare(a.Size.Rows, b.Size.Rows))
	})
	return list, damaged, nil
}

func describeFile(path string) (Info, error) {
	file, err := load(path)
	if err != nil {
		return Info{}, err
	}
	info, err := Describe(file)
	info.Path = path
	return info, err
}
