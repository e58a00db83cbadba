package cli

import (
	"fmt"
	"strings"
)

// unknown is the error for a name that is not known. It suggests one that is.
func unknown(kind, name string, known []string) error {
	what := fmt.Sprintf("no %s %q", kind, name)
	if near := nearest(name, known); near != "" {
		what += fmt.Sprintf("; did you mean %q?", near)
	}
	return &usageError{what: what}
}

// noCommand is the error for the name of a command that is none.
func (t *commandTable) noCommand(name string) error {
	if ours := commandOfOthers(name); ours != "" && t.find(ours) != nil {
		return &usageError{what: fmt.Sprintf("no command %q; here it is %q", name, ours), command: ours}
	}
	return unknown("command", name, t.names())
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

// nearest returns the known word that a mistyped one is likely to mean, or "".
func nearest(word string, known []string) string {
	word = strings.ToLower(word)
	if len(word) >= 2 {
		for _, k := range known {
			if strings.HasPrefix(strings.ToLower(k), word) {
				return k
			}
		}
	}
	best, bestDistance := "", min(1+len(word)/3, len(word)-1)
	for _, k := range known {
		if max(len(k)-len(word), len(word)-len(k)) > bestDistance {
			continue // names in files may be very long
		}
		if d := editDistance(word, strings.ToLower(k)); d <= bestDistance && (best == "" || d < bestDistance) {
			best, bestDistance = k, d
		}
	}
	return best
}

// editDistance counts the letters to add, drop, change or swap with a
// neighbour to get from a to b.
func editDistance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
