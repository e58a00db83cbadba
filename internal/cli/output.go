package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// destination is where an answer goes that -o names.
type destination struct {
	io.Writer
	// finish ends it; keep says whether the answer is complete.
	finish func(keep bool) error
	// replaces says whether an incomplete answer leaves no trace.
	replaces bool
}

// standardOutput is the destination without -o.
func standardOutput(stdout *os.File) (*destination, error) {
	if _, err := stdout.Stat(); errors.Is(err, fs.ErrClosed) {
		return nil, errors.New("standard output is closed, or is /dev/null opened for reading, too; -o /dev/null throws the answer away")
	}
	return &destination{Writer: stdout, finish: func(bool) error { return nil }}, nil
}

// openOutput opens what -o names. A file gets its new contents all at once, when
// they are complete: until then they are a file beside it. Pipes and devices are
// written to as they are.
func openOutput(ctx context.Context, name string, stdout *os.File) (d *destination, err error) {
	defer func() { err = outputFault(name, err) }()
	info, err := os.Stat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	switch target, replaceable := followLinks(name); {
	case replaceable && err != nil:
		return newPartial(name, target, nil)
	case replaceable && info.Mode().IsRegular():
		return newPartial(name, target, info)
	case err != nil: // a file that a process had open
		return nil, err
	}
	if here, err := stdout.Stat(); err == nil && os.SameFile(info, here) { // such as /dev/stdout
		return &destination{Writer: stdout, finish: func(bool) error { return nil }}, nil
	}
	f, err := openDevice(ctx, name)
	if err != nil {
		return nil, err
	}
	return &destination{Writer: f, finish: func(bool) error { return f.Close() }}, nil
}

// outputFault names the output in an error, in the place of the file in the making.
func outputFault(name string, err error) error {
	if err == nil {
		return nil
	}
	if cause := errors.Unwrap(err); cause != nil {
		err = cause
	}
	return fmt.Errorf("-o %s: %w", shortName(name), err)
}

// followLinks returns the file that a chain of symbolic links leads to, which
// need not exist. It is not replaceable where a link is an open file of a process:
// a file in the place of /dev/stdout would be in everyone's way.
func followLinks(name string) (target string, replaceable bool) {
	for range 40 { // as many as systems follow
		link, err := os.Readlink(name)
		if err != nil {
			return name, true
		}
		folder := filepath.Dir(name)
		if folder == "/dev" || folder == "/dev/fd" || strings.HasPrefix(folder, "/proc/") {
			return name, false
		}
		if !filepath.IsAbs(link) {
			link = folder + string(filepath.Separator) + link // not cleaned: the folder may be a link, too
		}
		name = link
	}
	return name, true
}

// openDevice opens what is no file to be replaced. A named pipe has nobody at its
// other end, perhaps for ever.
func openDevice(ctx context.Context, name string) (*os.File, error) {
	type result struct {
		f   *os.File
		err error
	}
	opened := make(chan result, 1)
	go func() {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		opened <- result{f, err}
	}()
	select {
	case r := <-opened:
		return r.f, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// newPartial makes a file beside target, which takes its place if it is complete.
// There may be a file of that name already, which old is about.
func newPartial(name, target string, old fs.FileInfo) (*destination, error) {
	f, err := createBeside(target)
	if err != nil {
		return nil, err
	}
	if old != nil {
		if err := keepAccess(f, old); err != nil {
			f.Close()
			os.Remove(f.Name())
			return nil, err
		}
	}
	finish := func(keep bool) error {
		err := f.Close()
		if keep && err == nil {
			err = os.Rename(f.Name(), target)
		}
		if !keep || err != nil {
			os.Remove(f.Name())
		}
		return outputFault(name, err)
	}
	return &destination{Writer: f, finish: finish, replaces: true}, nil
}

// createBeside creates a file with the permissions that new files have.
func createBeside(target string) (f *os.File, err error) {
	for range 100 {
		name := target + "." + strconv.FormatUint(uint64(rand.Uint32()), 36) + ".partial"
		if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, err
}

// keepAccess gives f the owner, where the system lets us, and the permissions of
// the file that it replaces.
func keepAccess(f *os.File, old fs.FileInfo) error {
	keepOwner(f, old)
	now, err := f.Stat()
	if err != nil || now.Mode().Perm() == old.Mode().Perm() {
		return err
	}
	return f.Chmod(old.Mode().Perm())
}
