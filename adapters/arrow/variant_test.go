package arrowscan_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// spell returns a variant as naive spells it, "" for NULL.
func spell(t *testing.T, metadata, value []byte) string {
	if metadata == nil {
		return ""
	}
	text, err := naive.Variant(metadata, value)
	if err != nil {
		t.Errorf("% x | % x: %v", metadata, value, err)
	}
	return text
}

// ownVariants returns the values of the column var by winnow's own reading.
func ownVariants(t *testing.T, f *scanner.File) (texts []string, err error) {
	for b, err := range f.Scan(t.Context(), scanner.Options{Select: []string{"var"}}) {
		if err != nil {
			return nil, err
		}
		variants, err := b.Fields[0].Variants()
		if err != nil {
			return nil, err
		}
		variants.Use(b.Columns[0])
		for i := range b.Len {
			metadata, value, err := variants.Binary(i)
			if err != nil {
				return nil, err
			}
			texts = append(texts, spell(t, metadata, value))
		}
	}
	return sameWidth(texts), nil
}

// arrowVariants returns the values of records by Arrow's own reading of them.
func arrowVariants(t *testing.T, records []arrow.RecordBatch) (texts []string) {
	for _, r := range records {
		a, ok := r.Column(0).(*extensions.VariantArray)
		if !ok {
			t.Error("no variants: ", r.Column(0).DataType())
			continue
		}
		for i := range a.Len() {
			if a.Storage().IsNull(i) {
				texts = append(texts, "")
				continue
			}
			v, err := a.Value(i)
			if err != nil {
				t.Errorf("row %d: %v", i, err)
				continue
			}
			texts = append(texts, spell(t, v.Metadata().Bytes(), v.Bytes()))
		}
	}
	return sameWidth(texts)
}

// integer is an integer of a VARIANT as naive spells it: its kind, then its bytes, the lowest first.
var integer = regexp.MustCompile(`\b[3-6]:[0-9a-f]+`)

// sameWidth spells integers with 8 bytes each: Arrow's reading narrows those that are shredded.
func sameWidth(texts []string) []string {
	for i := range texts {
		texts[i] = integer.ReplaceAllStringFunc(texts[i], func(n string) string {
			fill := "00"
			if n[len(n)-2] >= '8' {
				fill = "ff"
			}
			return "int:" + n[2:] + strings.Repeat(fill, 9-len(n)/2)
		})
	}
	return texts
}

// TestVariants compares Arrow's reading of what the adapter returns, as stored and put together, with winnow's own. What
// breaks the format's rules, Arrow may read otherwise, and what winnow calls wrong cannot be put together.
func TestVariants(t *testing.T) {
	asStored, whole := 0, 0
	for _, path := range files(t) {
		if !strings.Contains(path, "shredded_variant") {
			continue
		}
		f, err := scanner.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		want, wrong := ownVariants(t, f)
		for i, o := range []arrowscan.Options{
			{}, {Strings: arrowscan.Offsets}, {WholeVariants: true}, {WholeVariants: true, Strings: arrowscan.LargeOffsets}, {WholeVariants: true, PlainTypes: true},
		} {
			checked := memory.NewCheckedAllocator(memory.DefaultAllocator)
			query := scanner.Options{BatchRows: 2, Select: []string{"var"}}
			if i%2 == 1 {
				query.Dictionaries = map[string]vector.DictionaryUse{"": vector.DictionaryAlways}
			}
			o.Allocator = checked
			records, err := readAs(t.Context(), f, query, o)
			switch {
			case o.WholeVariants && (err == nil) != (wrong == nil) || err != nil && wrong == nil:
				t.Errorf("%s: error %v, want %v", path, err, wrong)
			case wrong == nil && o.PlainTypes:
				if got := fmt.Sprint(records[0].Column(0).DataType()); got != "struct<metadata: binary_view, value: binary_view>" {
					t.Errorf("%s: %s", path, got)
				}
			case wrong == nil && (o.WholeVariants || !strings.Contains(path, "INVALID")):
				if got := arrowVariants(t, records); !slices.Equal(got, want) {
					t.Errorf("%s: %+v: %q, want %q", path, o, got, want)
				} else if o.WholeVariants {
					whole++
				} else {
					asStored++
					wanted := scanner.Options{}
					if wanted.Want, wanted.By, err = arrowscan.Want(records[0].Schema()); err != nil {
						t.Fatal(err)
					}
					again, err := readAs(t.Context(), f, wanted, o)
					if got := arrowVariants(t, again); err != nil || !slices.Equal(got, want) {
						t.Errorf("%s: wanted as it is: %q, %v", path, got, err)
					}
					release(again)
				}
			}
			release(records)
			checked.AssertSize(t, 0)
		}
		f.Close()
	}
	t.Log(asStored, "readings as stored,", whole, "put together")
	if n := asStored + whole; n > 0 && n < 500 {
		t.Error("too few")
	}
}

// TestVariantsBelow has shredded variants within a list and a struct.
func TestVariantsBelow(t *testing.T) {
	variant := func(name string) *gen.Node {
		return gen.Optional(name, gen.Group, gen.Required("metadata", gen.ByteArray), gen.Optional("value", gen.ByteArray), gen.Optional("typed_value", gen.Int64)).
			As(gen.Logical{Kind: gen.KindVariant})
	}
	one := func(n int64) any { return gen.Record{"metadata": "\x01\x00\x00", "typed_value": n} }
	file := gen.File{
		Schema:    []*gen.Node{gen.List("l", variant("element")), gen.Optional("s", gen.Group, variant("v"))},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"l": []any{one(7), nil, one(-1)}, "s": gen.Record{"v": one(5)}}, gen.Record{"s": gen.Record{}}, gen.Record{}}}},
	}
	b, err := file.Write()
	if err != nil {
		t.Fatal(err)
	}
	f, err := scanner.OpenSource(t.Context(), "f", fetch.FromBytes(b))
	if err != nil {
		t.Fatal(err)
	}
	for _, whole := range []bool{false, true} {
		records, err := read(t.Context(), f, arrowscan.Options{WholeVariants: whole})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(records[0].Column(0), records[0].Column(1))
		if want := `[VariantArray[7 (null) -1] (null) (null)] {VariantArray[5 (null) (null)]}`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		release(records)
	}
}
