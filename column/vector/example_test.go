package vector_test

import (
	"fmt"

	"github.com/winnow-scan/winnow/column/vector"
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
