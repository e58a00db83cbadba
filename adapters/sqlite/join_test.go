package sqlitescan

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/scanner"
)

// openJoins returns a database whose lookups go to an index soon, and to one that may have some bytes.
func openJoins(t *testing.T, stats *scanner.Stats, lookupBytes int64) *sql.DB {
	t.Helper()
	m := newModule(Options{LookupBytes: lookupBytes, Scan: scanner.Options{Stats: stats}})
	m.rowTime = 0
	c, err := newConnector(":memory:", m, []Table{
		{"items", samples + "lineitems.parquet"}, {"orders", samples + "orders.parquet"}, {"log", samples + "weblog.parquet"},
	})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	for _, table := range []string{"items", "orders", "log"} {
		if _, err := db.Exec("CREATE TEMP TABLE " + table + "_copy AS SELECT rowid AS n, * FROM " + table); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// TestJoins compares joins of Parquet files with those of tables of SQLite with the same rows, by
// scans alone and with an index.
func TestJoins(t *testing.T) {
	for _, bytes := range []int64{-1, 0, 100 << 10} {
		db := openJoins(t, nil, bytes)
		for _, text := range []string{
			"SELECT count(*), sum(quantity) FROM orders, items WHERE order_key = order_id AND order_id % 16 = 3",
			"SELECT count(*), sum(quantity) FROM orders LEFT JOIN items ON order_key = order_id AND quantity > 40 WHERE order_id % 16 = 5",
			"SELECT count(*), min(line_number) FROM orders JOIN items ON order_key = order_id AND line_number = order_id % 5 WHERE order_id % 16 < 2",
			"SELECT a.user_id, count(*) FROM log AS a CROSS JOIN log AS b ON b.user_id = a.user_id WHERE a.status = 500 AND a.latency_ms > 100 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20",
			"SELECT count(*), sum(b.bytes) FROM log AS a CROSS JOIN log AS b ON b.url = a.url COLLATE NOCASE AND b.status > 300 WHERE a.latency_ms > 2000 AND a.latency_ms < 2100",
			"SELECT count(*) FROM log WHERE user_id IN (SELECT user_id FROM log_copy ORDER BY n LIMIT 50)",
			"SELECT count(*) FROM items WHERE ship_date IN (SELECT DISTINCT ship_date FROM items_copy ORDER BY 1 LIMIT 40)",
			"SELECT count(*) FROM items WHERE part_key IN (1, 2.0, 3.5, '4', NULL, x'05', 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)",
			"SELECT count(*) FROM items WHERE discount IN (0.05, 0.01, 0, 1, '0.02', 0.04, 0.06, 0.07, 0.08, 0.09, 0.1, 0.11, 0.12)",
			"SELECT count(*) FROM items AS a WHERE EXISTS (SELECT 1 FROM orders WHERE order_id = a.part_key) AND a.quantity = 7",
			"SELECT count(*) FROM items AS a JOIN items AS b ON b.rowid = a.line_number + 100 WHERE a.order_key < 300",
			"SELECT count(*), sum(b.quantity) FROM items AS a CROSS JOIN items AS b ON b.order_key = a.part_key AND b.quantity < a.quantity WHERE a.order_key < 400",
			// A value that does not change for a while, and then does.
			"WITH a(k, most) AS (VALUES (1,9),(2,9),(3,9),(4,9),(5,9),(6,9),(7,9),(8,9),(9,9),(10,9),(11,9),(12,9),(13,9),(14,9),(15,99),(16,99),(17,99),(1,5),(2,50))" +
				" SELECT k, count(*), sum(b.quantity) FROM a CROSS JOIN items AS b ON b.part_key = a.k AND b.quantity < a.most GROUP BY 1, most ORDER BY 1, 2",
			"SELECT count(*), sum(b.quantity) FROM items AS a CROSS JOIN items AS b ON b.comment = a.comment WHERE a.order_key < 500",
		} {
			want := ask(t, db, strings.NewReplacer("items ", "items_copy ", "orders ", "orders_copy ", "log ", "log_copy ",
				"orders,", "orders_copy,", "rowid", "n").Replace(text))
			if got := ask(t, db, text); !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("at most %d bytes: %s: %v, want %v", bytes, text, got, want)
			}
		}
	}
}

// TestIndexReads counts pages: with an index, a join reads each page of the inner table once
// more, however many lookups there are.
func TestIndexReads(t *testing.T) {
	decoded := map[int64]int64{}
	for _, bytes := range []int64{-1, 0} {
		var stats scanner.Stats
		db := openJoins(t, &stats, bytes)
		before := pages(&stats)["part_key"]
		ask(t, db, "SELECT count(*) FROM orders CROSS JOIN items ON part_key = order_id AND order_id % 8 = 1")
		decoded[bytes] = pages(&stats)["part_key"] - before
	}
	if decoded[0] > 500 || decoded[-1] < 10*decoded[0] {
		t.Errorf("%d pages with an index, %d without", decoded[0], decoded[-1])
	}
}
