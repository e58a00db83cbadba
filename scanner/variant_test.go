package scanner_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/variant"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// spelledVariants returns the values of a VARIANT column as naive spells them, "" for NULL.
func spelledVariants(t *testing.T, f *scanner.File, column string, o scanner.Options) (values []string, err error) {
	t.Helper()
	o.Select = []string{column}
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			return values, err
		}
		variants, err := b.Fields[0].Variants()
		if err != nil {
			return values, err
		}
		variants.Use(b.Columns[0])
		for i := range b.Len {
			metadata, value, err := variants.Binary(i)
			if err != nil {
				return values, err
			}
			text := ""
			if metadata != nil {
				if text, err = naive.Variant(metadata, value); err != nil {
					t.Errorf("row %d: % x | % x: %v", i, metadata, value, err)
				}
			}
			values = append(values, text)
			if js, err := variants.AppendJSON(nil, i); err != nil || !json.Valid(js) {
				t.Errorf("row %d: JSON %s, %v", i, js, err)
			}
			if _, err := variants.Native(i); err != nil {
				t.Error(err)
			}
		}
		b.Release()
	}
	return values, nil
}

// variantsOrErrors reads each slot of the column v, in each way: none may be read in one way alone.
// What it returns is about the file.
func variantsOrErrors(t *testing.T, f *scanner.File) error {
	t.Helper()
	for b, err := range f.Scan(t.Context(), scanner.Options{}) {
		if err != nil {
			return err
		}
		variants, err := b.Fields[0].Variants()
		if err != nil {
			return err
		}
		variants.Use(b.Columns[0])
		for i := range b.Len {
			js, jsonErr := variants.AppendJSON(nil, i)
			_, nativeErr := variants.Native(i)
			metadata, value, err := variants.Binary(i)
			if err == nil && metadata != nil {
				_, err = naive.Variant(metadata, value)
			}
			if (err == nil) != (jsonErr == nil) || (err == nil) != (nativeErr == nil) || err == nil && !json.Valid(js) {
				t.Errorf("row %d: JSON %s, %v; as Go value %v; in binary %v", i, js, jsonErr, nativeErr, err)
			}
		}
	}
	return nil
}

