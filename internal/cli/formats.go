package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The forms that answers have that are no rows: text for people, one array of all
// JSON objects, and a line for each of them.
const (
	formatTable = "table"
	formatJSON  = "json"
	formatLines = "jsonl"
)

// Format is a form of rows of data.
type Format struct {
	Name    string   // of --format
	Endings []string // of the names of output files, in lower case and without dot
	// New returns a writer of rows to w, an io.Writer. An error of w is an error of
	// the writer, as it is or wrapped.
	New func(w *Report) (RowWriter, error)

	records bool   // answers that are no rows have this form, too
	about   string // what help says of it
}

// formats returns the forms of rows that each program has, the one for people first.
func formats() []Format {
	return []Format{
		{
			Name: formatTable, New: newTableRows, records: true, about: `In a table on a terminal, numbers, dates and times are whole, texts that have no room are
cut at "…", and columns that have none are named below. Bytes that are text are shown so,
others as X'0aff', which --where takes. Elsewhere than on a terminal nothing is cut.
--sums adds up the rows that are shown: integers and decimals exactly, FLOAT as DOUBLE,
NULL as nothing.`,
		},
		{Name: formatJSON, Endings: []string{formatJSON}, New: newJSONRows, records: true, about: `"json" is one array of all rows.`},
		{Name: formatLines, Endings: []string{formatLines}, New: newJSONRows, records: true},
		{
			Name: "csv", Endings: []string{"csv"}, New: func(w *Report) (RowWriter, error) { return newDelimited(w, ','), nil }, about: `"csv" and "tsv" have one header for all files, which so must have the
same columns. Quotes stand as RFC 4180 has them. NULL is nothing, and an empty string "": a NULL in the only column is an empty line. Lists, structs and maps are
JSON.`,
		},
		{Name: "tsv", Endings: []string{"tsv"}, New: func(w *Report) (RowWriter, error) { return newDelimited(w, '\t'), nil }},
	}
}

// aboutFormats returns what help says of the formats of each program, the one for people last.
func aboutFormats() string {
	var text, people string
	for _, f := range formats() {
		if f.Name == formatTable {
			people = f.about
		} else if f.about != "" {
			text += f.about + "\n"
		}
	}
	return text + "\n" + people + "\n"
}

// formatsOf returns those of all formats that a command can give its answer.
func formatsOf(all []Format, rows bool) []Format {
	return slices.DeleteFunc(slices.Clone(all), func(f Format) bool { return !rows && !f.records })
}

// formatNamed returns the one of formats that has a name, which is there.
func formatNamed(formats []Format, name string) Format {
	return formats[slices.Index(formatNames(formats), name)]
}

func formatNames(formats []Format) (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// endings returns the endings of the names of output files that stand for formats.
func endings(formats []Format) []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.Endings...)
	}
	return all
}

// formatOf returns the format that the ending of an output file's name stands
// for: "" for a name without one, and for pipes and devices with another. rows is whether the
// answer is rows.
func formatOf(formats []Format, output string, rows bool) (string, error) {
	ending := filepath.Ext(strings.TrimLeft(filepath.Base(output), "."))
	if len(ending) < 2 {
		return "", nil
	}
	for _, f := range formats {
		if slices.Contains(f.Endings, strings.ToLower(ending[1:])) {
			return f.Name, nil
		}
	}
	if info, err := os.Stat(output); err == nil && !info.Mode().IsRegular() {
		return "", nil
	}
	if rows && strings.EqualFold(ending, ".parquet") {
		return "", fmt.Errorf("-o %s: this program writes no Parquet; the one in adapters/scan does: see its README.md", shortName(output))
	}
	return "", fmt.Errorf("-o %s: there is no format for the ending %s, only for .%s; with --format it may be any", shortName(output), ending, strings.Join(endings(formats), ", ."))
}
