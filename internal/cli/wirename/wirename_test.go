package wirename

import (
	"testing"

	"github.com/winnow-scan/winnow/thrift/wire"
)

func TestUnknownNumbersAreNumbers(t *testing.T) {
	for got, want := range map[string]string{
		Encoding(wire.Encoding_DELTA_BYTE_ARRAY): "DELTA_BYTE_ARRAY", Encoding(99): "encoding 99",
		Codec(wire.CompressionCodec_ZSTD): "ZSTD", Codec(-1): "codec -1",
		BoundaryOrder(wire.BoundaryOrder_DESCENDING): "DESCENDING", BoundaryOrder(7): "order 7",
		PageType(wire.PageType_DATA_PAGE_V2): "data v2", PageType(8): "type 8",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
