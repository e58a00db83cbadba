package scannertest

import (
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/gen"
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

// Lines returns the rows of a batch as JSON.
func Lines(t *testing.T, b *vector.Batch) []string {
	t.Helper()
	if err := b.Validate(); err != nil {
		t.Fatal(err)
	}
	var got []string
	rows := vector.JSONRows(b.Fields)
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

// Shown returns the only slot of a vector as JSON, or the text of an error.
func Shown(t *testing.T, v *vector.Vector, err error) string {
	t.Helper()
	if err != nil {
		return err.Error()
	}
	if err := v.Validate(); err != nil || v.Len != 1 {
		t.Errorf("%d slots, %v", v.Len, err)
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
