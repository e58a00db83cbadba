//go:build unix

package fetch

import (
	"io/fs"
	"strconv"
	"syscall"
)

// noWait opens a pipe without waiting for a writer. It saves four system calls for other files: Go asks
// which mode a file is in, and sets it, unless it is opened in this one.
const noWait = syscall.O_NONBLOCK

// inode returns the number of a local file, "" for others. The number of its device is
// left out: it differs from machine to machine for one file of a network's file system.
func inode(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(s.Ino), 10)
	}
	return ""
}
