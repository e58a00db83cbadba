package stream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Stdin is what standard input is called on the command line. A file of that name is ./-.
const Stdin = "-"

// Stream is standard input, a pipe or a device as a file: where it lies if it is one, and else
// a copy of it, for the metadata are at a file's end, and say where to read what is in front.
// It is copied once, however often it is opened. Safe for concurrent use.
type Stream struct {
	Name string
	In   *os.File // nil: not opened yet

	mu   sync.Mutex
	read bool
	src  fetch.Source
	err  error
	copy *os.File // nil if there is none
	gone bool     // the copy has no name any more
}

// Open returns the bytes of the stream, which are valid until close.
func (s *Stream) Open(ctx context.Context) (fetch.Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.read {
		s.read = true
		s.src, s.err = s.source(ctx)
	}
	return s.src, s.err
}

func (s *Stream) source(ctx context.Context) (fetch.Source, error) {
	in := s.In
	if in == nil {
		var err error
		if in, err = OpenWaiting(ctx, s.Name, os.O_RDONLY); err != nil {
			return nil, err
		}
		defer in.Close()
	}
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && s.In != nil {
		return fetch.FromReaderAt(in, info.Size()), nil
	}
	if s.copy, err = os.CreateTemp("", "scan-"); err != nil {
		return nil, err
	}
	// Where open files may be removed, nothing is left behind, whatever happens.
	s.gone = os.Remove(s.copy.Name()) == nil
	var size int64
	copied := make(chan error, 1)
	go func() { // it may wait for a writer for ever
		var err error
		size, err = copyStream(s.copy, in, info.Mode()&os.ModeCharDevice != 0)
		copied <- err
	}()
	select {
	case err = <-copied:
	case <-ctx.Done():
		err = fetch.Ended(ctx)
	}
	if err != nil {
		return nil, err
	}
	return fetch.FromReaderAt(s.copy, size), nil
}

// copyStream copies a stream to its end. A device may have none, so it must begin as Parquet does.
func copyStream(to io.Writer, in io.Reader, isDevice bool) (int64, error) {
	const magic, encrypted = "PAR1", "PARE"
	first := make([]byte, len(magic))
	n, err := io.ReadFull(in, first)
	switch first := string(first[:n]); {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		n, err = to.Write([]byte(first))
		return int64(n), err
	case err != nil:
		return 0, err
	case isDevice && first != magic && first != encrypted:
		return 0, errors.New("no Parquet file: it does not begin with " + magic)
	}
	return io.Copy(to, io.MultiReader(bytes.NewReader(first), in))
}

// Close removes the copy, if there is one.
func (s *Stream) Close() {
	if s.copy == nil {
		return
	}
	s.copy.Close() // nothing is written that could be lost
	if !s.gone {
		os.Remove(s.copy.Name())
	}
}

// OpenWaiting opens a pipe or a device. For a named pipe that is to wait for the other end,
// perhaps for ever, so it ends with ctx.
func OpenWaiting(ctx context.Context, name string, mode int) (*os.File, error) {
	type result struct {
		f   *os.File
		err error
	}
	opened := make(chan result, 1)
	go func() {
		f, err := os.OpenFile(name, mode, 0)
		opened <- result{f, err}
	}()
	select {
	case r := <-opened:
		return r.f, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// IsFile reports whether f is the file that info describes.
func IsFile(f *os.File, info fs.FileInfo) bool {
	its, err := f.Stat()
	return err == nil && os.SameFile(its, info)
}
