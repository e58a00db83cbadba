//go:build !unix

package fetch

import "io/fs"

// inode returns "": files have no numbers here.
func inode(fs.FileInfo) string { return "" }
