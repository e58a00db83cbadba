package filter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/internal/closest"
)

// Error is an error of an expression: in its text, or in how it uses a file's
// columns.
type Error struct {
	Offset int // byte offset in the text; -1 if the expression was not parsed from text
	Msg    string
	Err    error // schema.ErrNoColumn where the expression names a column that the file lacks, else nil
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

func (e *Error) Error() string {
	if e.Offset < 0 {
		return "filter: " + e.Msg
	}
	return "filter, byte " + strconv.Itoa(e.Offset+1) + ": " + e.Msg
}

// Caret returns the line of the text with the error, cut to at most 76 characters,
// and below it a mark at the error:
//
//	price < 'ten' AND id = 5
//	        ^
//
// It is empty for an error without an Offset.
func (e *Error) Caret(text string) string {
	const most, before = 76, 50
	if e.Offset < 0 || e.Offset > len(text) {
		return ""
	}
	start := strings.LastIndexByte(text[:e.Offset], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[e.Offset:], '\n'); i >= 0 {
		end = e.Offset + i
	}
	left, right := []rune(text[start:e.Offset]), []rune(text[e.Offset:end])
	shown, behind := len(left), len(right)
	if room := max(before, most-behind); shown > room {
		left = append([]rune("…"), left[shown-room:]...)
	}
	if room := most - min(shown, before); behind > room {
		right = append(right[:room], '…')
	}
	line := strings.Map(func(r rune) rune { // with control characters as spaces, so that the mark stays in its place
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, string(left)+string(right))
	return line + "\n" + strings.Repeat(" ", len(left)) + "^"
}

// otherWords are words of SQL that are understood and are no part of a condition here, with the error's text, in
// which @ is the word.
var otherWords = [][2]string{
	{"SELECT FROM WHERE", "a filter is the condition alone, without SELECT, FROM and WHERE"},
	{"GROUP ORDER", "@ BY is not supported: a filter is the condition alone, without it"},
	{"HAVING LIMIT OFFSET FETCH JOIN ON USING UNION INTERSECT EXCEPT WINDOW QUALIFY OVER", "@ is not supported: a filter is the condition alone, without it"},
	{"EXISTS", existsOf},
	{"SIMILAR", "SIMILAR TO is not supported: a regular expression that all of a value matches is written value ~ '^(pattern)$'"},
	{"GLOB", "GLOB is not supported: a pattern is written value LIKE 'a%_', or value ~ 'regular expression'"},
	{"COLLATE", "COLLATE is not supported: strings compare by their bytes"},
	{"XOR DIV MOD", "@ is not supported"},
}

// otherFunctions are functions of SQL that no condition of a row can have.
var otherFunctions = [][2]string{
	{"min max", "@ is an aggregate, and a filter tests each row by itself: least and greatest compare values of a row"},
	{"count sum avg mean median mode stddev variance string_agg list array_agg bool_and bool_or any_value",
		"@ is an aggregate, and a filter tests each row by itself: aggregate the rows that pass"},
	{"row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value",
		"@ is a window function, and a filter tests each row by itself: number or compare the rows that pass"},
	{"random rand uuid gen_random_uuid", "@ is not supported, since a condition answers the same each time: take a sample of the rows that pass"},
}

// unsupported returns the error's text for a word of otherWords; "" for any other word.
func unsupported(word string) string { return textFor(otherWords, strings.ToUpper(word)) }

// uncallable returns the error's text for a name of otherFunctions; "" for any other.
func uncallable(name string) string { return textFor(otherFunctions, strings.ToLower(name)) }

func textFor(rows [][2]string, word string) string {
	for _, row := range rows {
		if slices.Contains(strings.Fields(row[0]), word) {
			return strings.ReplaceAll(row[1], "@", word)
		}
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
	if near := closest.Of(name, len(names), func(i int) string { return names[i] }); near != "" {
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
