package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"strings"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// failure is an error in JSON. Numbers that are not known are absent.
type failure struct {
	Kind     string `json:"kind"`
	Message  string `json:"message"`
	File     string `json:"file,omitempty"`
	RowGroup *int   `json:"row_group,omitempty"`
	Column   string `json:"column,omitempty"`
	Page     *int   `json:"page,omitempty"`
	Offset   *int64 `json:"offset,omitempty"`
	Object   object `json:"object,omitempty"` // of Python that raised an exception,
	Raised   int64  `json:"raised,omitempty"` // and its number
}

// kinds are the kinds of failures, by what an error matches. The first match counts.
var kinds = []struct {
	name string
	err  error
}{
	{"cancelled", context.Canceled},
	{"changed", scanner.ErrChanged},
	{"corrupt", scanner.ErrCorrupt},
	{"encrypted", scanner.ErrEncrypted},
	{"unsupported", scanner.ErrUnsupported},
	{"unsupported", arrowscan.ErrType},
	{"no_column", scanner.ErrNoColumn},
	{"mismatch", scanner.ErrMismatch},
	{"memory", scanner.ErrMemory},
	{"options", scanner.ErrOptions},
	{"not_found", fs.ErrNotExist},
	{"permission", fs.ErrPermission},
}

// failureOf describes an error about a scan whose filter has the given text.
func failureOf(err error, where string) *failure {
	// Names of files may have any bytes, and those who read a stream want texts in UTF-8.
	f := &failure{Kind: "other", Message: strings.ToValidUTF8(err.Error(), "\ufffd")}
	if at, ok := errors.AsType[*scanner.Error](err); ok {
		f.File, f.Column = at.File, at.Column
		if at.RowGroup >= 0 {
			f.RowGroup = &at.RowGroup
		}
		if at.Page >= 0 {
			f.Page = &at.Page
		}
		if at.Offset >= 0 {
			f.Offset = &at.Offset
		}
	}
	if in, ok := errors.AsType[*whereError](err); ok {
		where = in.text
	}
	if inText, ok := errors.AsType[*filter.Error](err); ok {
		f.Kind = "where"
		if caret := inText.Caret(where); caret != "" {
			f.Message += "\n" + caret
		}
	}
	if in, ok := errors.AsType[*objectError](err); ok {
		f.Object, f.Raised = in.object, in.raised
	}
	if _, ok := errors.AsType[*panicError](err); ok {
		f.Kind = "internal"
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			f.Kind = k.name
			break
		}
	}
	return f
}

// whereError is an error in the text of a condition.
type whereError struct {
	text string
	err  error
}

func (e *whereError) Error() string { return e.err.Error() }
func (e *whereError) Unwrap() error { return e.err }

// panicError is a panic, which must not end the host's process.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string {
	return fmt.Sprintf("an error in winnow: %v\n%s", e.value, e.stack)
}

// guarded calls do and returns its error, or its panic as one.
func guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p, debug.Stack()}
		}
	}()
	return do()
}
