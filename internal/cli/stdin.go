package cli

import (
	"context"
	"io"
	"os"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// stdin is what standard input is called on the command line. A file of that name is ./-.
const stdin = "-"

// openStdin opens standard input: where it lies if it is a file, and a copy of it if it
// is a pipe, for the metadata are at a file's end, and say where to read what is in front.
func openStdin(ctx context.Context, in *os.File) (src fetch.Source, close func() error, err error) {
	info, err := in.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Mode().IsRegular() {
		return fetch.FromReaderAt(in, info.Size()), func() error { return nil }, nil
	}
	f, err := os.CreateTemp("", "scan-")
	if err != nil {
		return nil, nil, err
	}
	gone := os.Remove(f.Name()) == nil // where open files may be: then nothing is left behind, whatever happens
	close = func() error {
		err := f.Close()
		if !gone {
			os.Remove(f.Name())
		}
		return err
	}
	var size int64
	copied := make(chan error, 1)
	go func() { // which may wait for a writer for ever
		var err error
		size, err = io.Copy(f, in)
		copied <- err
	}()
	select {
	case err = <-copied:
	case <-ctx.Done():
		err = fetch.Ended(ctx)
	}
	if err != nil {
		close()
		return nil, nil, err
	}
	return fetch.FromReaderAt(f, size), close, nil
}
