package fetch

import (
	"io"
	"io/fs"
)

// OpenFS opens a file of a file system: an embedded one, a ZIP archive. Files that cannot
// be read at an offset are read whole, once. Its identity has the time of the file, if
// the file system states one. The caller calls close when it no longer
// reads from the source.
func OpenFS(fsys fs.FS, name string) (src Source, close func() error, err error) {
	if info, err := fs.Stat(fsys, name); err == nil && !info.Mode().IsRegular() {
		return nil, nil, notRegular(name, info)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	traits := Traits{Identity: identityOf(name, info)}
	if r, ok := f.(io.ReaderAt); ok {
		return WithTraits(FromReaderAt(r, info.Size()), traits), f.Close, nil
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, err
	}
	traits.Identity.Size = int64(len(data))
	return WithTraits(FromBytes(data), traits), f.Close, nil
}
