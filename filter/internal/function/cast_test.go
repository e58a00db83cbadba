package function

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

func TestCastTo(t *testing.T) {
	whole, text := vector.Type{Physical: vector.Int64}, vector.Type{Physical: vector.ByteArray, Logical: vector.String}
	of := func(s vector.Scalar, err error) vector.Scalar {
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	n, big := of(vector.IntOf(whole, 300)), of(vector.IntOf(whole, 5_000_000_000))
	half := func(f float64) vector.Scalar { return of(vector.FloatOf(vector.Type{Physical: vector.Double}, f)) }
	for _, c := range []struct {
		of   vector.Scalar
		to   value.Target
		want string // "" is NULL
	}{
		{n, value.Target{Name: value.ToInteger}, "300"}, {n, value.Target{Name: value.ToUTinyint}, ""}, {n, value.Target{Name: value.ToText}, "300"},
		{big, value.Target{Name: value.ToInteger}, ""}, {big, value.Target{Name: value.ToBigint}, "5000000000"}, {big, value.Target{Name: value.ToDate}, ""},
		{half(2.5), value.Target{Name: value.ToSmallint}, "2"}, {half(2.5), value.Target{Name: value.ToDecimal, Precision: 9, Scale: 2}, "2.50"},
		{vector.BoolOf(true), value.Target{Name: value.ToBoolean}, "true"}, {vector.BoolOf(true), value.Target{Name: value.ToDouble}, "1"},
		{half(1 + 0x1p-24), value.Target{Name: value.ToFloat}, "1"}, // to even; its shortest text is above the half
		{vector.StringOf("true"), value.Target{Name: value.ToBoolean}, "true"}, {vector.StringOf("No"), value.Target{Name: value.ToBoolean}, "false"},
		{vector.StringOf("1"), value.Target{Name: value.ToBoolean}, "true"}, {vector.StringOf(" t"), value.Target{Name: value.ToBoolean}, ""},
		{vector.StringOf("2.5"), value.Target{Name: value.ToInteger}, "3"},
		{vector.StringOf("2024-01-31"), value.Target{Name: value.ToDate}, "2024-01-31"}, {vector.NullOf(text), value.Target{Name: value.ToInteger}, ""},
	} {
		v := c.of.Vector(1)
		v.Flatten()
		out := CastTo(v, c.to)
		as, ok := CastType(c.to)
		if got := out.Scalar(0); !ok || out.Type != as || got.IsNull() != (c.want == "") || !got.IsNull() && got.String() != c.want {
			t.Errorf("%s as %s: %s of %s, want %s of %s", c.of, c.to, got, out.Type, c.want, as)
		}
	}
}
