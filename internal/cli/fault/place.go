package fault

import (
	"errors"
	"strconv"

	"github.com/winnow-scan/winnow/scanner"
)

// IsOutsideFile reports whether err concerns the machine or the user, not the
// bytes of one chunk: then the next chunk will fare no better.
func IsOutsideFile(err error) bool {
	return err != nil && !errors.Is(err, scanner.ErrCorrupt) && !errors.Is(err, scanner.ErrUnsupported) && !errors.Is(err, scanner.ErrEncrypted)
}

// InFile adds the file's name to an error that does not have it.
func InFile(name string, err error) error {
	var e *scanner.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &scanner.Error{File: ShortName(name), RowGroup: -1, Page: -1, Offset: -1, Err: err}
}

// InPage adds the place of a page to an error that has none.
func InPage(file string, c *scanner.Chunk, number int, offset int64, err error) error {
	var e *scanner.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &scanner.Error{File: file, RowGroup: c.RowGroup, Column: c.Leaf.String(), Page: number, Offset: offset, Err: err}
}

// NoSuch returns the error for what a file has n of, but not that one.
func NoSuch(what string, n int) error {
	if n == 0 {
		return errors.New("there are no " + what + "s")
	}
	return errors.New("no such " + what + ", the last is " + strconv.Itoa(n-1))
}
