package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"time"

	sqlitescan "github.com/winnow-scan/winnow/adapters/sqlite"
	"github.com/winnow-scan/winnow/internal/cli"
	"github.com/winnow-scan/winnow/internal/cli/fault"
)

const aboutSQL = `
The query is in SQLite's SQL. A quoted text where a table stands, behind FROM, JOIN or a
comma between tables, names files: a file, a pattern or a folder.

  scan sql "SELECT ship_mode, count(*) FROM 'lineitems.parquet' GROUP BY 1"
  scan sql "SELECT * FROM 'orders/*.parquet' AS o JOIN 'lineitems.parquet' ON order_key = o.id"

Dates, timestamps, and decimals of more than 15 digits are texts; lists, structs and maps
are texts in JSON, for SQLite's functions of JSON. Conditions on columns, such as
day >= '2024-01-01', skip what the files' metadata exclude. A column of the answer has the type of
its values in the first rows: a later value that does not fit is an error, which a CAST avoids.`

func sqlCommand() cli.Command {
	return cli.Command{
		Name: "sql", Args: "QUERY",
		Summary: "answer a query in SQL over files",
		Detail:  aboutSQL,
		Rows:    true,
		Prepare: func(*flag.FlagSet) func(context.Context, *cli.Call) error { return runSQL },
	}
}

// runSQL answers the query that is the only argument.
func runSQL(ctx context.Context, call *cli.Call) (err error) {
	if len(call.Args) != 1 {
		return fault.Usage("which query? It is one argument, in quotes")
	}
	tables, err := tablesOf(ctx, call, call.Args[0])
	if err != nil {
		return err
	}
	connector, err := sqlitescan.NewConnector(":memory:", sqlitescan.Options{
		Match: call.Opener.Match, Open: call.Opener.Open,
	}, tables...)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	rows, err := db.QueryContext(ctx, call.Args[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	return writeRows(rows, call.Rows)
}

// writeRows writes the rows of an answer.
func writeRows(rows *sql.Rows, to cli.RowWriter) error {
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("the query has no answer: it is no SELECT")
	}
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	a := answer{columns: make([]answerColumn, len(names))}
	values, pointers := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		a.columns[i].name, pointers[i] = names[i], &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(pointers...); err != nil {
			return err
		}
		for i, v := range values {
			a.columns[i].pending = append(a.columns[i].pending, textOf(v, types[i].DatabaseTypeName()))
		}
		if a.pending++; a.pending == answerRows {
			if err := a.write(to); err != nil {
				return err
			}
		}
	}
	if err := a.write(to); err != nil {
		return err
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("after %d rows: %w", a.written, err)
	}
	return nil
}

// textOf returns a value as it is in SQL, where dates and timestamps are texts. The driver makes times of them.
func textOf(v any, declared string) any {
	at, ok := v.(time.Time)
	switch {
	case !ok:
		return v
	case declared == "DATE":
		return at.Format(time.DateOnly)
	}
	return at.Format("2006-01-02 15:04:05.999999999")
}
