package main

// #include "winnow.h"
//
// int64_t winnow_read_object(uint64_t object, int64_t offset, int64_t length, void *into);
import "C"

import (
	"context"
	"fmt"
	"io"
	"unsafe"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// object is a file object of Python, by its number.
type object uint64

// objectError is an exception that Python raised for an object.
type objectError struct {
	object object
	raised int64 // its number
	text   string
}

func (e *objectError) Error() string { return e.text }

// open returns the bytes of the object. Their size is what it is now.
func (o object) open(context.Context) (fetch.Source, error) {
	size := o.call(0, 0, nil)
	if size < 0 {
		return nil, o.failed(size)
	}
	return fetch.FromReaderAt(o, size), nil
}

// ReadAt implements io.ReaderAt. Python reads one range of an object at a time.
func (o object) ReadAt(p []byte, offset int64) (int, error) {
	n := o.call(offset, int64(len(p)), unsafe.Pointer(unsafe.SliceData(p)))
	switch {
	case n < 0:
		return 0, o.failed(n)
	case n < int64(len(p)):
		return int(n), io.EOF
	}
	return len(p), nil
}

func (o object) call(offset, length int64, into unsafe.Pointer) int64 {
	return int64(C.winnow_read_object(C.uint64_t(o), C.int64_t(offset), C.int64_t(length), into))
}

// failed returns the error for a result of call.
func (o object) failed(result int64) error {
	e := &objectError{object: o, raised: -result}
	text := make([]byte, 1000)
	if n := o.call(result, int64(len(text)), unsafe.Pointer(&text[0])); n >= 0 {
		e.text = string(text[:min(n, int64(len(text)))])
	} else {
		e.text = fmt.Sprintf("object %d cannot be read: Python ends, or it is gone", o)
	}
	return e
}
