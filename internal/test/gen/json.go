package gen

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// JSONLines returns the rows of f as a reader should print them: one object a
// line, in the canonical form that testdata/README.md describes. All row
// groups must have Rows.
func (f *File) JSONLines() ([]byte, error) {
	var out []byte
	for g, rg := range f.RowGroups {
		if rg.Rows == nil && len(rg.Columns) > 0 {
			return nil, fmt.Errorf("row group %d is not made of rows", g)
		}
		for i, row := range rg.Rows {
			var err error
			if out, err = appendFields(out, f.Schema, row); err != nil {
				return nil, fmt.Errorf("row group %d, row %d: %w", g, i, err)
			}
			out = append(out, '\n')
		}
	}
	return out, nil
}

func appendFields(out []byte, fields []*Node, v any) ([]byte, error) {
	rec, ok := v.(Record)
	if !ok {
		return nil, fmt.Errorf("a group wants a Record, not %T", v)
	}
	out = append(out, '{')
	for i, f := range fields {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendText(out, f.Name), ':')
		var err error
		if out, err = AppendJSON(out, f, rec[f.Name]); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return append(out, '}'), nil
}

// AppendJSON appends the value that a field of a row has. What v has beyond
// the fields of n is left out, so that n may be a part of a schema.
func AppendJSON(out []byte, n *Node, v any) ([]byte, error) {
	if n.Repetition == Many {
		items, _ := v.([]any)
		return appendList(out, items, n, appendJSON)
	}
	if v == nil {
		return append(out, "null"...), nil
	}
	return appendJSON(out, n, v)
}

