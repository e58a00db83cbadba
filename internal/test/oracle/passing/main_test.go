package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestAnswers(t *testing.T) {
	var out strings.Builder
	err := serve(strings.NewReader(`["../../../../testdata/orders.parquet", "order_id IS NULL"]
["../../../../testdata/orders.parquet", "TRUE"]
["../../../../testdata/orders.parquet", "no_such = 1"]
["none.parquet", "TRUE"]`), &out)
	if err != nil {
		t.Fatal(err)
	}
	hash := int64(0)
	for row := range int64(3000) {
		hash += row * 2654435761 % 4294967291
	}
	lines := strings.Split(out.String(), "\n")
	if lines[0] != `{"rows":0,"sum":0,"hash":0}` || lines[1] != fmt.Sprintf(`{"rows":3000,"sum":4498500,"hash":%d}`, hash) {
		t.Errorf("got %q", lines[:2])
	}
	if !strings.Contains(lines[2], "no column no_such") || !strings.Contains(lines[3], "none.parquet") {
		t.Errorf("errors are %q", lines[2:])
	}
}
