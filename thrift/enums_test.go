package thrift

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// Constants and names are those of the generated code, number by number: each name stands in its
// table by its constant.
func TestEnumsAgainstTheGenerated(t *testing.T) {
	for _, tc := range []struct {
		what            string
		ours, generated func(n int32) fmt.Stringer
	}{
		{"Type", func(n int32) fmt.Stringer { return Type(n) }, func(n int32) fmt.Stringer { return wire.Type(n) }},
		{"Encoding", func(n int32) fmt.Stringer { return Encoding(n) }, func(n int32) fmt.Stringer { return wire.Encoding(n) }},
		{"CompressionCodec", func(n int32) fmt.Stringer { return Codec(n) }, func(n int32) fmt.Stringer { return wire.CompressionCodec(n) }},
		{"PageType", func(n int32) fmt.Stringer { return PageType(n) }, func(n int32) fmt.Stringer { return wire.PageType(n) }},
		{"FieldRepetitionType", func(n int32) fmt.Stringer { return Repetition(n) }, func(n int32) fmt.Stringer { return wire.FieldRepetitionType(n) }},
		{"BoundaryOrder", func(n int32) fmt.Stringer { return BoundaryOrder(n) }, func(n int32) fmt.Stringer { return wire.BoundaryOrder(n) }},
		{"ConvertedType", func(n int32) fmt.Stringer { return ConvertedType(n) }, func(n int32) fmt.Stringer { return wire.ConvertedType(n) }},
		{"EdgeInterpolationAlgorithm", func(n int32) fmt.Stringer { return EdgeInterpolation(n) }, func(n int32) fmt.Stringer { return wire.EdgeInterpolationAlgorithm(n) }},
	} {
		names := 0
		for n := int32(-2); n < 100; n++ {
			want := tc.generated(n).String()
			if want == "<UNSET>" {
				want = strconv.Itoa(int(n))
			} else {
				names++
			}
			if got := tc.ours(n).String(); got != want {
				t.Errorf("%s %d is %q, want %q", tc.what, n, got, want)
			}
		}
		if names < 3 {
			t.Errorf("%s has %d names", tc.what, names)
		}
	}
}
