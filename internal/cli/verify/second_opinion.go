package verify

import (
	"bytes"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/thrift"
)

// twiceDecoded returns a set of codecs that decode whole bodies a second time, by libraries, and
// fail where the two differ. own may hold codecs to use in place of the reader's.
func twiceDecoded(own map[thrift.Codec]codec.Codec) *codec.Set {
	reader := codec.NewSet(codec.Options{Spare: encoding.Padding, More: own})
	twice := map[thrift.Codec]codec.Codec{}
	for id, library := range codec.Libraries() {
		if c, err := reader.Codec(id); err == nil {
			twice[id] = twiceCodec{c, library, id}
		}
	}
	return codec.NewSet(codec.Options{Spare: encoding.Padding, More: twice})
}

// twiceCodec is a codec of the reader, and a library that does the same.
type twiceCodec struct {
	codec.Codec
	library codec.Library
	id      thrift.Codec
}

// Decode implements codec.Codec.
func (c twiceCodec) Decode(dst, src []byte, size int) ([]byte, error) {
	out, err := c.Codec.Decode(dst, src, size)
	want, libraryErr := c.library.Decode(nil, src, size)
	switch {
	case err != nil && libraryErr != nil: // the file is wrong
		return dst, err
	case err != nil:
		return dst, c.disagrees("it refuses a body that the library decodes: ", err.Error())
	case libraryErr != nil:
		return dst, c.disagrees("it decodes a body that the library refuses: ", libraryErr.Error())
	}
	if got := out[len(dst):]; !bytes.Equal(got, want) {
		return dst, c.disagrees("byte ", differsAt(got, want), " of the body is another")
	}
	return out, nil
}

// DecodePrefix implements codec.Codec. A prefix is not decoded twice: verify reads all of a body
// in the end.
func (c twiceCodec) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	if need >= size {
		return c.Decode(dst, src, size)
	}
	return c.Codec.DecodePrefix(dst, src, need, size)
}

// disagrees returns an error about the reader.
func (c twiceCodec) disagrees(how ...any) error {
	parts := append([]any{c.id, ": the reader's own decoder disagrees with ", c.library.Name, ": "}, how...)
	return corrupt.At(-1, append(parts, "; please report it")...)
}

// differsAt returns where a and b begin to differ.
func differsAt(a, b []byte) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return i
}
