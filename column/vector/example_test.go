package vector_test

import (
	"fmt"
	"log"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// A column of lists is put together by hand and printed.
func Example() {
	number := vector.Field{Name: "item", Type: vector.Type{Physical: vector.Int64}, Nullable: true}
	list := vector.Field{
		Name: "tags", Type: vector.Type{Physical: vector.Group}, Layout: vector.List, Nullable: true,
		Children: []vector.Field{number},
	}
	tags := &vector.Vector{
		Type: list.Type, Layout: vector.List, Len: 3,
		Offsets:  []int32{0, 2, 2, 3},
		Children: []*vector.Vector{{Type: number.Type, Len: 3, Validity: []uint64{0b011}, Int64s: []int64{1, 2, 0}}},
	}

	b := vector.Batch{Fields: []vector.Field{list}, Columns: []*vector.Vector{tags}, Len: 3}
	rows := vector.JSONRows(b.Fields)
	rows.Use(&b)
	for i := range b.Len {
		line, err := rows.Append(nil, i)
		fmt.Println(string(line), err)
	}
	// Output:
	// {"tags":[1,2]} <nil>
	// {"tags":[]} <nil>
	// {"tags":[null]} <nil>
}

// Rows of a row group that two conditions leave over.
func ExampleRanges_And() {
	pages := vector.Ranges{{From: 0, To: 100}, {From: 200, To: 300}}
	others := vector.Ranges{{From: 50, To: 250}}
	rows := pages.And(others)
	fmt.Println(rows, rows.Len())
	// Output: [{50 100} {200 250}] 100
}

// A literal of a catalogue becomes a value of a column's type, and the values of a column are scalars again.
func ExampleScalar() {
	price := vector.Type{Physical: vector.Int64, Logical: vector.Decimal, Precision: 12, Scale: 2}
	limit, err := vector.DecimalOf(price, "19.99")
	if err != nil {
		log.Fatal(err)
	}
	unscaled, _ := limit.Int64()
	fmt.Println(limit, unscaled, limit.Type())

	column := &vector.Vector{Type: price, Len: 3, Validity: []uint64{0b101}, Int64s: []int64{500, 0, 2500}}
	for i := range column.Len {
		value := column.Scalar(i)
		order, ok := value.Compare(limit)
		fmt.Println(value, order, ok)
	}
	// Output:
	// 19.99 1999 INT64 DECIMAL(12,2)
	// 5.00 -1 true
	// NULL 0 false
	// 25.00 1 true
}

// A VARIANT with an int8 and an object in it, and what Go makes of them.
func ExampleVariants() {
	binary := vector.Type{Physical: vector.ByteArray}
	field := vector.Field{
		Name: "v", Type: vector.Type{Physical: vector.Group, Logical: vector.Variant}, Layout: vector.Struct,
		Children: []vector.Field{{Name: "metadata", Type: binary}, {Name: "value", Type: binary}},
	}
	variants, err := field.Variants()
	if err != nil {
		log.Fatal(err)
	}
	column := &vector.Vector{Type: field.Type, Layout: vector.Struct, Len: 2, Children: []*vector.Vector{
		{Type: binary, Len: 2, Views: []bits.View{bits.MakeInline([]byte("\x01\x01\x00\x01a")), bits.MakeInline([]byte("\x01\x01\x00\x01a"))}},
		{Type: binary, Len: 2, Views: []bits.View{bits.MakeInline([]byte("\x0c\x07")), bits.MakeInline([]byte("\x02\x01\x00\x00\x02\x05x"))}},
	}}
	variants.Use(column)
	for i := range column.Len {
		text, err := variants.AppendJSON(nil, i)
		native, _ := variants.Native(i)
		fmt.Printf("%s %T %v\n", text, native, err)
	}
	// Output:
	// 7 int64 <nil>
	// {"a":"x"} map[string]interface {} <nil>
}
