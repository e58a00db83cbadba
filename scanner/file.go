package scanner

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/scanner/internal/footer"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
	"github.com/winnow-scan/winnow/thrift"
)

// File is an open Parquet file: its footer and its schema. Safe for concurrent use,
// except OnClose.
type File struct {
	name        string
	src         fetch.Source
	identity    fetch.Identity // of src when it was opened
	metadata    *cache.Source  // src, with the cache of OpenOptions.Metadata
	indexes     ioplan.Kept    // that came with the footer
	far         bool           // src states a latency
	meter       ioplan.Meter   // of src, while it is prefetched
	close       func() error
	footer      *thrift.Footer
	footerBytes []byte
	footerStart int64
	schema      *schema.Schema
	writer      writer.Writer
	findParts   sync.Once
	partStarts  []int64     // offsets at which pages, indexes and Bloom filters start, see nextPart
	pagesRead   atomic.Bool // a scan has read pages that a mapping could show, see mapping.go
}

// OpenOptions bound and speed up the opening of files. Open and OpenSource use the zero
// OpenOptions. They may be shared by goroutines; their Open is a dataset.Opener.
type OpenOptions struct {
	// MaxFooter is the largest footer to read, in bytes; others match ErrUnsupported. 0:
	// only the size of the file bounds it.
	MaxFooter int64

	// Metadata keeps footers, indexes and Bloom filters of files with a known identity,
	// see cache.New. Files that share it read none of these again, whoever opens or scans
	// them, until they change. Nil: nothing is kept.
	Metadata cache.Cache

	// Keys returns the key that the metadata of a key name. If it is set, the signature of
	// a plain footer of a file with encrypted columns is verified: one that does not match
	// is an error, which matches ErrEncrypted. Nothing is decrypted yet. Plain files
	// have no signature: their footer names no encryption, and nothing is after it.
	Keys func(ctx context.Context, keyMetadata []byte) ([]byte, error)
}

// Open opens the file at path. The caller closes it when all scans of it have ended.
func Open(ctx context.Context, path string) (*File, error) { return OpenOptions{}.Open(ctx, path) }

// OpenSource opens a file that is read from src. Errors contain name. Close does not close
// src; see OnClose.
func OpenSource(ctx context.Context, name string, src fetch.Source) (*File, error) {
	return OpenOptions{}.OpenSource(ctx, name, src)
}

// Open is the function Open with options.
func (o OpenOptions) Open(ctx context.Context, path string) (*File, error) {
	src, err := fetch.Open(path)
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			err = cause // without the path, which Error contains already
		}
		return nil, &Error{File: path, RowGroup: -1, Page: -1, Offset: -1, Err: err}
	}
	f := &File{name: path, src: src, close: src.Close}
	if err := f.open(ctx, &o); err != nil {
		src.Close()
		return nil, err
	}
	return f, nil
}

// OpenSource is the function OpenSource with options.
func (o OpenOptions) OpenSource(ctx context.Context, name string, src fetch.Source) (*File, error) {
	f := &File{name: name, src: src, close: func() error { return nil }}
	if !fetch.Listens(src) {
		f.src = detach.CancellableSource{Source: src}
	}
	if err := f.open(ctx, &o); err != nil {
		return nil, err
	}
	return f, nil
}

// open reads and parses the footer.
func (f *File) open(ctx context.Context, o *OpenOptions) error {
	f.identity = fetch.IdentityOf(f.src)
	f.metadata = cache.NewSource(f.src, o.Metadata, f.identity)
	b, start, before, err := footer.Read(ctx, f.metadata, o.MaxFooter)
	if err != nil {
		return f.wrap(-1, "", -1, err)
	}
	f.footerStart = start
	if b, err = page.Open(nil, page.Footer, -1, -1, -1, b); err != nil {
		return f.wrap(-1, "", start, err)
	}
	f.footerBytes = b
	if f.footer, err = thrift.ParseFooter(b); err != nil {
		return f.wrap(-1, "", start, corrupt.Within(err, "footer", 0))
	}
	if o.Keys != nil && (f.footer.Encryption != 0 || f.footer.Size < len(b)) {
		if err := footer.Verify(ctx, f.footer, b, o.Keys); err != nil {
			return f.wrap(-1, "", start, err)
		}
	}
	f.writer = writer.From(f.footer.CreatedBy)
	if f.schema, err = schema.New(f.footer.Schema); err != nil {
		return f.wrap(-1, "", start, err)
	}
	f.resolveCRS()
	f.far = f.src.Traits().Latency > 0
	f.keepIndexes(ctx, before)
	return nil
}

// resolveCRS replaces reference systems that name a property of the file, projjson:NAME, by its value.
func (f *File) resolveCRS() {
	for _, leaf := range f.schema.Leaves() {
		if name, is := strings.CutPrefix(leaf.CRS, "projjson:"); is {
			properties, _ := f.footer.KeyValues.Append(nil) // a property that is broken is as good as absent
			for _, p := range properties {
				if p.Key == name && p.HasValue {
					leaf.CRS = p.Value
				}
			}
		}
	}
}

// keepIndexes keeps the indexes among the bytes before the footer that came with it.
func (f *File) keepIndexes(ctx context.Context, before []byte) {
	groups, leaves := len(f.footer.RowGroups), len(f.schema.Leaves())
	if before == nil || groups == 0 || leaves == 0 {
		return
	}
	c, err := f.Chunk(groups-1, leaves-1)
	if err != nil {
		return
	}
	pagesEnd := c.extent().End()
	footer.Learn(ctx, f.src.Size()-f.footerStart, f.src.Size()-pagesEnd)
	if n := min(f.footerStart-pagesEnd, int64(len(before))); n > 0 {
		f.indexes = ioplan.Kept{Off: f.footerStart - n, Data: bytes.Clone(before[int64(len(before))-n:])}
	}
}

// Close closes the file if Open opened it, and calls the functions of OnClose.
func (f *File) Close() error { return f.close() }

// OnClose registers a function that Close calls, such as one that closes the source of
// OpenSource.
func (f *File) OnClose(do func() error) {
	before := f.close
	f.close = func() error { return errors.Join(before(), do()) }
}

// Name returns the file's name in errors.
func (f *File) Name() string { return f.name }

// Source returns the source of the file's bytes.
func (f *File) Source() fetch.Source {
	if p, ok := f.src.(detach.CancellableSource); ok {
		return p.Source
	}
	return f.src
}

// Footer returns the file's metadata, which must not be changed.
func (f *File) Footer() *thrift.Footer { return f.footer }

// FooterRange returns the range of the metadata in the file.
func (f *File) FooterRange() fetch.Range {
	return fetch.Range{Off: f.footerStart, Len: f.src.Size() - footer.TrailerSize - f.footerStart}
}

// Schema returns the file's columns.
func (f *File) Schema() *schema.Schema { return f.schema }
