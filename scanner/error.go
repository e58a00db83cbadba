package scanner

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// The kinds of refusal, for errors.Is.
var (
	// ErrCorrupt is matched by errors about bytes that break the format.
	ErrCorrupt = corrupt.Bad
	// ErrUnsupported is matched by errors about files that may be right but
	// need something that this build cannot do.
	ErrUnsupported = corrupt.Unsupported
	// ErrEncrypted is matched by errors about encrypted files and columns without a key.
	ErrEncrypted = corrupt.Encrypted
	// ErrChanged is matched by errors about files that have changed since they were
	// opened, or that their source says have changed.
	ErrChanged = fetch.ErrChanged
	// ErrMemory is matched by errors about pages that are larger than Resources.Bytes.
	ErrMemory = corrupt.Memory
	// ErrOptions is matched by errors about options that make no sense, alone or together.
	ErrOptions = errors.New("options make no sense")
	// ErrMismatch is matched by errors about columns that a host wants with a type to which
	// they cannot be converted.
	ErrMismatch = project.ErrMismatch
	// ErrNoColumn is matched by errors about a column, or a part of one, that a
	// selection, a filter, an order or a Go struct names and the file lacks.
	ErrNoColumn = schema.ErrNoColumn
)

// Error says where in which file something went wrong:
//
//	f.parquet: row group 0, column "a.b", page 3, offset 4711: definition levels, byte 17: run of length 0
//
// Pages are counted from 0 within their chunk, as an offset index counts them:
// the dictionary page has no number, only an offset.
type Error struct {
	File     string
	RowGroup int    // -1 if it concerns none
	Column   string // the path, joined by dots; "" if it concerns none
	Page     int    // -1 if it concerns none
	Offset   int64  // of the page or structure at fault within the file; -1 if not known
	Err      error  // what went wrong, and within the part at Offset where
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(cmp.Or(e.File, `""`))
	sep := ": "
	place := func(parts ...string) {
		b.WriteString(sep)
		for _, p := range parts {
			b.WriteString(p)
		}
		sep = ", "
	}
	if e.RowGroup >= 0 {
		place("row group ", strconv.Itoa(e.RowGroup))
	}
	if e.Column != "" {
		place("column ", strconv.Quote(e.Column))
	}
	if e.Page >= 0 {
		place("page ", strconv.Itoa(e.Page))
	}
	if e.Offset >= 0 {
		place("offset ", strconv.FormatInt(e.Offset, 10))
	}
	b.WriteString(": ")
	what := strings.TrimPrefix(strings.TrimSpace(e.Err.Error()), e.File+": ") // sources may name their file, too
	b.WriteString(strings.ReplaceAll(what, "\n", "; "))
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// mismatch adds the file to err.
func (f *File) mismatch(err error) error {
	var m *project.Mismatch
	if !errors.As(err, &m) {
		return f.wrap(-1, "", -1, err)
	}
	for i, name := range m.Path {
		if name == "" {
			m.Path[i] = "item"
		}
	}
	return f.wrap(-1, schema.FormatPath(m.Path), -1, err)
}

// unchanged returns err, the result of reading a row group. If the file has changed since
// it was opened, success and bytes that make no sense become an error that matches
// ErrChanged alone.
func (f *File) unchanged(rowGroup int, err error) error {
	if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, ErrChanged) {
		return err
	}
	now := fetch.IdentityOf(f.src)
	if now.Same(f.identity) {
		return err
	}
	changed := &Error{File: f.name, RowGroup: rowGroup, Page: -1, Offset: -1, Err: ErrChanged}
	if e := (*Error)(nil); errors.As(err, &e) {
		*changed = *e
		changed.Err = fmt.Errorf("%w: %v", ErrChanged, e.Err)
	}
	return changed
}
