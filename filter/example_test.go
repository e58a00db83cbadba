package filter_test

import (
	"errors"
	"fmt"

	"github.com/winnow-scan/winnow/filter"
)

func Example() {
	e := filter.And(
		filter.Col("shipped").Ge(filter.Date(1994, 1, 1)),
		filter.Col("discount").Between(filter.Decimal("0.05"), filter.Decimal("0.07")),
		filter.Or(filter.Col("tags").Any().Prefix("new"), filter.Col("attrs").Key("colour").Eq("red")),
	)
	fmt.Println(e)
	// Output:
	// shipped >= DATE '1994-01-01' AND discount BETWEEN 0.05 AND 0.07 AND (prefix(ANY(tags), 'new') OR attrs['colour'] = 'red')
}

func ExampleError_Caret() {
	text := "price < 10 AND name LIKE 5"
	_, err := filter.Parse(text)
	var fault *filter.Error
	if errors.As(err, &fault) {
		fmt.Println(fault.Msg)
		fmt.Println(fault.Caret(text))
	}
	// Output:
	// a string is expected
	// price < 10 AND name LIKE 5
	//                          ^
}

// A host that does not know how many keys it will have starts with the zero Keys.
func ExampleKeys() {
	var keys filter.Keys
	for _, id := range []int64{7, 11, 40} {
		keys.AddInt64(id)
	}
	fmt.Println(filter.Col("customer").InKeys(&keys), keys.Len())
	// Output:
	// in_keys(customer) 3
}

func ExampleRuntime() {
	var build filter.Runtime // given to a scan, that begins without waiting for it

	keys := filter.NewKeys(3)
	for _, id := range []int64{7, 11, 40} {
		keys.AddInt64(id)
	}
	build.Publish(filter.Col("customer").InKeys(keys))

	e, version := build.Snapshot()
	fmt.Println(e, version)
	// Output:
	// in_keys(customer) 1
}
