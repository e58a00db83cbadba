// Package sqlitescan makes Parquet files virtual tables of SQLite, for programs that use
// modernc.org/sqlite through database/sql, without cgo.
//
//	connector, err := sqlitescan.NewConnector(":memory:", sqlitescan.Options{},
//		sqlitescan.Table{Name: "orders", Files: "orders/*.parquet"})
//	db := sql.OpenDB(connector)
//	rows, err := db.Query("SELECT sum(price) FROM orders WHERE day >= ?", "2024-01-01")
//
// Or, after Register, in SQL:
//
//	CREATE VIRTUAL TABLE orders USING parquet('orders/*.parquet')
//
// # Columns
//
// The columns are those of the first file, and those that folders like year=2024 give.
// Others' are found by name. Two hidden columns follow: _files, the argument of
// the table when it is called as a function, orders('orders/2024-*.parquet'), and _file,
// the name of the row's file. The rowid is the number of the row in its file, plus 2^40
// times the number of the file.
//
//	Parquet                              SQLite
//	BOOLEAN                              INTEGER, 0 or 1
//	INT32, INT64, INT(…), UINT(8…32)     INTEGER
//	UINT(64)                             INTEGER, from 2^63 on TEXT
//	FLOAT, DOUBLE, FLOAT16               REAL; NaN is NULL, as everywhere in SQLite
//	DECIMAL without fraction, ≤ 18 digits  INTEGER
//	DECIMAL of up to 15 digits           REAL, which holds them exactly enough to print them again
//	other DECIMAL                        TEXT
//	DATE                                 TEXT, 2024-01-31, declared as DATE
//	TIMESTAMP, INT96                     TEXT, 2024-01-31 12:00:00.5, in UTC, declared as TIMESTAMP
//	TIME                                 TEXT, 12:00:00.5
//	STRING, ENUM, JSON, UUID             TEXT
//	other BYTE_ARRAY and FIXED_LEN_…     BLOB
//	list, map, struct, VARIANT           TEXT, as JSON
//
// TEXT of UINT(64) and DECIMAL has the collation PARQUET_NUMBER, which compares numbers by
// value, so that ORDER BY, min, max and comparisons are right. The function decimal_sum adds
// them up without rounding.
//
// # Times
//
// Columns declared as DATE and TIMESTAMP come out of a query as time.Time, in UTC, and so can be
// scanned into one; in expressions, such as max(ts), they are texts. A year beyond
// 9999 is always a text.
//
// Dates, timestamps and times have the collation PARQUET_TIME, which compares them by value: with a
// time.Time, and with texts in the forms of ISO 8601: 2024-01-31, 2024-01-31 12:00,
// 2024-01-31T12:00:00.5Z, and with an offset. A date is its midnight. Without an offset a
// text is in UTC. A column without a zone is compared as if it was in UTC, and takes no other offset.
//
// # Values that are refused
//
// A query ends with an error that names the column where a condition compares
//
//   - UINT(64), or DECIMAL in TEXT, with a REAL that may stand for several numbers: SQLite makes
//     REALs of integers from 2^63 on, and of numbers with a fraction. In quotes they are exact.
//   - DATE or TIMESTAMP with a number, also one in quotes such as '2024', or with a text in
//     another form, such as '2024-1-5' or '05.01.2024'.
//   - TIME with a date or a timestamp.
//
// SQLite does not show the scan all conditions. Where it evaluates one by itself, as in a list of
// columns or behind NOT, such values are compared by its rules, as in a table of its own whose
// columns are declared with the same types.
//
// # What reaches the scan
//
// Comparisons with values and with columns of other tables, IN, IS NULL, LIKE and GLOB with a
// prefix, rowid, LIMIT, and ORDER BY a column by which the files say that they are sorted. SQLite
// checks each condition again, so a scan may return rows that do not pass, and never lacks one.
// A condition whose value has another type than the column is left to SQLite, and so is
// one on an expression: a plus in front of the column, +price > 5, keeps it from the scan.
//
// SQLite does not tell in which collation texts are compared. Scans are right for its own:
// BINARY, NOCASE and RTRIM. With another collation, or with functions like and glob of the
// program's own, write +name; also for UINT64 and DECIMAL as texts with a COLLATE of the query's, and
// for a STRING column that is less than a column of numbers, where this holds texts.
//
// # Joins
//
// SQLite joins by looking up each row of one table in the other. Each lookup is a scan that
// reads few pages where the key is sorted. Once lookups have taken as long as
// reading all rows would, the rows are read once and kept by key, up to
// Options.LookupBytes.
//
// What never comes here: writing, SQL of our own, anything that SQLite does itself.
package sqlitescan
