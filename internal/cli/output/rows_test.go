package output

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

// sampleRow is a row as Go has it. The tests below make batches of such rows
// and read back what was written of them with packages that know nothing of it.
type sampleRow struct {
	ID   int64    `json:"id"`
	Name *string  `json:" name"`
	Rate *float64 `json:"rate"`
	Tags []string `json:"tags"` // nil is NULL
}

func randomRows(rng *rand.Rand, n int) []sampleRow {
	const odd = "aZ09 ,\t\"'\\\n\r;|é€😀\x00"
	word := func() string {
		runes := []rune(odd)
		s := ""
		for range rng.IntN(8) * rng.IntN(3) {
			s += string(runes[rng.IntN(len(runes))])
		}
		return s
	}
	rows := make([]sampleRow, n)
	for i := range rows {
		r := &rows[i]
		r.ID = rng.Int64() - rng.Int64()
		if rng.IntN(4) > 0 {
			s := word()
			r.Name = &s
		}
		if rng.IntN(4) > 0 {
			f := rng.NormFloat64() * 1000
			r.Rate = &f
		}
		if rng.IntN(4) > 0 {
			r.Tags = []string{}
			for range rng.IntN(3) {
				r.Tags = append(r.Tags, word())
			}
		}
	}
	return rows
}

func sampleFields() []vector.Field {
	text := vector.Type{Physical: vector.ByteArray, Logical: vector.String}
	return []vector.Field{
		{Name: "id", Type: vector.Type{Physical: vector.Int64}},
		{Name: " name", Type: text, Nullable: true},
		{Name: "rate", Type: vector.Type{Physical: vector.Double}, Nullable: true},
		{Name: "tags", Type: vector.Type{Physical: vector.Group}, Layout: vector.List, Nullable: true, Children: []vector.Field{{Name: "item", Type: text}}},
	}
}

// batchOf makes a batch of rows; names stand in a dictionary if asked for.
func batchOf(rows []sampleRow, dictionary bool) *vector.Batch {
	b := &vector.Batch{Fields: sampleFields(), Len: len(rows)}
	for i := range b.Fields {
		b.Columns = append(b.Columns, build.New(&b.Fields[i]))
	}
	id, name, rate, tags := b.Columns[0], b.Columns[1], b.Columns[2], b.Columns[3]
	addText := func(v *vector.Vector, s string) {
		v.Views[build.Extend(v, 1)] = bits.Make([]byte(s), build.AddBuffer(v, []byte(s)), 0)
	}
	var dict *vector.Vector
	if dictionary {
		dict = build.New(&b.Fields[1])
		build.UseDictionary(name, dict)
	}
	for _, r := range rows {
		id.Int64s[build.Extend(id, 1)] = r.ID
		switch {
		case r.Name == nil:
			build.AppendNulls(name, 1)
		case dictionary:
			addText(dict, *r.Name)
			name.Codes[build.Extend(name, 1)] = uint32(dict.Len - 1)
		default:
			addText(name, *r.Name)
		}
		if r.Rate == nil {
			build.AppendNulls(rate, 1)
		} else {
			rate.Doubles[build.Extend(rate, 1)] = *r.Rate
		}
		if r.Tags == nil {
			build.AppendNulls(tags, 1)
			continue
		}
		one := build.New(&b.Fields[3])
		for _, s := range r.Tags {
			addText(one.Children[0], s)
		}
		one.Offsets = []int32{0, int32(len(r.Tags))}
		one.Len = 1
		build.AppendSlots(tags, one, 0, 1)
	}
	return b
}

func rowWriter(t *testing.T, r *Report) RowWriter {
	t.Helper()
	w, err := r.Format.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// written returns what a format makes of rows, in batches of some of them.
func written(t *testing.T, format string, width int, rows []sampleRow, batch int) string {
	t.Helper()
	var out bytes.Buffer
	r := NewReport(&out, FormatNamed(Formats(), format), table.Screen{Width: width})
	w := rowWriter(t, r)
	if err := w.Columns("a.parquet", sampleFields()); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(rows); i += batch {
		b := batchOf(rows[i:min(i+batch, len(rows))], i/batch%2 == 1)
		// In two parts, as limits and offsets have it.
		cut := b.Len / 3
		for _, part := range [][2]int{{0, cut}, {cut, b.Len}} {
			if err := w.Rows(b, part[0], part[1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestJSONIsWhatWasThere(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(1, 1)), 3000)
	var all []sampleRow
	if err := json.Unmarshal([]byte(written(t, "json", 0, rows, 700)), &all); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(all, rows) {
		t.Error("the array of all rows differs")
	}
	var lines []sampleRow
	d := json.NewDecoder(strings.NewReader(written(t, "jsonl", 0, rows, 700)))
	d.DisallowUnknownFields()
	for {
		var r sampleRow
		if err := d.Decode(&r); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, r)
	}
	if !reflect.DeepEqual(lines, rows) {
		t.Error("the lines differ")
	}
}

func TestCSVIsWhatWasThere(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(2, 2)), 3000)
	for i := range rows {
		// The reader of package csv makes \n of \r\n, even in quotes.
		if rows[i].Name != nil {
			*rows[i].Name = strings.ReplaceAll(*rows[i].Name, "\r", "")
		}
	}
	for format, separator := range map[string]rune{"csv": ',', "tsv": '\t'} {
		text := written(t, format, 0, rows, 700)
		reader := csv.NewReader(strings.NewReader(text))
		reader.Comma = separator
		records, err := reader.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"id", " name", "rate", "tags"}; !reflect.DeepEqual(records[0], want) {
			t.Errorf("%s: header %q", format, records[0])
		}
		if len(records) != len(rows)+1 {
			t.Fatalf("%s: %d records", format, len(records))
		}
		for i, r := range rows {
			got := records[i+1]
			want := []string{strconv.FormatInt(r.ID, 10), "", "", ""}
			if r.Name != nil {
				want[1] = *r.Name
			}
			if r.Rate != nil {
				if f, err := strconv.ParseFloat(got[2], 64); err != nil || f != *r.Rate {
					t.Errorf("%s row %d: rate %q, not %v", format, i, got[2], *r.Rate)
				}
				want[2] = got[2]
			}
			if r.Tags != nil {
				var tags []string
				if err := json.Unmarshal([]byte(got[3]), &tags); err != nil || !reflect.DeepEqual(tags, r.Tags) {
					t.Errorf("%s row %d: tags %q, not %q", format, i, got[3], r.Tags)
				}
				want[3] = got[3]
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s row %d: %q, not %q", format, i, got, want)
			}
		}
	}
}

