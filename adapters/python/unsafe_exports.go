package main

// #cgo CFLAGS: -std=gnu11 -Wall
// #include <errno.h>
// #include <stdlib.h>
// #include "winnow.h"
//
// int winnow_heeds_signals(void);
// int winnow_interrupted(void);
import "C"

import (
	"context"
	"io"
	"runtime/cgo"
	"time"
	_ "time/tzdata" // names of time zones, where the system has none
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

func main() {} // of a library

// signalPoll is how long a wait in Python's main thread goes on before it looks for signals. A
// look costs a turn of Python's lock; 50 ms are not noticed by who presses Ctrl-C.
const signalPoll = 50 * time.Millisecond

// failed returns an error as the text of a failure, which C frees, or nil.
func failed(err error, where string) *C.char {
	if err == nil {
		return nil
	}
	return C.CString(encode(failureOf(err, where)))
}

// scanOf returns the scan of a handle. One that is closed, or never was, is an error.
func scanOf(handle C.uintptr_t) (s *scan, err error) {
	defer func() {
		if recover() != nil {
			err = optionsError("the scan is closed")
		}
	}()
	return cgo.Handle(handle).Value().(*scan), nil
}

// wait returns what comes, and meanwhile calls cancel when a signal raised an exception in
// Python. It must be called in the goroutine that C called.
func wait[T any](from <-chan T, cancel func()) T {
	if C.winnow_heeds_signals() == 0 {
		return <-from
	}
	if time.Since(lastLook) >= signalPoll { // many short waits are a long one
		look(cancel)
	}
	tick := time.NewTicker(signalPoll)
	defer tick.Stop()
	for {
		select {
		case v := <-from:
			return v
		case <-tick.C:
			look(cancel)
		}
	}
}

// lastLook is when the main thread, which alone uses it, last looked for signals.
var lastLook time.Time

// look calls cancel if a signal has raised an exception.
func look(cancel func()) {
	if C.winnow_interrupted() != 0 {
		cancel()
	}
	lastLook = time.Now()
}

// elsewhere calls do in a goroutine, and returns its error. A signal calls cancel.
func elsewhere(cancel func(), do func() error) error {
	done := make(chan error, 1)
	go func() { done <- guarded(do) }()
	return wait(done, cancel)
}

// ask calls do with a scan in a goroutine, with a context that a signal ends.
func ask(handle C.uintptr_t, do func(context.Context, *scan) error) *C.char {
	s, err := scanOf(handle)
	if err != nil {
		return failed(err, "")
	}
	ctx, end := s.begin()
	defer end()
	return failed(elsewhere(end, func() error { return do(ctx, s) }), s.where)
}

//export goOpen
func goOpen(query *C.char, out *C.uintptr_t) *C.char {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	text := C.GoString(query)
	return failed(elsewhere(end, func() error {
		s, err := parse(ctx, text) // which may ask a server for the files
		if err == nil {
			*out = C.uintptr_t(cgo.NewHandle(s))
		}
		return err
	}), "")
}

//export goClose
func goClose(handle C.uintptr_t) {
	if _, err := scanOf(handle); err == nil {
		cgo.Handle(handle).Delete()
	}
}

//export goCancel
func goCancel(handle C.uintptr_t) {
	if s, err := scanOf(handle); err == nil {
		s.cancel()
	}
}

//export goSchema
func goSchema(handle C.uintptr_t, out *C.struct_ArrowSchema) *C.char {
	return ask(handle, func(ctx context.Context, s *scan) error {
		schema, err := s.schema(ctx)
		if err == nil {
			cdata.ExportArrowSchema(schema, cdata.SchemaFromPtr(uintptr(unsafe.Pointer(out))))
		}
		return err
	})
}

//export goAsk
func goAsk(handle C.uintptr_t, question *C.char, out **C.char) *C.char {
	text := C.GoString(question)
	return ask(handle, func(ctx context.Context, s *scan) error {
		v, err := s.answer(ctx, text)
		if err == nil {
			*out = C.CString(encode(v))
		}
		return err
	})
}

//export goStream
func goStream(handle C.uintptr_t, requested *C.struct_ArrowSchema, out *C.uintptr_t) *C.char {
	s, err := scanOf(handle)
	if err != nil {
		return failed(err, "")
	}
	var types *arrow.Schema
	if requested != nil {
		if types, err = cdata.ImportCArrowSchema(cdata.SchemaFromPtr(uintptr(unsafe.Pointer(requested)))); err != nil {
			return failed(optionsError("requested schema: "+err.Error()), "")
		}
	}
	t := newStream(s, types)
	if a := wait(t.answers, t.end); a.err != nil {
		t.release()
		return failed(a.err, s.where)
	}
	*out = C.uintptr_t(cgo.NewHandle(t))
	return nil
}

func streamOf(handle C.uintptr_t) *stream { return cgo.Handle(handle).Value().(*stream) }

//export goStreamSchema
func goStreamSchema(handle C.uintptr_t, out *C.struct_ArrowSchema) {
	cdata.ExportArrowSchema(streamOf(handle).schema, cdata.SchemaFromPtr(uintptr(unsafe.Pointer(out))))
}

// goStreamNext leaves out as it is, released, at the end of the stream and at an error. Of an
// error it returns the number, and as texts what it says and the whole failure.
//
//export goStreamNext
func goStreamNext(handle C.uintptr_t, out *C.struct_ArrowArray, message, failure **C.char) C.int {
	t := streamOf(handle)
	a := answer{err: context.Canceled}
	select {
	case t.asks <- struct{}{}:
		a = wait(t.answers, t.end)
	case <-t.ended: // it was cancelled
	}
	switch {
	case a.err == io.EOF:
		return 0
	case a.err != nil:
		f := failureOf(a.err, t.scan.where)
		*message, *failure = C.CString(f.Message), C.CString(encode(f))
		return errorNumber(f.Kind)
	}
	defer a.record.Release()
	rows := storageOf(a.record)
	defer rows.Release()
	cdata.ExportArrowArray(rows, cdata.ArrayFromPtr(uintptr(unsafe.Pointer(out))), nil)
	return 0
}

// errorNumber returns the number of a kind of failure, from which consumers choose an exception.
func errorNumber(kind string) C.int {
	switch kind {
	case "cancelled":
		return C.ECANCELED
	case "corrupt", "options", "where", "mismatch", "no_column":
		return C.EINVAL
	case "unsupported", "encrypted":
		return C.ENOTSUP
	case "memory":
		return C.ENOMEM
	}
	return C.EIO
}

//export goStreamRelease
func goStreamRelease(handle C.uintptr_t) {
	streamOf(handle).release()
	cgo.Handle(handle).Delete()
}
