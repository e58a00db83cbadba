//go:build purego || !(386 || amd64 || arm64)

package plain

import "github.com/winnow-scan/winnow/encoding"

// view returns values of body where they stand, if that can be done.
func view[T encoding.Number]([]byte, int) (values []T, ok bool) { return nil, false }
