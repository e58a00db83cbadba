//go:build unix

package fetch

import (
	"io/fs"
	"strconv"
	"syscall"
)

// inode returns the number of a local file, "" for others. The number of its device is
// left out: it differs from machine to machine for one file of a network's file system.
func inode(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(uint64(s.Ino), 10)
	}
	return ""
}
