package inspect

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/thrift"
)

// Values for Bloom filters are read as --where reads texts in quotes, and as tables show them.
func TestValuesForBloomFilters(t *testing.T) {
	moments := func(utc bool) thrift.SchemaElement {
		return thrift.SchemaElement{Name: "v", Type: thrift.TypeInt64, HasType: true, Logical: thrift.LogicalType{Kind: thrift.LogicalTimestamp, Unit: thrift.Micros, AdjustedToUTC: utc}}
	}
	inUTC, local := moments(true), moments(false)
	binary := thrift.SchemaElement{Name: "v", Type: thrift.TypeByteArray, HasType: true}
	double := thrift.SchemaElement{Name: "v", Type: thrift.TypeDouble, HasType: true}
	pair := thrift.SchemaElement{Name: "v", Type: thrift.TypeFixedLenByteArray, TypeLength: 2, HasType: true, HasTypeLength: true}
	// 2024-03-31 01:30:00.25 in UTC, microseconds since 1970.
	const moment = "\x90&\xba\xcf\xea\x14\x06\x00"
	for _, tc := range []struct {
		of         thrift.SchemaElement
		text, want string
		fault      string
	}{
		{inUTC, "2024-03-31T01:30:00.25Z", moment, ""},
		{inUTC, "2024-03-31 03:30:00.25+02", moment, ""},
		{inUTC, "2024-03-30 20:00:00.25-05:30", moment, ""},
		{local, "2024-03-31 01:30:00.25", moment, ""},
		{local, "2024-03-31T01:30:00Z", "", "v is INT64 TIMESTAMP(MICROS,local), whose times are local: leave out the Z or the offset"},
		{binary, "spool", "spool", ""},
		{binary, "X'00ff'", "\x00\xff", ""},
		{binary, "0x00ff", "\x00\xff", ""},
		{binary, "X''", "", ""},
		{binary, "X'", "X'", ""},
		{binary, "X'0'", "", "encoding/hex: odd length hex string"},
		{pair, "abc", "abc", "3 bytes: no value of FIXED_LEN_BYTE_ARRAY(2)"},
		{double, "1e400", "", "not a value of DOUBLE"},
		{double, "NaN", "", ""},
	} {
		got, err := plainValue(tc.of, tc.text)
		if fault := ""; err != nil {
			if fault = err.Error(); fault != tc.fault {
				t.Errorf("%s: %s", tc.text, fault)
			}
		} else if tc.fault != "" || string(got) != tc.want {
			t.Errorf("%s: %q, not %q", tc.text, got, tc.want)
		}
	}
	for _, plain := range []string{"spool", "\x00\xff", "größe"} {
		shown := output.NewValuer(vector.Type{Physical: vector.ByteArray}).Text([]byte(plain))
		if got, err := plainValue(binary, shown); string(got) != plain || err != nil {
			t.Errorf("%q is shown as %s, which is %q: %v", plain, shown, got, err)
		}
	}
}
