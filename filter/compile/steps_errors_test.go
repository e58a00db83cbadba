package compile

import (
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter"
)

func TestStepErrors(t *testing.T) {
	for _, c := range []struct {
		kind, where, msg string
		offset           int
	}{
		{"str", "year(x) = 2", "x is BYTE_ARRAY STRING: year takes dates and timestamps", 0},
		{"str", "hour(x) = 2", "x is BYTE_ARRAY STRING: hour takes dates, timestamps and times", 0},
		{"oms", "month(x) = 2", "x is INT32 TIME(MILLIS,local): month takes dates and timestamps", 0},
		{"f64", "x % 2 = 1", "x is DOUBLE: mod takes integers and decimals in 32 or 64 bits; CAST others to DECIMAL(18, 2)", 2},
		{"date", "abs(x) = 1", "x is INT32 DATE: abs takes numbers", 0},
		{"date", "year(x) = '2024-01-01'", "x is INT64: the result cannot be compared with a string", 10},
		{"date", "left(x, 1) = '2'", "x is no string: it is INT32 DATE", 0},
		{"str", "replace(replace(x, 'a', '" + strings.Repeat("a", 40) + "'), 'a', '" + strings.Repeat("b", 40) + "') = 'a'", "replace(x, 'a', '" + strings.Repeat("a", 40) + "') cannot be made more than 1000 times as long by replace", 0},
		{"str", "x + 1 = 2", "x is BYTE_ARRAY STRING: arithmetic is for numbers, dates and timestamps", 2},
		{"bool", "x * 2 = 2", "x is BOOLEAN: arithmetic is for numbers, dates and timestamps", 2},
		{"oms", "x + INTERVAL '1 hour' = '10:00'", "x is INT32 TIME(MILLIS,local): arithmetic is for numbers, dates and timestamps", 2},
		{"i32", "x + INTERVAL '1 hour' = 2", "x is INT32: no arithmetic of it with an interval", 2},
		{"i32", "x + 'a' = 2", "x is INT32: no arithmetic of it with a string", 2},
		{"i32", "x / 0 = 2", "division by zero", 2},
		{"f64", "x * 0 = 2", "a float times 0: it is the same for all numbers", 2},
		{"f32", "x + 1e39 = 2", "arithmetic with a number that is out of range", 2},
		{"i32", "x + DOUBLE 'NaN' = 2", "arithmetic with a number that is out of range", 2},
		{"tus", "x + 1 = '2024-01-31'", "x is INT64 TIMESTAMP(MICROS,UTC): add or subtract an INTERVAL, as in x - INTERVAL '1 day'", 2},
		{"date", "x + 0.5 = '2024-01-31'", "x is INT32 DATE: only whole days are added to a date", 2},
		{"date", "x * 2 = '2024-01-31'", "x is INT32 DATE: add or subtract an INTERVAL, as in x - INTERVAL '1 day'", 2},
		{"date", "x + 1 = 5", "x is INT32 DATE: the result cannot be compared with a number", 8},
		{"i32", "x + 1 IN (1, 'x')", "x is INT32: the result cannot be compared with a string", 13},
		{"date", "x + 1 = '2024-01-31 00:00:00+02:00'", "x is INT32 DATE, which has no zone: leave out the offset", 8},
		{"bool", "CAST(x AS DATE) = '2024-01-31'", "x is BOOLEAN: CAST of it to DATE is not supported", 0},
		{"d32", "CAST(x + 1 AS VARCHAR) = '5'", "x + 1 is calculated: CAST it to DOUBLE, or to DECIMAL with so many digits, before a function takes it", 0},
		{"str", "x || '" + strings.Repeat("a", 1000) + "' = 'a'", "x cannot be made more than 1000 times as long by ||", 2},
		{"tus", "x > '2024-01-31 10:00:00 Europe/Nowhere'", "no time zone \"Europe/Nowhere\": names are as 'Europe/Berlin' and 'UTC', and where the system knows none, a program links Go's time/tzdata", 4},
		{"f32", "CAST(x AS VARCHAR) = '5'", "x is FLOAT: CAST to VARCHAR takes numbers but FLOATs, booleans, dates, times, timestamps and UUIDs", 0},
		{"i64", "CAST(x AS DATE) = 5", "x is INT64: CAST of it to DATE is not supported", 0},
		{"tus", "floor(x) = year(x)", "x is no value that floor takes: it takes numbers", 0},
		{"i32", "x + 1 LIKE 'a'", "x is no string: it is INT32", 0},
	} {
		_, err := bindText(c.where, oneColumn(t, kind(c.kind)))
		e, ok := err.(*filter.Error)
		if !ok || e.Msg != c.msg || e.Offset != c.offset {
			t.Errorf("%s, %s: %v, want byte %d: %s", c.kind, c.where, err, c.offset+1, c.msg)
		}
	}
}
