//go:build unix

package output

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/winnow-scan/winnow/internal/cli/stream"
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

// ClosedAtStart reports whether this process was started without a standard output
// (scan … >&-), as far as that can be told. Go's runtime has then put /dev/null there, opened for
// reading and writing, as other programs open it to throw output away: Python's and Node's for
// one stream, daemons for all of them. So only a shell is taken to have closed it, unless
// /dev/null is its own standard output, and a parent that has none.
func ClosedAtStart(stdin, stdout, stderr *os.File) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil || !stream.IsFile(stdout, null) || stream.IsFile(stderr, null) {
		return false
	}
	flags, err := unix.FcntlInt(stdout.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	return parentClosedOutput() && (!stream.IsFile(stdin, null) || !sameOpenFile(stdin, stdout, flags))
}

// parentClosedOutput reports whether the process that started this one may have done so with a
// closed standard output. It reports false on systems that do not tell.
func parentClosedOutput() bool {
	parent := "/proc/" + strconv.Itoa(os.Getppid())
	name, err := os.ReadFile(parent + "/comm")
	if err != nil {
		return false
	}
	its, err := os.Readlink(parent + "/fd/1")
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	switch strings.TrimSpace(string(name)) {
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "fish", "ash", "busybox":
		return err == nil && its != os.DevNull
	}
	return false
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
