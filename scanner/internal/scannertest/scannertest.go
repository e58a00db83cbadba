package scannertest

import (
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/validate"
)

// Write returns the bytes of a file.
func Write(t *testing.T, f gen.File) []byte {
	t.Helper()
	b, err := f.Write()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Parsed returns the condition of a text.
func Parsed(t *testing.T, where string) *filter.Expr {
	t.Helper()
	e, err := filter.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Lines returns the rows of a batch as JSON, a VARIANT as it is stored.
func Lines(t *testing.T, b *vector.Batch) []string {
	t.Helper()
	if err := validate.Batch(b); err != nil {
		t.Fatal(err)
	}
	for i := range b.Fields {
		if err := formAsPromised(&b.Fields[i], b.Columns[i]); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	rows := vector.JSONRows(vector.AsStored(b.Fields))
	rows.Use(b)
	for i := range b.Len {
		line, err := rows.Append(nil, i)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(line))
	}
	return got
}

// formAsPromised returns an error if a vector has another form than its field says, or an
// entry twice in a dictionary that must not.
func formAsPromised(f *vector.Field, v *vector.Vector) error {
	if f.Layout == vector.Leaf {
		isDictionary := v.Form == vector.Dictionary
		switch {
		case f.Dictionary == vector.DictionaryNever && isDictionary, f.Dictionary == vector.DictionaryAlways && !isDictionary:
			return fmt.Errorf("%s has form %d, its field says %d", f.Name, v.Form, f.Dictionary)
		case f.Dictionary == vector.DictionaryAlways:
			seen := map[string]bool{}
			for i := range v.Dict.Len {
				entry := string(v.Dict.Scalar(i).Plain())
				if seen[entry] {
					return fmt.Errorf("%s has the entry %q twice", f.Name, entry)
				}
				seen[entry] = true
			}
		}
	}
	for i, c := range v.Children {
		if err := formAsPromised(&f.Children[i], c); err != nil {
			return err
		}
	}
	return nil
}

// Same returns an error about the first difference.
func Same(got, want []string) error {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Errorf("row %d: got %.300s, want %.300s", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d rows, want %d", len(got), len(want))
	}
	return nil
}

// Shown returns a scalar as JSON, or the text of an error.
func Shown(t *testing.T, s vector.Scalar, err error) string {
	t.Helper()
	if err != nil {
		return err.Error()
	}
	v := s.Vector(1)
	if err := validate.Vector(v); err != nil {
		t.Error(err)
	}
	field := vector.Field{Type: v.Type}
	slots := field.JSON()
	slots.Use(v)
	text, err := slots.Append(nil, 0)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// Plain returns the value whose PLAIN encoding is given, NULL for nil.
func Plain(t vector.Type, plain []byte) vector.Scalar {
	s, err := vector.PlainOf(t, plain)
	if err != nil {
		panic(err)
	}
	return s
}
