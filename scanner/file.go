package scanner

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
	"github.com/winnow-scan/winnow/scanner/internal/decrypt"
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
	indexes     ioplan.Surplus // that came with the footer
	far         bool           // src states a latency
	meter       ioplan.Meter   // of src, while it is prefetched
	close       func() error
	footer      *thrift.Footer
	footerBytes []byte // as they are in the file
	footerStart int64
	decrypt     *decrypt.File
	schema      *schema.Schema
	notes       []string
	rowsAlone   int64 // of all row groups, if they have no columns
	writer      writer.Writer
	findParts   sync.Once
	partStarts  []int64     // offsets at which pages, indexes and Bloom filters start, see nextPart
	pagesRead   atomic.Bool // a scan has read pages that a mapping could show, see mapping.go
	memory      ownedMemory // of scans without Options.Resources
}

// OpenOptions bound and speed up the opening of files. Open and OpenSource use the zero
// OpenOptions. They may be shared by goroutines; their Open is a dataset.Opener.
type OpenOptions struct {
	// MaxFooter is the largest footer to read, in bytes; others match ErrUnsupported. 0:
	// only the size of the file bounds it.
	MaxFooter int64

	// MaxColumns is the largest number of columns of a file, with those that others lie
	// within; files of more match ErrUnsupported. 0 stands for 1,000,000. An open file takes
	// some 300 bytes of memory for each column, and a scan 400 more for each that it reads,
	// before it reads it.
	MaxColumns int

	// Metadata keeps footers, indexes and Bloom filters of files with a known identity,
	// see cache.New. Files that share it read none of these again, whoever opens or scans
	// them, until they change. Nil: nothing is kept.
	Metadata cache.Cache

	// Keys returns the key, of 16, 24 or 32 bytes, that the metadata of a key name; those of
	// a column without any are its path, joined by dots. Keys is called once for a file and
	// a key, when it is needed, by goroutines of scans, too. Its error matches ErrEncrypted
	// as well, and concerns what has this key: the file, for its footer's key, which also
	// verifies a plain footer with encrypted columns. A wrong key is ErrCorrupt. With nil,
	// plain columns behind plain footers can be read. Plain files are opened as they are,
	// unless RequireEncryption is set.
	//
	// What is authenticated is verified and decrypted from one copy, whatever happens to the
	// source meanwhile. Authenticated are footers, indexes, Bloom filters, and pages of
	// AES_GCM_V1. Pages of AES_GCM_CTR_V1 are not: whoever may write to the file can change
	// their values unnoticed. Neither are pages of columns that an encrypted file leaves plain.
	// In files as DuckDB encrypts them, without anything that is unique to the file, modules
	// can be exchanged unnoticed, within a file and between files of one key.
	Keys func(ctx context.Context, keyMetadata []byte) ([]byte, error)

	// RequireEncryption makes a file without encryption an error that matches ErrCorrupt:
	// whoever may write to an encrypted file could put a plain one in its place, or take away
	// the signature of its footer. Without Keys, each file is an error.
	RequireEncryption bool

	// AADPrefix returns the AAD prefix that a file, given its name in errors, must have if
	// anything of it is encrypted; nil: any. If AADPrefix is nil, files whose prefix is not
	// stored cannot be decrypted. A file whose prefix is checked must have an aad_file_unique
	// of 8 bytes, as all writers do that have one: so no prefix passes for a shorter one.
	AADPrefix func(name string) []byte
}

const defaultMaxColumns = 1_000_000

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
	src, t := f.src, f.src.Traits() // which a local file asks the system for
	f.far = t.Latency > 0
	f.identity = fetch.IdentityOf(fetch.WithTraits(src, t))
	if f.far {
		f.meter.Cost(ioplan.Cost{Latency: t.Latency, Bandwidth: t.Bandwidth})
		src = ioplan.Metered{Source: src, Meter: &f.meter}
	}
	f.metadata = cache.NewSource(src, o.Metadata, f.identity)
	read, err := footer.Read(ctx, f.metadata, f.far, o.MaxFooter)
	if err != nil {
		return f.wrap(-1, "", -1, err)
	}
	if o.Keys != nil {
		read.Bytes = bytes.Clone(read.Bytes) // src may show memory that changes after the signature is verified
	}
	f.footerStart, f.footerBytes = read.Start, read.Bytes
	keys := decrypt.Options{Keys: o.Keys, Prefix: o.AADPrefix, Name: f.name, Required: o.RequireEncryption, MaxColumns: o.MaxColumns}
	if keys.MaxColumns <= 0 {
		keys.MaxColumns = defaultMaxColumns
	}
	if f.footer, f.decrypt, err = decrypt.Open(ctx, read.Bytes, read.Sealed, keys); err != nil {
		return f.wrap(-1, "", read.Start, err)
	}
	f.writer = writer.From(f.footer.CreatedBy)
	if f.schema, err = schema.New(f.footer.Schema); err != nil {
		return f.wrap(-1, "", read.Start, err)
	}
	for i := 0; i < len(f.footer.RowGroups) && len(f.schema.Leaves()) == 0; i++ {
		f.rowsAlone += min(max(f.footer.RowGroups[i].NumRows, 0), math.MaxInt64-f.rowsAlone)
	}
	f.notes = footer.Complete(f.schema, f.footer.KeyValues)
	f.checkOrders()
	f.saveIndexes(ctx, read.Before)
	return nil
}

// checkOrders takes back what the file's Arrow schema says of the order of a column's dictionaries, unless all of its values
// are in them, and its writer is Arrow's in C++ or Go: others make dictionaries of their own, in the order of the rows.
func (f *File) checkOrders() {
	keepsThem := strings.HasPrefix(f.footer.CreatedBy, "parquet-cpp-arrow version ") || strings.HasPrefix(f.footer.CreatedBy, "parquet-go version ")
	for i, leaf := range f.schema.Leaves() {
		s := leaf.Stored
		if s == nil || s.Indices == "" || !s.Ordered {
			continue
		}
		s.Ordered = keepsThem
		for group := 0; s.Ordered && group < len(f.footer.RowGroups); group++ {
			var c Chunk
			s.Ordered = c.readEntry(f, group, i) == nil && c.Meta.AllDictionary()
		}
	}
}

// saveIndexes saves the indexes among the bytes before the footer that came with it.
func (f *File) saveIndexes(ctx context.Context, before []byte) {
	groups, leaves := len(f.footer.RowGroups), len(f.schema.Leaves())
	if before == nil || groups == 0 || leaves == 0 {
		return
	}
	var c Chunk
	if c.readEntry(f, groups-1, leaves-1) != nil {
		return
	}
	pagesEnd := c.extent().End()
	if before = before[max(int64(len(before))-max(f.footerStart-pagesEnd, 0), 0):]; f.far {
		footer.Learn(ctx, f.src.Size()-f.footerStart, f.src.Size()-pagesEnd)
		before = bytes.Clone(before) // what came with it may be long
	}
	f.indexes = ioplan.Surplus{Off: f.footerStart - int64(len(before)), Data: before}
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

// Notes says what of the file's ARROW:schema is ignored, and why: columns that it describes otherwise than they are,
// or all of it if it is broken.
func (f *File) Notes() []string { return slices.Clone(f.notes) }

// Schema returns the file's columns.
func (f *File) Schema() *schema.Schema { return f.schema }
