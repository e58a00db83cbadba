package gen

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
	"reflect"
	"slices"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// bounds is what statistics say of a stretch of values. Min and Max are nil
// where the type has no order or the values no bounds.
type bounds struct {
	min, max    any
	nulls, nans int64
	values      any
}

// ordered says whether values of l have bounds at all.
func (l Leaf) ordered() bool {
	switch l.Logical.Kind {
	case KindInterval, KindVariant, KindGeometry, KindGeography, KindFile, KindUnknown:
		return l.Order == BytesOrder
	}
	return l.Type != Int96 || l.Order != TypeOrder
}

func (l Leaf) bounds(d Data) bounds {
	n := countValues(d.Values)
	b := bounds{nulls: int64(d.Slots() - n), values: d.Values}
	values := reflect.ValueOf(d.Values)
	for i := range n {
		v := values.Index(i).Interface()
		if l.isNaN(v) {
			b.nans++
			continue
		}
		if !l.ordered() {
			continue
		}
		if b.min == nil || l.compare(v, b.min) < 0 {
			b.min = v
		}
		if b.max == nil || l.compare(v, b.max) > 0 {
			b.max = v
		}
	}
	if l.Order == TypeOrder {
		b.min, b.max = zeroBound(b.min, true), zeroBound(b.max, false)
	}
	return b
}

// zeroBound gives a zero the sign that covers both zeros.
func zeroBound(v any, isMin bool) any {
	sign := 1.0
	if isMin {
		sign = -1
	}
	switch f := v.(type) {
	case float32:
		if f == 0 {
			return float32(math.Copysign(0, sign))
		}
	case float64:
		if f == 0 {
			return math.Copysign(0, sign)
		}
	}
	return v
}

func (l Leaf) isNaN(v any) bool {
	switch v := v.(type) {
	case float32:
		return v != v
	case float64:
		return v != v
	case string:
		if l.Logical.Kind == KindFloat16 {
			f := float16(v)
			return f != f
		}
	}
	return false
}

// compare orders two values of l, none of them NaN.
func (l Leaf) compare(a, b any) int {
	unsigned := l.Logical.Kind == KindInt && !l.Logical.Signed
	switch a := a.(type) {
	case bool:
		x, y := 0, 0
		if a {
			x = 1
		}
		if b.(bool) {
			y = 1
		}
		return x - y
	case int32:
		if unsigned {
			return cmp.Compare(uint32(a), uint32(b.(int32)))
		}
		return cmp.Compare(a, b.(int32))
	case int64:
		if unsigned {
			return cmp.Compare(uint64(a), uint64(b.(int64)))
		}
		return cmp.Compare(a, b.(int64))
	case float32:
		return l.compareFloats(float64(a), float64(b.(float32)))
	case float64:
		return l.compareFloats(a, b.(float64))
	case [12]byte:
		b := b.([12]byte)
		if d := cmp.Compare(int32(binary.LittleEndian.Uint32(a[8:])), int32(binary.LittleEndian.Uint32(b[8:]))); d != 0 {
			return d
		}
		return cmp.Compare(binary.LittleEndian.Uint64(a[:]), binary.LittleEndian.Uint64(b[:]))
	case string:
		b := b.(string)
		switch l.Logical.Kind {
		case KindDecimal:
			return bigEndian(a).Cmp(bigEndian(b))
		case KindFloat16:
			return l.compareFloats(float16(a), float16(b))
		case KindTimestamp:
			return littleEndian(a).Cmp(littleEndian(b))
		}
		return cmp.Compare(a, b)
	}
	panic("gen: no such value")
}

func (l Leaf) compareFloats(a, b float64) int {
	if l.Order == IEEE754Order && a == 0 && b == 0 {
		return cmp.Compare(math.Copysign(1, a), math.Copysign(1, b))
	}
	return cmp.Compare(a, b)
}

// bigEndian reads a two's complement number of any length.
func bigEndian(s string) *big.Int {
	x := new(big.Int).SetBytes([]byte(s))
	if len(s) > 0 && s[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(s))))
	}
	return x
}

// littleEndian is bigEndian from the other end.
func littleEndian(s string) *big.Int {
	b := []byte(s)
	slices.Reverse(b)
	return bigEndian(string(b))
}

// float16 reads a half-precision number, little endian.
func float16(s string) float64 {
	h := binary.LittleEndian.Uint16([]byte(s))
	sign := 1.0
	if h >= 1<<15 {
		sign = -1
	}
	exponent, fraction := int(h>>10&31), float64(h&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// plainOf returns v as statistics hold it: PLAIN, byte arrays without length.
func (l Leaf) plainOf(v any) []byte {
	if s, ok := v.(string); ok {
		return []byte(s)
	}
	one := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(v)), 1, 1)
	one.Index(0).Set(reflect.ValueOf(v))
	return plain(l.Type, one.Interface())
}

// encoded returns the bounds as they are written, cut to at most limit bytes if that is not 0.
func (l Leaf) encoded(b bounds, limit int) (least, most []byte, leastExact, mostExact bool) {
	if b.min == nil {
		return nil, nil, false, false
	}
	least, most, leastExact, mostExact = l.plainOf(b.min), l.plainOf(b.max), true, true
	if limit == 0 || l.Type != ByteArray && l.Type != FixedLenByteArray ||
		l.Logical.Kind == KindDecimal || l.Logical.Kind == KindFloat16 {
		return least, most, leastExact, mostExact
	}
	if len(least) > limit {
		least, leastExact = least[:limit], false
	}
	if len(most) > limit {
		mostExact = false
		most = bytes.TrimRight(most[:limit], "\xff")
		if len(most) == 0 {
			return least, nil, leastExact, false
		}
		most[len(most)-1]++
	}
	return least, most, leastExact, mostExact
}

func (l Leaf) statistics(b bounds, s Stats, truncate int) *wire.Statistics {
	if s == 0 || s&NoStats != 0 {
		return nil
	}
	st := &wire.Statistics{}
	least, most, leastExact, mostExact := l.encoded(b, truncate)
	if s&MinMax != 0 {
		st.MinValue, st.MaxValue = least, most
		if s&Exactness != 0 && least != nil {
			st.IsMinValueExact = &leastExact
			if most != nil {
				st.IsMaxValueExact = &mostExact
			}
		}
	}
	if s&Deprecated != 0 {
		st.Min, st.Max = least, most
	}
	if s&NullCount != 0 {
		st.NullCount = &b.nulls
	}
	if s&NaNCount != 0 && (l.Type == Float || l.Type == Double || l.Logical.Kind == KindFloat16) {
		st.NanCount = &b.nans
	}
	if s&Distinct != 0 {
		values, seen := reflect.ValueOf(b.values), map[string]bool{}
		for i := range countValues(b.values) {
			seen[string(l.plainOf(values.Index(i).Interface()))] = true
		}
		n := int64(len(seen))
		st.DistinctCount = &n
	}
	return st
}

// histogram counts the slots at each level; nil where there is but one level.
func histogram(levels []uint32, most uint32) []int64 {
	if most == 0 {
		return nil
	}
	h := make([]int64, most+1)
	for _, l := range levels {
		if l <= most {
			h[l]++
		}
	}
	return h
}

func byteCount(values any) int64 {
	n := int64(0)
	if v, ok := values.([]string); ok {
		for _, s := range v {
			n += int64(len(s))
		}
	}
	return n
}
