package column

import (
	"errors"
	"strconv"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Error is an error at a page of a chunk. It wraps a *corrupt.Error if the bytes are
// at fault.
type Error struct {
	Page   int   // among the data pages; -1 for the dictionary, or the chunk as a whole
	Offset int64 // of the page's header within the chunk; -1 if it concerns no page
	Err    error
}

func (e *Error) Error() string {
	s := e.Err.Error()
	if e.Offset >= 0 {
		s = "offset " + strconv.FormatInt(e.Offset, 10) + ": " + s
	}
	if e.Page >= 0 {
		s = "page " + strconv.Itoa(e.Page) + ", " + s
	}
	return s
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// atPage adds a page's place to err, unless err has one already.
func atPage(page int, offset int64, err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{Page: page, Offset: offset, Err: err}
}

// chunkError is the error for a chunk that breaks a promise as a whole.
func chunkError(parts ...any) error {
	e := corrupt.At(-1, parts...)
	e.In = "column chunk"
	return &Error{Page: -1, Offset: -1, Err: e}
}
