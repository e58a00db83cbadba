package writer

import (
	"math"
	"strings"
	"testing"
)

// Each row of the table: the last version with the defect, the first without it,
// and columns that it does not befall.
func TestDoubts(t *testing.T) {
	const (
		text       = Bytes | ByteArray
		textInDict = text | Dictionary
		everything = Traits(math.MaxUint8)
	)
	for _, test := range []struct {
		createdBy string
		of        Traits
		want      Facts
	}{
		{"parquet-cpp-arrow version 5.0.0", textInDict, NullCounts},
		{"parquet-cpp-arrow version 5.0.0", textInDict | Page, NullCounts},
		{"parquet-cpp-arrow version 5.0.0", text, 0},
		{"parquet-cpp-arrow version 5.0.0", Dictionary, 0},
		{"parquet-cpp-arrow version 5.0.0", Bytes | Dictionary, 0}, // fixed length
		{"parquet-cpp-arrow version 6.0.0-SNAPSHOT", textInDict, Bounds | NullCounts},
		{"parquet-cpp-arrow version 6.0.0", textInDict, Bounds | NullCounts},
		{"parquet-cpp-arrow version 10.0.1", textInDict, Bounds | NullCounts},
		{"parquet-cpp-arrow version 10.0.1", text, 0},
		{"parquet-cpp-arrow version 11.0.0", textInDict, 0},
		{"parquet-cpp-arrow version 11.0.0", textInDict | Page, Bounds | NullCounts},
		{"parquet-cpp-arrow version 12.0.0", everything, 0},
		{"parquet-cpp-arrow version 26.0.1", everything, 0},
		{"parquet-cpp version 1.5.1-SNAPSHOT", textInDict, NullCounts},
		{"parquet-cpp version 1.5.0", textInDict, 0},
		{"parquet-cpp version 1.5.1-SNAPSHOT", text | Decimal, Bounds},
		{"parquet-cpp version 1.5.1-SNAPSHOT", Bytes | Decimal, Bounds},
		{"parquet-cpp version 1.5.1-SNAPSHOT", Decimal, 0}, // in an integer

		{"Arrow2 - Native Rust implementation of Arrow", Dictionary, NullCounts},
		{"Arrow2 - Native Rust implementation of Arrow", Nested, NullCounts},
		{"Arrow2 - Native Rust implementation of Arrow", text, 0},
		{"Polars", Dictionary, NullCounts},
		{"Polars", Nested, NullCounts},
		{"Polars", text, 0},
		{"Polars (python) version 2.1.0 (build 7f902bd3ffd27ff82d14278a09a295ff2f7aed92)", everything, 0},

		{"parquet-rs version 0.3.0 (build b45ce7cba2199f22d93269c150d8a83916c69b5e)", text, Bounds},
		{"parquet-rs version 5.1.0", Bytes, Bounds},
		{"parquet-rs version 5.2.0", text, 0},
		{"parquet-rs version 5.2.0", Bytes | Decimal, 0},
		{"parquet-rs version 58.0.0", text | Decimal, Bounds},

		{"github.com/parquet-go/parquet-go version 0.32.0(build )", text | Decimal, Bounds},
		{"github.com/parquet-go/parquet-go version 0.33.0(build )", everything, 0},
		{"github.com/parquet-go/parquet-go version 0.32.0(build )", Bytes | Decimal, 0},
		{"github.com/parquet-go/parquet-go", text | Decimal, Bounds},
		{"github.com/segmentio/parquet-go version 0.0.0(build 1234)", text | Decimal, Bounds},

		{"parquet-mr version 1.7.0 (build abc)", text, Bounds},
		{"parquet-mr version 1.8.0-SNAPSHOT (build abc)", Bytes, Bounds},
		{"parquet-mr version 1.8.0 (build 0fda28af84b9746396014ad6a415b90592a98b3b)", everything, 0},
		{"parquet-mr version 1.12.0-201812210311360288-a86293f (build cec1a483)", everything, 0},
		{"parquet-mr version 1.2.8 (build abc)", 0, ChunkSizes},
		{"parquet-mr version 1.2.9", 0, 0},
		{"parquet-mr version 1.2.10", 0, 0},
		{"parquet-mr version 1.2", 0, ChunkSizes},
		{"parquet-mr version 1.10.1", 0, 0},
		{"parquet-mr version 0.9.9", 0, ChunkSizes},
		{"parquet-mr", 0, ChunkSizes},
		{"parquet-mr version x", 0, ChunkSizes},
		{"parquet-mr version 2", 0, 0},
		{"parquet-mr version 1.2.99999999999999999999", 0, 0},

		{"impala version 1.3.0-INTERNAL (build 8a48ddb1)", 0, LevelOrder},
		{"IMPALA version 4.5.0-RELEASE (build 8a48ddb1)", text | Decimal | Dictionary, LevelOrder},
		{"impala", 0, LevelOrder},
		{"not impala version 1.0", everything, 0},
		{"", everything, 0},
		{" version 1.0.0", everything, 0},
		{"winnow gen", everything, 0},
	} {
		if got := From(test.createdBy).Doubts(test.of); got != test.want {
			t.Errorf("%s, traits %b: doubts %b, want %b", test.createdBy, test.of, got, test.want)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]version{
		"a version 1.2.3":                  {1, 2, 3, false},
		"a version  1.2.3 (build 4.5.6)":   {1, 2, 3, false},
		"a version v1.2.3":                 {1, 2, 3, false},
		"a version 1.2.3(build )":          {1, 2, 3, false},
		"a version 1.2.3-SNAPSHOT (build)": {1, 2, 3, true},
		"a version 1.2.3.4":                {1, 2, 3, false},
		"a version 1.2":                    {1, 2, 0, false},
		"a version 1..3":                   {1, 0, 3, false},
		"a version -1.2":                   {0, 0, 0, true},
		"a version 1.-2":                   {1, 0, 0, true},
		"a version 1.99999999999.3":        {1, 1 << 24, 3, false},
		"a version":                        {},
		"a":                                {},
		"a version one":                    {},
		"a version 1.2.3 version 4.5.6":    {1, 2, 3, false},
	} {
		if name, got := parse(text); name != "a" || got != want {
			t.Errorf("%q: %q, %v, want %v", text, name, got, want)
		}
	}
}

func TestBefore(t *testing.T) {
	ascending := []version{{}, at(0, 0, 1), at(0, 1, 0), {1, 0, 0, true}, at(1, 0, 0), at(1, 0, 1), at(1, 2, 0), at(2, 0, 0)}
	for i, a := range ascending {
		for j, b := range ascending {
			if a.before(b) != (i < j) {
				t.Errorf("%v before %v: %v", a, b, a.before(b))
			}
		}
	}
}

// The table says for each row what is wrong, and where that is described.
func TestTable(t *testing.T) {
	for _, r := range table {
		if r.name == "" || r.wrong == 0 || r.why == "" || r.fixed != (version{}) && !r.from.before(r.fixed) {
			t.Errorf("%+v", r)
		}
		if r.of&ByteArray != 0 && r.of&Bytes != 0 {
			t.Errorf("%+v: a BYTE_ARRAY has both traits", r)
		}
	}
}

// Nobody may slow a scan down by what a footer says of its writer.
func FuzzFrom(f *testing.F) {
	f.Add("parquet-mr version 1.2.8-SNAPSHOT (build abc)")
	f.Add("impala version ")
	f.Add(strings.Repeat("9", 1<<20))
	f.Add("parquet-mr version 1." + strings.Repeat("9", 1<<10) + ".3")
	f.Fuzz(func(t *testing.T, createdBy string) {
		w := From(createdBy)
		if len(w) > len(table) {
			t.Fatal("more rows than the table has")
		}
		if len(createdBy) > longest && w.Doubts(math.MaxUint8) != From(createdBy[:longest]).Doubts(math.MaxUint8) {
			t.Fatal("more was looked at than the front")
		}
		if w.Doubts(0)&^w.Doubts(math.MaxUint8) != 0 {
			t.Fatal("more traits, fewer doubts")
		}
	})
}
