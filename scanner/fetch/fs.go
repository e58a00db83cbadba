package fetch

import (
	"errors"
	"io"
	"io/fs"
)

// OpenFS opens a file of a file system: an embedded one, a ZIP archive. Files that cannot
// be read at an offset are read whole, once. The caller calls close when it no longer
// reads from the source.
func OpenFS(fsys fs.FS, name string) (src Source, close func() error, err error) {
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
	if info.IsDir() {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is a directory")}
	}
	if r, ok := f.(io.ReaderAt); ok {
		return FromReaderAt(r, info.Size()), f.Close, nil
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, err
	}
	return FromBytes(data), f.Close, nil
}
