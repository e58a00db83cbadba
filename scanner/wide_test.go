package scanner

import (
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// allocatedBy returns how many bytes do allocates.
func allocatedBy(do func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// A column that is not read costs little, whatever is done with its file. The bounds are on
// all bytes that are allocated, so less is in use at any time.
func TestCostOfColumns(t *testing.T) {
	const columns = 50_000
	data, err := gen.Wide(columns, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, where := t.Context(), filter.Col("c00004").Eq(7)
	var f *File
	open := func() {
		if f, err = OpenSource(ctx, "wide", fetch.FromBytes(data)); err != nil {
			t.Fatal(err)
		}
	}
	scan := func(o Options) {
		for _, err := range f.Scan(ctx, o) {
			t.Fatalf("a batch, or %v, of a scan without rows", err)
		}
	}
	for _, c := range []struct {
		name string
		most int64 // bytes a column
		do   func()
	}{
		{"open", 350, open},
		{"the first name", 120, func() { scan(Options{Select: []string{"c00001"}, Limited: true}) }},
		{"another name", 1, func() { scan(Options{Select: []string{"c00002"}, Limited: true}) }},
		{"plan", 10, func() {
			if _, err := f.Plan(ctx, Options{Filter: where}); err != nil {
				t.Fatal(err)
			}
		}},
		{"count", 10, func() {
			if _, err := f.Count(ctx, Options{}); err != nil {
				t.Fatal(err)
			}
		}},
		{"fields", 520, func() {
			if fields, err := f.Fields(ctx, Options{}); err != nil || len(fields) != columns {
				t.Fatal(len(fields), err)
			}
		}},
		{"all columns of no rows", 520, func() { scan(Options{Limited: true}) }},
	} {
		if got := allocatedBy(c.do) / columns; got > c.most {
			t.Errorf("%s: %d bytes a column, at most %d are right", c.name, got, c.most)
		}
	}
}

// tinySchema returns a file of as few bytes a column as there can be of columns with a name,
// a type and a repetition.
func tinySchema(columns int) []byte {
	const element = "\x15\x02\x25\x00\x18\x01a\x00" // INT32, required, "a"
	footer := append([]byte(nil), "\x15\x02\x19\xfc"...)
	footer = binary.AppendUvarint(footer, uint64(columns+1))
	footer = append(footer, "\x48\x01r\x15"...)
	footer = append(binary.AppendUvarint(footer, 2*uint64(columns)), 0)
	footer = append(footer, strings.Repeat(element, columns)...)
	footer = append(footer, "\x16\x00\x19\x0c\x00"...)
	file := append([]byte("PAR1"), footer...)
	return append(binary.LittleEndian.AppendUint32(file, uint32(len(footer))), "PAR1"...)
}

// MaxColumns counts the columns within others, too, and a file with too many of them takes no
// memory.
func TestMaxColumns(t *testing.T) {
	nested := gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int32), gen.Required("b", gen.Group, gen.Required("c", gen.Int32), gen.Required("d", gen.Int32))}}
	small, err := nested.Write()
	if err != nil {
		t.Fatal(err)
	}
	wide, err := gen.Wide(20_000, 1)
	if err != nil {
		t.Fatal(err)
	}
	many := tinySchema(1_000_001)
	for _, c := range []struct {
		name string
		data []byte
		max  int
		want string
	}{
		{"nested", small, 4, ""},
		{"nested", small, 3, "schema of 4 columns, more than the limit of 3"},
		{"wide", wide, 0, ""},
		{"wide", wide, 19_999, "schema of 20000 columns, more than the limit of 19999"},
		{"many", many, 0, "schema of 1000001 columns, more than the limit of 1000000"},
	} {
		var f *File
		grown := allocatedBy(func() {
			f, err = OpenOptions{MaxColumns: c.max}.OpenSource(t.Context(), c.name, fetch.FromBytes(c.data))
		})
		switch {
		case c.want == "" && err != nil, c.want != "" && !errors.Is(err, ErrUnsupported):
			t.Errorf("%s, at most %d columns: %v", c.name, c.max, err)
		case c.want != "":
			if text := err.Error(); !strings.Contains(text, c.want) || strings.Contains(text, "\n") {
				t.Errorf("%s, at most %d columns: %v, want %q", c.name, c.max, err, c.want)
			}
			if most := int64(2*len(c.data) + 1<<20); grown > most {
				t.Errorf("%s, at most %d columns: %d bytes are allocated", c.name, c.max, grown)
			}
		default:
			f.Close()
		}
	}
}
