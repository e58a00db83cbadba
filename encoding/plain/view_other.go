//go:build !(386 || amd64 || arm64)

package plain

import "github.com/winnow-scan/winnow/encoding"

// view returns false: values of a body cannot be used in place on this machine.
func view[T encoding.Number]([]byte, int) (values []T, ok bool) { return nil, false }
