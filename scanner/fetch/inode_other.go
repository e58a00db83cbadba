//go:build !unix

package fetch

import "io/fs"

// noWait is a flag to open files with: none.
const noWait = 0

// inode returns "": files have no numbers here.
func inode(fs.FileInfo) string { return "" }
