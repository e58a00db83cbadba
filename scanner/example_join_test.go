package scanner_test

import (
	"context"
	"fmt"
	"log"
	"sync"
	"sync/atomic"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// A host joins line items with orders. It scans the larger side in partitions
// while it still builds its hash table, and publishes to that scan what keys
// there are as soon as it knows: rows that find no partner are then dropped
// where they are read, with their pages if the least and greatest key allow it.
func Example_hashJoin() {
	ctx := context.Background()
	orders, err := scanner.Open(ctx, "../testdata/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer orders.Close()
	items, err := scanner.Open(ctx, "../testdata/lineitems.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer items.Close()

	var keys filter.Runtime
	table := map[int64]bool{}
	built := make(chan struct{})

	var joined atomic.Int64
	var probes sync.WaitGroup
	for _, part := range items.Partitions(ctx, scanner.Options{
		Select: []string{"order_key", "quantity"}, Runtime: []*filter.Runtime{&keys},
	}, 4) {
		probes.Go(func() {
			for batch, err := range part {
				if err != nil {
					log.Fatal(err)
				}
				<-built
				for _, key := range batch.Columns[0].Int64s[:batch.Len] {
					if table[key] {
						joined.Add(1)
					}
				}
				batch.Release()
			}
		})
	}

	bloom := filter.NewKeys(1000)
	least, greatest := int64(1<<62), int64(0)
	for batch, err := range orders.Scan(ctx, scanner.Options{
		Select: []string{"order_id"}, Filter: filter.Col("customer.address.city").Eq("Turku"),
	}) {
		if err != nil {
			log.Fatal(err)
		}
		for _, key := range batch.Columns[0].Int64s[:batch.Len] {
			table[key] = true
			bloom.AddInt64(key)
			least, greatest = min(least, key), max(greatest, key)
		}
		batch.Release()
	}
	key := filter.Col("order_key")
	keys.Publish(filter.And(key.Between(least, greatest), key.InKeys(bloom)))
	close(built)
	probes.Wait()
	fmt.Println(len(table), "orders from Turku have", joined.Load(), "items")
	// Output: 190 orders from Turku have 167 items
}
