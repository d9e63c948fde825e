package tablebase

// Rewrite copies a table and lets change alter what is kept.
func Rewrite(t *Table, path string, change func(*Board, []Ban)) error {
	w, err := Create(path, t.header)
	if err != nil {
		return err
	}
	for n := range t.header.frames() {
		f, err := t.load(n)
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		for at, code := range t.codes(n, f) {
			b, bans := f.board(code, at), f.bansOf(code, at)
			change(&b, bans)
			if err := w.Add(b); err != nil {
				return err
			}
			for _, ban := range bans {
				if err := w.AddBan(ban); err != nil {
					return err
				}
			}
		}
	}
	return w.Close()
}

func (f *frame) board(code uint64, at int) Board {
	b := Board{Code: code}
	for i, v := range f.values {
		b.Values[i/2][i%2] = int8(int(v[at]) - valueOffset)
	}
	for side, far := range f.far {
		if far != nil {
			b.Distance[side] = far[at]
		}
	}
	return b
}

func (f *frame) bansOf(code uint64, at int) []Ban {
	var list []Ban
	for j, key := range f.bans {
		if int(key>>8) != at {
			continue
		}
		ban := Ban{Code: code, Side: uint8(key >> 7 & 1), Digit: uint8(key & 0x7f)}
		for plane, v := range f.banned {
			ban.Values[plane] = int8(int(v[j]) - valueOffset)
		}
		if f.banFar != nil {
			ban.Distance = f.banFar[j]
		}
		list = append(list, ban)
	}
	return list
}

// DecodeFrame is decodeFrame for the fuzzer.
func DecodeFrame(h Header, raw []byte) error {
	f, err := decodeFrame(h, raw)
	if err != nil {
		return err
	}
	again, err := decodeFrame(h, f.encode(nil))
	if err == nil && len(again.bans) != len(f.bans) {
		panic("a frame does not survive being written and read")
	}
	return err
}

// Evict empties the cache.
func (t *Table) Evict() {
	for _, number := range t.cache.ring {
		t.cache.frames[number].Store(nil)
	}
	t.cache.ring, t.cache.held = t.cache.ring[:0], 0
}
