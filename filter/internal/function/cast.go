package function

import (
	"bytes"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// ToText is CAST(value AS VARCHAR), of all values but strings, and FLOATs, which DuckDB writes with more
// digits at times.
var ToText = &Function{Name: "CAST to VARCHAR", Takes: Scalars, result: text, bind: bound(run{spelled: true})}

// speller writes values of a type as a CAST to text does.
type speller struct {
	t      vector.Type
	format vector.Formatter
}

// append appends the text of a slot that is not NULL.
func (s *speller) append(dst []byte, v *vector.Vector, i int) []byte {
	var buf [8]byte
	plain := value.PlainSlot(&buf, v, i)
	switch {
	case s.t.Physical == vector.Double:
		return value.AppendDouble(dst, v.Doubles[i])
	case s.t.Logical == vector.Date:
		return value.AppendDay(dst, int64(v.Int32s[i]))
	case s.t.Physical == vector.Int96:
		days, nanos := vector.SplitInt96(plain)
		return value.AppendStamp(dst, days, nanos, false)
	case s.t.Logical == vector.Timestamp:
		perSecond := s.t.Unit.PerSecond()
		days := value.FloorDiv(v.Int64s[i], secondsPerDay*perSecond)
		return value.AppendStamp(dst, days, (v.Int64s[i]-days*secondsPerDay*perSecond)*(1e9/perSecond), s.t.UTC)
	}
	at := len(dst)
	dst, _ = s.format.Append(dst, plain) // it fails for a decimal of more than 64 KiB alone, whose text is empty
	digits := bytes.TrimPrefix(dst[at:], []byte("-"))
	if s.t.Logical == vector.Decimal && s.t.Precision == s.t.Scale && bytes.HasPrefix(digits, []byte("0.")) { // .25
		dst = dst[:len(dst)-len(digits)+copy(digits, digits[1:])]
	}
	return dst
}
