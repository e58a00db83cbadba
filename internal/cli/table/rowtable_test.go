package table

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

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
