// Package filter expresses conditions on columns, in SQL's three-valued logic.
//
// An Expr is a condition. It comes from Parse, or is built with Col, And, Or, Not and
// the methods of Column:
//
//	filter.Parse("price > 9.5 AND ANY(tags) = 'new'")
//	filter.And(filter.Col("price").Gt(9.5), filter.Col("tags").Any().Eq("new"))
//	filter.Any("attrs", "a", filter.And(filter.Col("a.key").Eq("k"), filter.Col("a.value").Eq("v")))
//
// It names no file. A scan binds it to each file's schema, and returns an error about
// a column or a value as an *Error. Expressions are immutable and safe for concurrent
// use.
//
// # The text
//
//	condition   AND, OR, NOT, parentheses; a boolean column; TRUE, FALSE, NULL
//	            value = value             also <> != < <= > >=
//	            (a, b) = (1, 2)           tuples, also <> < <= > >=, IN ((1, 2), (3, 4))
//	            value [NOT] BETWEEN value AND value
//	            value [NOT] IN (constant, …)
//	            value [NOT] LIKE 'pattern' [ESCAPE 'c']    also ILIKE, whatever the case
//	            value ~ 'regular expression', value !~ '…'; also ~* and !~*, whatever the case
//	            prefix(value, 'text'), suffix(…), contains(…), regexp_matches(value, '…')
//	            list_contains(path, constant), constant [NOT] IN path
//	            list_contains(map_keys(path), constant)    also map_values; map_contains(path, constant)
//	            isnan(value), isinf(value), isfinite(value)
//	            value IS [NOT] NULL       also of structs, lists and maps
//	            value IS [NOT] DISTINCT FROM value
//	            condition IS [NOT] TRUE, IS [NOT] FALSE, IS [NOT] UNKNOWN
//	            condition = condition     also <>
//	            ANY(list AS x: condition) of one item x; also ALL, NONE
//	            EXISTS (SELECT 1 FROM unnest(list) AS x WHERE condition)
//	value       a.b."odd name".`or so`   path of a column
//	            ANY(path), ALL(path)      items of lists
//	            path['key']               value of a map, the last of several; a field of a struct
//	            path['key'].a.b           field of such a value, also path['key']['a']['b']
//	            path[1], path[-1]         item of a list, the first and the last; NULL if there is none
//	            v.a.b, v['a b'][3]        value within a VARIANT, see below
//	            length(path)              items of a list or map, code points of a string
//	            COUNT(list AS x: condition)   items of which it is TRUE
//	            value + value             also - * / %, ^ for power, & | xor(a, b) of integers, and -value
//	            value || value            texts; concat(value, 'text', …) takes NULL for ''
//	            value AT TIME ZONE 'Europe/Berlin'    an instant as its clock shows it; of what
//	                                      is local, the instant at which it does
//	            year(value)               and other functions, see below
//	            coalesce(value, …)        ifnull(a, b)  nullif(a, b)  least(a, …)  greatest(a, …)
//	            CASE WHEN condition THEN value … ELSE value END, CASE value WHEN value THEN …
//	            CAST(value AS type)       also value::type, date(value) and TRY_CAST, see Arithmetic
//	            a constant                a literal, or arithmetic on literals
//	literal     12  -1.50  1e-3  'text'  X'0aff'  TRUE  FALSE  NULL
//	            DATE '2024-01-31'  TIMESTAMP '2024-01-31 10:00:00.5' (UTC)
//	            TIMESTAMP '2024-01-31 12:00:00.5+02:00', with Z, +02, +0200 or +02:00
//	            TIMESTAMPTZ '2024-01-31 12:00:00 Europe/Berlin', or TIMESTAMP WITH TIME ZONE
//	            TIME '10:00:00.5'  DOUBLE '0.1', 'NaN', 'Infinity', '-Infinity'
//	            INTERVAL '1 year 2 days 03:00:00.5'  INTERVAL 30 MINUTES  INTERVAL '-1' MONTH
//	            current_date, now()       of the time of parsing, in UTC
//
// A string stands for a date, time, timestamp, UUID, number or boolean where the column is
// one, 0 and 1 for FALSE and TRUE, for which 'f', 'no', 't', 'yes' and so on stand, too. A semicolon may end
// the text. Comments are written -- to the end of the line, or between /* and */.
//
// Other spellings are == for =, 1_000 for 1000, ISNULL and NOTNULL, RLIKE and REGEXP for ~.
//
// # What it means
//
// NaN compares as in IEEE 754: of it, only <> is TRUE. Strings compare by
// their bytes. In a LIKE, % is any string and _ one code point. Numbers compare
// exactly, whatever their scale, with one exception: where a number with a point or
// an exponent, or a decimal column, is compared with floats, it means the float of
// their width that is nearest to it. So price = 0.1 finds the DOUBLE, FLOAT or FLOAT16
// that is printed as 0.1. DOUBLE '0.1' means exactly that double, which no FLOAT equals.
// Local timestamps, dates and INT96 are compared as if they were in UTC.
//
// A literal timestamp with an offset, or Z, denotes an instant: in a column in UTC,
// '2024-03-31 03:30:00+02:00' finds 01:30. A local timestamp is not an instant, so
// comparing it with an offset is an error; dates and INT96 take Z and +00:00 only.
//
// Of a list that is NULL or empty, ANY is FALSE and ALL is TRUE. A NULL item, and
// a NULL list within a list, is unknown to both. NOT within a test applies to each
// item (ANY(tags) NOT IN ('a')), NOT in front of it to the result (NOT ANY(tags) = 'a').
// IN () is FALSE of every row, NOT IN () TRUE, whatever the lists contain. A list_contains is
// NULL where the list or the constant is, and else TRUE or FALSE.
//
// Two ANYs may be passed by different items. One item is tested where it has a name: ANY(attrs AS a:
// a.key = 'k' AND a.value = 'v'). The conditions there test the item or its fields, of a map key and
// value, each against constants; lists in it have items in turn: ANY(spans AS s: s.kind = 2 AND
// ANY(s.attrs AS a: a.key = 'k')). Refused are other columns, fields of an item around, two fields
// that are compared, values of maps by key, and a Func. ANY is NULL where no item is TRUE
// and one is NULL; ALL is NOT ANY of the NOT; EXISTS and COUNT, 0 of a NULL list, are never NULL.
//
// A condition on a CASE, a coalesce or the like is that on each of its values, where a row has it:
// coalesce(a, 0) > 5 is a IS NOT NULL AND a > 5 OR a IS NULL AND 0 > 5. least and greatest leave
// NULLs out, and of a NaN and a number return the one that stands first. Two strings that compare
// otherwise as values of a column beside one of them are an error: of an INT32,
// coalesce(a, '10') > '9'.
//
// IS DISTINCT FROM is a <> that takes NULL for a value, and is never NULL. Of two conditions,
// a = b is NULL where one of them is. Tuples are compared item by item, with SQL's NULLs: (a, b) <>
// (1, 2) is NULL of a NULL and 2, where DuckDB, to which NULL is a value in a tuple, says TRUE.
//
// lower and upper change each code point by Unicode's simple mapping, as Go's package
// unicode has it; a byte that is part of none stays. x ILIKE p is lower(x) LIKE lower(p),
// and is printed as that.
//
// # Functions
//
// Beside the value, functions take constants. Names are those of DuckDB, in any case. A function
// of constants alone is its result, as in date_trunc('month', now()).
//
//	strings    lower  upper  length (len, char_length)  octet_length (strlen)
//	           substr(s, 1, 3) (substring, s FROM 1 FOR 3)  left(s, 2)  right(s, 2)  trim  ltrim  rtrim, of
//	           Unicode's spaces or the characters of a text, trim(LEADING 'a' FROM s)  replace(s, 'a', 'b')
//	           split_part(s, '/', 2)  strpos(s, 'a') (instr, position('a' IN s)), 0 where there is none
//	moments    year  date_trunc('month', d)  timezone('UTC', d), AT TIME ZONE  epoch, the seconds since 1970  quarter  month  day
//	           dayofweek (dow), 0 on Sundays  isodow, 7 on Sundays  dayofyear (doy)  week, by ISO 8601
//	times too  hour  minute  second; extract(hour FROM t), date_part('hour', t)
//	numbers    abs  floor  ceil (ceiling)  sign  round(x, 2), halves away from 0  sqrt  pow(x, 2)
//	integers   mod(n, 10), n % 10, with the sign of n; also of decimals in 32 or 64 bits
//
// year, date_trunc, timezone, epoch and those of numbers are inverted as arithmetic is: year(d) = 2024 is
// compiled as d >= '2024-01-01' AND d < '2025-01-01'. The others are run, once for each entry of a
// dictionary. Moments are taken in UTC, or as they are where they are local. Positions in strings
// count code points, from 1 on; below 0 they count from the end.
//
// Zones are those of package time: where the system has none, a program links time/tzdata. Of a
// time that a clock shows twice, AT TIME ZONE takes the second; one that it skips is as far behind
// the change as it would be without. The inverse is exact, also across such changes. What is cast to
// DATE or TIMESTAMP is local to AT TIME ZONE, what is cast to TIMESTAMPTZ an instant.
//
// # Arithmetic
//
// Arithmetic on one column is inverted: a + 1 > 5 is compiled as a > 4, and uses statistics and
// indexes as that does. Integers and decimals are calculated exactly: nothing overflows,
// and 7 / 2 is 3.5. A DOUBLE is calculated as a double, a FLOAT or FLOAT16 as a FLOAT unless
// the constant is DOUBLE '…'. Of two constants, a quotient that is no decimal is a double.
//
// Arithmetic between columns, and what is not inverted, is calculated for each row: a - b > 10 + c,
// 10 / a, sqrt(a), day > ts::DATE, hour(ts AT TIME ZONE 'UTC'), abs(a - b), s || t. Bounds of both columns
// are used where functions keep the order. Where a function that is run, such as mod, takes what is calculated,
// a number beyond 64 bits is NULL. Integers and decimals are exact here, too; quotients, and all else with a float, are
// doubles. Division of integers or decimals by zero is NULL, since a condition never fails on a row. Two
// dates differ by a number of days, other moments by an INTERVAL, a month of which has 30 days.
//
// An INTERVAL has months, days and a time of day, which are added to dates and timestamps in
// this order, in UTC. After the months, a day that the month lacks becomes its last: January
// 31 plus 1 month is the last of February. A number added to a date is one of days. CAST of a
// timestamp to DATE is its day in UTC.
//
// A CAST to a type of integers or to DECIMAL(p, s) is NULL where the type has no room for a value, and
// prunes as a range does. Halves are rounded away from 0, but those of FLOATs and DOUBLEs that become
// integers to the even one. So TRY_CAST is CAST by another name, except that a constant which is
// no value of the type is an error to CAST, and NULL to TRY_CAST. A string is cast to the number, date, time
// or timestamp that it spells, and to NULL where it spells none, also where DuckDB finds one: in 'nan', 'inf',
// '1e400', '+-5', '1_000' and '0x10' as numbers, 'Infinity', '2024-1-5' and '2024/01/05' as dates, a day of
// 24:00:00, a date as a TIME. NaN and infinities are spelled as for DOUBLE '…'; a FLOAT is infinite, and not NULL,
// where a number is beyond all FLOATs. With an offset, a TIMESTAMP is the time in UTC, where DuckDB drops the
// offset. DECIMALs of strings have up to 18 digits. A string's cast is run, as functions of strings are.
// A CAST to VARCHAR writes what DuckDB does, instants in UTC: '2024-01-31 10:00:00.5+00', '1.0' for a DOUBLE,
// but 'nan' for every NaN. It is run, too.
//
// # VARIANT
//
// Into a VARIANT, a path goes by the names of fields, and by positions in arrays as in lists. A value there has the type
// of the literal that it is compared with: v.a = 3 is TRUE or FALSE of numbers of any width, v.a = 'x' of strings, and
// both are NULL of all else, also where DuckDB has an order between types. A CAST takes values of each type that columns
// are cast from, and is NULL of others, of arrays and of objects: v.a::INT > 5. So is what functions, LIKE and arithmetic
// with a constant say of values of types that they do not take. v.a IS NULL is TRUE where v has no a, and where a is the
// variant null; v IS NULL is of the column alone. Two paths are not compared with each other, nor a path with a column.
//
// A shredded field prunes as a column does, where no row of a page or chunk may have the field elsewhere.
//
// # Conditions that come later
//
// A Runtime holds a condition that a host publishes while a scan runs. Keys are a
// large set of values, such as join keys, to filter a column by, or of tuples to filter
// several by.
//
// # In another process
//
// The text of an Expr, by String, is the same Expr to Parse, unless it contains a Func
// or InKeys. A function is code that the other process must have. Keys are sent by
// MarshalBinary, beside the columns that they are for, and both sides build InKeys. Of a
// Runtime, send what Snapshot returns each time that it is Newer, and Publish it there.
//
// What never comes here: files and their schemas, which package compile binds
// expressions to.
package filter
