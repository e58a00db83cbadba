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
	src    fetch.Source
	number int // among all files of the command line, from 0
}

// each runs a command on every file, one after the other. A bad file costs one
// line on stderr and the exit code, and does not stop the others.
func each(ctx context.Context, cmd *command, o *options, args []string, stdout, stderr *os.File) (int, error) {
	r, done, err := newReport(o, stdout, stderr)
	if err != nil {
		return exitUsage, err
	}
	code := exitOK
	report := func(err error) {
		r.out.Flush() // what belongs before the error
		r.progress.clear()
		printError(stderr, err.Error())
		code = exitBadFile
	}
	t, err := cmd.begin(ctx, o, args, r)
	if err != nil {
		return exitUsage, errors.Join(err, done(false))
	}
	number := 0
	for _, arg := range args {
		files, err := fetch.Glob(arg)
		if err != nil {
			report(err)
			continue
		}
		for _, name := range files {
			if t.enough != nil && t.enough() {
				break
			}
			err := o.where.explain(shortName(name), one(ctx, t, name, number))
			number++
			var usage *usageError
			var output *outputError
			switch {
			case ctx.Err() != nil:
				r.progress.clear()
				return exitInterrupted, errors.Join(r.interrupt(), done(false))
			case errors.As(err, &usage):
				usage.command = cmd.name
				return exitUsage, errors.Join(usage, r.out.Flush(), done(false))
			case errors.As(err, &output):
				r.progress.clear()
				return exitBadFile, errors.Join(output, done(false))
			case err != nil:
				report(err)
			}
		}
	}
	r.progress.clear()
	if t.end != nil {
		err = t.end()
	}
	if err == nil {
		err = r.end()
	}
	if err != nil {
		return exitBadFile, errors.Join(err, done(false))
	}
	return code, done(true)
}

// one runs a task on one file.
func one(ctx context.Context, t *task, name string, number int) error {
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
	return place(name, t.file(ctx, &input{f, src, number}))
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
