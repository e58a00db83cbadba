//go:build !unix

package cache

import "path/filepath"

// ownFolder returns the path of a folder. Who may write to it is not looked at here: permissions are no bits.
func ownFolder(dir string) (string, error) { return filepath.Abs(dir) }
