package hdfsscan

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"github.com/colinmarc/hdfs/v2"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Error is what went wrong with a file or a folder:
//
//	hdfs://namenode:8020/orders.parquet: range 0+100: no available datanodes
//
// Its kind is found with errors.Is: fs.ErrNotExist, fs.ErrPermission, fetch.ErrChanged,
// fs.ErrClosed.
type Error struct {
	Name string // of the file; "" leaves it out of the text
	Err  error  // what went wrong
}

func (e *Error) Error() string {
	text := oneLine(e.Err.Error())
	if e.Name == "" {
		return text
	}
	return e.Name + ": " + text
}

func (e *Error) Unwrap() error { return e.Err }

// maxWords bounds how many characters of an error are shown: a server may send any number.
const maxWords = 300

// oneLine returns a text of someone else as a line of bounded length.
func oneLine(text string) string {
	words := []rune(strings.ReplaceAll(strings.TrimSpace(text), "\n", "; "))
	for i, r := range words {
		if !unicode.IsPrint(r) {
			words[i] = ' '
		}
	}
	if len(words) > maxWords {
		return string(words[:maxWords]) + "…"
	}
	return string(words)
}

// wrap returns an error about a file. The error of an ended context stays as it is.
func wrap(ctx context.Context, name string, err error) error {
	if err == nil {
		return nil
	}
	if ended := fetch.Ended(ctx); ended != nil {
		return ended
	}
	return &Error{Name: name, Err: plain(err)}
}

// plain returns an error of the library without the file's name, which wrap adds, and with
// what the server says instead of the name of the call.
func plain(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	if e := (hdfs.Error)(nil); errors.As(err, &e) {
		return remote{e}
	}
	return err
}

// remote is an exception that a server has thrown.
type remote struct{ exception hdfs.Error }

func (r remote) Error() string {
	class := r.exception.Exception()
	class = class[strings.LastIndexByte(class, '.')+1:]
	text, _, _ := strings.Cut(r.exception.Message(), "\n") // of a stack trace
	return class + ": " + text
}

// Is knows the kinds that the library knows only for some calls.
func (r remote) Is(target error) bool {
	switch r.exception.Exception() {
	case "java.io.FileNotFoundException":
		return target == fs.ErrNotExist
	case "org.apache.hadoop.security.AccessControlException":
		return target == fs.ErrPermission
	}
	return false
}

// passes reports whether a read that has failed may succeed when it is made anew.
func passes(err error) bool {
	lasting := []error{fetch.ErrChanged, fs.ErrNotExist, fs.ErrPermission, fs.ErrInvalid, fs.ErrClosed}
	return !slices.ContainsFunc(lasting, func(kind error) bool { return errors.Is(err, kind) })
}
