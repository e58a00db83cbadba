package sqlitescan

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"modernc.org/sqlite"
	"modernc.org/sqlite/vtab"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Options are where files are, and what scans may use. The zero Options are for files
// of this machine.
type Options struct {
	// Match returns the names of the files that an argument stands for, which may be
	// a pattern. Nil: fetch.Glob.
	Match func(ctx context.Context, pattern string) ([]string, error)
	// Open opens a file, such as the method Open of scanner.OpenOptions, which has keys of
	// encrypted ones. Nil: scanner.Open. Files are kept open for later scans, and closed with
	// the table at last.
	Open dataset.Opener

	// Union makes the columns of a table those of all its files, as dataset.Files.United has them: it reads
	// the footer of each when the table is made. Without it, they are those of the first file.
	Union bool

	// Scan has resources and observers of all scans: Threads, Resources, ReadAhead,
	// Codecs, MaxPageBytes, IgnoreCRC, Stats, Log, SlowScan and Trace. Its other fields are
	// ignored.
	Scan scanner.Options

	// LookupBytes bounds what a join keeps of one table, once its rows have been looked up often.
	// 0 stands for 256 MiB; negative: nothing is kept.
	LookupBytes int64
}

// module is the virtual table module parquet.
type module struct {
	o       Options
	rowTime time.Duration // to read a row and put it into an index
}

// Register makes the module parquet known to connections that the driver of db opens
// from now on, with the collations PARQUET_NUMBER and PARQUET_TIME and the function
// decimal_sum. A nil db stands for the driver
// "sqlite". Each driver takes it once, before its first connection.
func Register(db *sql.DB, o Options) error {
	m := newModule(o)
	collation, function := sqlite.RegisterCollationUtf8, sqlite.RegisterFunction
	if db != nil {
		d, ok := db.Driver().(*sqlite.Driver)
		if !ok {
			return fmt.Errorf("the driver %T is not that of modernc.org/sqlite", db.Driver())
		}
		collation, function = d.RegisterCollationUtf8, d.RegisterFunction
	}
	if err := vtab.RegisterModule(db, moduleName, m); err != nil {
		return err
	}
	return registerFunctions(collation, function)
}

// registerFunctions makes collations and functions known to a driver.
func registerFunctions(collation func(string, func(a, b string) int) error, function func(string, *sqlite.FunctionImpl) error) error {
	if err := collation(numberCollation, compareNumbers); err != nil {
		return err
	}
	if err := collation(timeCollation, compareTimes); err != nil {
		return err
	}
	return function(sumFunction, &sqlite.FunctionImpl{NArgs: 1, Deterministic: true, MakeAggregate: newDecimalSum})
}

const moduleName = "parquet"

func newModule(o Options) *module {
	if o.Match == nil {
		o.Match = func(_ context.Context, pattern string) ([]string, error) { return fetch.Glob(pattern) }
	}
	if o.Open == nil {
		o.Open = scanner.Open
	}
	o.LookupBytes = cmp.Or(o.LookupBytes, 256<<20)
	o.Scan = scanner.Options{
		Threads: o.Scan.Threads, Resources: cmp.Or(o.Scan.Resources, &scanner.Resources{}), ReadAhead: o.Scan.ReadAhead,
		Codecs: o.Scan.Codecs, MaxPageBytes: o.Scan.MaxPageBytes, IgnoreCRC: o.Scan.IgnoreCRC,
		Stats: o.Scan.Stats, Log: o.Scan.Log, SlowScan: o.Scan.SlowScan, Trace: o.Scan.Trace,
	}
	return &module{o, timeToIndexRow}
}

// VolatileArgs asks for the values of conditions as SQLite has them. The driver's copies of texts end at a NUL.
func (m *module) VolatileArgs() bool { return true }

// Create is called by CREATE VIRTUAL TABLE.
func (m *module) Create(ctx vtab.Context, args []string) (vtab.Table, error) {
	return m.Connect(ctx, args)
}

// Connect is called where the table is there already. args are the names of the module,
// the database and the table, and then what stands in parentheses.
func (m *module) Connect(ctx vtab.Context, args []string) (vtab.Table, error) {
	patterns := args[min(3, len(args)):]
	if len(patterns) == 0 {
		return nil, errors.New("which files? USING parquet('orders/*.parquet')")
	}
	for i, p := range patterns {
		patterns[i] = unquote(p)
	}
	t, err := m.newTable(context.Background(), patterns)
	if err != nil {
		return nil, err
	}
	if err := ctx.Declare(t.declaration()); err != nil {
		t.Disconnect()
		return nil, fmt.Errorf("columns that SQLite does not take: %w", err)
	}
	return t, nil
}

// unquote returns what an argument means: SQLite hands it over as it was typed.
func unquote(arg string) string {
	arg = strings.TrimSpace(arg)
	if n := len(arg); n >= 2 && (arg[0] == '\'' || arg[0] == '"') && arg[n-1] == arg[0] {
		quote := arg[:1]
		return strings.ReplaceAll(arg[1:n-1], quote+quote, quote)
	}
	return arg
}
