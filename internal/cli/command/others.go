package command

import (
	"strings"
)

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
