// Package filter holds what a user asks for: conditions on columns in SQL's
// three-valued logic, bound to a file's schema.
//
// An Expr comes from Parse or is made of Col, And, Or and Not. Bind makes a
// Program of it, a tree of AND and OR over tests of single leaves. A Test
// answers three questions: what its column must be asked (Pred), which entries
// of a dictionary pass (Mask), and what bounds on the column's values prove
// (Verdict): that none passes, that some may, that all do. What no single leaf
// can answer is a Compute, over vectors; where it compares two columns, bounds
// on both may judge it too.
//
// # The text
//
//	condition   AND, OR, NOT, parentheses; a boolean column; TRUE, FALSE, NULL
//	            value = value             also <> != < <= > >=
//	            value [NOT] BETWEEN value AND value
//	            value [NOT] IN (literal, …)
//	            value [NOT] LIKE 'pattern' [ESCAPE 'c']
//	            value ~ 'regular expression', value !~ '…'
//	            prefix(value, 'text'), suffix(…), contains(…)
//	            value IS [NOT] NULL       also of structs, lists and maps
//	            condition IS [NOT] TRUE, IS [NOT] FALSE
//	value       a.b."odd name"            path of a column
//	            ANY(path), ALL(path)      items of lists
//	            path['key']               value of a map, the last of several
//	            path['key'].a.b           field of such a value
//	            length(path)              items of a list or map
//	            a literal
//	literal     12  -1.50  1e-3  'text'  X'0aff'  TRUE  FALSE  NULL
//	            DATE '2024-01-31'  TIMESTAMP '2024-01-31 10:00:00.5' (UTC)
//	            TIMESTAMP '2024-01-31 12:00:00.5+02:00', with Z, +02, +0200 or +02:00
//	            TIME '10:00:00.5'  DOUBLE 'NaN', 'Infinity', '-Infinity'
//
// A string stands for a date, time, timestamp or UUID where the column is one.
//
// # What it means
//
// NaN compares as IEEE says, so that only <> is TRUE of it; strings by their
// bytes; % in a LIKE is any string, _ one code point. Numbers are exact,
// whatever their scale, but for one thing: where a number with a point or an
// exponent, or a decimal column, meets floats, it means the double next to it.
// So price = 0.1 finds the double 0.1, and never a FLOAT, whose 0.1 is another
// number. Local timestamps, dates and INT96 are compared as if they were in UTC.
//
// An offset from UTC, or Z, says which moment a timestamp is: of a column in UTC,
// '2024-03-31 03:30:00+02:00' finds 01:30. A local timestamp is no moment, so an
// offset compared with it is an error; dates and INT96 take Z and +00:00 only.
//
// ANY is FALSE of a list that is NULL or empty; ALL is TRUE of an empty list,
// and NULL of one that is NULL. A NULL item, and a NULL list within a list, is
// unknown to both. NOT within a test is about each item (ANY(tags) NOT IN
// ('a')), NOT in front of it about the answer (NOT ANY(tags) = 'a').
// IN () is FALSE of every row, NOT IN () TRUE, whatever its lists have.
//
// # Conditions that come later
//
// A Runtime holds a condition that a host publishes while a scan runs. Bind
// binds it like any other, and Conjoin puts programs together. Keys are the
// many values that a host has and wants a column asked for.
//
// # How it is compiled
//
// Bind asks each condition for the rows where it is TRUE, or FALSE, or not
// TRUE, or not FALSE; NOT only swaps what is asked for, down to the leaves. So
// NULL is settled there, and in a Program a row passes or not.
//
// A column's values in their order are a line. A literal is a place on it, with
// values in front of it and behind it, and equal ones if the type has them: it
// is converted once, whatever the comparison. A test is a set of intervals
// between such places, with NaN and NULL apart; tests of one column are put
// together by merging, and become one test that decoders understand.
//
//	x > 2.5 AND x <= 9 AND x NOT IN (3, 9), of integers     [3 9] less {3} {9}: [4 8]
//
// What never comes here: thrift, encodings of statistics, the names of columns
// in files, I/O, decoding.
package filter
