package pageindex

import (
	"os"
	"path/filepath"
	"testing"
)

// What other writers say of their rows, held against the rows that DuckDB 2.0.0
// finds in them: the first, the last and how many. What is left of the rows by
// the metadata alone, and what of it was read for that, is known to be this.
func TestSamples(t *testing.T) {
	for _, test := range []struct {
		file        string
		group       int
		where       string
		first, last int64 // -1: none
		count       int64
		left        int64
		reads       string
	}{
		{"weblog", 1, `user_id = 100000`, 97, 4998, 135, 5000, "user_id offset index, user_id column index, user_id Bloom filter header, user_id Bloom filter block"},
		{"weblog", 0, `user_id = 123456789`, -1, -1, 0, 0, "user_id offset index, user_id column index, user_id Bloom filter header, user_id Bloom filter block"},
		{"weblog", 0, `user_id = 475121215`, 858, 858, 1, 1024, "user_id offset index, user_id column index, user_id Bloom filter header, user_id Bloom filter block"},
		{"weblog", 0, `"time" < TIMESTAMP '2024-06-10 06:15:00'`, 0, 234, 235, 1024, "time offset index, time column index"},
		{"weblog", 3, `status >= 500 AND latency_ms > 1500`, 535, 4954, 7, 5000, "status offset index, status column index, latency_ms offset index, latency_ms column index"},
		{"weblog", 2, `url LIKE 'https://www.example.com/video%' AND method = 'PUT'`, -1, -1, 0, 0, ""},
		{"weblog", 0, `bytes IS NULL`, 4, 4986, 465, 5000, "bytes offset index, bytes column index"},
		{"lineitems", 0, `ship_date >= DATE '1994-01-01'`, 5273, 5999, 727, 880, "ship_date offset index, ship_date column index"},
		{"lineitems", 3, `ship_date < DATE '1994-01-01' OR quantity > 50`, -1, -1, 0, 0, ""},
		{"lineitems", 1, `ship_date BETWEEN DATE '1994-06-01' AND DATE '1994-06-30' AND discount < 0.02`, 567, 774, 39, 1024, "ship_date offset index, ship_date column index, discount offset index, discount column index"},
		{"lineitems", 2, `extended_price > 49999.99`, -1, -1, 0, 0, ""},
		{"lineitems", 0, `comment IS NULL AND order_key < 1000`, 107, 5814, 38, 6000, "comment offset index, comment column index, order_key offset index, order_key column index"},
		{"orders", 0, `order_id BETWEEN 1100 AND 1110`, 100, 110, 11, 256, "order_id offset index, order_id column index"},
		{"orders", 1, `customer.address.city = 'Aarhus'`, 30, 1489, 99, 1500, "customer.address.city offset index, customer.address.city column index"},
		{"orders", 1, `placed > TIMESTAMP '2024-06-02 06:00:00' AND customer IS NULL`, 1424, 1494, 18, 220, "placed offset index, placed column index, customer.name offset index, customer.name column index"},
		{"writers/pyarrow_bloom", 1, `id = '00000001'`, -1, -1, 0, 0, ""},
		{"writers/pyarrow_bloom", 0, `key < 700`, 0, 99, 100, 200, "key offset index, key column index"},
	} {
		b, err := os.ReadFile(filepath.Join("..", "testdata", filepath.FromSlash(test.file)+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		s := openSample(t, b)
		j := s.judge(t, s.bind(t, test.where), s.group(test.group), Options{})
		rows := j.Rows()
		if test.count > 0 && !(rows.Contains(test.first) && rows.Contains(test.last)) || rows.Len() < test.count {
			t.Errorf("%s, row group %d, %s: rows %v do not have %d to %d", test.file, test.group, test.where, rows, test.first, test.last)
		}
		if rows.Len() != test.left || s.log() != test.reads {
			t.Errorf("%s, row group %d, %s: %d rows are left, read %q; want %d, %q", test.file, test.group, test.where, rows.Len(), s.log(), test.left, test.reads)
		}
		if n := j.Pruned().Invalid; len(n) > 0 {
			t.Errorf("%s: %v", test.file, n)
		}
	}
}
