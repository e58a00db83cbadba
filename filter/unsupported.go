package filter

import (
	"strings"

	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
)

// unsupported returns the error's text for a word of SQL that is understood and is no part
// of a condition here; "" for any other word.
func unsupported(word string) string {
	alone := "a filter is the condition alone, without "
	switch word = strings.ToUpper(word); word {
	case "SELECT", "FROM", "WHERE":
		return alone + "SELECT, FROM and WHERE"
	case "GROUP", "ORDER":
		return word + " BY is not supported: " + alone + "it"
	case "HAVING", "LIMIT", "OFFSET", "FETCH", "JOIN", "ON", "USING", "UNION", "INTERSECT", "EXCEPT", "WINDOW", "QUALIFY", "OVER":
		return word + " is not supported: " + alone + "it"
	case "EXISTS":
		return existsOf
	case "SIMILAR":
		return "SIMILAR TO is not supported: a regular expression that all of a value matches is written value ~ '^(pattern)$'"
	case "GLOB":
		return "GLOB is not supported: a pattern is written value LIKE 'a%_', or value ~ 'regular expression'"
	case "COLLATE":
		return "COLLATE is not supported: strings compare by their bytes"
	case "XOR", "DIV", "MOD":
		return word + " is not supported"
	}
	return ""
}

// uncallable returns the error's text for a function of SQL that no condition of a row can have; "" for
// any other.
func uncallable(name string) string {
	switch name = strings.ToLower(name); name {
	case "min", "max":
		return name + " is an aggregate, and a filter tests each row by itself: least and greatest compare values of a row"
	case "count", "sum", "avg", "mean", "median", "mode", "stddev", "variance", "string_agg", "list", "array_agg", "bool_and", "bool_or", "any_value":
		return name + " is an aggregate, and a filter tests each row by itself: aggregate the rows that pass"
	case "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead", "first_value", "last_value", "nth_value":
		return name + " is a window function, and a filter tests each row by itself: number or compare the rows that pass"
	case "random", "rand", "uuid", "gen_random_uuid":
		return name + " is not supported, since a condition answers the same each time: take a sample of the rows that pass"
	}
	return ""
}

// formNames are what form calls by name, and words in front of a list.
const formNames = "coalesce ifnull nullif least greatest concat sqrt pow power xor prefix starts_with suffix ends_with contains " +
	"regexp_matches regexp_like isnan isinf isfinite list_contains array_contains list_has array_has map_contains " +
	"now today cast try_cast date extract date_part position any all none count"

// noFunction returns the error's text for a name that no function has.
func noFunction(name string) string {
	why := "no function " + tree.QuoteName(name)
	names := append(strings.Fields(formNames), function.Names()...)
	if near := tree.Closest(name, len(names), func(i int) string { return names[i] }); near != "" {
		why += "; there is " + near
	}
	return why
}

// noQuery fails where a query stands in parentheses.
func (p *parser) noQuery() {
	if p.startsQuery() {
		p.fail(p.tok.at, "a subquery is not supported: write what it returns, as in id IN (1, 2, 3)")
	}
}

// unexpected fails at the next token, where something else is wanted.
func (p *parser) unexpected(want string) item {
	if p.tok.kind == tokName {
		if why := unsupported(p.tok.text); why != "" {
			want = why
		}
	}
	return p.fail(p.tok.at, want)
}

// startsQuery reports whether the text starts as a query does, and not with a column that
// is called select, or as a condition with WHERE in front.
func (p *parser) startsQuery() bool {
	if p.tok.is("WHERE") || p.tok.is("SELECT") {
		next := p.following
		return next.kind != tokEnd && (next.kind != tokSign || next.text == "*" || next.text == "(") && !startsTest(next) && !next.is("AS") && !next.is("AND") && !next.is("OR")
	}
	return false
}
