package sqlitescan_test

import (
	"database/sql"
	"fmt"
	"log"

	sqlitescan "github.com/winnow-scan/winnow/adapters/sqlite"
)

func ExampleNewConnector() {
	connector, err := sqlitescan.NewConnector(":memory:", sqlitescan.Options{},
		sqlitescan.Table{Name: "items", Files: "../../testdata/lineitems.parquet"},
		sqlitescan.Table{Name: "orders", Files: "../../testdata/orders.parquet"})
	if err != nil {
		log.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	rows, err := db.Query(`SELECT customer ->> 'name', sum(quantity) FROM orders JOIN items ON order_key = order_id
		WHERE order_id BETWEEN ? AND ? GROUP BY order_id ORDER BY 2 DESC LIMIT 2`, 1200, 1300)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var quantity int
		if err := rows.Scan(&name, &quantity); err != nil {
			log.Fatal(err)
		}
		fmt.Println(name, quantity)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// fresh courier 200
	// patient bolt 158
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
