package wirename

import (
	"testing"

	"github.com/winnow-scan/winnow/thrift"
)

func TestUnknownNumbersAreNumbers(t *testing.T) {
	for got, want := range map[string]string{
		Encoding(thrift.EncodingDeltaByteArray): "DELTA_BYTE_ARRAY", Encoding(99): "encoding 99",
		Codec(thrift.CodecZstd): "ZSTD", Codec(-1): "codec -1",
		BoundaryOrder(thrift.Descending): "DESCENDING", BoundaryOrder(7): "order 7",
		PageType(thrift.DataPageV2): "data v2", PageType(8): "type 8",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
