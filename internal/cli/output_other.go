//go:build !unix

package cli

import (
	"io/fs"
	"os"
)

func keepOwner(*os.File, fs.FileInfo) {}

// closedAtStart is for systems where Go's runtime replaces a closed output.
func closedAtStart(stdin, stdout, stderr *os.File) bool { return false }
