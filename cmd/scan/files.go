package main

import (
	"context"
	"errors"
	"os"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// input is one file that a command looks at.
type input struct {
	*scanner.File
	src fetch.Source
}

// each runs a command on every file, one after the other. A bad file costs one
// line on stderr and the exit code, and does not stop the others.
func each(ctx context.Context, cmd *command, o *options, args []string, stdout, stderr *os.File) (int, error) {
	r, done, err := newReport(o, stdout)
	if err != nil {
		return exitUsage, err
	}
	code := exitOK
	report := func(err error) {
		r.out.Flush() // what belongs before the error
		printError(stderr, err.Error())
		code = exitBadFile
	}
	first := true
	for _, arg := range args {
		files, err := expand(arg)
		if err != nil {
			report(err)
			continue
		}
		for _, name := range files {
			if r.tables() && !first {
				r.blank()
			}
			first = false
			err := one(ctx, cmd, o, name, r)
			var usage *usageError
			switch {
			case ctx.Err() != nil:
				return exitInterrupted, done(false)
			case errors.As(err, &usage):
				return exitUsage, errors.Join(usage, done(false))
			case err != nil:
				report(err)
			}
		}
	}
	if err := r.end(); err != nil {
		return exitBadFile, errors.Join(err, done(false))
	}
	return code, done(true)
}

// one runs a command on one file.
func one(ctx context.Context, cmd *command, o *options, name string, r *report) error {
	src, err := fetch.Open(name)
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			err = cause // without the path, which place adds
		}
		return place(name, err)
	}
	defer src.Close()
	f, err := scanner.OpenSource(ctx, shortName(name), src)
	if err != nil {
		return err
	}
	return place(name, cmd.file(ctx, &input{f, src}, o, r))
}

// place adds the file's name to an error that does not have it.
func place(name string, err error) error {
	var e *scanner.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &scanner.Error{File: shortName(name), RowGroup: -1, Page: -1, Offset: -1, Err: err}
}

// isStop says whether err concerns the machine or the user, not the bytes of
// one chunk: then the next chunk will fare no better.
func isStop(err error) bool {
	return err != nil && !errors.Is(err, scanner.ErrCorrupt) && !errors.Is(err, scanner.ErrUnsupported) && !errors.Is(err, scanner.ErrEncrypted)
}
