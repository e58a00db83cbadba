package scanner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Orders as Go values, written as JSON, are the lines of the rows themselves.
func TestTypedRowsAgainstJSON(t *testing.T) {
	type address struct {
		City string  `json:"city"`
		Zip  *string `json:"zip"`
	}
	type order struct {
		ID       int64     `parquet:"order_id" json:"order_id"`
		Placed   time.Time `json:"placed"`
		Customer *struct {
			Name    string   `json:"name"`
			Address *address `json:"address"`
		} `json:"customer"`
		Items []struct {
			SKU      string   `json:"sku"`
			Quantity int32    `json:"quantity"`
			Price    *float64 `json:"price"`
			Tags     []string `json:"tags"`
		} `json:"items"`
		Attributes map[string]*string `json:"-"`
		Unread     chan int           `parquet:"-" json:"-"`
	}
	f := open(t, "../testdata/orders.parquet")
	want := lines(t, f, Options{Select: []string{"order_id", "placed", "customer", "items"}})
	maps := lines(t, f, Options{Select: []string{"attributes"}})
	i := 0
	for o, err := range Rows[order](t.Context(), f, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		if err := e.Encode(o); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(line.String()); got != want[i] {
			t.Fatalf("row %d: %s, want %s", i, got, want[i])
		}
		var pairs struct {
			Attributes []struct {
				Key   string
				Value *string
			}
		}
		if err := json.Unmarshal([]byte(maps[i]), &pairs); err != nil {
			t.Fatal(err)
		}
		attributes := map[string]*string{}
		for _, p := range pairs.Attributes {
			attributes[p.Key] = p.Value
		}
		if (o.Attributes == nil) != (pairs.Attributes == nil) || len(o.Attributes) != len(attributes) || o.Attributes != nil && !reflect.DeepEqual(o.Attributes, attributes) {
			t.Fatalf("row %d: attributes %v, want %s", i, o.Attributes, maps[i])
		}
		i++
	}
	if i != len(want) || i == 0 {
		t.Errorf("%d rows, want %d", i, len(want))
	}
}

// one returns the only row of a file with one column c.
func one[T any](t *testing.T, node *gen.Node, value any) (T, error) {
	t.Helper()
	f := fileOf(t, gen.File{Schema: []*gen.Node{node}}, gen.Record{"c": value})
	for row, err := range Rows[struct{ C T }](t.Context(), f, Options{}) {
		return row.C, err
	}
	t.Fatal("no row")
	panic("")
}

// is tells what a column's value becomes as a T, and what its error must say.
func is[T any](t *testing.T, node *gen.Node, value any, want T, fault string) {
	t.Helper()
	got, err := one[T](t, node, value)
	if fault != "" {
		if err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%v as %T: error %v, want %q", value, want, err, fault)
		}
		return
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v as %T: %#v, %v; want %#v", value, want, got, err, want)
	}
}

