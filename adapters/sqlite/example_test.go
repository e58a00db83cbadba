package sqlitescan_test

import (
	"database/sql"
	"errors"
	"fmt"
	"log"
	"os"

	sqlitescan "github.com/winnow-scan/winnow/adapters/sqlite"
)

// shipModes prints how many items of known orders go by each mode.
func shipModes() error {
	connector, err := sqlitescan.NewConnector(":memory:", sqlitescan.Options{},
		sqlitescan.Table{Name: "items", Files: "testdata/lineitems.parquet"},
		sqlitescan.Table{Name: "orders", Files: "testdata/orders.parquet"})
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector) // each connection of the pool has the tables
	rows, err := db.Query("SELECT ship_mode, count(*) FROM orders JOIN items ON order_key = order_id GROUP BY 1")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var mode string
		var items int
		if err := rows.Scan(&mode, &items); err != nil {
			return err
		}
		fmt.Println(mode, items)
	}
	return errors.Join(rows.Err(), db.Close())
}

func ExampleNewConnector() {
	os.Chdir("../..") // where testdata is
	defer os.Chdir("adapters/sqlite")
	if err := shipModes(); err != nil {
		log.Fatal(err)
	}
	// Unordered output:
	// AIR 352
	// FOB 337
	// MAIL 354
	// RAIL 380
	// REG-AIR 364
	// SHIP 385
	// TRUCK 352
}

func ExampleFolder() {
	tables, err := sqlitescan.Folder("../../testdata")
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range tables[len(tables)-2:] {
		fmt.Println(t.SQL(false))
	}
	// Output:
	// CREATE VIRTUAL TABLE "weblog" USING parquet('../../testdata/weblog.parquet')
	// CREATE VIRTUAL TABLE "writers" USING parquet('../../testdata/writers/**/*.parquet')
}
