package compile_test

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
)

// What the constants year = 2024, day = NULL and city = 'Oslo' settle, whatever
// other columns there are.
func TestExcludes(t *testing.T) {
	year, err := vector.IntOf(vector.Type{Physical: vector.Int64}, 2024)
	if err != nil {
		t.Fatal(err)
	}
	constants := filter.Constants{
		"year": year,
		"day":  vector.NullOf(vector.Type{Physical: vector.Int32, Logical: vector.Date}),
		"city": vector.StringOf("Oslo"),
	}
	for where, want := range map[string]bool{
		"year = 2024":                 false,
		"year = 2023":                 true,
		"year > 2023 AND x = 5":       false,
		"x = 5 AND year > 2024":       true,
		"x = 5 OR year > 2024":        false,
		"NOT (x = 5 OR year = 2024)":  true,
		"NOT (x = 5 AND year = 2024)": false,
		"(x = 1 AND year = 2023) OR (y = 2 AND year = 2022)": true,
		"(x = 1 AND year = 2023) OR (y = 2 AND year = 2024)": false,
		"year IN (2022, 2023)":                               true,
		"year BETWEEN 2020 AND 2024":                         false,
		"year < x":                                           false,
		"day = DATE '2024-01-01'":                            true,
		"day <> DATE '2024-01-01'":                           true,
		"day IS NULL":                                        false,
		"day IS NOT NULL AND z IS NULL":                      true,
		"(day > DATE '2024-01-01') IS TRUE":                  true,
		"city LIKE 'B%' AND x > 1":                           true,
		"city LIKE 'O%' AND x > 1":                           false,
		"city > 'P' OR city < 'N'":                           true,
		"ANY(year) = 1":                                      false, // an error, when a file is there to tell
		"FALSE AND x = 1":                                    true,
		"CASE WHEN TRUE THEN '10' ELSE x END > '9'":          false, // an error, if x is a number
		"year = 2024 AND NOT TRUE":                           true,
		"other IS NULL":                                      false,
	} {
		e, err := filter.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := compile.Excludes(e, constants); got != want || err != nil {
			t.Errorf("%s: %v, %v; want %v", where, got, err, want)
		}
	}
	if got, err := compile.Excludes(nil, constants); got || err != nil {
		t.Errorf("no condition: %v, %v", got, err)
	}
	if _, err := compile.Excludes(filter.Col("year").Eq("x"), constants); err == nil {
		t.Error("a year was compared with a string")
	}
}
