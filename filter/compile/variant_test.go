package compile

import (
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/variant"
	"github.com/winnow-scan/winnow/filter"
)

// TestVariantDecimals: a decimal in the binary is tested as one that is shredded, by functions that take no large ones, too.
func TestVariantDecimals(t *testing.T) {
	names, _, _ := variant.OpenMetadata([]byte{1, 0, 0})
	rows := [][]byte{ // 20.25, -20.25, 12.00 and 0.18, which DuckDB writes as a DECIMAL(2, 2)
		{byte(variant.Decimal4) << 2, 2, 0xe9, 7, 0, 0},
		{byte(variant.Decimal4) << 2, 2, 0x17, 0xf8, 0xff, 0xff},
		{byte(variant.Decimal8) << 2, 2, 0xb0, 4, 0, 0, 0, 0, 0, 0},
		{byte(variant.Decimal4) << 2, 2, 18, 0, 0, 0},
	}
	for text, want := range map[string]uint64{"v % 7 > 1": 5, "v % 7 <> 5": 11, "v = -20.25": 2, "v > 12": 1, "CAST(v AS VARCHAR) = '12.00'": 4, "v::VARCHAR = '.18'": 8} {
		e, err := filter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c := &variantCondition{condition: *treeOf(e), when: isTrue}
		values, sel := variantValues{all: map[vector.Type]*typedValues{}}, []uint64{0}
		for i, row := range rows {
			v, err := names.Value(row)
			if err != nil {
				t.Fatal(err)
			}
			values.add(&v, i, c.test)
		}
		if values.filter(sel); sel[0] != want {
			t.Errorf("%s passes %04b, want %04b", text, sel[0], want)
		}
	}
}

// TestCopies: of long values that come again, as those of a dictionary do, there is one copy.
func TestCopies(t *testing.T) {
	c, v := copies{slots: map[copied]int{}}, &vector.Vector{}
	build.Reset(v, vector.Type{Physical: vector.ByteArray})
	values := []string{strings.Repeat("a", 1000), strings.Repeat("b", 1000), "short", strings.Repeat("c", 40)}
	for i := range 100 {
		slot := build.Extend(v, 1)
		c.set(v, slot, []byte(values[i%4]))
	}
	for i := range v.Len {
		if got := string(v.Bytes(i)); got != values[i%4] {
			t.Fatalf("slot %d is %q", i, got)
		}
	}
	if want := 2*1000 + 25*40; c.bytes != want || len(v.Buffers[0]) != want {
		t.Errorf("%d bytes, counted %d, want %d", len(v.Buffers[0]), c.bytes, want)
	}
}

// TestJoinKeepsOrder: conditions that are better run in their order stay apart from others.
func TestJoinKeepsOrder(t *testing.T) {
	compute := &Node{Op: OpCompute}
	place := &Node{Op: OpAnd, InOrder: true, Args: []*Node{compute, compute}}
	if n := (&binder{}).simplify(&Node{Op: OpAnd, Args: []*Node{compute, {Op: OpOr, Args: []*Node{place}}}}); len(n.Args) != 2 || !n.Args[1].InOrder {
		t.Errorf("%d conditions, the last of which are in order: %v", len(n.Args), n.Args[len(n.Args)-1].InOrder)
	}
}
