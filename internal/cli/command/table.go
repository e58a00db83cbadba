package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
)

// Table is the commands of a program, those that read no file last.
type Table struct {
	Program string
	Schemes []input.Scheme
	Formats []output.Format // of rows
	Rows    []*Command
}

// Find returns the command of a name, nil if there is none.
func (t *Table) Find(name string) *Command {
	if i := slices.Index(t.Names(), name); i >= 0 {
		return t.Rows[i]
	}
	return nil
}

// Names returns the names of all commands.
func (t *Table) Names() (names []string) {
	for _, c := range t.Rows {
		names = append(names, c.Name)
	}
	return names
}

// NoCommand is the error for the name of a command that is none.
func (t *Table) NoCommand(name string) error {
	if ours := commandOfOthers(name); ours != "" && t.Find(ours) != nil {
		return &fault.UsageError{What: fmt.Sprintf("no command %q; here it is %q", name, ours), Command: ours}
	}
	return fault.Unknown("command", name, t.Names())
}

// commandOfOthers returns the command that does what other programs for Parquet files call name, or "".
func commandOfOthers(name string) string {
	switch strings.ToLower(name) {
	case "show", "print", "query", "select", "csv", "json", "to-json", "to-csv", "convert", "export":
		return "cat"
	case "rowcount", "row-count", "wc", "rows":
		return "count"
	case "stats", "statistics", "summarize", "summary", "profile":
		return "describe"
	case "metadata", "footer", "info", "inspect", "rowgroups", "row-groups":
		return "meta"
	case "check", "validate", "checksum", "check-stats":
		return "verify"
	case "column-index", "offset-index":
		return "index"
	case "bloom-filter":
		return "bloom"
	case "column-size", "du":
		return "size"
	case "types", "columns", "structure":
		return "schema"
	case "ui", "web", "browse":
		return "serve"
	}
	return ""
}

// flagOfOthers returns the flag that other programs for Parquet files call name, or "".
func flagOfOthers(name string) string {
	switch strings.ToLower(name) {
	case "columns", "column", "fields", "project":
		return "select"
	case "filter", "condition", "predicate":
		return "where"
	case "rows", "head", "count", "records", "num", "max":
		return "limit"
	case "sort", "sort-by", "orderby":
		return "order-by"
	case "skip":
		return "offset"
	case "out", "file":
		return "output"
	case "transpose", "line", "expanded":
		return "vertical"
	}
	return ""
}
