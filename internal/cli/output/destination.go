package output

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

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/stream"
)

// Destination is where an answer goes that -o names.
type Destination struct {
	io.Writer
	// Finish closes it. keep is whether the answer is complete.
	Finish func(keep bool) error
	// Replaces reports whether an incomplete answer leaves no trace.
	Replaces bool
}

// ToStdout is what -o calls standard output. A file of that name is ./-.
const ToStdout = "-"

// standard is the destination without -o.
func standard(stdout *os.File) (*Destination, error) {
	if _, err := stdout.Stat(); errors.Is(err, fs.ErrClosed) {
		return nil, errors.New("standard output is closed, or is /dev/null opened for reading, too; > /dev/null throws the answer away")
	}
	return &Destination{Writer: stdout, Finish: func(bool) error { return nil }}, nil
}

// Create opens what -o names. A file gets its new contents all at once, when
// they are complete: until then they are a file beside it. Pipes and devices are
// written to as they are.
func Create(ctx context.Context, name string, stdout *os.File) (d *Destination, err error) {
	defer func() { err = inOutput(name, err) }()
	if name == ToStdout {
		return standard(stdout)
	}
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
		return &Destination{Writer: stdout, Finish: func(bool) error { return nil }}, nil
	}
	f, err := stream.OpenWaiting(ctx, name, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	return &Destination{Writer: f, Finish: func(bool) error { return f.Close() }}, nil
}

// inOutput adds the name of the output to an error, in place of that of the partial
// file.
func inOutput(name string, err error) error {
	if err == nil {
		return nil
	}
	if cause := errors.Unwrap(err); cause != nil {
		err = cause
	}
	return fmt.Errorf("-o %s: %w", fault.ShortName(name), err)
}

// followLinks returns the file that a chain of symbolic links leads to, which
// need not exist. It is not replaceable where a link stands for an open file of a
// process, such as /dev/stdout: everyone would find the new file in its place.
func followLinks(name string) (target string, replaceable bool) {
	for range 40 { // as many links as operating systems follow
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

// newPartial creates a partial file beside target, which it replaces once it is
// complete. old is about the file that is there, nil if there is none.
func newPartial(name, target string, old fs.FileInfo) (*Destination, error) {
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
		return inOutput(name, err)
	}
	return &Destination{Writer: f, Finish: finish, Replaces: true}, nil
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

// keepAccess gives f the permissions of the file that it replaces and, where the
// system allows that, its owner.
func keepAccess(f *os.File, old fs.FileInfo) error {
	keepOwner(f, old)
	now, err := f.Stat()
	if err != nil || now.Mode().Perm() == old.Mode().Perm() {
		return err
	}
	return f.Chmod(old.Mode().Perm())
}
