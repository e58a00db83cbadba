package guide

// whereGrammar is the grammar of --where on one page.
const whereGrammar = `The condition of --where is that of SQL, without the word WHERE.

Conditions
  value = value                   also <> != < <= > >=
  (a, b) = (1, 2)                 also <> < IN ((1, 2), (3, 4))
  value [NOT] BETWEEN a AND b
  value [NOT] IN (a, b, ...)
  value [NOT] LIKE 'a%_'          % any text, _ one character; ESCAPE '!'
  value [NOT] ILIKE 'a%'          whatever the case
  value ~ 'regular expression'    !~ for the opposite, ~* whatever the case;
                                  syntax of Go and RE2; also regexp_matches
  prefix(value, 'text')           suffix, contains
  list_contains(list, 5)          also 5 IN list, map_contains(map, 5)
  isnan(value)                    isinf, isfinite
  value IS [NOT] NULL             also of structs, lists and maps
  value IS [NOT] DISTINCT FROM b  NULL is a value of its own
  condition IS [NOT] TRUE         IS FALSE; NULL is neither; IS UNKNOWN is NULL
  condition = condition           also <>
  ANY(attrs AS a: a.key = 'k' AND a.value = 'v')
                                  one item; also ALL, NONE, COUNT(...) >= 2
  EXISTS (SELECT 1 FROM unnest(tags) AS t WHERE t = 'x')
  NOT, AND, OR, parentheses, a boolean column, TRUE, FALSE, -- comments

Values
  a.b."odd name"                  a column or field; quotes or backticks; in
                                  another case, too, where just one fits
  ANY(tags), ALL(items.price)     items of lists
  attributes['key'].field         the value of a map, the field of a struct
  tags[1], tags[-1]               the first item of a list, and the last
  length(value)                   characters of a string, items of a list
  a + 1, price * (1 - discount)   also - / % ^, and & | xor(a, b) of integers
  a || 'text', a || b             concat(a, b) takes NULL for ''
  ts - INTERVAL '1 month 2 days'  dates and timestamps; DATE + 7 is a week
  CAST(ts AS DATE), s::INT        id::VARCHAR, x::DECIMAL(9, 2); NULL where
                                  there is no such value, as TRY_CAST

Functions
  lower upper trim ltrim rtrim    of strings; also trim(BOTH 'a' FROM s); length
                                  counts characters, octet_length bytes
  substr(s, 1, 3), left(s, 2)     right; replace(s, 'a', 'b'),
                                  split_part(s, '/', 2), strpos(s, 'a')
  year quarter month week day     of dates and timestamps, in UTC; dayofyear
                                  dayofweek isodow epoch hour minute second
  date_trunc('month', ts)         also extract(hour FROM ts)
  ts AT TIME ZONE 'Europe/Berlin' also timezone('Europe/Berlin', ts)
  abs floor ceil sign sqrt        round(x, 2), pow(x, 2), mod(n, 10)
  coalesce(a, 0), nullif(a, 0)    also ifnull, least, greatest
  CASE WHEN a > 1 THEN b ELSE 0 END = 2

Constants
  12  -1.5  1e-3  'text'  X'0aff'  TRUE  NULL
  DATE '2024-01-31'  TIME '10:00:00.5'
  TIMESTAMP '2024-01-31 10:00:00' with Z or +02:00 where the column is in UTC;
                                  without it, in UTC, or local as the column is
  TIMESTAMPTZ '2024-01-31 10:00:00 Europe/Berlin'
  now(), current_date             in UTC, the same for the whole scan
  INTERVAL '1 day'  INTERVAL 90 MINUTES
  DOUBLE '0.1'                    exactly that double

Meaning
  Numbers compare exactly, whatever their types. 0.1 means the FLOAT or DOUBLE
  that is shown as 0.1. A string stands for the number, date, timestamp or UUID
  that it spells. Strings compare by their bytes. 7 / 2 is 3.5. NaN equals
  nothing. Arithmetic on a column and a constant, year and date_trunc cost
  nothing and skip what a range would. n / 0 is NULL, and sqrt of a negative
  number is NaN. The difference of two timestamps is an INTERVAL. There is no
  GROUP BY or ORDER BY, and no subquery but EXISTS.
`

// whereExamples stand below the grammar.
var whereExamples = []string{
	"ts >= now() - INTERVAL '1 day' AND status <> 200",
	"name ILIKE '%smith%' OR lower(city) IN ('rome', 'paris')",
	"CAST(placed AS DATE) = '2024-06-01' AND ANY(items.price) > 99.9",
	"ANY(items AS i: i.sku = 'A1' AND i.price > 99.9)",
	"(price - 5) * 1.2 BETWEEN 100 AND 200 AND length(comment) > 80",
}
