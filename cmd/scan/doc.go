// Command scan prints the rows of Parquet files, and shows what they are made
// of, down to the byte.
//
//	scan cat -c l_orderkey,l_comment -n 10 lineitem.parquet
//	scan meta lineitem.parquet
//	scan pages -c l_shipdate -n 10 lineitem.parquet
//	scan dump --row-group 0 -c l_shipdate --page 1 lineitem.parquet
//
// On a terminal the answer is a table, elsewhere JSON lines. "scan help" lists
// the commands.
//
// How it is built: command.go holds the table of commands, options.go the
// flags that all of them share, report.go the two ways out (a table for people,
// records for programs). Each command has a file of its own. Those that print
// rows share cat.go, which scans, and rows.go, csv.go and rowtable.go, which
// are called once a batch and write.
//
// What never comes here: anything that another package wants to import.
package main
