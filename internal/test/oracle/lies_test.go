package oracle

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// lie lets the metadata of a chunk be wrong in ways that writers are known
// for, and that no reader may fall for.
func (c *layout) lie(r *rand.Rand, l gen.Leaf, data gen.Data) {
	if c.Stats&gen.Deprecated != 0 {
		c.Meta = func(m *wire.ColumnChunk) { signedBounds(m.MetaData.Statistics, l, data.Values) }
	}
	if r.IntN(6) > 0 {
		return
	}
	isFloat := l.Type == gen.Float || l.Type == gen.Double
	switch what := r.IntN(8); {
	case what == 0 && isFloat:
		c.Meta = func(m *wire.ColumnChunk) { nanBound(r, m.MetaData.Statistics) }
	case what == 1 && isFloat && l.Order == gen.TypeOrder:
		c.Meta = func(m *wire.ColumnChunk) { otherZeros(m.MetaData.Statistics) }
		c.ColumnIndex = func(x *wire.ColumnIndex) {
			for i := range x.MinValues {
				otherZero(x.MinValues[i])
				otherZero(x.MaxValues[i])
			}
		}
	case what == 2: // bounds that no value can have
		c.Meta = func(m *wire.ColumnChunk) {
			if s := m.MetaData.Statistics; s != nil && l.Type != gen.ByteArray && len(s.MinValue) > 0 {
				s.MinValue = s.MinValue[:len(s.MinValue)-1]
			}
		}
	case what == 3:
		c.Meta = func(m *wire.ColumnChunk) {
			if s := m.MetaData.Statistics; s != nil && s.NullCount != nil {
				*s.NullCount = pick(r, -1, m.MetaData.NumValues+1, math.MaxInt64)
			}
		}
	case what == 4:
		order := wire.BoundaryOrder(r.IntN(3))
		c.ColumnIndex = func(x *wire.ColumnIndex) { x.BoundaryOrder = order }
	case what == 5:
		c.ColumnIndex = func(x *wire.ColumnIndex) { x.NullCounts = nil }
	case what == 6:
		c.ColumnIndex = func(x *wire.ColumnIndex) {
			if n := len(x.NullPages); n > 1 {
				x.NullPages = x.NullPages[:n-1] // of another length than the rest
			}
		}
	case what == 7 && c.PageSlots == nil:
		c.OffsetIndex = func(x *wire.OffsetIndex) {
			if n := len(x.PageLocations); n > 1 {
				x.PageLocations[n-1].FirstRowIndex = x.PageLocations[0].FirstRowIndex - 1
			}
		}
	}
}

// signedBounds puts the bounds that old writers found: bytes and unsigned
// numbers compared as if they had signs.
func signedBounds(s *wire.Statistics, l gen.Leaf, values any) {
	if s == nil || s.Min == nil {
		return
	}
	switch v := values.(type) {
	case []string:
		compare := func(a, b string) int {
			signed := func(s string) []int8 {
				var out []int8
				for i := range len(s) {
					out = append(out, int8(s[i]))
				}
				return out
			}
			return slices.Compare(signed(a), signed(b))
		}
		s.Min, s.Max = []byte(slices.MinFunc(v, compare)), []byte(slices.MaxFunc(v, compare))
	case []int32:
		s.Min, s.Max = binary.LittleEndian.AppendUint32(nil, uint32(slices.Min(v))), binary.LittleEndian.AppendUint32(nil, uint32(slices.Max(v)))
	case []int64:
		s.Min, s.Max = binary.LittleEndian.AppendUint64(nil, uint64(slices.Min(v))), binary.LittleEndian.AppendUint64(nil, uint64(slices.Max(v)))
	}
}

// nanBound has a bound that compares with nothing.
func nanBound(r *rand.Rand, s *wire.Statistics) {
	if s == nil || s.MinValue == nil {
		return
	}
	b := pick(r, s.MinValue, s.MaxValue)
	if len(b) == 4 {
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(math.NaN())))
	} else {
		binary.LittleEndian.PutUint64(b, math.Float64bits(math.NaN()))
	}
}

// otherZeros has a least +0 where there may be a -0, and the reverse.
func otherZeros(s *wire.Statistics) {
	if s != nil {
		otherZero(s.MinValue)
		otherZero(s.MaxValue)
	}
}

func otherZero(b []byte) {
	if n := len(b); n > 0 && !slices.ContainsFunc(b[:n-1], func(c byte) bool { return c != 0 }) && b[n-1]&0x7f == 0 {
		b[n-1] ^= 0x80
	}
}
