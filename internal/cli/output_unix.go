//go:build unix

package cli

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// keepOwner gives f the owner of old. Only some users may do so.
func keepOwner(f *os.File, old fs.FileInfo) {
	was, ok := old.Sys().(*syscall.Stat_t)
	now, err := f.Stat()
	if !ok || err != nil {
		return
	}
	if is, ok := now.Sys().(*syscall.Stat_t); ok && (is.Uid != was.Uid || is.Gid != was.Gid) {
		_ = f.Chown(int(was.Uid), int(was.Gid)) // an ordinary user remains the owner
	}
}

// closedAtStart reports whether this process was started without a standard
// output (scan … >&-). Go's runtime has then put /dev/null there, opened for
// reading and writing. Hardly anyone else opens it so; programs that do, to throw
// output away, mostly use it for standard error as well, or give one open file to
// standard input and output.
func closedAtStart(stdin, stdout, stderr *os.File) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil || !isFile(stdout, null) || isFile(stderr, null) {
		return false
	}
	flags, err := unix.FcntlInt(stdout.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	return !isFile(stdin, null) || !sameOpenFile(stdin, stdout, flags)
}

func isFile(f *os.File, as fs.FileInfo) bool {
	info, err := f.Stat()
	return err == nil && os.SameFile(info, as)
}

// sameOpenFile reports whether a and b are one open file: then they share their
// flags. It changes O_APPEND, which means nothing to /dev/null, in those of b, which
// the caller knows.
func sameOpenFile(a, b *os.File, flags int) bool {
	defer unix.FcntlInt(b.Fd(), unix.F_SETFL, flags)
	for _, other := range [...]int{flags ^ unix.O_APPEND, flags} {
		unix.FcntlInt(b.Fd(), unix.F_SETFL, other)
		if shared, err := unix.FcntlInt(a.Fd(), unix.F_GETFL, 0); err != nil || (shared^other)&unix.O_APPEND != 0 {
			return false
		}
	}
	return true
}
