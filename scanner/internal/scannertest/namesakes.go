package scannertest

import (
	"regexp"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// Namesakes returns a file whose names of columns are pairs of letters and digits, k1, k2 and k3 for
// three, and the same file with names that lack the digits.
//
//	k1 INT64, z INT64, k2 STRING, k3 INT64, s1 {f1 INT64, f2 STRING}, s2 {f1 INT64, f2 INT64}
func Namesakes(t *testing.T) (apart, same []byte) {
	t.Helper()
	text := gen.StringType()
	f := gen.File{
		Schema: []*gen.Node{
			gen.Optional("k1", gen.Int64), gen.Required("z", gen.Int64), gen.Optional("k2", gen.ByteArray).As(text), gen.Optional("k3", gen.Int64),
			gen.Optional("s1", gen.Group, gen.Required("f1", gen.Int64), gen.Optional("f2", gen.ByteArray).As(text)),
			gen.Required("s2", gen.Group, gen.Required("f1", gen.Int64), gen.Optional("f2", gen.Int64)),
		},
		All: gen.Column{PageRows: []int{7}},
	}
	for g := range 3 {
		var rows []any
		for i := range 40 {
			n := 40*g + i
			r := gen.Record{"z": n * 37 % 101, "k3": 1000 - n, "s2": gen.Record{"f1": n % 9, "f2": 500 + n%11}}
			if n%3 > 0 {
				r["k1"], r["s1"] = n/2, gen.Record{"f1": n % 13, "f2": "text"[:n%5]}
			}
			if n%4 > 0 {
				r["k2"] = "number"[:n%7]
			}
			rows = append(rows, r)
		}
		f.RowGroups = append(f.RowGroups, gen.RowGroup{Rows: rows})
	}
	apart = Write(t, f)
	f.Footer = gen.Rename(WithoutDigit)
	return apart, Write(t, f)
}

// WithoutDigit returns a name without a digit behind its letter.
func WithoutDigit(name string) string {
	if len(name) == 2 && name[1] <= '9' {
		return name[:1]
	}
	return name
}

// WithoutDigits makes the names in a text of JSON those of the file with equal names.
func WithoutDigits(text string) string {
	return regexp.MustCompile(`"([a-z])[0-9]"`).ReplaceAllString(text, `"$1"`)
}
