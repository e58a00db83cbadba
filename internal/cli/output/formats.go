package output

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

// Formats returns the forms of rows that each program has, the one for people first.
func Formats() []Format {
	return []Format{
		{
			Name: FormatTable, New: newTableRows, records: true, about: `In a table on a terminal, numbers, dates and times are whole, texts that have no room are
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

// AboutFormats returns what help says of the formats of each program, the one for people last.
func AboutFormats() string {
	var text, people string
	for _, f := range Formats() {
		if f.Name == FormatTable {
			people = f.about
		} else if f.about != "" {
			text += f.about + "\n"
		}
	}
	return text + "\n" + people + "\n"
}

// FormatsOf returns those of all formats that a command can give its answer.
func FormatsOf(all []Format, rows bool) []Format {
	return slices.DeleteFunc(slices.Clone(all), func(f Format) bool { return !rows && !f.records })
}

// FormatNamed returns the one of formats that has a name, which is there.
func FormatNamed(formats []Format, name string) Format {
	return formats[slices.Index(FormatNames(formats), name)]
}

// FormatNames returns the names of formats.
func FormatNames(formats []Format) (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Endings returns the endings of the names of output files that stand for formats.
func Endings(formats []Format) []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.Endings...)
	}
	return all
}

// FormatOf returns the format that the ending of an output file's name stands
// for: "" for a name without one, and for pipes and devices with another. rows is whether the
// answer is rows.
func FormatOf(formats []Format, output string, rows bool) (string, error) {
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
		return "", fmt.Errorf("-o %s: this program writes no Parquet; the one in adapters/scan does: see its README.md", fault.ShortName(output))
	}
	return "", fmt.Errorf("-o %s: there is no format for the ending %s, only for .%s; with --format it may be any", fault.ShortName(output), ending, strings.Join(Endings(formats), ", ."))
}

// newTableRows returns the writer of tables.
func newTableRows(r *Report) (RowWriter, error) {
	t := table.NewRowTable(r, r.Screen, r.Shape)
	t.Counts, t.Hint = r.onTerminal, "--all-columns shows every column"
	return t, nil
}
