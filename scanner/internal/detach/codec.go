package detach

import (
	"context"

	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/thrift"
)

// Codecs are those of a Set, but if Ctx can be done, their calls return when it is: they decompress
// large bodies in goroutines that can be abandoned.
type Codecs struct {
	Ctx context.Context
	*codec.Set
}

// Codec implements page.Codecs.
func (c *Codecs) Codec(id thrift.Codec) (codec.Codec, error) {
	found, err := c.Set.Codec(id)
	if err != nil || c.Ctx.Done() == nil {
		return found, err
	}
	return cancellable{c.Ctx, found}, nil
}

// largeBody is the size in bytes from which on a body is decompressed by Run.
const largeBody = 4 << 20

// cancellable is a codec whose calls return when ctx is done.
type cancellable struct {
	ctx context.Context
	codec.Codec
}

// Decode implements codec.Codec.
func (c cancellable) Decode(dst, src []byte, size int) ([]byte, error) {
	if max(len(src), size) < largeBody {
		return c.Codec.Decode(dst, src, size)
	}
	return c.detached(dst, func() ([]byte, error) { return c.Codec.Decode(dst, src, size) })
}

// DecodePrefix implements codec.Codec.
func (c cancellable) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	if max(len(src), need) < largeBody {
		return c.Codec.DecodePrefix(dst, src, need, size)
	}
	return c.detached(dst, func() ([]byte, error) { return c.Codec.DecodePrefix(dst, src, need, size) })
}

func (c cancellable) detached(dst []byte, f func() ([]byte, error)) ([]byte, error) {
	var out []byte // not a result: abandoned work may still set it
	var fault error
	if err := Run(c.ctx, func() { out, fault = f() }); err != nil {
		return dst, err
	}
	return out, fault
}