func appendList(out []byte, items []any, n *Node, item func([]byte, *Node, any) ([]byte, error)) ([]byte, error) {
	out = append(out, '[')
	for i, v := range items {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = item(out, n, v); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

// appendJSON appends one value of n, not null, of one repetition.
func appendJSON(out []byte, n *Node, v any) ([]byte, error) {
	switch {
	case n.Type != Group:
		return appendLeaf(out, n, v)
	case n.isMap():
		kvs, _ := v.([]KV)
		fields := n.Children[0].Children
		out = append(out, '[')
		for i, kv := range kvs {
			if i > 0 {
				out = append(out, ',')
			}
			var err error
			if out, err = AppendJSON(append(out, `{"key":`...), fields[0], kv.Key); err != nil {
				return nil, err
			}
			out = append(out, `,"value":`...)
			if len(fields) < 2 {
				out = append(out, "null"...)
			} else if out, err = AppendJSON(out, fields[1], kv.Value); err != nil {
				return nil, err
			}
			out = append(out, '}')
		}
		return append(out, ']'), nil
	case n.isWrapped():
		items, _ := v.([]any)
		return appendList(out, items, n.Children[0].Children[0], AppendJSON)
	case n.isList():
		items, _ := v.([]any)
		return appendList(out, items, n.Children[0], appendJSON)
	}
	return appendFields(out, n.Children, v)
}

func appendLeaf(out []byte, n *Node, v any) ([]byte, error) {
	values, err := appendValue(noValues(n.Type), n, v)
	if err != nil {
		return nil, err
	}
	l := n.Logical
	switch v := reflect.ValueOf(values).Index(0).Interface().(type) {
	case bool:
		return strconv.AppendBool(out, v), nil
	case int32:
		return appendInt(out, l, int64(v), int64(uint32(v))), nil
	case int64:
		return appendInt(out, l, v, v), nil
	case float32:
		return appendFloat(out, float64(v), 32), nil
	case float64:
		return appendFloat(out, v, 64), nil
	case [12]byte:
		days := int64(int32(binary.LittleEndian.Uint32(v[8:]))) - 2440588
		nanos := int64(binary.LittleEndian.Uint64(v[:]))
		return appendText(out, timestamp(days*86400+nanos/1e9, nanos%1e9)), nil
	case string:
		switch l.Kind {
		case KindString, KindEnum, KindJSON:
			return appendText(out, v), nil
		case KindDecimal:
			return appendText(out, decimal(bigEndian(v), l.Scale)), nil
		case KindFloat16:
			return appendFloat(out, float16(v), 32), nil
		case KindTimestamp:
			perSecond := big.NewInt([]int64{1e3, 1e6, 1e9}[l.Unit])
			second, rest := new(big.Int).DivMod(littleEndian(v), perSecond, new(big.Int))
			text := farTimestamp(second, rest.Int64()*(1e9/perSecond.Int64()))
			if l.UTC {
				text += "Z"
			}
			return appendText(out, text), nil
		case KindUUID:
			return appendText(out, fmt.Sprintf("%x-%x-%x-%x-%x", v[:4], v[4:6], v[6:8], v[8:10], v[10:])), nil
		}
		return appendText(out, base64.StdEncoding.EncodeToString([]byte(v))), nil
	}
	panic("gen: no such value")
}

// appendInt appends v by its logical type; unsigned is v of an unsigned 32-bit type.
func appendInt(out []byte, l Logical, v, unsigned int64) []byte {
	perSecond := []int64{1e3, 1e6, 1e9}[l.Unit]
	switch l.Kind {
	case KindDecimal:
		return appendText(out, decimal(big.NewInt(v), l.Scale))
	case KindDate:
		return appendText(out, date(time.Unix(v*86400, 0).UTC(), 0))
	case KindTime:
		return appendText(out, clock(time.Unix(v/perSecond, v%perSecond*(1e9/perSecond)).UTC()))
	case KindTimestamp:
		second, rest := v/perSecond, v%perSecond
		text := timestamp(second, rest*(1e9/perSecond))
		if l.UTC {
			text += "Z"
		}
		return appendText(out, text)
	case KindInt:
		if !l.Signed && l.Bits == 64 {
			return strconv.AppendUint(out, uint64(v), 10)
		}
		if !l.Signed {
			v = unsigned
		}
	}
	return strconv.AppendInt(out, v, 10)
}

func appendFloat(out []byte, v float64, bits int) []byte {
	switch {
	case v != v:
		return append(out, `"NaN"`...)
	case math.IsInf(v, 1):
		return append(out, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(out, `"-Infinity"`...)
	}
	a := math.Abs(v)
	if a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(out, v, 'e', -1, bits)
	}
	out = strconv.AppendFloat(out, v, 'f', -1, bits)
	if a >= 1<<53 || bits == 32 && a >= 1<<24 { // the digits may be those of another integer
		out = append(out, ".0"...)
	}
	return out
}

// appendText appends s as a JSON string; a byte that is not UTF-8 is U+FFFD.
func appendText(out []byte, s string) []byte {
	out = append(out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\n':
			out = append(out, `\n`...)
		case r == '\r':
			out = append(out, `\r`...)
		case r == '\t':
			out = append(out, `\t`...)
		case r < ' ':
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}

func decimal(v *big.Int, scale int32) string {
	sign, digits := "", new(big.Int).Abs(v).String()
	if v.Sign() < 0 {
		sign = "-"
	}
	if scale == 0 {
		return sign + digits
	}
	if missing := int(scale) + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - int(scale)
	return sign + digits[:point] + "." + digits[point:]
}

func date(t time.Time, more int) string {
	y, m, d := t.Date()
	y += more
	switch {
	case y > 9999:
		return fmt.Sprintf("+%d-%02d-%02d", y, m, d)
	case y < 0:
		return fmt.Sprintf("-%04d-%02d-%02d", -y, m, d)
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

func clock(t time.Time) string {
	return strings.TrimSuffix(t.Format("15:04:05.999999999"), ".")
}

func timestamp(second, nanos int64) string { return farTimestamp(big.NewInt(second), nanos) }

// farTimestamp counts 400 years apart, after which the calendar repeats.
func farTimestamp(second *big.Int, nanos int64) string {
	cycles, rest := new(big.Int).DivMod(second, big.NewInt(146_097*86400), new(big.Int))
	t := time.Unix(rest.Int64(), nanos).UTC()
	return date(t, int(400*cycles.Int64())) + "T" + clock(t)
}
