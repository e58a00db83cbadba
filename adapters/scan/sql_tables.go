package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
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
		if _, err := call.Opener.Match(ctx, files); err != nil {
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

// token is a part of a query: a comment; a quoted text that does not end, as SQLite will say; a text in single
// quotes, which is a group; another quoted name; a word; or a sign.
var token = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?(?:\*/|$)` +
	`|'(?:[^']|'')*$|"(?:[^"]|"")*$|` + "`(?:[^`]|``)*$" +
	`|'((?:[^']|'')*)'|"(?:[^"]|"")*"|` + "`(?:[^`]|``)*`" +
	`|[\w\x80-\x{10FFFF}]+|[^\t-\r ]`)

// fileNames returns the quoted texts behind FROM, JOIN and commas.
func fileNames(query string) (names []fileName) {
	before := "" // the word or sign before, in upper case
	for _, found := range token.FindAllStringSubmatch(query, -1) {
		whole, text := found[0], strings.ReplaceAll(found[1], "''", "'")
		if strings.HasPrefix(whole, "--") || strings.HasPrefix(whole, "/*") {
			continue
		}
		if behind := before == "FROM" || before == "JOIN"; (behind || before == ",") && text != "" {
			names = append(names, fileName{text, behind})
		}
		before = strings.ToUpper(whole)
	}
	return names
}
