//go:build unix

package cache

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ownFolder returns the path of a folder without links. It returns an error if others than the user may
// write to it, or put another in its place.
func ownFolder(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	me := os.Geteuid()
	for at := path; at != filepath.Dir(at); at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil {
			return "", err
		}
		if owner := ownerOf(info); info.Mode()&fs.ModeSymlink != 0 && owner != me && owner != 0 {
			return "", fmt.Errorf("%s is a link of another user's", at)
		}
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	for at := path; ; at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil {
			return "", err
		}
		mode := info.Mode()
		switch {
		case at == path && !info.IsDir():
			return "", fmt.Errorf("%s is no folder", at)
		case at == path && ownerOf(info) != me:
			return "", fmt.Errorf("%s belongs to another user: the files of a cache must be the user's alone", at)
		case at == path && mode.Perm()&0o022 != 0:
			return "", fmt.Errorf("%s may be written to by others (mode %#o): the files of a cache must be the user's alone (chmod go-w)", at, mode.Perm())
		case mode.Perm()&0o002 != 0 && mode&fs.ModeSticky == 0:
			return "", fmt.Errorf("%s may be written to by others, who may put another folder in the place of the cache", at)
		}
		if at == filepath.Dir(at) {
			return path, nil
		}
	}
}

// ownerOf returns the user that owns a file.
func ownerOf(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}
