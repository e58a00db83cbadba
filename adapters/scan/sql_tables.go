package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	sqlitescan "github.com/winnow-scan/winnow/adapters/sqlite"
	"github.com/winnow-scan/winnow/internal/cli"
)

// tablesOf returns a table for each text of a query that names files. SQLite takes a text for the name
// of a table where a table stands, so that the query need not be changed.
func tablesOf(ctx context.Context, call *cli.Call, query string) ([]sqlitescan.Table, error) {
	var tables []sqlitescan.Table
	known := map[string]bool{}
	for _, n := range fileNames(query) {
		if known[n.text] {
			continue
		}
		files := n.text
		if info, err := os.Stat(files); err == nil && info.IsDir() {
			files = filepath.Join(files, "**", "*.parquet")
		}
		if _, err := call.Match(ctx, files); err != nil {
			if n.certain {
				return nil, err
			}
			continue
		}
		if _, err := os.Stat(files); err != nil && !n.certain && !strings.ContainsAny(files, "*?[:") {
			continue
		}
		known[n.text] = true
		tables = append(tables, sqlitescan.Table{Name: n.text, Files: files})
	}
	return tables, nil
}

// fileName is a text of a query that may name files.
type fileName struct {
	text    string
	certain bool // it stands behind FROM or JOIN; a comma is elsewhere, too
}

// fileNames returns the quoted texts behind FROM, JOIN and commas.
func fileNames(query string) (names []fileName) {
	before := "" // the word or sign before, in upper case
	for i := 0; i < len(query); {
		c := query[i]
		switch {
		case strings.HasPrefix(query[i:], "--"):
			i = skipPast(query, i, "\n")
			continue
		case strings.HasPrefix(query[i:], "/*"):
			i = skipPast(query, i+2, "*/")
			continue
		case c == ' ' || '\t' <= c && c <= '\r':
			i++
			continue
		case c == '\'' || c == '"' || c == '`':
			text, end := quoted(query, i)
			if behind := before == "FROM" || before == "JOIN"; c == '\'' && (behind || before == ",") && text != "" {
				names = append(names, fileName{text, behind})
			}
			before, i = "''", end
			continue
		case isWord(c):
			end := i
			for end < len(query) && isWord(query[end]) {
				end++
			}
			before, i = strings.ToUpper(query[i:end]), end
			continue
		}
		before = query[i : i+1]
		i++
	}
	return names
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// skipPast returns the index behind the next end.
func skipPast(s string, from int, end string) int {
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}

// quoted returns the text whose opening quote is at i, and the index behind the closing one.
func quoted(s string, i int) (text string, end int) {
	quote := s[i]
	var b strings.Builder
	for i++; i < len(s); i++ {
		if s[i] == quote {
			if i+1 == len(s) || s[i+1] != quote {
				return b.String(), i + 1
			}
			i++
		}
		b.WriteByte(s[i])
	}
	return "", len(s) // SQLite says that it does not end
}
