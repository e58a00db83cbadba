package scanner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// task is what one process sends to another: a file, a filter, and a part of the plan.
type task struct {
	File, Where string
	Part        *scanner.Plan
}

// work is the other process: it knows nothing but the task.
func work(ctx context.Context, message []byte) (rows int64, err error) {
	var t task
	if err := json.Unmarshal(message, &t); err != nil {
		return 0, err
	}
	where, err := filter.Parse(t.Where)
	if err != nil {
		return 0, err
	}
	f, err := scanner.Open(ctx, t.File)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.Count(ctx, scanner.Options{Filter: where, Plan: t.Part})
}

// A planner reads the metadata once, and sends parts of the plan to other processes.
func ExamplePlan_Parts() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/lineitems.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	where, err := filter.Parse("ship_date >= '1994-01-01' AND extended_price > 40000")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := f.Plan(ctx, scanner.Options{Filter: where})
	if err != nil {
		log.Fatal(err)
	}
	total := int64(0)
	parts := plan.Parts(3)
	for _, part := range parts {
		message, err := json.Marshal(task{f.Name(), where.String(), part})
		if err != nil {
			log.Fatal(err)
		}
		rows, err := work(ctx, message)
		if err != nil {
			log.Fatal(err)
		}
		total += rows
	}
	all, err := f.Count(ctx, scanner.Options{Filter: where})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(parts) > 1, total == all, total > 0)
	// Output:
	// true true true
}
