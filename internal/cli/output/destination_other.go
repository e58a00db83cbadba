//go:build !unix

package output

import (
	"io/fs"
	"os"
)

func keepOwner(*os.File, fs.FileInfo) {}

// ClosedAtStart is for systems where Go's runtime replaces a closed output.
func ClosedAtStart(stdin, stdout, stderr *os.File) bool { return false }
