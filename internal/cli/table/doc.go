// Package table lays out text for people: tables with aligned columns, cut to
// the width of a terminal, and numbers as people read them.
//
// A Table is complete before it is rendered. RowTable writes rows of data as
// they come; the first rows decide how wide its columns are:
//
//	order_id  ship_date   comment
//	       1  1996-03-13  egular courts above t…    a text is cut
//	       2  1997-01-28  ly final dependencies
//	order_id    ship_date  comment                  titles again, for a value
//	       3  10000-02-02  riously. regular, exp…   that needs more room
//	… 2 more: tax, discount                         columns without room
//	3 of 20,000 rows
//
// Texts come from files that anyone may have made: Printable escapes what would
// not show, or would steer the terminal.
//
// What never comes here: files, flags, and the formats that programs read.
package table
