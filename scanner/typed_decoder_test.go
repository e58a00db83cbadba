package scanner_test

import (
	"reflect"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// A Decoder of a type that is made at run time has the values of Rows with that type, for
// each row of each batch, and selects as much. Values of the row before do not stay.
func TestDecoder(t *testing.T) {
	type name struct{ Name string }
	type order struct {
		ID       int64 `parquet:"order_id"`
		Customer *name
	}
	f, err := scanner.Open(t.Context(), "../testdata/orders.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := scanner.Options{Filter: filter.Col("order_id").Lt(1100), BatchRows: 30}
	var want []order
	nulls := 0
	for row, err := range scanner.Rows[order](t.Context(), f, o) {
		if err != nil {
			t.Fatal(err)
		}
		if row.Customer == nil {
			nulls++
		}
		want = append(want, row)
	}
	if nulls == 0 || nulls == len(want) {
		t.Fatalf("%d of %d rows are NULL: the test needs both kinds", nulls, len(want))
	}

	structType := reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: reflect.TypeFor[int64](), Tag: `parquet:"order_id"`},
		{Name: "B", Type: reflect.TypeFor[*name](), Tag: `parquet:"customer"`},
	})
	d, err := scanner.NewDecoder(t.Context(), f, structType, &o)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(o.Select, []string{"order_id", "customer.name"}) {
		t.Errorf("it selects %q", o.Select)
	}
	row := reflect.New(structType).Elem()
	n := 0
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		d.Use(b)
		for i := range b.Len {
			if err := d.Decode(row, i); err != nil {
				t.Fatal(err)
			}
			got := order{row.Field(0).Interface().(int64), row.Field(1).Interface().(*name)}
			if n >= len(want) || !reflect.DeepEqual(got, want[n]) {
				t.Fatalf("row %d is %v", n, got)
			}
			n++
		}
		b.Release()
	}
	if n != len(want) {
		t.Errorf("%d rows, want %d", n, len(want))
	}
}
