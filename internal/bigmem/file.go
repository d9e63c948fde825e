package bigmem

// File is the content of a file as memory that must not be written to. Where the
// system can, pages are read when they are first needed and shared between
// processes.
type File struct {
	Data []byte
}

// Close frees the memory; Data must not be used afterwards. Closing twice does
// nothing.
func (f *File) Close() {
	if f == nil || f.Data == nil {
		return
	}
	unmap(f.Data)
	f.Data = nil
}
