package filter_test

import (
	"errors"
	"fmt"
	"log"
	"sync"

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

// A calculation is a value as a column is, and so may be part of another.
func ExampleCalculate() {
	price := filter.Calculate("*", filter.Col("price"), filter.Calculate("-", 1, filter.Col("discount")))
	late := filter.Calculate("-", filter.Col("received"), filter.Col("shipped"))
	fmt.Println(filter.And(price.Gt(filter.Col("limit")), late.Gt(30)))
	// Output:
	// price * (1 - discount) > limit AND received - shipped > 30
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

// A join on two columns: several goroutines read the build side, each into keys of its
// own. Together, they filter the other side.
func ExampleInKeys() {
	build := make([]filter.Keys, 2)
	var readers sync.WaitGroup
	for i, rows := range [][][2]any{{{7, "AIR"}, {11, "RAIL"}}, {{40, "AIR"}}} {
		readers.Go(func() {
			for _, row := range rows {
				build[i].Add(row[0], row[1])
			}
		})
	}
	readers.Wait()
	var keys filter.Keys
	for i := range build {
		keys.Merge(&build[i])
	}
	fmt.Println(filter.InKeys(&keys, filter.Col("customer"), filter.Col("ship_mode")), keys.Len())
	// Output:
	// in_keys(customer, ship_mode) 3
}

// Keys go to another process as bytes; the columns that they are for go beside them.
func ExampleKeys_MarshalBinary() {
	sent := filter.NewKeys(3)
	for _, id := range []int64{7, 11, 40} {
		sent.AddInt64(id)
	}
	message, err := sent.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}

	var received filter.Keys
	if err := received.UnmarshalBinary(message); err != nil {
		log.Fatal(err)
	}
	fmt.Println(filter.Col("customer").InKeys(&received), received.Len())
	fmt.Println(received.UnmarshalBinary(message[:20]))
	// Output:
	// in_keys(customer) 3
	// filter: the encoding of keys is damaged
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