// Package csv and we agree on every text but the empty one, which it takes for
// NULL too.
func TestQuotesAreThoseOfPackageCSV(t *testing.T) {
	for _, separator := range []rune{',', '\t'} {
		d := newDelimited(nil, byte(separator))
		rng := rand.New(rand.NewPCG(3, 3))
		for range 20000 {
			text := make([]byte, 1+rng.IntN(6))
			for i := range text {
				text[i] = "ab ,\"\n\r\t;."[rng.IntN(10)]
			}
			var want bytes.Buffer
			w := csv.NewWriter(&want)
			w.Comma = separator
			if err := w.Write([]string{"x", string(text)}); err != nil {
				t.Fatal(err)
			}
			w.Flush()
			got := d.quote(append([]byte("x"+string(separator)), text...), len(text))
			if string(got)+"\n" != want.String() {
				t.Fatalf("%q: %q, package csv has %q", text, got, want.String())
			}
		}
		if got := d.quote(nil, 0); string(got) != `""` {
			t.Errorf("the empty text is %q", got)
		}
	}
}

// measuredRows decide how wide the columns of a table are.
const measuredRows = 200

func TestRowTableStaysInItsWidth(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(4, 4)), 500)
	for _, width := range []int{30, 60, 80, 200, 0} {
		lines := strings.Split(strings.TrimSuffix(written(t, FormatTable, width, rows, 90), "\n"), "\n")
		want := len(rows) + 1
		if strings.HasPrefix(lines[len(lines)-1], "… ") {
			want++
		}
		if strings.HasPrefix(lines[0], "— row 1 —") {
			want = 0
			for _, line := range lines {
				if strings.HasPrefix(line, "— row ") {
					want++
				}
			}
			if want != len(rows) || width > 60 {
				t.Errorf("width %d: %d records", width, want)
			}
		} else if n := len(lines); n != want {
			t.Errorf("width %d: %d lines, not %d", width, n, want)
		}
		for _, line := range lines {
			if width > 0 && table.Width(line) > width {
				t.Errorf("width %d: %q", width, line)
			}
		}
	}
}

func TestRowTableCutsTextsThatComeLater(t *testing.T) {
	short, long := "abc", "a text of more than ten"
	rows := make([]sampleRow, measuredRows+1)
	for i := range rows {
		rows[i].Name = &short
	}
	rows[measuredRows].Name = &long
	for width, want := range map[int]string{
		80: " 0  a te…  NULL  NULL",
		0:  " 0  a text of more than ten  NULL  NULL",
	} {
		lines := strings.Split(written(t, FormatTable, width, rows, 50), "\n")
		if got, want := lines[1], " 0  abc    NULL  NULL"; got != want {
			t.Errorf("width %d: %q, not %q", width, got, want)
		}
		if got := lines[measuredRows+1]; got != want {
			t.Errorf("width %d: %q, not %q", width, got, want)
		}
	}
}

// The first rows are not held back whatever they take.
func TestRowTableHoldsLittle(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	rows := make([]sampleRow, measuredRows)
	for i := range rows {
		rows[i].Name = &long
	}
	text := written(t, FormatTable, 0, rows, 50)
	if n := strings.Count(text, long+"  "); n != len(rows) {
		t.Errorf("%d of %d texts are whole", n, len(rows))
	}
	if limit := len(rows) * (len(long) + 100); len(text) > limit+4<<10 {
		t.Errorf("%d bytes, more than %d", len(text), limit)
	}
}

func TestOtherColumnsAreRefusedBelowAHeader(t *testing.T) {
	w := rowWriter(t, NewReport(io.Discard, FormatNamed(Formats(), "csv"), table.Screen{}))
	fields := sampleFields()
	if err := w.Columns("a.parquet", fields); err != nil {
		t.Error(err)
	}
	if err := w.Columns("b.parquet", fields); err != nil {
		t.Error(err)
	}
	if err := w.Columns("c.parquet", fields[:3]); err == nil || !strings.Contains(err.Error(), "a.parquet") {
		t.Errorf("fewer columns: %v", err)
	}
	fields[2].Name = "other"
	if err := w.Columns("c.parquet", fields); err == nil || !strings.Contains(err.Error(), "other") {
		t.Errorf("another name: %v", err)
	}
}
