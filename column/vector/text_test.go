package vector

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

var (
	tInt32   = Type{Physical: Int32}
	tInt64   = Type{Physical: Int64}
	tFloat   = Type{Physical: Float}
	tDouble  = Type{Physical: Double}
	tBytes   = Type{Physical: ByteArray}
	tString  = Type{Physical: ByteArray, Logical: String}
	tDate    = Type{Physical: Int32, Logical: Date}
	tInt96   = Type{Physical: Int96}
	tFloat16 = Type{Physical: FixedLenByteArray, Length: 2, Logical: Float16}
	tUUID    = Type{Physical: FixedLenByteArray, Length: 16, Logical: UUID}
)

func timeOf(p Physical, u Unit) Type { return Type{Physical: p, Logical: Time, Unit: u} }
func stampOf(u Unit, utc bool) Type {
	return Type{Physical: Int64, Logical: Timestamp, Unit: u, UTC: utc}
}
func decimalOf(p Physical, length, precision, scale int32) Type {
	return Type{Physical: p, Length: length, Logical: Decimal, Precision: precision, Scale: scale}
}

func appendText(dst []byte, t Type, plain []byte) ([]byte, error) {
	f := t.Text()
	return f.Append(dst, plain)
}

func appendJSON(dst []byte, t Type, plain []byte) ([]byte, error) {
	f := t.JSON()
	return f.Append(dst, plain)
}