// The values of the corpus' shredded variants are those of its binary files. Cases with an error message fail.
func TestCorpusShreddedVariants(t *testing.T) {
	corpusFiles(t) // skips without a corpus
	dir := filepath.Join(corpus, "parquet-testing", "shredded_variant")
	text, err := os.ReadFile(filepath.Join(dir, "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Parquet string    `json:"parquet_file"`
		One     *string   `json:"variant_file"`
		Several []*string `json:"variant_files"`
		Error   string    `json:"error_message"`
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, c := range cases {
		if c.Parquet == "" {
			continue
		}
		seen++
		f, err := scanner.Open(t.Context(), filepath.Join(dir, c.Parquet))
		if err != nil {
			t.Fatal(err)
		}
		got, err := spelledVariants(t, f, "var", scanner.Options{})
		f.Close()
		if c.Error != "" {
			if err == nil || !strings.Contains(err.Error(), "column var: ") {
				t.Errorf("%s: got %v, want an error like %s", c.Parquet, err, c.Error)
			}
			continue
		}
		var want []string
		if c.One != nil {
			c.Several = []*string{c.One}
		}
		for _, name := range c.Several {
			value := ""
			if name != nil {
				b, err := os.ReadFile(filepath.Join(dir, *name))
				if err != nil {
					t.Fatal(err)
				}
				_, size, err := variant.ParseMetadata(b)
				if err != nil {
					t.Fatal(err)
				}
				if value, err = naive.Variant(b[:size], b[size:]); err != nil {
					t.Fatal(err)
				}
			}
			want = append(want, value)
		}
		if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: got %q, %v, want %q", c.Parquet, got, err, want)
		}
	}
	if seen != 137 {
		t.Errorf("%d cases", seen)
	}
}

// shredding makes random variants, and writes them into a random tree of value and typed_value, as
// the format's text says.
type shredding struct {
	r     *rand.Rand
	names []string // sorted
}

// A shape is what typed_value is: nil where there is none.
type shape struct {
	kind   variant.Kind
	fields map[string]*shape
	item   *shape
}

func (s *shredding) shape(depth int) *shape {
	switch n := s.r.IntN(8); {
	case n == 0:
		return &shape{}
	case n < 3 && depth < 3:
		return &shape{kind: variant.Array, item: s.shape(depth + 1)}
	case n < 6 && depth < 3:
		fields := map[string]*shape{}
		for _, name := range s.names {
			if s.r.IntN(2) == 0 {
				fields[name] = s.shape(depth + 1)
			}
		}
		if len(fields) > 0 {
			return &shape{kind: variant.Object, fields: fields}
		}
	}
	return &shape{kind: []variant.Kind{variant.Int8, variant.Int64, variant.String, variant.True, variant.Decimal4, variant.Double}[s.r.IntN(6)]}
}

// nodes returns the columns of a shape.
func (p *shape) nodes() []*gen.Node {
	value, typed := gen.Optional("value", gen.ByteArray), (*gen.Node)(nil)
	switch p.kind {
	case variant.Null:
		return []*gen.Node{value}
	case variant.Array:
		typed = gen.List("typed_value", gen.Required("element", gen.Group, p.item.nodes()...))
	case variant.Object:
		typed = gen.Optional("typed_value", gen.Group)
		for _, name := range slices.Sorted(maps.Keys(p.fields)) {
			typed.Children = append(typed.Children, gen.Required(name, gen.Group, p.fields[name].nodes()...))
		}
	case variant.Int8:
		typed = gen.Optional("typed_value", gen.Int32).As(gen.IntType(8, true))
	case variant.Int64:
		typed = gen.Optional("typed_value", gen.Int64)
	case variant.String:
		typed = gen.Optional("typed_value", gen.ByteArray).As(gen.StringType())
	case variant.True:
		typed = gen.Optional("typed_value", gen.Boolean)
	case variant.Decimal4:
		typed = gen.Optional("typed_value", gen.Int32).As(gen.DecimalType(9, 2))
	case variant.Double:
		typed = gen.Optional("typed_value", gen.Double)
	}
	return []*gen.Node{value, typed}
}

// value returns a random value that often fits p, as it is stored, in binary, and as naive spells it.
func (s *shredding) value(p *shape, depth int) (stored gen.Record, binary []byte, text string) {
	kind := p.kind
	if s.r.IntN(3) == 0 {
		kind = []variant.Kind{variant.Null, variant.Int8, variant.String, variant.True, variant.Array, variant.Object}[s.r.IntN(6)]
	}
	if depth > 3 {
		kind = variant.Null
	}
	n := s.r.IntN(128)
	var typed any
	switch kind {
	case variant.Array:
		return s.array(p, depth)
	case variant.Object:
		return s.object(p, depth)
	case variant.Null:
		binary, text = []byte{0}, "0:"
	case variant.Int8:
		binary, text, typed = []byte{3 << 2, byte(n)}, fmt.Sprintf("3:%02x", n), int32(n)
	case variant.Int64:
		binary, text, typed = []byte{6 << 2, byte(n), 0, 0, 0, 0, 0, 0, 0}, fmt.Sprintf("6:%02x00000000000000", n), int64(n)
	case variant.String:
		word := strings.Repeat("w", n)
		binary, text, typed = variant.AppendPrimitive(nil, variant.String, []byte(word)), fmt.Sprintf("%q", word), word
	case variant.True:
		binary, text, typed = []byte{byte(2-n%2) << 2}, fmt.Sprint(2-n%2, ":"), n%2 == 1
	case variant.Decimal4:
		binary, text, typed = []byte{8 << 2, 2, byte(n), 0, 0, 0}, fmt.Sprintf("8:02%02x000000", n), int32(n)
	case variant.Double:
		binary, text, typed = []byte{7 << 2, 0, 0, 0, 0, 0, 0, 0, 0}, "7:0000000000000000", 0.0
	}
	if kind == p.kind && kind != variant.Null {
		return gen.Record{"typed_value": typed}, binary, text
	}
	return gen.Record{"value": binary}, binary, text
}

func (s *shredding) array(p *shape, depth int) (stored gen.Record, binary []byte, text string) {
	of := p.item
	if of == nil {
		of = &shape{}
	}
	var starts []int
	var texts []string
	items := []any{}
	for range s.r.IntN(4) {
		item, b, text := s.value(of, depth+1)
		starts, binary, texts, items = append(starts, len(binary)), append(binary, b...), append(texts, text), append(items, item)
	}
	binary = variant.Wrap(binary, 0, starts, nil)
	if stored = (gen.Record{"value": binary}); p.kind == variant.Array {
		stored = gen.Record{"typed_value": items}
	}
	return stored, binary, "[" + strings.Join(texts, ",") + "]"
}

func (s *shredding) object(p *shape, depth int) (stored gen.Record, binary []byte, text string) {
	var starts, restStarts []int
	var rest []byte
	var texts []string
	ids, restIDs := []uint32{}, []uint32{}
	fields := gen.Record{}
	for name := range p.fields {
		fields[name] = gen.Record{} // missing
	}
	for i, name := range s.names {
		if s.r.IntN(2) == 0 {
			continue
		}
		of := p.fields[name]
		if of == nil {
			of = &shape{}
		}
		field, b, text := s.value(of, depth+1)
		texts = append(texts, fmt.Sprintf("%q:%s", name, text))
		starts, binary, ids = append(starts, len(binary)), append(binary, b...), append(ids, uint32(i))
		if _, shredded := p.fields[name]; shredded {
			fields[name] = field
		} else {
			restStarts, rest, restIDs = append(restStarts, len(rest)), append(rest, b...), append(restIDs, uint32(i))
		}
	}
	binary = variant.Wrap(binary, 0, starts, ids)
	stored = gen.Record{"value": binary}
	if p.kind == variant.Object {
		stored = gen.Record{"typed_value": fields}
		if len(restIDs) > 0 {
			stored["value"] = variant.Wrap(rest, 0, restStarts, restIDs)
		}
	}
	return stored, binary, "{" + strings.Join(texts, ",") + "}"
}

// Random values that are shredded in random ways come back as they were. Where bytes of them are damaged,
// there is an error, or a value that naive reads, too; so it is with damaged files.
func TestShreddedVariants(t *testing.T) {
	for seed := range dtest.Rounds(t, 150) {
		s := &shredding{rand.New(rand.NewPCG(uint64(seed), 47)), []string{"", "a", "b c", "typed_value", "value", "é"}}
		p := s.shape(0)
		metadata, group := s.variant(p)
		var rows []any
		var want []string
		for range 50 {
			stored, _, text := s.value(p, 0)
			stored["metadata"] = metadata
			switch row := (gen.Record{"v": stored}); s.r.IntN(10) {
			case 0:
				row["v"], text = nil, ""
				fallthrough
			default:
				rows, want = append(rows, row), append(want, text)
			}
		}
		file := gen.File{All: gen.Column{Shape: gen.Shape{CRC: gen.NoCRC}}, Schema: []*gen.Node{group}, RowGroups: []gen.RowGroup{{Rows: rows}}}
		b := scannertest.Write(t, file)
		f, err := scanner.OpenSource(t.Context(), "v", fetch.FromReaderAt(bytes.NewReader(b), int64(len(b))))
		if err != nil {
			t.Fatal(err)
		}
		o := scanner.Options{BatchRows: 1 + s.r.IntN(60), Dictionaries: map[string]vector.DictionaryUse{"": vector.DictionaryUse(seed % 2)}}
		got, err := spelledVariants(t, f, "v", o)
		if err == nil {
			err = scannertest.Same(got, want)
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		damage(s.r, rows)
		b = scannertest.Write(t, file)
		if f, err = scanner.OpenSource(t.Context(), "v", fetch.FromReaderAt(bytes.NewReader(b), int64(len(b)))); err != nil {
			t.Fatal(err)
		}
		if err := variantsOrErrors(t, f); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			b := slices.Clone(b)
			b[s.r.IntN(len(b))] ^= 1 << s.r.IntN(8)
			if f, err = scanner.OpenSource(t.Context(), "v", fetch.FromReaderAt(bytes.NewReader(b), int64(len(b)))); err == nil {
				variantsOrErrors(t, f) // the file may be at fault
			}
		}
	}
}

// A part of a VARIANT is a struct like others, and no host takes a part of one for the whole.
func TestPartsOfVariants(t *testing.T) {
	open := func(nodes ...*gen.Node) *scanner.File {
		group := gen.Optional("v", gen.Group, append([]*gen.Node{gen.Required("metadata", gen.ByteArray)}, nodes...)...)
		group.Logical = gen.Logical{Kind: gen.KindVariant}
		row := gen.Record{"v": gen.Record{"metadata": []byte{1, 0, 0}, "value": []byte{3 << 2, 7}}}
		b := scannertest.Write(t, gen.File{Schema: []*gen.Node{group}, RowGroups: []gen.RowGroup{{Rows: []any{row}}}})
		f, err := scanner.OpenSource(t.Context(), "v", fetch.FromReaderAt(bytes.NewReader(b), int64(len(b))))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	value := gen.Optional("value", gen.ByteArray)
	whole, shredded := open(value), open(value, gen.Optional("typed_value", gen.Int64))
	rows := func(f *scanner.File, o scanner.Options) (text string, err error) {
		for b, err := range f.Scan(t.Context(), o) {
			if err != nil {
				return "", err
			}
			r := vector.JSONRows(b.Fields)
			r.Use(b)
			line, err := r.Append(nil, 0)
			return string(line), err
		}
		return "", nil
	}
	wants := func(f *scanner.File) scanner.Options {
		fields, err := f.Fields(t.Context(), scanner.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return scanner.Options{Want: scanner.Wants(fields)}
	}
	parts := []string{"v.metadata", "v.value"}
	for i, c := range []struct {
		f    *scanner.File
		o    scanner.Options
		want string
	}{
		{whole, scanner.Options{}, `{"v":7}`},
		{whole, scanner.Options{Select: parts}, `{"v":7}`},
		{shredded, scanner.Options{Select: parts}, `{"v":{"metadata":"AQAA","value":"DAc="}}`},
		{shredded, scanner.Options{Select: append(parts, "v.typed_value")}, `{"v":7}`},
		{whole, wants(shredded), `{"v":7}`},
		{shredded, wants(whole), `more fields of a VARIANT`},
	} {
		got, err := rows(c.f, c.o)
		if got != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d: got %s, %v, want %s", i, got, err, c.want)
		}
	}
}

// The binary files of the corpus are what its dictionary says: as JSON where that has a form for
// the type, else as shown here.
func TestCorpusVariants(t *testing.T) {
	corpusFiles(t) // skips without a corpus
	dir := filepath.Join(corpus, "parquet-testing", "variant")
	text, err := os.ReadFile(filepath.Join(dir, "data_dictionary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	text = bytes.Replace(text, []byte(",\n}"), []byte("\n}"), 1) // the file's last comma is none of JSON's
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	long := strings.Replace(want["primitive_string"].(string), "longer than 64 bytes and therefore does not fit in a short_string", "for sure and certainly longer than 64 bytes", 1)
	for name, shown := range map[string]any{
		"primitive_float": 1234568000.0, "long_string": long, // as short as a float32 may be; not in the dictionary
		"primitive_time": "12:33:54.123456", "primitive_timestamp": "2025-04-16T16:34:56.78Z", "primitive_timestampntz": "2025-04-16T12:34:56.78",
		"primitive_timestamp_nanos": "2024-11-07T12:33:54.123456789Z",
	} {
		want[name] = shown
	}
	binary := vector.Type{Physical: vector.ByteArray}
	field := vector.Field{
		Name: "v", Type: vector.Type{Physical: vector.Group, Logical: vector.Variant}, Layout: vector.Struct,
		Children: []vector.Field{{Name: "metadata", Type: binary}, {Name: "value", Type: binary}},
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.metadata"))
	if err != nil || len(files) < 27 {
		t.Fatal(files, err)
	}
	for _, metadata := range files {
		name := strings.TrimSuffix(filepath.Base(metadata), ".metadata")
		column := &vector.Vector{Type: field.Type, Layout: vector.Struct, Len: 1}
		for _, file := range []string{metadata, strings.TrimSuffix(metadata, "metadata") + "value"} {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := vector.PlainOf(binary, b)
			if err != nil {
				t.Fatal(err)
			}
			column.Children = append(column.Children, s.Vector(1))
		}
		slots := field.JSON()
		slots.Use(column)
		js, err := slots.Append(nil, 0)
		var got any
		if err == nil {
			err = json.Unmarshal(js, &got)
		}
		if _, known := want[name]; err != nil || !known || !reflect.DeepEqual(got, want[name]) {
			t.Errorf("%s: got %s, %v, want %v", name, js, err, want[name])
		}
	}
}

// damage changes bytes of metadata and values within a stored variant.
func damage(r *rand.Rand, stored any) {
	switch stored := stored.(type) {
	case gen.Record:
		for _, name := range slices.Sorted(maps.Keys(stored)) {
			if b, isBinary := stored[name].([]byte); isBinary && r.IntN(2) == 0 {
				stored[name] = dtest.Damaged(r, b)
			}
			damage(r, stored[name])
		}
	case []any:
		for _, item := range stored {
			damage(r, item)
		}
	}
}
