//go:build !js

package sgf

import (
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// decoderNamed finds a character set by the names that web browsers know, and its own name.
func decoderNamed(name string) (d decoder, plain string, ok bool) {
	found, err := htmlindex.Get(name)
	if err != nil {
		return nil, "", false
	}
	plain, err = htmlindex.Name(found)
	return func(raw []byte) string {
		text, _ := found.NewDecoder().Bytes(raw)
		return string(text)
	}, plain, err == nil
}

// latin reads Latin-1 as its superset Windows-1252.
func latin(raw []byte) string {
	text, _ := charmap.Windows1252.NewDecoder().Bytes(raw)
	return string(text)
}
