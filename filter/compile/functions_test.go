package compile

import (
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// TestFoldedBytes: letters of ASCII at each place of a word, their neighbours, and bytes that
// are no text.
func TestFoldedBytes(t *testing.T) {
	for n := range 20 {
		for at := range n {
			for c := range 256 {
				s := strings.Repeat("m", at) + string([]byte{byte(c)}) + strings.Repeat("Q", n-at-1)
				lower := strings.Repeat("m", at) + string([]byte{byte(c)}) + strings.Repeat("q", n-at-1)
				upper := strings.Repeat("M", at) + string([]byte{byte(c)}) + strings.Repeat("Q", n-at-1)
				if 'A' <= c && c <= 'Z' {
					lower = lower[:at] + string(rune(c+32)) + lower[at+1:]
				}
				if 'a' <= c && c <= 'z' {
					upper = upper[:at] + string(rune(c-32)) + upper[at+1:]
				}
				if got := value.Folded(s, false); got != lower {
					t.Fatalf("%q is %q in lower case", s, got)
				}
				if got := value.Folded(s, true); got != upper {
					t.Fatalf("%q is %q in upper case", s, got)
				}
			}
		}
	}
}

// TestFoldedWithoutAllocation: functions of strings take no memory of their own for each value,
// nor for each call once they have it.
func TestFoldedWithoutAllocation(t *testing.T) {
	v := &vector.Vector{}
	build.Reset(v, vector.Type{Physical: vector.ByteArray, Logical: vector.String})
	build.Extend(v, 1000)
	for i := range v.Views {
		b := []byte(strings.Repeat("Some Text ", 1+i%5))
		v.Views[i] = bits.Make(b, build.AddBuffer(v, b), 0)
	}
	for _, where := range []string{"x ILIKE '%text some%'", "upper(x) = 'SOME TEXT SOME TEXT '", "length(lower(x)) = 20", "lower(x) IN ('some text', 'some text ', 'none of these at all')"} {
		p, err := bindText(where, oneColumn(t, kind("str")))
		if err != nil {
			t.Fatal(err)
		}
		test := p.Root.Test
		sel := make([]uint64, bits.Words(v.Len))
		passed := 0
		allocs := testing.AllocsPerRun(20, func() {
			bits.SetRange(sel, 0, v.Len)
			test.Pred.Filter(sel, v)
			passed = bits.Count(sel, 0, v.Len)
		})
		if passed == 0 || passed == v.Len {
			t.Errorf("%s: %d pass", where, passed)
		}
		if allocs > 8 {
			t.Errorf("%s: %v allocations for %d values", where, allocs, v.Len)
		}
	}
}

// TestBitsBehind: bits behind a vector's slots are those of other pages, whatever is NULL.
func TestBitsBehind(t *testing.T) {
	for name, where := range map[string]string{"i32": "(x + 7) % 5 <> 30", "str": "x::INT <> 3"} {
		p, err := bindText(where, oneColumn(t, kind(name)))
		if err != nil {
			t.Fatal(err)
		}
		v := &vector.Vector{}
		build.Reset(v, p.Root.Test.Leaf.Type)
		build.Extend(v, 1)
		sel := []uint64{1 | 1<<5 | 1<<63}
		if p.Root.Test.Pred.Filter(sel, v); sel[0]&^1 != 1<<5|1<<63 {
			t.Errorf("%s: %x", where, sel)
		}
	}
}
