package sqlitescan

import (
	"cmp"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// kind is how values of a column look in SQLite.
type kind uint8

const (
	kindNested kind = iota // as JSON
	kindNull
	kindBool
	kindInteger
	kindUint64 // digits as text, as SQLite has no integers from 2^63 on
	kindReal
	kindDecimalInteger // without fraction
	kindDecimalReal
	kindDecimalText
	kindDate
	kindTimestamp
	kindText // as it is
	kindUUID
	kindTime
	kindBlob
	kindOther // bytes that mean nothing, or have another order
	kinds     // how many there are
)

// numberCollation compares texts that are numbers by value.
const numberCollation = "PARQUET_NUMBER"

// Digits that another type of SQLite holds without loss.
const (
	realDigits    = 15
	integerDigits = 18
)

// column is a column of a table.
type column struct {
	field vector.Field
	name  string // in SQL
	path  string // in filters
	kind  kind
}

func kindOf(f *vector.Field) kind {
	t := f.Type
	if f.Layout != vector.Leaf {
		return kindNested
	}
	switch t.Logical {
	case vector.Null:
		return kindNull
	case vector.Date:
		return kindDate
	case vector.Timestamp:
		return kindTimestamp
	case vector.Time:
		return kindTime
	case vector.String, vector.Enum, vector.JSON:
		return kindText
	case vector.UUID:
		return kindUUID
	case vector.Float16:
		return kindReal
	case vector.Decimal:
		switch {
		case t.Scale == 0 && 0 < t.Precision && t.Precision <= integerDigits:
			return kindDecimalInteger
		case 0 <= t.Scale && t.Scale <= t.Precision && 0 < t.Precision && t.Precision <= realDigits:
			return kindDecimalReal
		}
		return kindDecimalText
	}
	switch t.Physical {
	case vector.Boolean:
		return kindBool
	case vector.Int32:
		return kindInteger
	case vector.Int64:
		if t.Logical == vector.Integer && !t.Signed {
			return kindUint64
		}
		return kindInteger
	case vector.Float, vector.Double:
		return kindReal
	case vector.Int96:
		return kindTimestamp
	}
	if t.Logical == vector.None || t.Logical == vector.BSON {
		return kindBlob
	}
	return kindOther
}

// declaration returns the column's line in CREATE TABLE. A type decides which conversions SQLite
// does before it compares.
func (c *column) declaration() string {
	types := map[kind]string{
		kindBool: "INTEGER", kindInteger: "INTEGER", kindDecimalInteger: "INTEGER",
		kindReal: "REAL", kindDecimalReal: "REAL", kindBlob: "BLOB", kindOther: "BLOB",
		kindUint64: "TEXT COLLATE " + numberCollation, kindDecimalText: "TEXT COLLATE " + numberCollation,
		// By these names the driver knows which texts are a time.Time.
		kindDate: "DATE COLLATE " + timeCollation, kindTimestamp: "TIMESTAMP COLLATE " + timeCollation,
		kindTime: "TEXT COLLATE " + timeCollation,
	}
	return quoteName(c.name) + " " + cmp.Or(types[c.kind], "TEXT")
}

// quoteName returns a name as SQL has it.
func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// reader reads the values of a column from batches.
type reader struct {
	c     *column
	slots *vector.Slots // for values that are texts in SQLite only
	v     *vector.Vector
	buf   []byte
}

func newReader(c *column) *reader {
	if c.kind == kindNested {
		return &reader{c: c, slots: c.field.JSON()}
	}
	return &reader{c: c, slots: c.field.Text()}
}

// use makes r read from a vector.
func (r *reader) use(v *vector.Vector) {
	v.Flatten()
	r.v = v
	r.slots.Use(v)
}

// value returns the value of slot i.
func (r *reader) value(i int) (driver.Value, error) {
	v := r.v
	if v.IsNull(i) {
		return nil, nil
	}
	switch r.c.kind {
	case kindNull:
		return nil, nil
	case kindBool:
		return int64(v.Bools[i>>6] >> (i & 63) & 1), nil
	case kindInteger:
		return r.integer(i), nil
	case kindUint64:
		return strconv.FormatUint(uint64(v.Int64s[i]), 10), nil
	case kindReal:
		return r.real(i), nil
	case kindDecimalInteger, kindDecimalReal:
		n, ok := r.unscaled(i)
		switch {
		case !ok:
			return r.text(i)
		case r.c.kind == kindDecimalInteger:
			return n, nil
		}
		return float64(n) / math.Pow10(int(r.c.field.Type.Scale)), nil
	case kindText:
		return tooLong(string(v.Bytes(i)))
	case kindBlob, kindOther:
		if len(v.Bytes(i)) > maxBytes {
			return nil, errTooLong
		}
		return v.Bytes(i), nil
	}
	return r.text(i)
}

// integer returns an integer of up to 64 bits, which has a sign or fits without.
func (r *reader) integer(i int) int64 {
	t := &r.c.field.Type
	if t.Physical == vector.Int64 {
		return r.v.Int64s[i]
	}
	n := r.v.Int32s[i]
	if t.Logical != vector.Integer {
		return int64(n)
	}
	unused := uint8(0)
	if 0 < t.Bits && t.Bits < 32 {
		unused = 32 - t.Bits // high bits of INT(8) and INT(16) mean nothing
	}
	if t.Signed {
		return int64(n << unused >> unused)
	}
	return int64(uint32(n) << unused >> unused)
}

func (r *reader) real(i int) driver.Value {
	switch r.c.field.Type.Physical {
	case vector.Float:
		return float64(r.v.Floats[i])
	case vector.Double:
		return r.v.Doubles[i]
	}
	return float64(vector.HalfToFloat(binary.LittleEndian.Uint16(r.v.Bytes(i))))
}

// unscaled returns the digits of a decimal as an integer. ok is whether they are one of 64 bits.
func (r *reader) unscaled(i int) (n int64, ok bool) {
	switch r.c.field.Type.Physical {
	case vector.Int32:
		return int64(r.v.Int32s[i]), true
	case vector.Int64:
		return r.v.Int64s[i], true
	}
	for k, b := range r.v.Bytes(i) { // big-endian, in two's complement
		switch {
		case k == 0:
			n = int64(int8(b))
		case n<<8>>8 != n:
			return 0, false
		default:
			n = n<<8 | int64(b)
		}
	}
	return n, true
}

// text returns a value as text.
func (r *reader) text(i int) (driver.Value, error) {
	var err error
	if r.buf, err = r.slots.Append(r.buf[:0], i); err != nil {
		return nil, fmt.Errorf("column %s: %w", r.c.path, err)
	}
	if r.c.kind == kindTimestamp {
		// With a space and without a zone, as SQLite's own functions write timestamps in UTC.
		return strings.TrimSuffix(strings.Replace(string(r.buf), "T", " ", 1), "Z"), nil
	}
	return tooLong(string(r.buf))
}

// maxBytes is SQLite's limit of a text or blob, SQLITE_MAX_LENGTH. The driver has 32 bits for lengths.
const maxBytes = 1_000_000_000

var errTooLong = fmt.Errorf("a value of more than %d bytes, which SQLite cannot hold", maxBytes)

func tooLong(s string) (driver.Value, error) {
	if len(s) > maxBytes {
		return nil, errTooLong
	}
	return s, nil
}
