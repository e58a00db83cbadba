package compile

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/variant"
	"github.com/winnow-scan/winnow/filter"
)

// TestVariantDecimals: a decimal in the binary is tested as one that is shredded, by functions that take no large ones, too.
func TestVariantDecimals(t *testing.T) {
	metadata := []byte{1, 0, 0}
	rows := [][]byte{ // 20.25, -20.25 and 12.00
		{byte(variant.Decimal4) << 2, 2, 0xe9, 7, 0, 0},
		{byte(variant.Decimal4) << 2, 2, 0x17, 0xf8, 0xff, 0xff},
		{byte(variant.Decimal8) << 2, 2, 0xb0, 4, 0, 0, 0, 0, 0, 0},
	}
	for text, want := range map[string]uint64{"v % 7 > 1": 5, "v % 7 <> 5": 3, "v = -20.25": 2, "v > 12": 1, "CAST(v AS VARCHAR) = '12.00'": 4} {
		e, err := filter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c := &variantCondition{condition: *treeOf(e), when: isTrue}
		values, sel := variantValues{all: map[vector.Type]*typedValues{}}, []uint64{0}
		for i, row := range rows {
			if err := values.find(c, metadata, row, nil, i); err != nil {
				t.Fatal(err)
			}
		}
		if values.filter(sel); sel[0] != want {
			t.Errorf("%s passes %03b, want %03b", text, sel[0], want)
		}
	}
}
