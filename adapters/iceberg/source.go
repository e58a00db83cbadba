package icebergscan

import (
	"context"
	"fmt"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/io"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// open opens a data or delete file. The file's Close closes what it is read from.
func (r *Reader) open(ctx context.Context, file iceberg.DataFile) (*scanner.File, error) {
	if file.FileFormat() != iceberg.ParquetFile {
		return nil, fmt.Errorf("%s: format %s: %w", file.FilePath(), file.FileFormat(), ErrUnsupported)
	}
	src, done, err := r.source(ctx, file)
	if err != nil {
		return nil, err
	}
	f, err := r.query.Files.OpenSource(ctx, file.FilePath(), src)
	switch {
	case done == nil:
	case err != nil:
		done()
	default:
		f.OnClose(done)
	}
	return f, err
}

// source returns the bytes of a file, from the host or the table's FileIO.
func (r *Reader) source(ctx context.Context, file iceberg.DataFile) (fetch.Source, func() error, error) {
	if r.query.Open != nil {
		return r.query.Open(ctx, file)
	}
	return Source(r.fs, file)
}

// Source returns the bytes of a data or delete file of a FileIO: what a Reader uses if its Query
// has no Open. close closes the file.
func Source(fs io.IO, file iceberg.DataFile) (src fetch.Source, close func() error, err error) {
	f, err := fs.Open(file.FilePath())
	if err != nil {
		return nil, nil, err
	}
	size := file.FileSizeBytes()
	if size <= 0 {
		info, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, nil, err
		}
		size = info.Size()
	}
	// The files of a table are written once, so path and size tell their states apart.
	identity := fetch.Identity{Name: file.FilePath(), Size: size, Tag: "iceberg"}
	return fetch.WithTraits(fetch.FromReaderAt(f, size), fetch.Traits{Identity: identity}), f.Close, nil
}
