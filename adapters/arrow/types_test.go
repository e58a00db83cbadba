package arrowscan_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// typesFile has a column of each type that pyarrow writes; adapters/python's test_types.py makes it, and compares values.
const typesFile = "../../scanner/internal/stored/testdata/types.parquet"

// storedSchema returns a file's Arrow schema as Arrow's own reader of messages has it.
func storedSchema(t *testing.T, f *scanner.File) *arrow.Schema {
	properties, err := f.Footer().KeyValues.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range properties {
		if p.Key == "ARROW:schema" {
			message, err := base64.StdEncoding.DecodeString(p.Value)
			if err != nil {
				t.Fatal(err)
			}
			r, err := ipc.NewReader(bytes.NewReader(message))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Release()
			return r.Schema()
		}
	}
	t.Fatal("no schema")
	return nil
}

// TestTypes compares the schema that comes back with the one that was written, and writes the README's table.
func TestTypes(t *testing.T) {
	f, err := scanner.Open(t.Context(), typesFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	checked := memory.NewCheckedAllocator(memory.DefaultAllocator)
	records, err := read(t.Context(), f, arrowscan.Options{Allocator: checked})
	plain, plainErr := read(t.Context(), f, arrowscan.Options{IgnoreStored: true, PlainTypes: true})
	if err != nil || plainErr != nil || len(f.Notes()) > 0 {
		t.Fatal(err, plainErr, f.Notes())
	}
	got, want := records[0].Schema(), storedSchema(t, f)
	if !got.Metadata().Equal(want.Metadata()) || plain[0].Schema().HasMetadata() {
		t.Errorf("metadata %v, want %v; ignored %v", got.Metadata(), want.Metadata(), plain[0].Schema().Metadata())
	}
	because := func(t arrow.DataType) string {
		switch d, _ := t.(*arrow.DictionaryType); {
		case strings.HasPrefix(t.String(), "time32[s") || strings.HasPrefix(t.String(), "timestamp[s"):
			return "Parquet has no seconds: the file has milliseconds"
		case d != nil && d.IndexType.(arrow.FixedWidthDataType).BitWidth() != 32:
			return "a batch may have more entries than 8 or 16 bits count"
		case d != nil:
			return "a file keeps the order only of strings and bytes"
		}
		return ""
	}
	table := "| Arrow type in ARROW:schema | comes back as | because |\n|---|---|---|\n"
	otherTypes := 0
	for i, g := range got.Fields() {
		w := want.Field(i)
		switch equal, why := arrow.TypeEqual(g.Type, w.Type, arrow.CheckMetadata()), because(w.Type); {
		case equal:
		case why == "":
			t.Errorf("%s: %s, want %s", w.Name, g.Type, w.Type)
		default:
			table += fmt.Sprintf("| `%s` | `%s` | %s |\n", w.Type, g.Type, why)
		}
		if !g.Metadata.Equal(w.Metadata) || g.Nullable != w.Nullable {
			t.Errorf("%s: metadata %v, want %v", w.Name, g.Metadata, w.Metadata)
		}
		if !arrow.TypeEqual(g.Type, plain[0].Schema().Field(i).Type) {
			otherTypes++
		}
	}
	if otherTypes < 40 {
		t.Errorf("only %d columns have other types with the stored schema than without", otherTypes)
	}
	release(records)
	release(plain)
	checked.AssertSize(t, 0)
	dtest.Table(t, "README.md", strings.TrimSuffix(table, "\n")+"\n")
}

// TestFixedLists has lists whose size is not that of the schema, and NULL ones that would take gigabytes.
func TestFixedLists(t *testing.T) {
	item := vector.Field{Name: "item", Type: vector.Type{Physical: vector.Int32}}
	for _, c := range []struct {
		size string
		null bool
		want string
	}{
		{"2", false, "<nil>"}, {"3", false, `column "l": list 0 of a batch has 2 items`}, {"0", false, "<nil>"}, {"-1", false, "<nil>"},
		{"99999999999", false, "<nil>"}, {"5", true, "<nil>"}, {"2147483647", true, `column "l": 1 NULL lists of a fixed size take more than 256 MiB`},
	} {
		field := vector.Field{Name: "l", Type: vector.Type{Physical: vector.Group}, Layout: vector.List, Nullable: true, Children: []vector.Field{item}}
		field.Stored = &vector.Stored{Format: "+w:" + c.size}
		lists := &vector.Vector{Type: field.Type, Layout: vector.List, Len: 1, Offsets: []int32{0, 2}}
		lists.Children = []*vector.Vector{{Type: item.Type, Len: 2, Int32s: []int32{1, 2}}}
		if c.null {
			lists.Validity, lists.Offsets, lists.Children[0].Len = []uint64{0}, []int32{0, 0}, 0
		}
		converter, err := arrowscan.NewConverter([]vector.Field{field}, arrowscan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := converter.Record(&vector.Batch{Fields: []vector.Field{field}, Columns: []*vector.Vector{lists}, Len: 1})
		if err == nil {
			r.Release()
		}
		if !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v, want %s", c.size, err, c.want)
		}
	}
}

// TestNestedMaps has as many maps in each other as Arrow's library can make, and one more.
func TestNestedMaps(t *testing.T) {
	group, leaf := vector.Type{Physical: vector.Group}, vector.Type{Physical: vector.Int32}
	field := vector.Field{Name: "v", Type: leaf, Nullable: true}
	for n := 1; n <= 13; n++ {
		field = vector.Field{Name: "v", Type: group, Layout: vector.Map, Nullable: true, Children: []vector.Field{{Name: "k", Type: leaf}, field}}
		_, err := arrowscan.NewConverter([]vector.Field{field}, arrowscan.Options{})
		if want := `column "v": no Arrow type for more than 12 maps in each other`; n < 13 && err != nil || n == 13 && fmt.Sprint(err) != want {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// TestUnits has batches of a file whose durations may have another unit than those of the first.
func TestUnits(t *testing.T) {
	field := func(format string) []vector.Field {
		return []vector.Field{{Name: "d", Type: vector.Type{Physical: vector.Int64}, Stored: &vector.Stored{Format: format}}}
	}
	for _, c := range []struct{ stream, file, want string }{
		{"tDs", "tDs", "<nil>"}, {"tDs", "l", "<nil>"}, {"l", "tDn", "<nil>"},
		{"tDs", "tDn", `column "d": it is a duration[ns] here, and the stream has a duration[s]: read it with IgnoreStored`},
	} {
		converter, err := arrowscan.NewConverter(field(c.stream), arrowscan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v := &vector.Vector{Type: vector.Type{Physical: vector.Int64}, Len: 1, Int64s: []int64{1}}
		r, err := converter.Record(&vector.Batch{Fields: field(c.file), Columns: []*vector.Vector{v}, Len: 1})
		if err == nil {
			r.Release()
		}
		if !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s, %s: %v, want %s", c.stream, c.file, err, c.want)
		}
	}
}

// TestDamagedSchema reads a file whose Arrow schema is damaged: each value is there, whatever becomes of types.
func TestDamagedSchema(t *testing.T) {
	data, err := os.ReadFile(typesFile)
	if err != nil {
		t.Fatal(err)
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	start := bytes.Index(data, []byte("ARROW:schema")) + len("ARROW:schema") + 8
	random, checked := rand.New(rand.NewPCG(1, 2)), memory.NewCheckedAllocator(memory.DefaultAllocator)
	noted, wrongSizes := 0, 0
	for round := range dtest.Rounds(t, 200) {
		bad := bytes.Clone(data)
		for range 1 + random.IntN(3) {
			bad[start+random.IntN(9000)] = letters[random.IntN(64)]
		}
		f, err := scanner.OpenSource(t.Context(), typesFile, fetch.FromBytes(bad))
		if err != nil {
			t.Fatal(err)
		}
		noted += min(len(f.Notes()), 1)
		records, err := read(t.Context(), f, arrowscan.Options{Allocator: checked})
		if err != nil && strings.Contains(err.Error(), "IgnoreStored") {
			wrongSizes++
		} else if err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		release(records)
		f.Close()
	}
	checked.AssertSize(t, 0)
	t.Logf("%d files with notes, %d with lists of another size", noted, wrongSizes)
	if noted == 0 {
		t.Error("want notes")
	}
}
