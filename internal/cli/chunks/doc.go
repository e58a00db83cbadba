// Package chunks has what several commands show of a column chunk: its pages, found by their
// headers, its bounds and whether they may be used, and its indexes side by side.
//
// What never comes here: flags, whole answers, values of rows.
package chunks
