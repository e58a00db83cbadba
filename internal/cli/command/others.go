package command

import "strings"

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
