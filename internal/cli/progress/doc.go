// Package progress shows how far a command has come, from what scans report of rows and
// pages, or from the bytes that a command without scans is done with:
//
//	file 2 of 9  orders.parquet  25 %  12 of 5,000 rows  1.2 MiB read  87 % skipped  2 s  16 s left
//
// What never comes here: what a command does, how files are opened.
package progress
