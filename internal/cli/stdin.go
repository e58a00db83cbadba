package cli

import (
	"context"
	"io"
	"os"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// stdin is what standard input is called on the command line. A file of that name is ./-.
const stdin = "-"

// standardInput is standard input as a file: where it lies if it is one, and a
// copy of it if it is a pipe, for the metadata are at a file's end, and say where
// to read what is in front. It is copied once, however often it is opened.
type standardInput struct {
	in     *os.File
	opened bool
	src    fetch.Source
	err    error
	copy   *os.File // nil if there is none
	gone   bool     // the copy has no name any more
}

// open returns the bytes of standard input, which are valid until close.
func (s *standardInput) open(ctx context.Context) (fetch.Source, error) {
	if !s.opened {
		s.opened = true
		s.src, s.err = s.read(ctx)
	}
	return s.src, s.err
}

func (s *standardInput) read(ctx context.Context) (fetch.Source, error) {
	info, err := s.in.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		return fetch.FromReaderAt(s.in, info.Size()), nil
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
		size, err = io.Copy(s.copy, s.in)
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

// close removes the copy, if there is one.
func (s *standardInput) close() {
	if s.copy == nil {
		return
	}
	s.copy.Close() // nothing is written that could be lost
	if !s.gone {
		os.Remove(s.copy.Name())
	}
}