func TestAppend(t *testing.T) {
	tests := []struct {
		typ  Type
		name string // Type.String
		hex  string
		text string
		json string // "" if it is text in quotes, "=" if it is text
	}{
		{Type{Physical: Boolean}, "BOOLEAN", "01", "true", "="},
		{Type{Physical: Boolean}, "BOOLEAN", "00", "false", "="},
		{tInt32, "INT32", "ffffffff", "-1", "="},
		{tInt64, "INT64", "0000000000000080", "-9223372036854775808", "="},
		{Type{Physical: Int32, Logical: Integer, Bits: 8, Signed: true}, "INT32 INT(8)", "80ffffff", "-128", "="},
		{Type{Physical: Int32, Logical: Integer, Bits: 8, Signed: true}, "INT32 INT(8)", "ff000000", "-1", "="},
		{Type{Physical: Int32, Logical: Integer, Bits: 8, Signed: true}, "INT32 INT(8)", "7f010000", "127", "="},
		{Type{Physical: Int32, Logical: Integer, Bits: 16, Signed: true}, "INT32 INT(16)", "ffff0000", "-1", "="},
		{Type{Physical: Int32, Logical: Integer, Bits: 8}, "INT32 UINT(8)", "ffffffff", "255", "="},
		{Type{Physical: Int32, Logical: Integer, Bits: 16}, "INT32 UINT(16)", "ffffffff", "65535", "="},
		{Type{Physical: Int32, Logical: Integer, Bits: 32}, "INT32 UINT(32)", "ffffffff", "4294967295", "="},
		{Type{Physical: Int64, Logical: Integer, Bits: 64}, "INT64 UINT(64)", "ffffffffffffffff", "18446744073709551615", "="},
		{tFloat, "FLOAT", "cdcccc3d", "0.1", "="},
		{tFloat, "FLOAT", "00000080", "-0", "="},
		{tFloat, "FLOAT", "0000c07f", "NaN", ""},
		{tFloat, "FLOAT", "0000c0ff", "NaN", ""},
		{tFloat, "FLOAT", "000080ff", "-Infinity", ""},
		{tDouble, "DOUBLE", "000000000000f07f", "Infinity", ""},
		{tDouble, "DOUBLE", "ffffffffffffef7f", "1.7976931348623157e+308", "="},
		{tDouble, "DOUBLE", "ffffffffffffefff", "-1.7976931348623157e+308", "="},
		{tDouble, "DOUBLE", "9a9999999999b93f", "0.1", "="},
		{tDouble, "DOUBLE", "0100000000000000", "5e-324", "="},
		{tFloat, "FLOAT", "0000004f", "2147483600.0", "="}, // 2147483648, which the digits alone are not
		{tDouble, "DOUBLE", "000000000000e043", "9223372036854776000.0", "="},
		{tDouble, "DOUBLE", "ffffffffffff3f43", "9007199254740991", "="},
		{tFloat16, "FIXED_LEN_BYTE_ARRAY(2) FLOAT16", "003c", "1", "="},
		{tFloat16, "FIXED_LEN_BYTE_ARRAY(2) FLOAT16", "0080", "-0", "="},
		{tFloat16, "FIXED_LEN_BYTE_ARRAY(2) FLOAT16", "017e", "NaN", ""},
		{decimalOf(Int32, 0, 4, 2), "INT32 DECIMAL(4,2)", "fbffffff", "-0.05", ""},
		{decimalOf(Int32, 0, 4, 2), "INT32 DECIMAL(4,2)", "10270000", "100.00", ""},
		{decimalOf(Int64, 0, 18, 0), "INT64 DECIMAL(18,0)", "0700000000000000", "7", ""},
		{decimalOf(Int64, 0, 18, 3), "INT64 DECIMAL(18,3)", "0000000000000080", "-9223372036854775.808", ""},
		{decimalOf(ByteArray, 0, 4, 2), "BYTE_ARRAY DECIMAL(4,2)", "ff85", "-1.23", ""},
		{decimalOf(ByteArray, 0, 4, 2), "BYTE_ARRAY DECIMAL(4,2)", "", "0.00", ""},
		{decimalOf(FixedLenByteArray, 3, 4, 5), "FIXED_LEN_BYTE_ARRAY(3) DECIMAL(4,5)", "00007b", "0.00123", ""},
		{tDate, "INT32 DATE", "00000000", "1970-01-01", ""},
		{tDate, "INT32 DATE", "ffffffff", "1969-12-31", ""},
		{timeOf(Int32, Millis), "INT32 TIME(MILLIS,local)", "e8030000", "00:00:01", ""},
		{timeOf(Int32, Millis), "INT32 TIME(MILLIS,local)", "ff5b2605", "23:59:59.999", ""},
		{timeOf(Int64, Nanos), "INT64 TIME(NANOS,local)", "0a00000000000000", "00:00:00.00000001", ""},
		{timeOf(Int32, Millis), "INT32 TIME(MILLIS,local)", "18fcffff", "-00:00:01", ""},
		{timeOf(Int64, Micros), "INT64 TIME(MICROS,local)", "0000000000000080", "-2562047788:00:54.775808", ""},
		{timeOf(Int32, Millis), "INT32 TIME(MILLIS,local)", "002a7515", "100:00:00", ""},
		{stampOf(Micros, true), "INT64 TIMESTAMP(MICROS,UTC)", "2a00000000000000", "1970-01-01T00:00:00.000042Z", ""},
		{stampOf(Millis, false), "INT64 TIMESTAMP(MILLIS,local)", "ffffffffffffffff", "1969-12-31T23:59:59.999", ""},
		{tInt96, "INT96", "00000000000000008c3d2500", "1970-01-01T00:00:00", ""},
		{tInt96, "INT96", "ffffffffffffffff8c3d2500", "1969-12-31T23:59:59.999999999", ""},
		{tInt96, "INT96", "000000000000000000000000", "-4713-11-24T00:00:00", ""},
		{tUUID, "FIXED_LEN_BYTE_ARRAY(16) UUID", "0123456789abcdef0123456789abcdef", "01234567-89ab-cdef-0123-456789abcdef", ""},
		{tString, "BYTE_ARRAY STRING", "c3a9220a", "é\"\n", `"é\"\n"`},
		{Type{Physical: ByteArray, Logical: Enum}, "BYTE_ARRAY ENUM", "41", "A", ""},
		{Type{Physical: ByteArray, Logical: JSON}, "BYTE_ARRAY JSON", "7b7d", "{}", ""},
		{Type{Physical: ByteArray, Logical: BSON}, "BYTE_ARRAY BSON", "fffe", "//4=", ""},
		{tBytes, "BYTE_ARRAY", "", "", ""},
		{tBytes, "BYTE_ARRAY", "68656c6c6f", "aGVsbG8=", ""},
		{Type{Physical: ByteArray, Logical: Geometry}, "BYTE_ARRAY GEOMETRY", "01", "AQ==", ""},
		{Type{Physical: FixedLenByteArray, Length: 12, Logical: Interval}, "FIXED_LEN_BYTE_ARRAY(12) INTERVAL", "010000000200000003000000", "AQAAAAIAAAADAAAA", ""},
		{Type{Physical: Int64, Logical: Unrecognised}, "INT64 (unrecognised annotation)", "0500000000000000", "5", "="},
		{Type{Physical: Int32, Logical: Null}, "INT32 UNKNOWN", "", "null", "="},
	}
	for _, test := range tests {
		plain, err := hex.DecodeString(test.hex)
		if err != nil {
			t.Fatal(err)
		}
		if got := test.typ.String(); got != test.name {
			t.Errorf("type %q, want %q", got, test.name)
		}
		text, err := appendText([]byte("> "), test.typ, plain)
		if err != nil || string(text) != "> "+test.text {
			t.Errorf("%v % x: text %q, %v, want %q", test.typ, plain, text, err, test.text)
		}
		want := test.json
		switch want {
		case "=":
			want = test.text
		case "":
			want = `"` + test.text + `"`
		}
		got, err := appendJSON(nil, test.typ, plain)
		if err != nil || string(got) != want {
			t.Errorf("%v % x: JSON %s, %v, want %s", test.typ, plain, got, err, want)
		}
		if !json.Valid(got) {
			t.Errorf("%v % x: %s is no JSON", test.typ, plain, got)
		}
	}
}

