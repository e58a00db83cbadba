package detach

import (
	"context"

	"github.com/winnow-scan/winnow/page/codec"
)

// largeBody is the size in bytes from which on a body is decompressed by Run.
const largeBody = 4 << 20

// CancellableCodec is a codec whose calls return when Ctx is done.
type CancellableCodec struct {
	Ctx context.Context
	codec.Codec
}

// Decode implements codec.Codec.
func (c CancellableCodec) Decode(dst, src []byte, size int) ([]byte, error) {
	return c.decode(dst, len(src), size, func() ([]byte, error) { return c.Codec.Decode(dst, src, size) })
}

// DecodePrefix implements codec.Codec.
func (c CancellableCodec) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	return c.decode(dst, len(src), need, func() ([]byte, error) { return c.Codec.DecodePrefix(dst, src, need, size) })
}

func (c CancellableCodec) decode(dst []byte, packed, size int, f func() ([]byte, error)) ([]byte, error) {
	if max(packed, size) < largeBody {
		return f()
	}
	var out []byte
	var fault error
	if err := Run(c.Ctx, func() { out, fault = f() }); err != nil {
		return dst, err
	}
	return out, fault
}
