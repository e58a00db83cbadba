package sqlitescan

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// Table is a table to be made of Parquet files.
type Table struct {
	Name  string
	Files string // a name or a pattern, as Options.Match takes it
}

// SQL returns the statement that makes the table, for one connection if it is
// temporary.
func (t Table) SQL(temporary bool) string {
	schema := ""
	if temporary {
		schema = "temp."
	}
	return "CREATE VIRTUAL TABLE " + schema + quoteName(t.Name) + " USING " + moduleName + "('" + strings.ReplaceAll(t.Files, "'", "''") + "')"
}

// Folder returns a table for each Parquet file of a folder of this machine, and for each folder in it that
// has Parquet files, at any depth. Their names are those of the files, without
// ".parquet", and of the folders.
func Folder(path string) ([]Table, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var tables []Table
	taken := map[string]bool{}
	for _, e := range entries {
		name := e.Name()
		switch base, isParquet := strings.CutSuffix(name, ".parquet"); {
		case strings.HasPrefix(name, "."), strings.HasPrefix(name, "_"):
		case e.IsDir():
			pattern := filepath.Join(path, name, "**", "*.parquet")
			if some, err := hasParquet(filepath.Join(path, name)); err != nil {
				return nil, err
			} else if some {
				tables = append(tables, Table{uniqueName(name, taken), pattern})
			}
		case isParquet && base != "":
			tables = append(tables, Table{uniqueName(base, taken), filepath.Join(path, name)})
		}
	}
	return tables, nil
}

// hasParquet reports whether there is a Parquet file in a folder, at any depth.
func hasParquet(folder string) (found bool, err error) {
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".parquet") {
			found = true
			return fs.SkipAll
		}
		return err
	})
	return found, err
}

// Connector opens connections that have tables of Parquet files, for sql.OpenDB. Safe for
// concurrent use.
type Connector struct {
	driver *sqlite.Driver
	dsn    string
	tables []Table
}

// NewConnector returns a Connector for a database, which may be ":memory:", with temporary tables in
// each connection. It has a driver of its own, which lasts until the process ends:
// programs make one for all connections.
func NewConnector(dsn string, o Options, tables ...Table) (*Connector, error) {
	return newConnector(dsn, newModule(o), tables)
}

func newConnector(dsn string, m *module, tables []Table) (*Connector, error) {
	c := &Connector{driver: &sqlite.Driver{}, dsn: dsn, tables: tables}
	if err := c.driver.RegisterModule(moduleName, m); err != nil {
		return nil, err
	}
	if err := registerFunctions(c.driver.RegisterCollationUtf8, c.driver.RegisterFunction); err != nil {
		return nil, err
	}
	return c, nil
}

// Connect opens a connection.
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.driver.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	for _, t := range c.tables {
		if _, err := conn.(driver.ExecerContext).ExecContext(ctx, t.SQL(true), nil); err != nil {
			conn.Close()
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	return conn, nil
}

// Driver returns the driver of the connections.
func (c *Connector) Driver() driver.Driver { return c.driver }