func TestTypedRowsOfEveryType(t *testing.T) {
	c := func(p gen.Type) *gen.Node { return gen.Optional("c", p) }
	is(t, c(gen.Boolean), true, true, "")
	is(t, c(gen.Int32), -5, int32(-5), "")
	is(t, c(gen.Int32), -5, int64(-5), "")
	is(t, c(gen.Int32), -5, int(-5), "")
	is(t, c(gen.Int32).As(gen.IntType(8, true)), -5, int8(-5), "")
	is(t, c(gen.Int32).As(gen.IntType(8, false)), 200, uint8(200), "")
	is(t, c(gen.Int32).As(gen.IntType(8, false)), 200, int16(200), "")
	is(t, c(gen.Int32).As(gen.IntType(32, false)), -1, uint32(math.MaxUint32), "")
	is(t, c(gen.Int64).As(gen.IntType(64, false)), -1, uint64(math.MaxUint64), "")
	is(t, c(gen.Float), float32(0.5), float32(0.5), "")
	is(t, c(gen.Float), float32(0.5), 0.5, "")
	is(t, c(gen.Double), 0.1, 0.1, "")
	is(t, c(gen.ByteArray).As(gen.StringType()), "text", "text", "")
	is(t, c(gen.ByteArray), "\xff\x00", []byte{0xff, 0}, "")
	is(t, c(gen.FixedLenByteArray).Len(2), "ab", [2]byte{'a', 'b'}, "")
	is(t, c(gen.Int64).As(gen.DecimalType(9, 2)), -150, "-1.50", "")
	is(t, c(gen.Int32).As(gen.DateType()), 19782, time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), "")
	is(t, c(gen.Int64).As(gen.TimestampType(gen.Micros, true)), -1, time.Date(1969, 12, 31, 23, 59, 59, 999_999_000, time.UTC), "")
	is(t, c(gen.Int64).As(gen.TimeType(gen.Nanos, true)), 1500, 1500*time.Nanosecond, "")
	is(t, c(gen.Int32).As(gen.TimeType(gen.Millis, true)), 1500, 1500*time.Millisecond, "")

	five := int32(5)
	is(t, c(gen.Int32), 5, &five, "")
	is(t, c(gen.Int32), nil, (*int32)(nil), "")
	is(t, c(gen.ByteArray), nil, []byte(nil), "")
	is(t, c(gen.Int32), nil, int32(0), `f.parquet: column "c" is NULL in a row, and int32 has no nil: make it a pointer`)
	is(t, gen.List("c", gen.Optional("element", gen.Int32)), nil, []*int32(nil), "")
	is(t, gen.List("c", gen.Optional("element", gen.Int32)), []any{}, []*int32{}, "")
	is(t, gen.List("c", gen.Optional("element", gen.Int32)), []any{5, nil}, []*int32{&five, nil}, "")
	is(t, gen.List("c", gen.Optional("element", gen.Int32)), []any{5, nil}, []int32(nil), `column "item" is NULL`)

	mismatch := func(node *gen.Node, err error, want string) {
		t.Helper()
		if err == nil || !errors.Is(err, ErrMismatch) || err.Error() != `f.parquet: column "`+want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	_, err := one[int16](t, c(gen.Int32), nil)
	mismatch(c(gen.Int32), err, `c": it is INT32, int16 is wanted`)
	_, err = one[uint64](t, c(gen.Int32), nil)
	mismatch(c(gen.Int32), err, `c": it is INT32, uint64 is wanted`)
	_, err = one[int32](t, c(gen.Int32).As(gen.DateType()), nil)
	mismatch(nil, err, `c": it is INT32 DATE, int32 is wanted`)
	_, err = one[string](t, c(gen.ByteArray), nil)
	mismatch(nil, err, `c": it is BYTE_ARRAY, string is wanted`)
	_, err = one[[]string](t, gen.List("c", gen.Optional("element", gen.Int32)), nil)
	mismatch(nil, err, `c.item": it is INT32, string is wanted`)
	_, err = one[struct{ X int }](t, gen.Optional("c", gen.Group, gen.Optional("y", gen.Int32)), nil)
	mismatch(nil, err, `c.X": there is no such column, and field X of struct { X int } wants it`)
	_, err = one[any](t, c(gen.Int32), nil)
	mismatch(nil, err, `c": it is INT32, interface {} is wanted`)
	for _, err := range Rows[int](t.Context(), fileOf(t, gen.File{Schema: []*gen.Node{c(gen.Int32)}}), Options{}) {
		if !errors.Is(err, ErrMismatch) {
			t.Errorf("rows as integers: %v", err)
		}
	}
}

// Only what fields stand for is read, filters and the other options hold, and
// what is promoted counts.
func TestTypedRowsReadNoMore(t *testing.T) {
	type base struct{ ID int64 }
	rows := someRows(3000)
	f := filterable(t, rows)
	var stats Stats
	var got []string
	for r, err := range Rows[struct {
		base
		Number int64 `parquet:"row"`
	}](t.Context(), f, Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "n >= 99 AND id > 10"), RowNumber: "row", Limit: 5, Stats: &stats}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(r.ID, r.Number))
	}
	var want []string
	for _, r := range rows {
		if r.n != nil && *r.n >= 99 && r.id > 10 && len(want) < 5 {
			want = append(want, fmt.Sprint(r.id, r.id))
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	stats = Stats{}
	for _, err := range Rows[struct{ S string }](t.Context(), f, Options{Stats: &stats}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(stats.Columns) != 1 || stats.Columns[0].Leaf.Name != "s" {
		t.Errorf("columns looked at: %v", stats.Columns)
	}
	// Rows of items.
	items := 0
	for r, err := range Rows[struct{ Item vectorText }](t.Context(), f, Options{Unnest: "tags"}) {
		if err != nil || !strings.HasPrefix(string(r.Item), "t") {
			t.Fatal(r, err)
		}
		items++
	}
	for _, r := range rows {
		items -= len(r.tags)
	}
	if items != 0 {
		t.Errorf("%d items too many", items)
	}
}

// vectorText is a string type of a host's own.
type vectorText string
