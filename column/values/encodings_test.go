package values

import (
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
)

// Tests write each type in the encodings of gen.EncodingsOf: these must be those that it is decoded from.
func TestDecodersOfEachType(t *testing.T) {
	const long = vector.MaxFixed + 1
	for physical := vector.Boolean; physical <= vector.FixedLenByteArray; physical++ {
		var written []thrift.Encoding
		for _, e := range gen.EncodingsOf(gen.Type(physical) + 1) {
			written = append(written, thrift.Encoding(e.Wire()))
		}
		lengths := []int32{0}
		if physical == vector.FixedLenByteArray {
			lengths = []int32{8, long}
		}
		for _, length := range lengths {
			for e := range Encodings {
				if physical == vector.Int96 && (e == thrift.EncodingDeltaByteArray || e == thrift.EncodingByteStreamSplit) {
					continue // the format has it not, but it is decoded as any 12 bytes are
				}
				_, err := NewDecoder(vector.Type{Physical: physical, Length: length}, e)
				if has := slices.Contains(written, e); has != (err == nil) {
					t.Errorf("%v (%d) in %v: gen.EncodingsOf has it: %v; its decoder: %v", physical, length, e, has, err)
				}
			}
		}
	}
}