func TestWrongLengthIsAnErrorAndLeavesDst(t *testing.T) {
	types := []Type{
		{Physical: Boolean}, tInt32, tInt64, tInt96, tFloat, tDouble, tFloat16, tUUID, tDate,
		timeOf(Int32, Millis), stampOf(Nanos, true), decimalOf(Int64, 0, 9, 2), decimalOf(FixedLenByteArray, 5, 9, 2),
	}
	for _, typ := range types {
		for n := range 40 {
			right := n == typ.Width()
			if typ.Physical == Boolean {
				right = n == 1
			}
			got, err := appendJSON([]byte("x"), typ, make([]byte, n))
			if right != (err == nil) {
				t.Errorf("%v of %d bytes: error %v", typ, n, err)
			}
			if err != nil && (!errors.Is(err, corrupt.Bad) || string(got) != "x") {
				t.Errorf("%v of %d bytes: %q, %v", typ, n, got, err)
			}
		}
	}
}

// An annotation on a physical type that cannot bear it must not reach code
// that trusts the length.
func TestEveryCombinationIsSafe(t *testing.T) {
	for p := Boolean; p <= Group; p++ {
		for l := None; l <= Unrecognised; l++ {
			for _, length := range []int32{-1, 0, 2, 12, 16} {
				typ := Type{Physical: p, Logical: l, Length: length}
				for n := range 20 {
					got, err := appendJSON(nil, typ, bytes.Repeat([]byte{0xfe}, n))
					if err == nil && !json.Valid(got) {
						t.Errorf("%v of %d bytes: %s", typ, n, got)
					}
				}
			}
		}
	}
}

func TestFloatsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		bits := r.Uint64()
		text, _ := appendText(nil, tDouble, binary.LittleEndian.AppendUint64(nil, bits))
		want := math.Float64frombits(bits)
		if got, err := strconv.ParseFloat(string(text), 64); err != nil || got != want && want == want || math.Signbit(got) != math.Signbit(want) && want == want {
			t.Fatalf("%x: %s reads back as %v, %v", bits, text, got, err)
		}
		text, _ = appendText(nil, tFloat, binary.LittleEndian.AppendUint32(nil, uint32(bits)))
		want32 := math.Float32frombits(uint32(bits))
		got, err := strconv.ParseFloat(string(text), 32)
		if err != nil || float32(got) != want32 && want32 == want32 {
			t.Fatalf("%x: %s reads back as %v, %v", uint32(bits), text, got, err)
		}
	}
}

// Every half-precision number against its definition in real arithmetic.
func TestHalfToFloat(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		e, f := int(h>>10&31), float64(h&1023)
		var want float64
		switch {
		case e == 0:
			want = math.Ldexp(f, -24)
		case e < 31:
			want = math.Ldexp(1024+f, e-25)
		case f == 0:
			want = math.Inf(1)
		default:
			want = math.NaN()
		}
		if h>>15 == 1 {
			want = -want
		}
		got := float64(HalfToFloat(h))
		if got != want && !(want != want && got != got) || want == 0 && math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("%04x: %v, want %v", h, got, want)
		}
	}
}

func FuzzQuoted(f *testing.F) {
	for _, s := range []string{"", "plain ascii text", "\x00\x1f\x7f\"\\", "é世界😀", "a\xffb\xc3", "\xed\xa0\x80", "12345678\"", "\u2028\ufffd"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		got := appendQuoted(nil, s)
		var back string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%q: %s: %v", s, got, err)
		}
		if want := string([]rune(string(s))); back != want { // the conversion replaces byte by byte
			t.Fatalf("%q: %s reads back as %q", s, got, back)
		}
	})
}

func TestQuotedAtEveryPosition(t *testing.T) {
	for c := range 256 {
		for n := range 20 {
			for at := range n {
				s := bytes.Repeat([]byte{'x'}, n)
				s[at] = byte(c)
				var back string
				if err := json.Unmarshal(appendQuoted(nil, s), &back); err != nil || back != string([]rune(string(s))) {
					t.Fatalf("%q: %q, %v", s, back, err)
				}
			}
		}
	}
}

func TestFormatterDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 256)
	for _, typ := range []Type{tInt64, tDouble, tString, tDate, stampOf(Micros, true), tInt96, tBytes, decimalOf(FixedLenByteArray, 16, 38, 9)} {
		f := typ.JSON()
		plain := bytes.Repeat([]byte{0x25}, 24)
		if w := typ.Width(); w > 0 {
			plain = plain[:w]
		}
		if n := testing.AllocsPerRun(100, func() {
			if _, err := f.Append(dst[:0], plain); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%v: %v allocations a value", typ, n)
		}
	}
}

func TestBase64OfAnyLength(t *testing.T) {
	for n := range 100 {
		b := bytes.Repeat([]byte{0xa5, 0x17}, n)[:n]
		got, _ := appendText(nil, tBytes, b)
		if back, err := base64.StdEncoding.DecodeString(string(got)); err != nil || !bytes.Equal(back, b) {
			t.Fatalf("%d bytes: %s", n, got)
		}
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	types := []Type{tInt64, tDouble, tString, tDate, stampOf(Micros, true), decimalOf(Int64, 0, 18, 2), decimalOf(FixedLenByteArray, 16, 38, 9), tBytes}
	for _, typ := range types {
		b.Run("type="+typ.String(), func(b *testing.B) {
			width := max(typ.Width(), 4)
			if typ.Physical == ByteArray {
				width = 24
			}
			r := rand.New(rand.NewPCG(1, 2))
			values := make([][]byte, 1024)
			for i := range values {
				values[i] = make([]byte, width)
				for j := range values[i] {
					values[i][j] = byte(' ' + r.IntN(60))
				}
			}
			f := typ.JSON()
			var dst []byte
			b.SetBytes(int64(width))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				dst, _ = f.Append(dst[:0], values[i%1024])
			}
		})
	}
}
