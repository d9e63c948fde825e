package sgf

import "syscall/js"

// decoderNamed finds a character set by the names that web browsers know, and its own name.
// The browser has the tables.
func decoderNamed(name string) (d decoder, plain string, ok bool) {
	defer func() {
		if recover() != nil { // the browser does not know the name
			d, plain, ok = nil, "", false
		}
	}()
	found := js.Global().Get("TextDecoder").New(name, map[string]any{"ignoreBOM": true})
	return func(raw []byte) string {
		bytes := js.Global().Get("Uint8Array").New(len(raw))
		js.CopyBytesToJS(bytes, raw)
		return found.Call("decode", bytes).String()
	}, found.Get("encoding").String(), true
}

// latin reads Latin-1 as its superset Windows-1252.
func latin(raw []byte) string {
	d, _, _ := decoderNamed("windows-1252")
	return d(raw)
}
