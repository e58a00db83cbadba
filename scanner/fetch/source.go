package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"
)

// Listens reports whether src ends its reads when their context does: bytes in
// memory and local files of this package do, others may or may not.
func Listens(src Source) bool {
	switch src := src.(type) {
	case memory, *File:
		return true
	case withTraits:
		return Listens(src.Source)
	}
	return false
}

// readStep is how many bytes are read between two checks of the context.
const readStep = 4 << 20

// FromBytes returns a source of bytes in memory. Its ranges are views of data. It has no
// traits, see WithTraits.
func FromBytes(data []byte) Source { return memory(data) }

type memory []byte

func (m memory) Size() int64    { return int64(len(m)) }
func (m memory) Traits() Traits { return Traits{} }

func (m memory) ReadRanges(ctx context.Context, ranges []Range, _ Alloc) ([][]byte, error) {
	if err := Ended(ctx); err != nil {
		return nil, err
	}
	if err := Check(ranges, m.Size()); err != nil {
		return nil, err
	}
	out := make([][]byte, len(ranges))
	for i, r := range ranges {
		out[i] = m[r.Off:r.End()]
	}
	return out, nil
}

// FromReaderAt returns a source of the first size bytes of r, whose ReadAt
// must allow calls in parallel, as io.ReaderAt says. It has no traits, see WithTraits.
func FromReaderAt(r io.ReaderAt, size int64) Source { return &readerAt{r, size} }

type readerAt struct {
	r    io.ReaderAt
	size int64
}

func (s *readerAt) Size() int64    { return s.size }
func (s *readerAt) Traits() Traits { return Traits{} }

func (s *readerAt) ReadRanges(ctx context.Context, ranges []Range, alloc Alloc) ([][]byte, error) {
	if err := Check(ranges, s.size); err != nil {
		return nil, err
	}
	out := make([][]byte, len(ranges))
	for i, r := range ranges {
		if err := Ended(ctx); err != nil {
			return nil, err
		}
		out[i] = allocate(alloc, r.Len)
		if err := readFull(ctx, s.r, out[i], r.Off); err != nil {
			return nil, fmt.Errorf("reading range %v: %w", r, err)
		}
	}
	return out, nil
}

// readFull fills b from offset off. Fewer bytes are an error.
func readFull(ctx context.Context, r io.ReaderAt, b []byte, off int64) error {
	for len(b) > 0 {
		if err := Ended(ctx); err != nil {
			return err
		}
		step := b[:min(len(b), readStep)]
		n, err := r.ReadAt(step, off)
		if n < len(step) {
			if err == nil || errors.Is(err, io.EOF) {
				return io.ErrUnexpectedEOF
			}
			return err
		}
		// A full read may come with io.EOF, or with an error that concerns
		// only what lies after it.
		b = b[len(step):]
		off += int64(len(step))
	}
	return nil
}

// File is a file opened for reading. Its ranges are read with pread; Views shows
// them without a copy. Safe for concurrent use.
type File struct {
	readerAt
	path string
	f    *os.File

	mu        sync.Mutex
	closed    bool
	tried     bool            // to map it
	mapped    []byte          // nil: it is not
	users     int             // of mapped
	forgotten runtime.Cleanup // of mapped, if Close is not called
}

// Open opens a regular file. The source keeps the size that the file has now.
func Open(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, notRegular(path, info)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() { // since it was asked
		err = notRegular(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{readerAt: readerAt{f, info.Size()}, path: path, f: f}, nil
}

// notRegular is the error for what is no regular file. It is asked before opening: to open a pipe is
// to wait for a writer, or to end one that waits for a reader.
func notRegular(name string, info fs.FileInfo) error {
	why := "not a regular file"
	if info.IsDir() {
		why = "is a directory"
	}
	return &fs.PathError{Op: "open", Path: name, Err: errors.New(why)}
}

// Traits returns the present identity of the file: it differs from that at opening once
// someone has written to the file. It is unknown after Close.
func (f *File) Traits() Traits {
	info, err := f.f.Stat()
	if err != nil {
		return Traits{}
	}
	return Traits{Identity: identityOf(f.path, info)}
}

// Close closes the file. Bytes that were read stay valid; those of Views stay valid until
// the Views are closed.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.unmapUnused()
	return f.f.Close()
}
