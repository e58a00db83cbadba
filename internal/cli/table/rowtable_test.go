package table

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// sampleRow is a row as Go has it; nil is NULL.
type sampleRow struct {
	ID   int64
	Name *string
	Rate *float64
	Note *string
}

func randomRows(rng *rand.Rand, n int) []sampleRow {
	runes := []rune("aZ09 ,\t\"'\\\n\r;|é€😀\x00")
	word := func() *string {
		s := ""
		for range rng.IntN(8) * rng.IntN(3) {
			s += string(runes[rng.IntN(len(runes))])
		}
		return &s
	}
	rows := make([]sampleRow, n)
	for i := range rows {
		r := &rows[i]
		r.ID = rng.Int64() - rng.Int64()
		if rng.IntN(4) > 0 {
			r.Name = word()
		}
		if rng.IntN(4) > 0 {
			f := rng.NormFloat64() * 1000
			r.Rate = &f
		}
		if rng.IntN(4) > 0 {
			r.Note = word()
		}
	}
	return rows
}

// written returns the table of rows, in batches of some of them.
func written(t *testing.T, width int, rows []sampleRow, batch int) string {
	t.Helper()
	text := vector.Type{Physical: vector.ByteArray, Logical: vector.String}
	fields := []vector.Field{
		{Name: "id", Type: vector.Type{Physical: vector.Int64}},
		{Name: " name", Type: text, Nullable: true},
		{Name: "rate", Type: vector.Type{Physical: vector.Double}, Nullable: true},
		{Name: "note", Type: text, Nullable: true},
	}
	addText := func(v *vector.Vector, s *string) {
		if s == nil {
			build.AppendNulls(v, 1)
		} else {
			v.Views[build.Extend(v, 1)] = bits.Make([]byte(*s), build.AddBuffer(v, []byte(*s)), 0)
		}
	}
	var out strings.Builder
	w := NewRowTable(&out, Screen{Width: width}, Shape{})
	if err := w.Columns("a.parquet", fields); err != nil {
		t.Fatal(err)
	}
	for part := range slices.Chunk(rows, batch) {
		b := &vector.Batch{Fields: fields, Len: len(part)}
		for i := range fields {
			b.Columns = append(b.Columns, build.New(&fields[i]))
		}
		for _, r := range part {
			id, rate := b.Columns[0], b.Columns[2]
			id.Int64s[build.Extend(id, 1)] = r.ID
			addText(b.Columns[1], r.Name)
			if r.Rate == nil {
				build.AppendNulls(rate, 1)
			} else {
				rate.Doubles[build.Extend(rate, 1)] = *r.Rate
			}
			addText(b.Columns[3], r.Note)
		}
		// In two parts, as limits and offsets have it.
		cut := b.Len / 3
		if err := errors.Join(w.Rows(b, 0, cut), w.Rows(b, cut, b.Len)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestRowTableStaysInItsWidth(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(4, 4)), 500)
	for _, width := range []int{30, 60, 80, 200, 0} {
		lines := strings.Split(strings.TrimSuffix(written(t, width, rows, 90), "\n"), "\n")
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
			if width > 0 && Width(line) > width {
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
		lines := strings.Split(written(t, width, rows, 50), "\n")
		if got, want := lines[1], " 0  abc    NULL  NULL"; got != want {
			t.Errorf("width %d: %q, not %q", width, got, want)
		}
		if got := lines[measuredRows+1]; got != want {
			t.Errorf("width %d: %q, not %q", width, got, want)
		}
	}
}

// Numbers and moments grow after the rows that the widths are of.
func TestRowTableKeepsDigits(t *testing.T) {
	fields := []vector.Field{
		{Name: "n", Type: vector.Type{Physical: vector.Int64}},
		{Name: "d", Type: vector.Type{Physical: vector.Int32, Logical: vector.Date}},
		{Name: "at", Type: vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros, UTC: true}},
		{Name: "float", Type: vector.Type{Physical: vector.Double}},
		{Name: "text", Type: vector.Type{Physical: vector.ByteArray, Logical: vector.String}},
	}
	const rows = 3 * measuredRows
	b := &vector.Batch{Fields: fields, Len: rows}
	for i := range fields {
		b.Columns = append(b.Columns, build.New(&fields[i]))
	}
	var all [][]string
	for i := range rows {
		n, day, at, f, text := int64(i%7), int32(19000+i), int64(i)*1e6, float64(i%5), "note "+strconv.Itoa(i)
		if i >= measuredRows {
			n, day, f = n+1<<(i%60), day+int32(i)*10_000, f*math.Pow(10, float64(i-300))+1.0/3
			at, text = at+int64(i)*123_456_789_012, strings.Repeat("long ", i%100)+"."
		}
		b.Columns[0].Int64s[build.Extend(b.Columns[0], 1)] = n
		b.Columns[1].Int32s[build.Extend(b.Columns[1], 1)] = day
		b.Columns[2].Int64s[build.Extend(b.Columns[2], 1)] = at
		b.Columns[3].Doubles[build.Extend(b.Columns[3], 1)] = f
		b.Columns[4].Views[build.Extend(b.Columns[4], 1)] = bits.Make([]byte(text), build.AddBuffer(b.Columns[4], []byte(text)), 0)
		row := []string{strconv.FormatInt(n, 10)}
		for c := 1; c < 4; c++ {
			slots := fields[c].Text()
			slots.Use(b.Columns[c])
			shown, err := slots.Append(nil, i)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, string(shown))
		}
		all = append(all, append(row, text))
	}
	for _, width := range []int{0, 40, 100, 140} {
		var out strings.Builder
		w := NewRowTable(&out, Screen{Width: width}, Shape{})
		if err := errors.Join(w.Columns("a.parquet", fields), w.Rows(b, 0, 100), w.Rows(b, 100, rows), w.Finish()); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		titles, at, shown := 0, -1, 0
		var columns []string
		for _, line := range lines {
			cells := strings.Fields(line)
			if cells[0] == "n" {
				titles++
				columns = cells
				continue
			}
			if cells[0] == "…" {
				continue // the note on columns without room
			}
			at++
			shown += len(columns)
			// Each number is there in full, whatever the width.
			for c := range min(len(columns), 4) {
				if c >= len(cells) || cells[c] != all[at][c] {
					t.Fatalf("width %d: row %d: %q has not %q", width, at, line, all[at][c])
				}
			}
			if width == 0 && !strings.HasSuffix(line, "  "+all[at][4]) {
				t.Fatalf("row %d: %q has not all of %q", at, line, all[at][4])
			}
			// A table that has room for its numbers stays in its width.
			if width == 140 && Width(line) > width {
				t.Errorf("row %d is %d wide", at, Width(line))
			}
		}
		if at+1 != rows {
			t.Errorf("width %d: %d rows", width, at+1)
		}
		if again := titles > 1; again != (width > 0) || titles > 40 {
			t.Errorf("width %d: titles come %d times", width, titles)
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
	text := written(t, 0, rows, 50)
	if n := strings.Count(text, long+"  "); n != len(rows) {
		t.Errorf("%d of %d texts are whole", n, len(rows))
	}
	if limit := len(rows) * (len(long) + 100); len(text) > limit+maxCellBytes {
		t.Errorf("%d bytes, more than %d", len(text), limit)
	}
}
